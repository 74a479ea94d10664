package audit_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moot/audit"
	mootgit "moot/internal/git"
	"moot/internal/redact"
	"moot/research"
)

// bench is a repository that reviews are about.
type bench struct {
	testing.TB
	folder string
}

// limits is the first version of queue/lock.go, and waits another file.
const (
	limits = `package queue

import "errors"

const maxTries = 8 // tries

// Lock waits for the lease of a job.
func Lock(job string) error {
	for range maxTries {
		if acquire(job) {
			return nil
		}
		sleepBetweenTries()
	}
	return errors.New("the lease is taken")
}

func unlock(job string) { release(job) }
`
	waits = `package queue

func sleepBetweenTries() {
	clock.Sleep(backoff.Next())
}

func release(job string) {
	delete(leases, job)
	notifyWaiters(job)
}
`
)

func newBench(t testing.TB) *bench {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	b := &bench{TB: t, folder: t.TempDir()}
	b.git("init", "-q", "-b", "main")
	b.write("queue/lock.go", limits)
	b.write("queue/wait.go", waits)
	b.write("store/lock.go", "package store\n\nvar held = map[string]bool{}\n")
	b.write("docs/guide.md", "# Guide\n\nJobs are tried eight times.\n")
	b.commit("begin")
	return b
}

func (b *bench) git(args ...string) {
	b.Helper()
	cmd := exec.CommandContext(b.Context(), "git", append([]string{"-c", "user.name=Ann", "-c", "user.email=a@example.com"}, args...)...)
	cmd.Dir, cmd.Env = b.folder, append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (b *bench) write(name, text string) {
	b.Helper()
	name = filepath.Join(b.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) commit(subject string) {
	b.git("add", "-A")
	b.git("commit", "-q", "--allow-empty", "-m", subject)
}

// tree opens the folder with its history.
func (b *bench) tree() *audit.Tree {
	b.Helper()
	citation, err := research.OpenCitation(b.folder)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = citation.Close() })
	tree := &audit.Tree{Citation: citation}
	repository, err := mootgit.Open(b.Context(), b.folder)
	if err != nil {
		tree.NoHistory = "there is no git repository here"
		return tree
	}
	b.Cleanup(repository.Close)
	tree.Repository, tree.Commit = repository, repository.Head()
	if repository.IsShallow() {
		tree.NoHistory = "the history is not in this shallow clone"
	}
	return tree
}

func (b *bench) audit(text string) audit.Review {
	b.Helper()
	redactor, err := redact.New()
	if err != nil {
		b.Fatal(err)
	}
	review, err := audit.Read(b.Context(), "review.md", text, b.tree(), redactor)
	if err != nil {
		b.Fatal(err)
	}
	return review
}

// said writes citations as "queue/lock.go:5 verified", in their order.
func said(review *audit.Review) string {
	var all []string
	for i := range review.Citations {
		all = append(all, review.Citations[i].Cited+" "+string(review.Citations[i].Verdict))
	}
	return strings.Join(all, "; ")
}

const fenced = "```"

