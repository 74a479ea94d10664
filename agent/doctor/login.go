package doctor

import (
	_ "embed" // The logins are a file of their own.
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"moot/config"
)

//go:embed logins.toml
var loginFile []byte

// login is what a login of a program leaves behind; logins.toml explains the fields.
type login struct {
	Program   string   `toml:"program"`
	Vendor    string   `toml:"vendor"`
	Variables []string `toml:"variables"`
	Files     []string `toml:"files"`
	Hidden    []string `toml:"hidden"`
}

// logins reads logins.toml.
func logins() ([]login, error) {
	var file struct {
		Login []login `toml:"login"`
	}
	if err := config.Strict(loginFile, &file); err != nil {
		return nil, fmt.Errorf("read the table of logins, which is built in: %w", err)
	}
	return file.Login, nil
}

// loginOf is that of a program; known is false where nothing is known of it.
func loginOf(program string) (found login, known bool) {
	all, err := logins()
	if err != nil {
		// The file is built in; a test reads it.
		return login{}, false
	}
	i := slices.IndexFunc(all, func(l login) bool { return l.Program == program })
	if i < 0 {
		return login{}, false
	}
	return all[i], true
}

// sign is what shows that somebody is logged in: the name of a variable, or a file;
// "" where there is none.
func (w *Where) sign(l *login) string {
	for _, name := range l.Variables {
		if strings.TrimSpace(w.env(name)) != "" {
			return name
		}
	}
	for _, file := range l.Files {
		path := w.expanded(file)
		if path == "" {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// mayHide reports that a login can be where it is not seen.
func (l *login) mayHide() bool { return slices.Contains(l.Hidden, runtime.GOOS) }

// expanded is the path of a file of the table, or "" where it is nowhere.
func (w *Where) expanded(file string) string {
	head, rest, _ := strings.Cut(file, "/")
	if variable, is := strings.CutPrefix(head, "$"); is {
		head = w.env(variable)
	} else if head == "~" {
		head = w.env("HOME")
		if runtime.GOOS == "windows" {
			head = w.env("USERPROFILE")
		}
	}
	if head == "" {
		return ""
	}
	return filepath.Join(head, filepath.FromSlash(rest))
}
