package research

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moot/internal/git"
	"moot/internal/redact"
	"moot/ledger"
)

const queueCode = `package queue

// Pop removes the first item.
func Pop(items []int) (int, []int) {
	return items[0], items[1:]
}
`

// queueModule makes a repository with a module in which Pop panics on an empty queue, and returns it with git.
func queueModule(t *testing.T) (dir string, runGit func(args ...string)) {
	t.Helper()
	dir = t.TempDir()
	runGit = func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=Ann", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=Ann",
			"GIT_COMMITTER_EMAIL=a@example.com", "GIT_CONFIG_GLOBAL="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	runGit("init", "-q", "-b", "main")
	for name, text := range map[string]string{
		"go.mod": "module example.com/queue\n\ngo 1.24\n", "queue/queue.go": queueCode, ".gitignore": "*.log\n",
		"queue/queue_test.go": "package queue\n\nimport \"testing\"\n\nfunc TestPop(t *testing.T) { Pop([]int{1}) }\n",
		"run.sh":              "cat \"$1\"\n", "twice.txt": "a\nb\na\n",
	} {
		put(t, dir, name, text)
	}
	runGit("add", ".")
	runGit("commit", "-qm", "add the queue")
	return dir, runGit
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// tries opens a checker for a folder. Its copies are below a folder of the test.
func tries(t *testing.T, dir string, tree *git.Tree) (checker *Try, temporary string) {
	t.Helper()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	command, err := OpenCommand(dir, os.Environ(), redactor)
	if err != nil {
		t.Fatal(err)
	}
	temporary = t.TempDir()
	checker = OpenTry(dir, nil, tree, command)
	checker.temporary = temporary
	return checker, temporary
}

// emptyFolder fails the test if a trial left something.
func emptyFolder(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("the trial left %v, %v", entries, err)
	}
}

const popOfNothing = `--- /dev/null
+++ b/queue/empty_test.go
@@ -0,0 +1,5 @@
+package queue
+
+import "testing"
+
+func TestPopOfNothing(t *testing.T) { Pop(nil) }
`

const popFixed = `diff --git a/queue/queue.go b/queue/queue.go
--- a/queue/queue.go
+++ b/queue/queue.go
@@ -3,3 +3,6 @@
 // Pop removes the first item.
 func Pop(items []int) (int, []int) {
+	if len(items) == 0 {
+		return 0, nil
+	}
 	return items[0], items[1:]
`

// A test that a seat hands in fails on the defect, and passes with the fix. Each run of go test links a program, so what is
// not about it runs something else.
func TestATestShowsADefect(t *testing.T) {
	t.Parallel()
	dir, _ := queueModule(t)
	checker, temporary := tries(t, dir, nil)
	for _, c := range []struct {
		name, reference, patch, expected string
		verified                         bool
		says, shows                      string
	}{
		{
			"a test that fails", "TRY  go test  ./queue", popOfNothing, "without: exit 0; with: exit 1; output has 'TestPopOfNothing'", true,
			"without the patch it ended with exit 0", "[with the patch: exit 1]\n--- FAIL: TestPopOfNothing",
		},
		{
			"a fix at other lines than it says", "TRY cat queue/queue.go", strings.Replace(popFixed, "@@ -3,3 +3,6", "@@ -1,3 +1,6", 1),
			"without: exit 0; with: exit 0; stdout has 'return 0, nil'", true,
			"without the patch it ended with exit 0", "[with the patch: exit 0]",
		},
		{
			"a test that passes", "TRY go test ./queue", popOfNothing + popFixed, "without: exit 0; with: exit 1", false,
			"with it, this is not met: exit 1", "[with the patch: exit 0]",
		},
		{
			"no difference", "TRY cat queue/queue.go", popFixed, "without: exit 0; with: stdout has 'Pop'", false,
			"the patch makes no difference", "[without the patch: exit 0]\npackage queue",
		},
		{
			"a tree that fails already", "TRY go test ./queue", strings.ReplaceAll(popOfNothing, "package queue", "package other"),
			"without: exit 1; with: exit 1; output has 'found packages'",
			false, "without it, this is not met: exit 1", "found packages",
		},
	} {
		f := checker.Try(t.Context(), c.reference, c.expected, c.patch)
		if f.Verified != c.verified || f.Unmet == c.verified || !strings.Contains(f.Reason, c.says) ||
			!strings.Contains(f.Excerpt+f.Nearest, c.shows) || f.Reference != strings.ReplaceAll(c.reference, "  ", " ") {
			t.Errorf("%s: verified %v, unmet %v, %s: %s\n%s%s", c.name, f.Verified, f.Unmet, f.Reference, f.Reason,
				f.Excerpt, f.Nearest)
		}
		if f.Run == nil || f.Digest == "" || len(f.Commit) != 40 {
			t.Errorf("%s: %+v", c.name, f)
		}
		emptyFolder(t, temporary)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "queue", "queue.go")); err != nil || string(text) != queueCode {
		t.Errorf("the workspace was changed: %v\n%s", err, text)
	}
}

