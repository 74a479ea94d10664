package change

import (
	_ "embed"
	"path"
	"strings"
	"sync"

	"moot/config"
)

//go:embed names.toml
var namesFile []byte

// nameList is a list of names.toml for fast lookups.
type nameList struct {
	exact, folders, endings map[string]bool
	patterns                []string
}

//nolint:gochecknoglobals // a table
var names = sync.OnceValues(func() (lists struct{ generated, steering nameList }, err error) {
	var file struct {
		Generated []string `toml:"generated"`
		Steering  []string `toml:"steering"`
	}
	if err := config.Strict(namesFile, &file); err != nil {
		return lists, err
	}
	lists.generated, lists.steering = newNameList(file.Generated), newNameList(file.Steering)
	return lists, nil
})

func newNameList(patterns []string) nameList {
	l := nameList{exact: map[string]bool{}, folders: map[string]bool{}, endings: map[string]bool{}}
	for _, pattern := range patterns {
		folder, isFolder := strings.CutSuffix(pattern, "/")
		ending := strings.TrimPrefix(pattern, "*")
		switch {
		case isFolder:
			l.folders[folder] = true
		case !strings.ContainsAny(pattern, "*?["):
			l.exact[pattern] = true
		case ending != pattern && path.Ext(ending) == ending && !strings.ContainsAny(ending, "*?["):
			l.endings[ending] = true
		default:
			l.patterns = append(l.patterns, pattern)
		}
	}
	return l
}

// has reports whether a path has one of the names.
func (l *nameList) has(name string) bool {
	name = strings.ToLower(name)
	parts := strings.Split(name, "/")
	for i, part := range parts {
		// A pattern with a slash has two elements.
		both := ""
		if i > 0 {
			both = parts[i-1] + "/" + part
		}
		if i+1 < len(parts) {
			if l.folders[part] || l.folders[both] {
				return true
			}
			continue
		}
		if l.exact[part] || l.exact[both] || l.endings[path.Ext(part)] {
			return true
		}
		for _, pattern := range l.patterns {
			if ok, _ := path.Match(pattern, part); ok {
				return true
			}
		}
	}
	return false
}

// IsGenerated reports whether a file is a lock file or generated code, by its name.
func IsGenerated(name string) bool {
	lists, err := names()
	return err == nil && lists.generated.has(name)
}

// Steers reports whether agent programs take instructions, settings or tools from a file of that name.
func Steers(name string) bool {
	lists, err := names()
	return err != nil || lists.steering.has(name)
}
