package demo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"moot/demo"
)

// The repositories of the demos are real code: they compile, and their tests pass.
func TestTheCodeOfTheDemosPassesItsTests(t *testing.T) {
	t.Parallel()
	if systems := []string{"darwin", "freebsd", "linux"}; !slices.Contains(systems, runtime.GOOS) {
		t.Skip("the code of the review locks files as Unix does")
	}
	folders, err := filepath.Glob("testdata/*/*_test.go")
	if err != nil || len(folders) == 0 {
		t.Fatalf("no demo has code: %v", err)
	}
	for _, test := range folders {
		folder := filepath.Dir(test)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			module := "module " + filepath.Base(folder) + "\n\ngo 1.24\n"
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(module), 0o600); err != nil {
				t.Fatal(err)
			}
			run := exec.CommandContext(t.Context(), "go", "test", "./...")
			run.Dir, run.Env = dir, append(os.Environ(), "GOWORK=off")
			if out, err := run.CombinedOutput(); err != nil {
				t.Fatalf("%v:\n%s", err, out)
			}
		})
	}
}

// The demo of a review needs no git: its files are those after its patch, and what it remembers is in them. It may be
// played in a repository.
func TestTheFilesOfTheReviewAreThoseAfterItsPatch(t *testing.T) {
	t.Setenv("PATH", "")
	dir := t.TempDir()
	for _, name := range []string{"objects", "refs"} {
		if err := os.MkdirAll(filepath.Join(dir, ".git", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	reviews := 0
	for _, d := range demo.All() {
		if d.InputFlag != "--workspace" {
			continue
		}
		folder, err := d.Unpack(filepath.Join(dir, string(d.Format)))
		if err != nil {
			t.Fatal(err)
		}
		read, taken, err := d.Change(t.Context(), folder)
		if err != nil {
			t.Fatal(err)
		}
		if read == nil {
			continue
		}
		reviews++
		for _, file := range read.Files {
			text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(file.Path)))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(text), "\n")
			if len(file.Hunks()) == 0 {
				t.Errorf("%s has no hunk", file.Path)
			}
			for _, h := range file.Hunks() {
				for _, line := range h.Lines {
					if line.Now > 0 && (line.Now > len(lines) || lines[line.Now-1] != line.Text) {
						t.Errorf("%s:%d is not %q", file.Path, line.Now, line.Text)
					}
				}
			}
		}
		if len(taken.Known) == 0 {
			t.Errorf("%s remembers nothing", d.Format)
		}
		for _, known := range taken.Known {
			if !known.Unchanged {
				t.Errorf("the lines of %s are not those of %s:%d", known.ID, known.Path, known.Line)
			}
		}
	}
	if reviews == 0 {
		t.Error("no demo has a change")
	}
}