func TestEachCitationGetsAVerdict(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, c := range map[string]struct{ review, want string }{
		"a block is there": {
			"`queue/lock.go:5`\n\n" + fenced + "go\nconst maxTries = 8\n" + fenced, "queue/lock.go:5 verified",
		},
		"a block of several lines overlaps the place": {
			"`queue/lock.go:9-10`:\n" + fenced + "go\nfor range maxTries {\n  if acquire(job) {\n" + fenced, "queue/lock.go:9-10 verified",
		},
		"white space and trailing comments don't count": {
			"`queue/lock.go:5`\n" + fenced + "go\nconst  maxTries=8   // another comment\n" + fenced, "queue/lock.go:5 verified",
		},
		"lines are left out": {
			"`queue/lock.go:8-15`\n" + fenced + "go\nfunc Lock(job string) error {\n\t// ...\n\treturn errors.New(\"the lease is taken\")\n" + fenced,
			"queue/lock.go:8-15 verified",
		},
		"lines are left out with an ellipsis": {
			"`queue/lock.go:8`\n" + fenced + "\nfunc Lock(job …) error {\n…\n}\n" + fenced, "queue/lock.go:8 verified",
		},
		"sixty percent of the lines are enough": {
			"`queue/lock.go:8-12`\n" + fenced + "go\nfunc Lock(job string) error {\n\tfor range maxTries {\n\t\tif acquire(job) {\n\t\t\treturn errOther\n\t\t\tcontinue\n" + fenced,
			"queue/lock.go:8-12 verified",
		},
		"half of the lines are not": {
			"`queue/lock.go:8-12`\n" + fenced + "go\nfunc Lock(job string) error {\n\tfor range maxTries {\n\t\treturn errOther\n\t\tpanicLoudly()\n" + fenced,
			"queue/lock.go:8-12 unchecked",
		},
		"numbers before the lines": {
			"`queue/lock.go:8-9`\n" + fenced + "\n8 | func Lock(job string) error {\n9 |     for range maxTries {\n" + fenced, "queue/lock.go:8-9 verified",
		},
		"lines are broken elsewhere": {
			"`queue/lock.go:8`\n" + fenced + "go\nfunc Lock(\n  job string,\n) error {\n" + fenced, "queue/lock.go:8 verified",
		},
		"an inline quote is there":      {"queue/lock.go:5 says `const maxTries = 8`.", "queue/lock.go:5 verified"},
		"an identifier is there":        {"`Lock` (queue/lock.go:8) waits.", "queue/lock.go:8 supported"},
		"a name in camel case":          {"The loop over maxTries in queue/lock.go:9 never ends.", "queue/lock.go:9 supported"},
		"a call":                        {"queue/lock.go:10 calls acquire() too often.", "queue/lock.go:10 supported"},
		"words of English are no names": {"The job is lost in queue/lock.go:8 when the error is taken.", "queue/lock.go:8 unchecked"},
		"a part of a longer name":       {"`Tries` are counted in queue/lock.go:5.", "queue/lock.go:5 unchecked"},
		"missing identifiers":           {"`frobnicate` is called in queue/lock.go:8.", "queue/lock.go:8 unchecked"},
		"nothing to compare":            {"See queue/lock.go:8.", "queue/lock.go:8 unchecked"},

		"a block is elsewhere": {
			"`queue/lock.go:1`\n" + fenced + "go\nreturn errors.New(\"the lease is taken\")\n" + fenced, "queue/lock.go:1 misplaced",
		},
		"an inline quote is elsewhere":  {"queue/lock.go:15 says `const maxTries = 8`.", "queue/lock.go:15 misplaced"},
		"next to the place is no other": {"queue/lock.go:7 says `const maxTries = 8`.", "queue/lock.go:7 unchecked"},
		"two other places accuse nobody": {
			"`queue/lock.go:1`\n" + fenced + "go\nsleepBetweenTries()\n}\n" + fenced + "\n\n`queue/lock.go:1`\n" + fenced + "\n\t}\n" + fenced,
			"queue/lock.go:1 misplaced; queue/lock.go:1 unchecked",
		},
		"fewer than twelve characters accuse nobody": {"queue/lock.go:1 says `return nil`.", "queue/lock.go:1 unchecked"},
		"code beside a place is about it":            {"queue/lock.go:1 needs `const maxTries = 8`, too.", "queue/lock.go:1 unchecked"},
		"a block that shows a caller": {
			"queue/lock.go:1 is wrong. It is called like this:\n\n" + fenced + "go\nfunc unlock(job string) { release(job) }\n" + fenced,
			"queue/lock.go:1 unchecked",
		},

		"no such file":                    {"queue/nowhere.go:3 leaks.", "queue/nowhere.go:3 absent"},
		"another folder":                  {"cache/lock.go:3 leaks.", "cache/lock.go:3 absent"},
		"a line behind the end":           {"queue/lock.go:300 leaks.", "queue/lock.go:300 absent"},
		"a range that begins in the file": {"queue/lock.go:10-300 leaks.", "queue/lock.go:10-300 unchecked"},
		"a block that nobody wrote": {
			"`queue/lock.go:8`\n" + fenced + "go\nfrobnicate(theWholeWorkspace)\nlaunch(missiles, now)\n" + fenced, "queue/lock.go:8 absent",
		},
		"a block of another file": {
			"`queue/wait.go:3` sleeps.\n\n`queue/lock.go:8`\n" + fenced + "go\ndelete(leases, job)\nnotifyWaiters(job)\n" + fenced,
			"queue/wait.go:3 unchecked; queue/lock.go:8 unchecked",
		},

		"a fix": {
			"`queue/lock.go:5`\n\nSuggested fix:\n\n" + fenced + "go\nconst maxTries = someLimit(theConfig, here)\n" + fenced,
			"queue/lock.go:5 unchecked",
		},
		"a fix after should be": {
			"`queue/lock.go:5` should be\n" + fenced + "go\nconst maxTries = someLimit(theConfig, here)\n" + fenced, "queue/lock.go:5 unchecked",
		},
		"a suggestion": {
			"`queue/lock.go:5`\n" + fenced + "suggestion\nconst maxTries = someLimit(theConfig, here)\n" + fenced, "queue/lock.go:5 unchecked",
		},
		"the removed lines of a diff": {
			"`queue/lock.go:5`\n" + fenced + "diff\n-const maxTries = 8\n+const maxTries = someLimit(theConfig, here)\n" + fenced,
			"queue/lock.go:5 verified",
		},
		"the added lines of a diff": {
			"`queue/lock.go:5`\n" + fenced + "diff\n+const maxTries = someLimit(theConfig, here)\n" + fenced, "queue/lock.go:5 unchecked",
		},
		"a tree": {
			"`queue/lock.go:5`\n" + fenced + "\nqueue\n├── lease_holder.go\n└── lock_holder.go\n" + fenced, "queue/lock.go:5 unchecked",
		},
		"a route":    {"`queue/lock.go:5`\n" + fenced + "\nGET /api/v1/leases/holders\n" + fenced, "queue/lock.go:5 unchecked"},
		"a command":  {"`queue/lock.go:5`\n" + fenced + "\n$ go test ./queue -run Lease\n" + fenced, "queue/lock.go:5 unchecked"},
		"its output": {"`queue/lock.go:5`\n" + fenced + "\n--- FAIL: TestLease (0.01s)\n    lock held forever\n" + fenced, "queue/lock.go:5 unchecked"},
		"another language": {
			"`queue/lock.go:5`\n" + fenced + "python\nfrobnicate(the_whole_workspace)\nlaunch(missiles)\n" + fenced, "queue/lock.go:5 unchecked",
		},

		"what is no place": {
			"Use https://example.com:8443, localhost:8080, redis:6379, v1.2.3:4 and at 12:30 run GET /jobs:1.", "",
		},
		"a file that is proposed":    {"Add a file queue/lock_test.go:1 with a test of both.", "queue/lock_test.go:1 unchecked"},
		"a placeholder":              {"Cite it as path/to/file.go:12.", "path/to/file.go:12 unchecked"},
		"an example":                 {"The form is foo.go:12, as in compilers.", "foo.go:12 unchecked"},
		"another repository":         {"https://github.com/a/b/blob/0123456789012345678901234567890123456789/queue/lock.go#L900", "queue/lock.go:900 unchecked"},
		"the standard library":       {"As net/http/server.go:3000 does.", "net/http/server.go:3000 unchecked"},
		"a dependency":               {"node_modules/left/pad.js:3 is odd.", "node_modules/left/pad.js:3 unchecked"},
		"an absolute path of nobody": {"/usr/lib/go/other.go:3 is odd.", "/usr/lib/go/other.go:3 unchecked"},
		"an absolute path that maps": {"/home/ann/w/queue/lock.go:8 has `Lock`.", "/home/ann/w/queue/lock.go:8 supported"},
		"out of the repository":      {"../../etc/passwd.conf:3 is read.", "../../etc/passwd.conf:3 unchecked"},
		"a secret file":              {"`.env:2` has a key.", ".env:2 unchecked"},

		"the end of a path":                       {"`Lock` in lock.go:8.", "lock.go:8 supported"},
		"another case":                            {"`Lock` in Queue/Lock.go:8.", "Queue/Lock.go:8 supported"},
		"of several files the quote decides":      {"lock.go:3 says `var held = map[string]bool{}`.", "lock.go:3 verified"},
		"several files, and nothing decides":      {"See lock.go:2.", "lock.go:2 unchecked"},
		"a line behind the end of one of several": {"See lock.go:3000.", "lock.go:3000 unchecked"},

		"a heading with the file": {
			"## queue/lock.go\n\n- line 8: `Lock` waits.\n- L5 has `maxTries`.\n- **9-10**: the loop over `maxTries`.",
			"queue/lock.go:8 supported; queue/lock.go:5 supported; queue/lock.go:9-10 supported",
		},
		"labels": {"### Leak\n\n**File:** `queue/lock.go`\n**Line:** 8\n\n`Lock` leaks.", "queue/lock.go:8 supported"},
		"a table": {
			"| File | Line | Issue |\n|---|---|---|\n| queue/lock.go | 8 | `Lock` leaks |\n", "queue/lock.go:8 supported",
		},
		"a line behind the end of the file of a heading": {"## queue/lock.go\n\n- line 800 leaks.", "queue/lock.go:800 unchecked"},
		"a file of a heading that does not exist":        {"## queue/nowhere.go\n\n- line 8 leaks.", "queue/nowhere.go:8 unchecked"},
		"sarif": {
			`{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"results":[{"message":{"text":"leaks"},"locations":[{"physicalLocation":` +
				`{"artifactLocation":{"uri":"queue/lock.go"},"region":{"startLine":5,"snippet":{"text":"const maxTries = 8"}}}}]}]}]}`,
			"queue/lock.go:5 verified",
		},
		"colors of a terminal": {"\x1b[31mqueue/lock.go:8\x1b[0m has `Lock`.", "queue/lock.go:8 supported"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			review := b.audit(c.review)
			if got := said(&review); got != c.want {
				t.Errorf("%s; want %s: %+v", got, c.want, review.Citations)
			}
		})
	}
}

