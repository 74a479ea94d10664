package recheck_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moot/internal/git"
	"moot/ledger"
	"moot/protocol/protocoltest"
	"moot/recheck"
	"moot/research"
	"moot/state"
)

// bench is a repository with a session whose points each rest on a line of it.
type bench struct {
	testing.TB
	folder string
	*protocoltest.Record
	events []state.Event
	points int
}

func newBench(t testing.TB) *bench {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	b := &bench{TB: t, folder: t.TempDir(), Record: protocoltest.NewRecord(t)}
	b.git("init", "-q", "-b", "main")
	opened := protocoltest.ConsultOpened(
		state.SeatAssignment{Seat: state.Orchestrator, Participant: "script:a"},
		state.SeatAssignment{Seat: state.Consultee, Participant: "script:b"})
	opened.Settings.Workspace = b.folder
	b.add(opened, &state.RoundStarted{Round: 1})
	return b
}

func (b *bench) add(payloads ...state.Payload) { b.events = append(b.events, b.Add(payloads...)...) }

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
	if err := os.WriteFile(filepath.Join(b.folder, name), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
}

func (b *bench) commit(subject string) {
	b.git("add", "-A")
	b.git("commit", "-q", "--allow-empty", "-m", subject)
}

// agree adds an agreed point that rests on a citation.
func (b *bench) agree(reference, quote, excerpt string) {
	b.points++
	point, item := fmt.Sprintf("P%d", b.points), fmt.Sprintf("E%d", b.points)
	b.add(&state.PointRaised{ID: point, By: state.Consultee, Text: "the limit of " + reference},
		&state.EvidenceOffered{ID: item, Point: point, Relation: ledger.Supports, Reference: reference, Quote: quote, By: state.Consultee},
		&state.EvidenceVerified{
			ID: item, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace, Reference: reference,
			Excerpt: excerpt, Shown: quote == "", Admitted: true, Reason: "verbatim at the cited lines",
		},
		&state.EvidenceAccepted{ID: item, By: state.Orchestrator},
		&state.PointClassified{Point: point, By: state.Orchestrator, Class: state.Agree, Reason: "it says so"})
}

func (b *bench) recheck() recheck.Result {
	b.Helper()
	citation, err := research.OpenCitation(b.folder)
	if err != nil {
		b.Fatal(err)
	}
	defer citation.Close()
	repository, err := git.Open(b.Context(), b.folder)
	if err != nil {
		b.Fatal(err)
	}
	defer repository.Close()
	return recheck.Session(b.Context(), b.State, b.events, &recheck.Workspace{
		Researcher: research.Checkers{List: []research.Checker{citation}}, Repository: repository, Head: repository.Head(),
		Exists: func(path string) bool {
			_, err := os.Lstat(filepath.Join(b.folder, path))
			return err == nil
		},
		Allowed: func(ledger.Command) bool { return false },
	})
}

