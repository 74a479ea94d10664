// Command rename changes the path of this module, so that "go install PATH@latest" works once the repository has an
// address. tools/rename-module runs it from any folder:
//
//	tools/rename-module example.com/owner/moot
//
// It changes go.mod and tools/go.mod, the imports and other quoted package paths of Go files, the linter's settings,
// and how the README says to install moot. The name of the program, its folders and its variables stay. Nothing is
// written if the path or a file is wrong.
package main

import (
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: tools/rename-module PATH, for example example.com/owner/moot")
		os.Exit(2)
	}
	changed, err := rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "rename-module:", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "changed %d files; check them with .ci/run, then tag a version\n", len(changed))
}

// modulePath is a path that the go command can download from a host: a domain, then at least one more element.
var modulePath = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+(/[A-Za-z0-9_][A-Za-z0-9._~-]*)+$`)

// rename changes the path of the module in a folder and returns the names of the changed files, in order.
func rename(folder, to string) (changed []string, err error) {
	if !modulePath.MatchString(to) || strings.HasSuffix(to, ".") || strings.Contains(to, "./") {
		return nil, fmt.Errorf("%q is not the path of a module on a host, such as example.com/owner/moot", to)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	head, err := root.ReadFile("go.mod")
	if err != nil {
		return nil, fmt.Errorf("find the module: %w", err)
	}
	line := regexp.MustCompile(`(?m)^module (\S+)$`).FindSubmatch(head)
	if line == nil {
		return nil, errors.New("go.mod has no line \"module PATH\"")
	}
	from := string(line[1])
	if from == to {
		return nil, fmt.Errorf("the path of the module is %s already", to)
	}
	edits, err := editsOf(root, from, to)
	if err != nil {
		return nil, err
	}

	texts := map[string]string{}
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := entry.Name(); entry.IsDir() && name != "." && (base[0] == '.' || base == "testdata") {
			return fs.SkipDir
		}
		edit := edits[name]
		if path.Ext(name) == ".go" {
			edit = edits["*.go"]
		}
		if edit == nil || !entry.Type().IsRegular() {
			return nil
		}
		before, err := root.ReadFile(name)
		if err != nil {
			return err
		}
		after, err := edit(string(before))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if after != string(before) {
			changed, texts[name] = append(changed, name), after
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("nothing was changed: %w", err)
	}
	for _, name := range changed {
		// The files exist, so they keep their modes.
		if err := root.WriteFile(name, []byte(texts[name]), 0o600); err != nil {
			return nil, fmt.Errorf("some files are changed, git restores them: %w", err)
		}
	}
	return changed, nil
}

// editsOf returns the change to each file that names the module, by its name.
func editsOf(root *os.Root, from, to string) (map[string]func(string) (string, error), error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, fmt.Errorf("list the packages: %w", err)
	}
	// "moot" is also the name of a program and of folders, so it is a package path only in front of a folder of the
	// module, or as a prefix that ends with a slash.
	folders := []string{`"`}
	for _, e := range entries {
		if e.IsDir() && e.Name()[0] != '.' {
			folders = append(folders, regexp.QuoteMeta(e.Name())+`[/"]`)
		}
	}
	quoted := regexp.MustCompile(`"` + regexp.QuoteMeta(from) + `/(` + strings.Join(folders, "|") + `)`)
	// replace returns an edit that replaces what the expression finds.
	replace := func(expression, with string) func(string) (string, error) {
		find := regexp.MustCompile(expression)
		return func(text string) (string, error) { return find.ReplaceAllString(text, with), nil }
	}
	old := regexp.QuoteMeta(from)
	return map[string]func(string) (string, error){
		"go.mod":        replace(`(?m)^module `+old+`$`, "module "+to),
		"tools/go.mod":  replace(`(?m)^module `+old+`/tools$`, "module "+to+"/tools"),
		".golangci.yml": replace(`(?m)^( +(?:module-path:|-) )`+old+`$`, "${1}"+to),
		"README.md": replace(`(?s)(<!-- install -->\n).*?(\n<!-- installed -->)`,
			"${1}\n    go install "+to+"@latest\n${2}"),
		"*.go": func(text string) (string, error) {
			after := quoted.ReplaceAllString(text, `"`+to+`/$1`)
			if after == text {
				return text, nil
			}
			// Tables with paths align their values.
			formatted, err := format.Source([]byte(after))
			return string(formatted), err
		},
	}, nil
}
