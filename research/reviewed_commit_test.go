package research

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"moot/internal/git"
	"moot/internal/redact"
)

// reviewed makes a work tree that differs from its last commit, and opens the files of that commit.
func reviewed(t *testing.T) (dir string, tree *git.Tree) {
	t.Helper()
	dir = t.TempDir()
	write(t, filepath.Join(dir, "a.go"), source)
	write(t, filepath.Join(dir, "sub", "only.txt"), "only in the commit\n")
	write(t, filepath.Join(dir, "same.txt"), "the same in both\n")
	write(t, filepath.Join(dir, ".env"), "PASSWORD=one\n")
	for _, args := range [][]string{
		{"init", "-q"},
		{"add", "-f", "."},
		{"update-index", "--add", "--cacheinfo", "160000," + someCommit + ",module"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "one"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	place, err := git.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "sub")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "a.go"), strings.ReplaceAll(source, "return nil", "return err"))
	write(t, filepath.Join(dir, "new.txt"), "not in the commit\n")
	if tree, err = git.OpenTree(t.Context(), dir, place.Head()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
	return dir, tree
}

// In a review of a commit, citations read its files and not those of the folder.
func TestCitationsOfACommit(t *testing.T) {
	dir, tree := reviewed(t)
	c, err := OpenCitation(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.In(tree)
	for _, test := range []struct{ reference, quote, want, reason string }{
		{"a.go:4", "return nil", "in-place", ""},
		{"a.go:4", "return err", "absent", ""},
		{"sub/only.txt:1", "only in the commit", "in-place", ""},
		{"only.txt:1", "only in the commit", "in-place", ""},
		{filepath.ToSlash(dir) + "/sub/only.txt:1", "only in the commit", "in-place", ""},
		{"same.txt:1", "the same in both", "in-place", ""},
		{"new.txt:1", "not in the commit", "missing", ""},
		{".env:1", "PASSWORD=one", "secret", ""},
		{"https://example.com/o/r/blob/" + tree.Commit + "/a.go#L4", "return nil", "in-place", ""},
	} {
		finding := examine(t, c, test.reference, test.quote, test.want)
		if finding.Verified && finding.Commit != tree.Commit {
			t.Errorf("%s: commit %q", test.reference, finding.Commit)
		}
	}
	finding := c.Check(t.Context(), "module/a.go:1", "package module")
	if finding.Verified ||
		!strings.Contains(finding.Reason, "it is a submodule, a repository of its own, at 4f2d8c1b7a6e") {
		t.Errorf("%+v", finding)
	}
	// What the folder holds later does not matter.
	write(t, filepath.Join(dir, "same.txt"), "changed since\n")
	examine(t, c, "same.txt:1", "the same in both", "in-place")
}

// In a review of a commit, commands run in a copy of its files.
func TestCommandsOfACommit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no cat")
	}
	dir, tree := reviewed(t)
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	c, err := OpenCommand(dir, []string{"PATH=" + os.Getenv("PATH")}, redactor)
	if err != nil {
		t.Fatal(err)
	}
	c.In(tree)
	finding := c.Check(
		t.Context(),
		"$ cat a.go sub/only.txt",
		`exit 0; stdout has "return nil"; stdout has "only in the commit"`,
	)
	if !finding.Verified || finding.Commit != tree.Commit {
		t.Errorf("%+v", finding)
	}
	if finding := c.Check(t.Context(), "$ ls new.txt", "exit 0"); finding.Verified {
		t.Errorf("%+v", finding)
	}
}