func TestEvidenceIsComparedWithTheFolderAsItIsNow(t *testing.T) {
	t.Parallel()
	const before = "package a\n\nconst limit = 8 // tries\n"
	for name, c := range map[string]struct {
		// quote is "" for a citation that shows its lines.
		quote  string
		change func(b *bench)
		word   recheck.Word
		now    string
		by     string
		// open says that the change is not committed.
		open bool
	}{
		"nothing changed": {quote: "limit = 8", change: func(*bench) {}, word: recheck.Holds, now: "a.go:3"},
		"shown lines":     {change: func(*bench) {}, word: recheck.Holds, now: "a.go:3"},
		"another indentation": {quote: "limit = 8", change: func(b *bench) {
			b.write("a.go", "package a\n\n\tconst limit = 8 // tries\n")
		}, word: recheck.Holds, now: "a.go:3"},
		"lines before it": {quote: "limit = 8", change: func(b *bench) {
			b.write("a.go", "package a\n\n// A.\n// B.\nconst limit = 8 // tries\n")
		}, word: recheck.Moved, now: "a.go:5"},
		"shown lines moved": {change: func(b *bench) {
			b.write("a.go", "package a\n\n// A.\n// B.\nconst limit = 8 // tries\n")
		}, word: recheck.Moved, now: "a.go:5"},
		"the quote is still in a changed line": {quote: "limit = 8", change: func(b *bench) {
			b.write("a.go", "package a\n\nconst limit = 80 // tries\n")
			b.commit("raise it")
			b.write("b.go", "package a\n")
			b.commit("add another file")
		}, word: recheck.Changed, now: "a.go:3", by: "raise it"},
		"shown lines changed": {change: func(b *bench) {
			b.write("a.go", "package a\n\nconst limit = 9 // tries\n")
			b.commit("raise it")
			b.write("a.go", "package a\n\nconst limit = 9 // tries\n\nvar x int\n")
			b.commit("edit the same file")
		}, word: recheck.Changed, now: "a.go:3", by: "raise it"},
		"an edit that is not committed": {quote: "limit = 8", change: func(b *bench) {
			b.write("a.go", "package a\n\nconst limit = 9 // tries\n")
		}, word: recheck.Changed, now: "a.go:3", open: true},
		"the line was removed": {quote: "limit = 8", change: func(b *bench) {
			b.write("a.go", "package a\n")
			b.commit("drop the limit")
		}, word: recheck.Gone, by: "drop the limit"},
		"the file was removed": {quote: "limit = 8", change: func(b *bench) {
			b.git("rm", "-q", "a.go")
			b.commit("drop the file")
			b.write("b.go", "package b\n")
			b.commit("add another file")
		}, word: recheck.Gone, by: "drop the file"},
		"the file was removed and not committed": {quote: "limit = 8", change: func(b *bench) {
			b.git("rm", "-q", "a.go")
		}, word: recheck.Gone, open: true},
		"the file was renamed twice": {quote: "limit = 8", change: func(b *bench) {
			b.git("mv", "a.go", "b.go")
			b.commit("rename it")
			b.git("mv", "b.go", "c.go")
			b.commit("rename it again")
		}, word: recheck.Moved, now: "c.go:3", by: "rename it again"},
		"the file was renamed and changed since": {quote: "limit = 8", change: func(b *bench) {
			b.git("mv", "a.go", "b.go")
			b.commit("rename it")
			b.write("b.go", "package a\n\nconst limit = 9 // tries\n")
			b.commit("raise it")
		}, word: recheck.Changed, now: "b.go:3", by: "raise it"},
		"the line was moved to another file by hand": {quote: "limit = 8", change: func(b *bench) {
			b.write("b.go", "package a\n\nvar other = 1\n")
			b.commit("add another file")
			b.write("a.go", "package a\n")
			b.write("b.go", "package a\n\nvar other = 1\n\nconst limit = 8 // tries\n")
			b.commit("move the limit")
			b.write("b.go", "package a\n\n// One.\nvar other = 1\n\nconst limit = 8 // tries\n")
			b.commit("say more")
		}, word: recheck.Moved, now: "b.go:6", by: "move the limit"},
		"a file was merged into another": {change: func(b *bench) {
			b.write("b.go", "package a\n\nvar other = 1\n\nfunc a() {}\n\nfunc b() {}\n\nfunc c() {}\n")
			b.commit("add another file")
			b.git("rm", "-q", "a.go")
			b.write("b.go", "package a\n\nconst limit = 8 // tries\n\nvar other = 1\n\nfunc a() {}\n\nfunc b() {}\n\nfunc c() {}\n")
			b.commit("merge the files")
		}, word: recheck.Moved, now: "b.go:3", by: "merge the files"},
		"the line was moved to two files": {quote: "limit = 8", change: func(b *bench) {
			b.write("a.go", "package a\n")
			b.write("b.go", "package b\n\nvar other = 1\n\nconst limit = 8 // tries\n")
			b.write("c.go", "package c\n\nvar another = 1\n\nconst limit = 8 // tries\n")
			b.commit("copy the limit")
		}, word: recheck.Gone, by: "copy the limit"},
		"another file had the line before": {quote: "limit = 8", change: func(b *bench) {
			b.write("b.go", "package a\n\nvar other = 1\n\nconst limit = 8 // tries\n")
			b.commit("add another file")
			b.write("a.go", "package a\n")
			b.write("b.go", "package a\n\nvar other = 2\n\nconst limit = 8 // tries\n")
			b.commit("drop the limit")
		}, word: recheck.Gone, by: "drop the limit"},
		"the line was moved and changed since": {quote: "limit = 8", change: func(b *bench) {
			b.write("a.go", "package a\n")
			b.write("b.go", "package a\n\nvar other = 1\n\nconst limit = 8 // tries\n")
			b.commit("move the limit")
			b.write("b.go", "package a\n\nvar other = 1\n")
			b.commit("drop it there")
		}, word: recheck.Gone, by: "move the limit"},
		"the name stands for a link now": {quote: "limit = 8", change: func(b *bench) {
			b.git("rm", "-q", "a.go")
			if err := os.Symlink(os.DevNull, filepath.Join(b.folder, "a.go")); err != nil {
				b.Skip(err)
			}
		}, word: recheck.Unverifiable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.write("a.go", before)
			b.commit("begin")
			b.agree("a.go:3", c.quote, "const limit = 8 // tries")
			c.change(b)
			got := b.recheck()
			if len(got.Points) != 1 || len(got.Points[0].Evidence) != 1 {
				t.Fatalf("%+v", got)
			}
			p, e := &got.Points[0], &got.Points[0].Evidence[0]
			by := ""
			if e.Commit != nil {
				by = e.Commit.Subject
			}
			if e.Word != c.word || e.Now != c.now || by != c.by || e.Uncommitted != c.open || p.Word != c.word {
				t.Errorf("%s at %q by %q, open %t; want %s at %q by %q, open %t: %s", e.Word, e.Now, by, e.Uncommitted, c.word, c.now,
					c.by, c.open, e.Reason)
			}
			if broken := c.word == recheck.Changed || c.word == recheck.Gone; p.Broken != broken || !e.Rests {
				t.Errorf("broken %t, rests %t", p.Broken, e.Rests)
			}
		})
	}
}