func TestHistoryDecides(t *testing.T) {
	t.Parallel()
	const cited = "`queue/lock.go:5`\n" + fenced + "go\nconst maxTries = 8\n" + fenced + "\n"
	for name, c := range map[string]struct {
		change       func(b *bench)
		review, want string
		by           string
	}{
		"an older version fits": {func(b *bench) {
			b.write("queue/lock.go", "package queue\n")
			b.commit("drop it")
		}, cited, "queue/lock.go:5 verified", "begin"},
		"an older version has the line": {func(b *bench) {
			b.write("queue/lock.go", "package queue\n")
			b.commit("drop it")
		}, "See queue/lock.go:15.", "queue/lock.go:15 unchecked", ""},
		"the file was removed": {func(b *bench) {
			b.git("rm", "-q", "queue/lock.go")
			b.commit("drop it")
		}, cited, "queue/lock.go:5 verified", "begin"},
		"the file was removed, and an identifier stood there": {func(b *bench) {
			b.git("rm", "-q", "queue/lock.go")
			b.commit("drop it")
		}, "`Lock` in queue/lock.go:8 leaks.", "queue/lock.go:8 supported", "begin"},
		"the file is on another branch": {func(b *bench) {
			b.git("checkout", "-q", "-b", "topic")
			b.write("queue/topic.go", "package queue\n")
			b.commit("add it")
			b.git("checkout", "-q", "main")
		}, "queue/topic.go:1 is empty.", "queue/topic.go:1 unchecked", ""},
		"the line is on another branch": {func(b *bench) {
			b.git("checkout", "-q", "-b", "topic")
			b.write("queue/lock.go", limits+strings.Repeat("// More.\n", 400))
			b.commit("more")
			b.git("checkout", "-q", "main")
		}, "queue/lock.go:300 is a comment.", "queue/lock.go:300 unchecked", ""},
		"the file is not tracked": {func(b *bench) {
			b.write("queue/fresh.go", "package queue\n\nfunc fresh() {}\n")
		}, "`fresh` in queue/fresh.go:3.", "queue/fresh.go:3 supported", ""},
		"an edit that is not committed": {func(b *bench) {
			b.write("queue/lock.go", strings.Replace(limits, "maxTries = 8", "maxTries = 9", 1))
		}, "`queue/lock.go:5`\n" + fenced + "go\nconst maxTries = 9\n" + fenced, "queue/lock.go:5 verified", ""},
		"a version that the other places don't fit": {func(b *bench) {
			b.write("queue/lock.go", "package queue\n\nconst newest = \"a\" + \"b\"\n\nvar anything int\n\nconst maxTries = 8\n")
			b.commit("rework")
		}, "`queue/lock.go:3`\n" + fenced + "go\nconst newest = \"a\" + \"b\"\n" + fenced + "\n\nLater:\n\n`queue/lock.go:16`\n" + fenced +
			"go\nreturn errors.New(\"the lease is taken\")\n" + fenced, "queue/lock.go:3 verified; queue/lock.go:16 unchecked", ""},
		"without git nothing is absent": {func(b *bench) {
			if err := os.RemoveAll(filepath.Join(b.folder, ".git")); err != nil {
				b.Fatal(err)
			}
		}, "queue/nowhere.go:3 and queue/lock.go:300 leak.", "queue/nowhere.go:3 unchecked; queue/lock.go:300 unchecked", ""},
		"nor in a shallow clone": {func(b *bench) {
			b.commit("another commit")
			shallow := b.folder + "-shallow"
			b.git("clone", "-q", "--depth", "1", "file://"+b.folder, shallow)
			b.folder = shallow
		}, "queue/nowhere.go:3 and queue/lock.go:300 leak.", "queue/nowhere.go:3 unchecked; queue/lock.go:300 unchecked", ""},
		"in a repository without commits": {func(b *bench) {
			if err := os.RemoveAll(filepath.Join(b.folder, ".git")); err != nil {
				b.Fatal(err)
			}
			b.git("init", "-q")
		}, "`Lock` in queue/lock.go:8, queue/nowhere.go:3.", "queue/lock.go:8 supported; queue/nowhere.go:3 absent", ""},
		"a permalink to a commit": {func(b *bench) {}, "HEAD", "queue/lock.go:5 verified", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			c.change(b)
			if c.review == "HEAD" {
				c.review = "https://github.com/a/b/blob/" + b.tree().Commit + "/queue/lock.go#L5\n\n" + fenced + "go\nconst maxTries = 8\n" + fenced
			}
			review := b.audit(c.review)
			by := ""
			for i := range review.Citations {
				if commit := review.Citations[i].Commit; commit != nil {
					by = commit.Subject
				}
			}
			if got := said(&review); got != c.want || by != c.by {
				t.Errorf("%s by %q; want %s by %q: %+v", got, by, c.want, c.by, review.Citations)
			}
		})
	}
}

