package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxConfig is the maximum size of a configuration file.
const maxConfig = 1 << 20

// setting is a git setting. The key is section.name or section.subsection.name, in lower case except for the
// subsection.
type setting struct{ key, value string }

// formatKeys are the repository settings that git needs to read it, and those about converting files on disk. None of
// them names a program, a file or another repository. All other repository settings are ignored: hooks, filters,
// drivers, pagers, signing programs, file system monitors, aliases, includes, remotes.
//
//nolint:gochecknoglobals // a table
var formatKeys = []string{
	"core.autocrlf", "core.eol", "core.filemode", "core.ignorecase", "core.precomposeunicode",
	"core.repositoryformatversion", "core.symlinks", "extensions.objectformat", "extensions.refstorage",
}

// knownExtensions are extensions that do not affect what moot reads, or that formatKeys has.
//
//nolint:gochecknoglobals // a table
var knownExtensions = []string{
	"compatobjectformat", "noop", "noop-v1", "objectformat", "partialclone", "preciousobjects", "refstorage",
	"relativeworktrees", "worktreeconfig",
}

// userKeys are the global and system settings that apply to all repositories.
//
//nolint:gochecknoglobals // a table
var userKeys = []string{"core.autocrlf", "core.eol", "core.excludesfile", "core.precomposeunicode"}

// allowed returns the settings for reading a repository: the permitted ones of the user and of the repository, and
// which branch tracks which, for "branch@{upstream}".
func (r *Repository) allowed(ctx context.Context) ([]setting, error) {
	user, err := userSettings(ctx)
	if err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(user, func(s setting) bool { return !slices.Contains(userKeys, s.key) })
	own, err := r.own(ctx)
	if err != nil {
		return nil, err
	}
	version := "0"
	for _, s := range own {
		section, rest, _ := strings.Cut(s.key, ".")
		name := s.key[strings.LastIndex(s.key, ".")+1:]
		switch {
		case slices.Contains(formatKeys, s.key):
			kept = append(kept, s)
		case section == "branch" && (name == "merge" || name == "remote"), section == "remote" && name == "fetch":
			kept = append(kept, s)
		case section == "extensions" && !slices.Contains(knownExtensions, rest):
			return nil, &Error{Text: fmt.Sprintf("the repository uses extensions.%s, which moot does not know", rest)}
		case s.key == "core.worktree" && !sameFile(within(r.place.dir, s.value), r.place.Top):
			return nil, &Error{Text: fmt.Sprintf("core.worktree of the repository names another work tree, %s; moot "+
				"reads only "+
				"the folder that holds .git", s.value)}
		case s.key == "core.excludesfile":
			file, err := filepath.EvalSymlinks(within(r.place.Top, s.value))
			top, topErr := filepath.EvalSymlinks(r.place.Top)
			if err != nil || topErr != nil || !isBelow(top, file) {
				return nil, &Error{Text: fmt.Sprintf("core.excludesFile of the repository names a file outside of it, "+
					"%s, which "+
					"is not read: set it with git config --global, or copy the file to .git/info/exclude", s.value)}
			}
			if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
				return nil, &Error{Text: "core.excludesFile of the repository is not a file"}
			}
			kept = append(kept, setting{s.key, file})
		}
		if s.key == "core.repositoryformatversion" {
			version = s.value
		}
		if s.key == "extensions.objectformat" {
			r.sha256 = s.value == "sha256"
		}
		if s.key == "core.filemode" {
			r.noModes = strings.EqualFold(s.value, "false")
		}
		if s.key == "core.symlinks" {
			r.noLinks = strings.EqualFold(s.value, "false")
		}
	}
	if version != "0" && version != "1" {
		return nil, &Error{Text: fmt.Sprintf("the repository has format version %s, which moot does not know", version)}
	}
	// Nothing above names a program. Disable caches in the repository that may not match its objects.
	return append(kept, setting{"core.commitgraph", "false"}, setting{"core.untrackedcache", "false"},
		setting{"core.quotepath", "false"}), nil
}

// own returns all settings of the repository except included ones.
func (r *Repository) own(ctx context.Context) ([]setting, error) {
	text, err := r.place.read("config", maxConfig)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, &Error{Text: fmt.Sprintf("the configuration of the repository cannot be read: %v", err)}
	}
	settings, err := r.parse(ctx, text)
	if err != nil || !slices.ContainsFunc(settings, func(s setting) bool {
		return s.key == "extensions.worktreeconfig" && !strings.EqualFold(s.value, "false")
	}) {
		return settings, err
	}
	root, err := os.OpenRoot(r.place.dir)
	if err != nil {
		return nil, &Error{Text: err.Error()}
	}
	defer root.Close() //nolint:errcheck // it was only read
	text, err = readRegular(root, "config.worktree", maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return settings, nil
	}
	if err != nil {
		return nil, &Error{Text: fmt.Sprintf("the configuration of the work tree cannot be read: %v", err)}
	}
	more, err := r.parse(ctx, text)
	return append(settings, more...), err
}

// parse lets git parse a configuration file.
func (r *Repository) parse(ctx context.Context, text []byte) ([]setting, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	out, err := run(ctx, call{
		dir: r.private, env: r.environ(), stdin: text, limit: 2 * maxConfig,
		args: []string{"config", "--file", "-", "--no-includes", "--null", "--list"},
	})
	if err != nil {
		return nil, &Error{Text: fmt.Sprintf("the configuration of the repository is damaged: %v", err)}
	}
	return readSettings(out), nil
}

func readSettings(list string) (settings []setting) {
	for entry := range strings.SplitSeq(strings.TrimSuffix(list, "\x00"), "\x00") {
		// A key without "=" is true.
		key, value, found := strings.Cut(entry, "\n")
		if !found {
			value = "true"
		}
		if key != "" {
			settings = append(settings, setting{key, value})
		}
	}
	return settings
}

// userSettings returns the global and system settings.
func userSettings(ctx context.Context) ([]setting, error) {
	out, err := run(ctx, call{
		env: environ(true, "GIT_DIR="+nothing), dir: os.TempDir(), limit: 2 * maxConfig,
		args: []string{"config", "--includes", "--null", "--list"},
	})
	return readSettings(out), err
}

// isSafe reports whether the user trusts a folder owned by someone else (safe.directory).
func isSafe(top string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	settings, err := userSettings(ctx)
	if err != nil {
		return false
	}
	safe := false
	for _, s := range settings {
		if s.key != "safe.directory" {
			continue
		}
		value := s.value
		if rest, ofHome := strings.CutPrefix(value, "~/"); ofHome {
			home, _ := os.UserHomeDir()
			value = filepath.Join(home, rest)
		}
		parent, below := strings.CutSuffix(value, "/*")
		switch {
		case value == "":
			safe = false
		case value == "*", filepath.Clean(value) == top, below && strings.HasPrefix(top, filepath.Clean(parent)+"/"):
			safe = true
		}
	}
	return safe
}

// writeSettings formats a git configuration file.
func writeSettings(settings []setting) []byte {
	var out bytes.Buffer
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`, "\b", `\b`)
	for _, s := range settings {
		section, name, _ := strings.Cut(s.key, ".")
		if at := strings.LastIndex(name, "."); at >= 0 {
			fmt.Fprintf(&out, "[%s \"%s\"]\n", section, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name[:at]))
			name = name[at+1:]
		} else {
			fmt.Fprintf(&out, "[%s]\n", section)
		}
		fmt.Fprintf(&out, "\t%s = \"%s\"\n", name, quote.Replace(s.value))
	}
	return out.Bytes()
}