// A ruling on the word of the seats read no evidence, and what supports its point counts. A refutation does not.
func TestARulingThatReadNoEvidenceRestsOnWhatSpeaksForIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.write("a.go", "package a\n\nconst limit = 8\n")
	b.commit("begin")
	b.agree("a.go:3", "limit = 8", "const limit = 8")
	b.add(&state.OverrideMade{What: state.OverrideAgree, Point: "P1", Reason: "it is so"})
	b.write("a.go", "package a\n\nconst limit = 9\n")
	p := b.recheck().Points[0]
	if !p.Evidence[0].Rests || !p.Broken {
		t.Errorf("%+v", p)
	}
}

// BenchmarkRecheck rechecks 1,000 points about 100 files, of which a quarter each holds, moved, changed and is gone. It
// must take less than 5 s.
func BenchmarkRecheck(t *testing.B) {
	b := newBench(t)
	const files, each = 100, 10
	file := func(n, version int) string {
		var out strings.Builder
		for i := range 300 {
			switch {
			case i == 0 && version == 1 && n%4 == 1:
				out.WriteString("// New.\n")
			case i%30 == 0 && version == 1 && n%4 == 2:
				fmt.Fprintf(&out, "const limit%d = %d\n", i, n+1)
				continue
			case i%30 == 0 && version == 1 && n%4 == 3:
				continue
			}
			if i%30 == 0 {
				fmt.Fprintf(&out, "const limit%d = %d\n", i, n)
				continue
			}
			fmt.Fprintf(&out, "func f%d() { call(%d, %q) }\n", i, i*n, "text")
		}
		return out.String()
	}
	for n := range files {
		b.write(fmt.Sprintf("f%d.go", n), file(n, 0))
	}
	b.commit("begin")
	for n := range files {
		for i := range each {
			line := fmt.Sprintf("const limit%d = %d", i*30, n)
			b.agree(fmt.Sprintf("f%d.go:%d", n, i*30+1), line, line)
		}
	}
	for n := range files {
		b.write(fmt.Sprintf("f%d.go", n), file(n, 1))
	}
	b.commit("rework")
	for t.Loop() {
		counts := map[recheck.Word]int{}
		for _, p := range b.recheck().Points {
			counts[p.Word]++
		}
		if counts[recheck.Holds] != 250 || counts[recheck.Moved] != 250 || counts[recheck.Changed]+counts[recheck.Gone] != 500 {
			t.Fatal(counts)
		}
	}
}