// One steady shift is reported once per file, with the commit that fits if there is one.
func TestSteadyShifts(t *testing.T) {
	t.Parallel()
	const quoted = "`queue/lock.go:%d`\n" + fenced + "go\n%s\n" + fenced + "\n\n"
	lines := []struct {
		line int
		text string
	}{{5, "const maxTries = 8"}, {8, "func Lock(job string) error {"}, {15, "return errors.New(\"the lease is taken\")"}}
	text := ""
	for _, l := range lines {
		text += fmt.Sprintf(quoted, l.line, l.text)
	}
	b := newBench(t)
	b.write("queue/lock.go", strings.Repeat("// A line of the license.\n", 20)+limits)
	b.commit("add the license")
	review := b.audit(text)
	if len(review.Shifts) != 1 || review.Shifts[0].Lines != 20 || review.Shifts[0].Places != 3 || review.Shifts[0].Commit == nil ||
		review.Shifts[0].Commit.Subject != "begin" {
		t.Errorf("%+v", review.Shifts)
	}
	// The same places, of which no commit has the lines.
	b = newBench(t)
	text = ""
	for _, l := range lines {
		text += fmt.Sprintf(quoted, l.line+40, l.text)
	}
	b.write("queue/lock.go", limits+strings.Repeat("// More.\n", 60))
	b.commit("more")
	report := audit.Report{}
	report.Add(b.audit(text))
	if report.Counts[audit.Misplaced] != 3 || len(report.Reviews[0].Shifts) != 1 || report.Reviews[0].Shifts[0].Commit != nil {
		t.Errorf("%v %+v", report.Counts, report.Reviews[0])
	}
	if n := len(report.Annotations()); n != 1 {
		t.Errorf("%d annotations", n)
	}
	if rows := report.Document().Sections[0].Table; len(rows) != 2 || !strings.Contains(rows[1][3], "2 places more") {
		t.Errorf("%q", rows)
	}
}

