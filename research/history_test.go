package research_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moot/research"
)

// history makes a repository with a file that two commits wrote, one of which renamed it.
func history(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=Ann",
			"GIT_COMMITTER_EMAIL=a@example.com", "GIT_AUTHOR_DATE=2026-03-04T05:06:07Z", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q", "-b", "main")
	write("old.go", "package q\n\n// Retry tries thrice.\nfunc Retry() {}\n\nfunc Close() {}\n")
	write(".env", "TOKEN=x\n")
	git("add", "-f", ".")
	git("commit", "-qm", "add the queue")
	git("tag", "v1")
	git("mv", "old.go", "queue.go")
	git("commit", "-qm", "rename the file")
	write("queue.go", "package q\n\n// Retry tries twice.\nfunc Retry() {}\n\nfunc Close() {}\n")
	git("commit", "-qam", "retry only twice")
	return dir
}

func TestHistory(t *testing.T) {
	t.Parallel()
	dir := history(t)
	checker := research.OpenHistory(dir, nil, nil)
	for _, c := range []struct {
		reference, quote, normal string
		verified                 bool
		says                     string
	}{
		{"BLAME queue.go:3", "retry only twice", "BLAME queue.go:3", true, "found in the history"},
		{"BLAME queue.go:3-4", "Ann: add the queue: func Retry", "BLAME queue.go:3-4", true, "found"},
		{"BLAME `queue.go` line 3", "2026-03-04 Ann", "BLAME queue.go:3", true, "found"},
		{"LOG queue.go", "add the queue", "LOG queue.go", true, "found"},
		{"DIFF v1..HEAD old.go", "-// Retry tries thrice.", "DIFF v1..HEAD old.go", true, "found"},
		{"DIFF HEAD~1..HEAD queue.go", "+// Retry tries twice.", "DIFF HEAD~1..HEAD queue.go", true, "found"},
		{"DIFF HEAD..HEAD queue.go", "is the same in", "DIFF HEAD..HEAD queue.go", true, "found"},
		{"BLAME queue.go:3", "add the queue", "BLAME queue.go:3", false, "no line of the answer has the quote"},
		{"LOG queue.go", "", "LOG queue.go", false, "needs a quote"},
		{"BLAME queue.go:40", "x", "BLAME queue.go:40", false, "there are no lines queue.go:40"},
		{"BLAME queue.go", "x", "BLAME queue.go", false, "needs one range of at most 20 lines"},
		{"BLAME queue.go:1-99", "x", "BLAME queue.go:1-99", false, "needs one range of at most 20 lines"},
		{"LOG nothing.go", "x", "LOG nothing.go", false, "no commit in the history"},
		{"LOG ../x.go", "x", "LOG ../x.go", false, "needs a path below the workspace"},
		{"LOG", "x", "LOG", false, "needs a path"},
		{"LOG .env", "TOKEN", "LOG .env", false, "may hold secrets"},
		{"DIFF v1 queue.go", "x", "DIFF v1 queue.go", false, "needs two commits"},
		{"DIFF v1...HEAD queue.go", "x", "DIFF v1...HEAD queue.go", false, "needs two commits"},
		{"DIFF --output=/tmp/x..HEAD queue.go", "x", "DIFF --output=/tmp/x..HEAD queue.go", false, "there is no commit"},
		{"DIFF v9..HEAD queue.go", "x", "DIFF v9..HEAD queue.go", false, "there is no commit v9"},
	} {
		got := checker.Check(t.Context(), c.reference, c.quote)
		if got.Verified != c.verified || got.Reference != c.normal || !strings.Contains(got.Reason, c.says) {
			t.Errorf("%s %q: verified %t, %s: %s\n%s", c.reference, c.quote, got.Verified, got.Reference, got.Reason, got.Excerpt)
		}
		if got.Verified && (got.Digest == "" || got.Commit == "" || !strings.Contains(got.Excerpt, c.quote)) {
			t.Errorf("%s: the digest, the commit or the excerpt is missing", c.reference)
		}
	}
}

// A folder without a repository has no history to check.
func TestHistoryOutsideOfARepository(t *testing.T) {
	t.Parallel()
	if research.OpenHistory(t.TempDir(), nil, nil) != nil {
		t.Error("there is a checker of the history without a repository")
	}
}
