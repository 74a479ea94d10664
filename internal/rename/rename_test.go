package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// module returns the files of a small module with the given path. Names that only look like its path stay the same.
func module(path string) map[string]string {
	install := "Clone this repository.\n"
	if path != "moot" {
		install = "\n    go install MODULE@latest\n"
	}
	files := map[string]string{
		"go.mod":        "module MODULE\n\ngo 1.26\n",
		"tools/go.mod":  "module MODULE/tools\n\ngo 1.26\n",
		".golangci.yml": "    gofumpt:\n      module-path: MODULE\n    goimports:\n      local-prefixes:\n        - MODULE\n",
		"README.md":     "# moot\n\n<!-- install -->\n" + install + "\n<!-- installed -->\n\nmoot/clock holds the clock.\n",
		"main.go": "// Command moot reads moot/config.toml.\npackage main\n\nimport (\n\t\"fmt\"\n\n\t\"MODULE/clock\"\n)\n\n" +
			"func main() { fmt.Println(\"moot\", \"moot/config.toml\", \"moot/2\", \"moots/clock\", clock.Path) }\n",
		"clock/clock.go":                    "// Package clock is a part of moot.\npackage clock\n\n// Path is its path.\nconst Path = \"MODULE/\" + `import \"MODULE/clock\"`\n",
		"clock/testdata/foreign/foreign.go": "package foreign\n\nimport _ \"moot/clock\"\n",
		".cache/clock.go":                   "package cache\n\nimport _ \"moot/clock\"\n",
	}
	for name, text := range files {
		files[name] = strings.ReplaceAll(text, "MODULE", path)
	}
	return files
}

func write(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func check(t *testing.T, root string, want map[string]string) {
	t.Helper()
	for name, text := range want {
		got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil || string(got) != text {
			t.Errorf("%s is %q (%v), want %q", name, got, err, text)
		}
	}
}

func TestRenamedModuleBuildsAndKeepsTheNameOfTheProgram(t *testing.T) {
	t.Parallel()
	root := write(t, module("moot"))
	for _, path := range []string{"example.com/owner/moot", "other.example.org/moot/v2"} {
		if changed, err := rename(root, path); err != nil || len(changed) != 6 {
			t.Fatalf("rename to %s changed %q: %v", path, changed, err)
		}
		check(t, root, module(path))
		build := exec.Command("go", "vet", "./...")
		build.Dir = root
		if output, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%s does not build: %v\n%s", path, err, output)
		}
	}
}

func TestTablesStayFormattedAfterARename(t *testing.T) {
	t.Parallel()
	files := module("moot")
	files["clock/table.go"] = "package clock\n\nvar _ = map[string]int{\n\t\"moot/clock\":  1,\n\t\"moot/longer\": 2,\n}\n"
	root := write(t, files)
	if _, err := rename(root, "example.com/moot"); err != nil {
		t.Fatal(err)
	}
	check(t, root, map[string]string{
		"clock/table.go": "package clock\n\nvar _ = map[string]int{\n\t\"example.com/moot/clock\": 1,\n\t\"moot/longer\":            2,\n}\n",
	})
}

func TestRefusedRenameChangesNothing(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"", "moot", "owner/moot", "example.com", "example.com/", "example.com//moot",
		"example.com/../moot", "example.com/owner./moot", "example.com/moot.", "https://example.com/moot",
		"Example.com/moot", "example.com/moot@v1", "example.com/moot\nreplace", "example.com/$1",
		"example.com/owner/moot/\"; ",
	} {
		root := write(t, module("moot"))
		changed, err := rename(root, path)
		if err == nil || !strings.Contains(err.Error(), "is not the path of a module") || changed != nil {
			t.Errorf("rename to %q changed %q: %v", path, changed, err)
		}
		check(t, root, module("moot"))
	}
	const path = "example.com/owner/moot"
	root := write(t, module(path))
	if _, err := rename(root, path); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("a second rename to %s returned %v", path, err)
	}
	check(t, root, module(path))

	files := module("moot")
	files["clock/broken.go"] = "package clock\n\nimport \"moot/clock\"\n\nfunc {\n"
	root = write(t, files)
	if _, err := rename(root, path); err == nil || !strings.Contains(err.Error(), "broken.go") {
		t.Errorf("a file that is no Go returned %v", err)
	}
	check(t, root, files)

	if _, err := rename(t.TempDir(), path); err == nil || !strings.Contains(err.Error(), "find the module") {
		t.Errorf("a folder without go.mod returned %v", err)
	}
}