// Foreign text does not end an audit, and each place gets a reason.
func TestHostileReviews(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for name, text := range map[string]string{
		"deep quotes":                         strings.Repeat(">", 1200) + " queue/lock.go:5",
		"deep lists":                          strings.Repeat("- ", 5000) + "queue/lock.go:5",
		"open brackets":                       strings.Repeat("[", 20_000) + "queue/lock.go:5",
		"a long path":                         strings.Repeat("a/", 2000) + "lock.go:5",
		"many places":                         strings.Repeat("queue/lock.go:5 ", 1200),
		"many lines of places":                strings.Repeat("- queue/lock.go:5 has `maxTries`\n", 1200),
		"many unknown paths":                  manyPaths(1200),
		"one long line":                       strings.Repeat("x", 1<<18),
		"controls":                            "queue/lock.go:5\x00\x1b]0;title\x07 \u202e queue/lock.go:8",
		"open fences":                         strings.Repeat(fenced+"\nqueue/lock.go:5\n", 1200),
		"a block of one line again and again": "`queue/lock.go:5`\n" + fenced + "go\n" + strings.Repeat("\treturn nil\n", 1200) + fenced,
		"huge numbers":                        "queue/lock.go:999999999 queue/lock.go:99999999999999999999 queue/lock.go:0",
		"json that nests":                     strings.Repeat(`{"findings":[`, 5000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			review := b.audit(text)
			for i := range review.Citations {
				if c := &review.Citations[i]; c.Reason == "" || strings.ContainsAny(c.Cited, "\x1b\n") {
					t.Fatalf("%+v", c)
				}
			}
		})
	}
}

