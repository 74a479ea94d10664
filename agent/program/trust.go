package program

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"moot/internal/plain"
	"moot/internal/regular"
)

// Untrusted reports that the program would refuse to run in a folder that it does not trust, and says what to do.
// Both results are "" if the folder is trusted, as far as the program's files show. env is its environment.
func (a *Adapter) Untrusted(folder string, env []string) (what, fix string) {
	t := &a.Trust
	if t.Folders == "" || folder == "" {
		return "", ""
	}
	values := map[string]string{}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	for _, name := range t.Unless {
		if values[name] != "" {
			return "", ""
		}
	}
	read := func(file string) (text string, readable bool) {
		if rest, inHome := strings.CutPrefix(file, "~/"); inHome {
			home := values["HOME"]
			if home == "" {
				home = values["USERPROFILE"]
			}
			if home == "" {
				return "", false
			}
			file = filepath.Join(home, filepath.FromSlash(rest))
		}
		data, err := regular.Read(file, 1<<20)
		return string(data), errors.Is(err, fs.ErrNotExist) || err == nil && gjson.Valid(string(data))
	}
	for _, file := range t.Settings {
		text, readable := read(file)
		if on := gjson.Get(text, t.Switch); !readable || on.Exists() && !on.Bool() {
			return "", ""
		}
	}
	text, readable := read(t.Folders)
	if !readable {
		return "", "" // JSON with comments, perhaps; leave the check to the program
	}
	trusted, longest := false, -1
	at := realPath(folder)
	gjson.Parse(text).ForEach(func(key, value gjson.Result) bool {
		covers := key.Str
		if value.Str == "TRUST_PARENT" {
			covers = filepath.Dir(covers)
		}
		rest, err := filepath.Rel(realPath(covers), at)
		inside := err == nil && rest != ".." && !strings.HasPrefix(rest, ".."+string(filepath.Separator))
		if inside && len(key.Str) > longest {
			longest, trusted = len(key.Str), value.Str == "TRUST_FOLDER" || value.Str == "TRUST_PARENT"
		}
		return true
	})
	if trusted {
		return "", ""
	}
	return a.Name + " only runs in folders that you trust, and " + plain.Line(folder) + " is not one of them", t.Fix
}

// realPath resolves links in the existing part of a path.
func realPath(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return filepath.Clean(path)
}
