package playbook

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"moot/config"
	"moot/internal/enum"
)

//go:embed books/*.toml
var bookFiles embed.FS

//go:embed patterns.toml
var patternFile []byte

// errNested says that a built-in playbook extends another, which none does.
var errNested = errors.New("a built-in playbook extends no other")

// Names are the built-in playbooks.
func Names() []string {
	return []string{"code-review", "design-review", "dependency-upgrade", "infrastructure-change", "incident-review"}
}

// BuiltIn returns a playbook that moot is built with. The error names the
// nearest where there is none of that name.
func BuiltIn(name string) (Playbook, error) {
	known, err := enum.Parse("playbook", name, Names())
	if err != nil {
		return Playbook{}, err
	}
	data, err := bookFiles.ReadFile("books/" + known + ".toml")
	if err != nil {
		return Playbook{}, fmt.Errorf("the playbook %s that moot is built with: %w", known, err)
	}
	nested := func(string) (Playbook, error) { return Playbook{}, errNested }
	book, err := read(known+".toml", data, nested)
	if err != nil {
		return Playbook{}, fmt.Errorf("the playbook %s that moot is built with: %w", known, err)
	}
	book.Name = known
	return book, nil
}

// readSets reads the sets of patterns that checks may name.
func readSets() (map[string][]Pattern, error) {
	var file setsForm
	if err := config.Strict(patternFile, &file); err != nil {
		return nil, fmt.Errorf("read the patterns that moot is built with: %w", err)
	}
	sets := map[string][]Pattern{}
	for _, set := range file.Sets {
		for _, row := range set.Rows {
			pattern, err := row.compile()
			if err != nil {
				return nil, fmt.Errorf("the set of patterns %s that moot is built with: %w", set.Name, err)
			}
			sets[set.Name] = append(sets[set.Name], pattern)
		}
	}
	return sets, nil
}

func (f *patternForm) compile() (Pattern, error) {
	pattern := Pattern{Files: f.Files, Where: Code}
	var err error
	if pattern.Match, err = regexp.Compile(f.Pattern); err != nil {
		return Pattern{}, err
	}
	pattern.Words = wordsOf(pattern.Match)
	if f.Unless != "" {
		if pattern.Unless, err = regexp.Compile(f.Unless); err != nil {
			return Pattern{}, err
		}
	}
	if f.Where != "" {
		if pattern.Where, err = enum.Parse("part of a line", f.Where, Parts()); err != nil {
			return Pattern{}, err
		}
	}
	return pattern, nil
}

// Sets are the names of the sets of patterns that a check may take, sorted.
func Sets() []string {
	sets, err := readSets()
	if err != nil {
		// The sets are embedded and tested.
		return nil
	}
	return slices.Sorted(maps.Keys(sets))
}