func manyPaths(n int) string {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, "- queue/f%d.go:%d\n", i, i+1)
	}
	return text.String()
}

// Secrets of the review and of the history are not repeated.
func TestAuditRedacts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("queue/lock.go", "package queue\n")
	b.commit("drop AKIAIOSFODNN7EXAMPLE")
	b.write("queue/lock.go", limits)
	b.commit("add AKIAIOSFODNN7EXAMPLE")
	b.write("queue/lock.go", "package queue\n")
	b.commit("drop it")
	review := b.audit("The key AKIAIOSFODNN7EXAMPLE is in queue/lock.go:5:\n" + fenced + "go\nconst maxTries = 8\n" + fenced)
	if all := fmt.Sprintf("%+v %+v", review, review.Citations[0].Commit); strings.Contains(all, "AKIAIOSFODNN7EXAMPLE") || len(review.Citations) != 1 {
		t.Error(all)
	}
}

// BenchmarkAudit audits a review of 200 kB with places in 40 files of 500 lines. It must take less than 2 s.
func BenchmarkAudit(t *testing.B) {
	b := newBench(t)
	for n := range 40 {
		var text strings.Builder
		for i := range 500 {
			fmt.Fprintf(&text, "func f%dOf%d() { call(%d, %q) }\n", i, n, i*n, "text")
		}
		b.write(fmt.Sprintf("src/f%d.go", n), text.String())
	}
	b.commit("many files")
	var text strings.Builder
	for i := 0; text.Len() < 200_000; i++ {
		n, line := i%40, 1+i*7%500
		switch i % 4 {
		case 0:
			fmt.Fprintf(&text, "## Finding %d\n\n`src/f%d.go:%d` calls f%dOf%d() twice.\n\n", i, n, line, line-1, n)
		case 1:
			fmt.Fprintf(&text, "- **src/f%d.go:%d**\n  %sgo\n  func f%dOf%d() { call(%d, \"text\") }\n  %s\n\n", n, line, fenced, line-1, n, (line-1)*n, fenced)
		case 2:
			fmt.Fprintf(&text, "`src/f%d.go:%d`\n%sgo\nfunc f%dOf%d() { call(%d, \"text\") }\n%s\n\n", n, line, fenced, (line+40)%500, n, (line+40)%500*n, fenced)
		default:
			fmt.Fprintf(&text, "The place src/f%d.go:%d is behind the end, some words more to read.\n\n", n, 600+line)
		}
	}
	for t.Loop() {
		if review := b.audit(text.String()); len(review.Citations) < 1000 {
			t.Fatal(len(review.Citations))
		}
	}
}