// What changed in the folder since the last commit is tried as it is, without secrets and what git ignores. A file that
// only the commit has is the committed one.
func TestATrialIsOfTheFolderAsItIs(t *testing.T) {
	t.Parallel()
	dir, runGit := queueModule(t)
	put(t, dir, "queue/queue.go", strings.Replace(queueCode, "first", "changed first", 1))
	put(t, dir, "new.txt", "new\n")
	put(t, dir, "out.log", "ignored\n")
	put(t, dir, ".env", "TOKEN=abc\n")
	put(t, dir, "sub/here.txt", "below\n")
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	const add = "--- /dev/null\n+++ b/added.txt\n@@ -0,0 +1 @@\n+added\n"
	see := func(folder, file string) ledger.Finding {
		checker, temporary := tries(t, folder, nil)
		f := checker.Try(t.Context(), "TRY cat "+file, "without: exit 1; with: exit 0", add)
		emptyFolder(t, temporary)
		return f
	}
	for file, want := range map[string]string{
		"queue/queue.go": "changed first", "new.txt": "new", "go.mod": "module example.com/queue",
	} {
		if f := see(dir, file); !strings.Contains(f.Nearest, want) || strings.Count(f.Nearest, "exit 0]") != 2 {
			t.Errorf("%s: %s\n%s", file, f.Reason, f.Nearest)
		}
	}
	for _, file := range []string{"out.log", ".env", "link", ".git/HEAD"} {
		if f := see(dir, file); strings.Count(f.Nearest, "exit 1]") != 2 {
			t.Errorf("%s is in the copy: %s\n%s", file, f.Reason, f.Nearest)
		}
	}
	if f := see(dir, "added.txt"); !f.Verified || !strings.Contains(f.Reason, "not in the copies: .env (it changed, and may hold secrets") {
		t.Errorf("%v: %s", f.Verified, f.Reason)
	}
	// In a workspace below the top, paths begin there, and the rest of the repository is there.
	if f := see(filepath.Join(dir, "sub"), "added.txt"); !f.Verified {
		t.Errorf("below: %s", f.Reason)
	}
	if f := see(filepath.Join(dir, "sub"), "../go.mod"); strings.Count(f.Nearest, "exit 0]") != 2 {
		t.Errorf("below: %s", f.Reason)
	}

	runGit("stash", "-q", "-u")
	tree, err := git.OpenTree(t.Context(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	put(t, dir, "new.txt", "not of the commit\n")
	checker, temporary := tries(t, dir, tree)
	if f := checker.Try(t.Context(), "TRY cat added.txt new.txt", "without: exit 1; with: exit 1; stdout has 'added'",
		add); !f.Verified {
		t.Errorf("of a commit: %s\n%s", f.Reason, f.Nearest)
	}
	emptyFolder(t, temporary)
}

func TestPatchesThatDoNotFit(t *testing.T) {
	t.Parallel()
	dir, _ := queueModule(t)
	checker, temporary := tries(t, dir, nil)
	edit := func(name, before string) string {
		return "--- a/" + name + "\n+++ b/" + name + "\n@@ -1 +1 @@\n-" + before + "\n+x\n"
	}
	for _, c := range []struct{ name, reference, expected, patch, says string }{
		{"another line", "TRY true", "", edit("run.sh", "cat '$1'"), "the patch does not fit: run.sh: line 1: conflict"},
		{"other blanks", "TRY true", "", edit("run.sh", "cat  \"$1\""), "line 1: conflict"},
		{
			"lines that stand at two places", "TRY true", "", "--- a/twice.txt\n+++ b/twice.txt\n@@ -9 +9 @@\n-a\n+x\n",
			"twice.txt",
		},
		{"no file", "TRY true", "", edit("none.sh", "a"), "none.sh: there is no such file in the tree"},
		{"a folder", "TRY true", "", edit("queue", "a"), "queue: it is no file"},
		{"below a file", "TRY true", "", strings.ReplaceAll(popOfNothing, "queue/empty", "run.sh/empty"), "run.sh/empty_test.go"},
		{"a file that is there", "TRY true", "", strings.ReplaceAll(popOfNothing, "empty_test", "queue"), "it is there already"},
		{
			"half of a file deleted", "TRY true", "", "--- a/run.sh\n+++ /dev/null\n@@ -1 +0,0 @@\n-cat \"$2\"\n",
			"run.sh: line 1: conflict",
		},
		{"out of the tree", "TRY true", "", edit("../x", "a"), "leaves the workspace"},
		{"no patch", "TRY true", "", "", "it is empty"},
		{"no command", "TRY", "", popOfNothing, "needs a command"},
		{"a shell", "TRY true | false", "", popOfNothing, "needs a shell"},
		{"no expectation", "TRY true", "exit 0", popOfNothing, "does not begin with without:"},
		{"no program", "TRY no-such-program", "", popOfNothing, `the run without the patch has no result: there is no program`},
	} {
		f := checker.Try(t.Context(), c.reference, c.expected, c.patch)
		if f.Verified || f.Unmet || !strings.Contains(f.Reason, c.says) {
			t.Errorf("%s: verified %v, unmet %v: %s", c.name, f.Verified, f.Unmet, f.Reason)
		}
		emptyFolder(t, temporary)
	}
	if f := checker.Check(t.Context(), "TRY true", ""); f.Verified || f.Reason != "a trial needs a patch" {
		t.Errorf("without a patch: %+v", f)
	}
	elsewhere := t.TempDir()
	if OpenTry(elsewhere, nil, nil, checker.command) != nil {
		t.Error("a folder without a repository can be tried")
	}
}

// A trial that is canceled or takes too long ends, and leaves nothing, even what it made read-only.
func TestATrialEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir, _ := queueModule(t)
	pipe := filepath.Join(t.TempDir(), "began")
	if out, err := exec.CommandContext(t.Context(), "mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, out)
	}
	put(t, dir, "slow.sh", "mkdir -p deep/er && chmod 500 deep && echo began >"+pipe+" && exec sleep 600\n")
	checker, temporary := tries(t, dir, nil)
	for _, cause := range []error{context.DeadlineExceeded, errors.New("left")} {
		ctx, cancel := context.WithCancelCause(t.Context())
		began := make(chan time.Time, 1)
		go func() {
			_, _ = os.ReadFile(pipe) // Until the script wrote.
			began <- time.Now()
			cancel(cause)
		}()
		f := checker.Try(ctx, "TRY sh slow.sh", "", popOfNothing)
		if f.Verified || f.Unmet || !strings.Contains(f.Reason, "has no result") && !strings.Contains(f.Reason, "context") {
			t.Errorf("%v: %+v", cause, f)
		}
		select {
		case at := <-began:
			if took := time.Since(at); took > 20*time.Second {
				t.Errorf("%v: it took %s", cause, took)
			}
		default:
			t.Fatalf("%v: it ended before the script began: %+v", cause, f)
		}
		emptyFolder(t, temporary)
	}
}

func TestAReadOnlyCopyIsRemoved(t *testing.T) {
	t.Parallel()
	dir, _ := queueModule(t)
	put(t, dir, "lock.sh", "mkdir -p deep/er && touch deep/er/f && chmod 500 deep/er deep\n")
	checker, temporary := tries(t, dir, nil)
	if f := checker.Try(t.Context(), "TRY sh lock.sh", "without: exit 0; with: exit 1", popOfNothing); !f.Unmet {
		t.Errorf("%+v", f)
	}
	emptyFolder(t, temporary)
}
