package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The change is what git says between two states: taken back from the repository
// under review it gives the state before, and git's difference between that and
// the repository is the change again, byte for byte.
func TestChangeIsADiff(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git on this machine")
	}
	after, err := filepath.Abs(filepath.Join("review", "testdata", "courier"))
	if err != nil {
		t.Fatal(err)
	}
	change := filepath.Join(after, "change.diff")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(after)); err != nil {
		t.Fatal(err)
	}
	git := func(arguments ...string) string {
		t.Helper()
		command := exec.Command("git", arguments...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("git %s: %v\n%s", strings.Join(arguments, " "), err, out)
		}
		return string(out)
	}
	git("init", "--quiet")
	git("apply", "--reverse", change)
	git("add", ".")
	git("apply", change)
	want, err := os.ReadFile(change)
	if err != nil {
		t.Fatal(err)
	}
	if got := git("-c", "core.abbrev=7", "diff"); got != string(want) {
		t.Errorf("git says otherwise:\n%s", got)
	}
	err = filepath.WalkDir(after, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(after, path)
		if err != nil {
			return err
		}
		reviewed, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(filepath.Join(dir, relative)); err != nil || !bytes.Equal(got, reviewed) {
			t.Errorf("%s is not as the change leaves it: %v", relative, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
