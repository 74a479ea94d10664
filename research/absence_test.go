package research_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"moot/internal/git"
	"moot/internal/redact"
	"moot/ledger"
	"moot/research"
)

// put writes files, by name, below a folder.
func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// outcome says how a check ended in a word.
func outcome(f ledger.Finding) string {
	switch {
	case f.Verified && f.Unmet:
		return "both"
	case f.Verified:
		return "verified"
	case f.Unmet:
		return "unmet"
	}
	return "open"
}

func utf16le(text string) string {
	out := "\xff\xfe"
	for _, unit := range utf16.Encode([]rune(text)) {
		out += string([]byte{byte(unit), byte(unit >> 8)})
	}
	return out
}

func TestSearchCountsLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"queue/queue.go": "package queue\n\n// Retry tries twice, and Retry again.\nfunc Retry() {}\r\n",
		"queue/lock.go":  "package queue\n\nfunc lock() { Retry() }\n",
		"docs/queue.md":  "Retry is called by lock.\nnothing\n",
		"wide.txt":       utf16le("a wide Retry\r\n"),
		"split.txt":      "over\nflow\n",
		"image.bin":      "\x00\x01marker\x00",
		".env":           "RETRY=Retry\n",
		"old.jsonl":      `{"schema":"moot.session/7"}` + "\nRetry\n",
	})
	checker := research.OpenAbsence(dir, nil, nil, nil, os.Environ())
	for _, c := range []struct{ reference, quote, normal, outcome, says string }{
		{"SEARCH /Mutex/ in *.go = 0", "", "SEARCH /Mutex/ in *.go = 0", "verified", "0 lines match in 2 files, expected 0"},
		{"SEARCH /Retry/ in *.go = 3", "", "SEARCH /Retry/ in *.go = 3", "verified", "in 2 files"},
		{"SEARCH /Retry/ in queue/*.go=3", "3", "SEARCH /Retry/ in queue/*.go = 3", "verified", ""},
		{"SEARCH /Retry/ in *.go", "3", "SEARCH /Retry/ in *.go = 3", "verified", ""},
		{"SEARCH /Retry/ in *.go", "= 3", "SEARCH /Retry/ in *.go = 3", "verified", ""},
		{"SEARCH /Retry/ = 5", "", "SEARCH /Retry/ = 5", "verified", "whole workspace"},
		{"SEARCH /Retry$/ in wide.txt = 1", "", "SEARCH /Retry$/ in wide.txt = 1", "verified", ""},
		{"SEARCH /\\{\\}$/ in queue/queue.go = 1", "", "SEARCH /\\{\\}$/ in queue/queue.go = 1", "verified", ""},
		{"SEARCH /a/b/ in *.go = 0", "", "SEARCH /a/b/ in *.go = 0", "verified", ""},
		{"SEARCH /Retry/ in *.go = 0", "", "SEARCH /Retry/ in *.go = 0", "unmet", "3 lines match in 2 files, expected 0"},
		{"SEARCH /Retry/ in *.go = 4", "", "SEARCH /Retry/ in *.go = 4", "unmet", "3 lines match in 2 files, expected 4"},
		{"SEARCH /Retry/ in *.go = 3", "4", "SEARCH /Retry/ in *.go = 3", "open", "expects 3, and its quote is"},
		{"SEARCH /Retry/ in *.go", "", "SEARCH /Retry/ in *.go", "open", "the expected count is missing"},
		{"SEARCH /Retry/ in *.go = 99999999999", "", "SEARCH /Retry/ in *.go = 99999999999", "open", "is no count"},
		{"SEARCH /Retry/ in *.rs = 0", "", "SEARCH /Retry/ in *.rs = 0", "open", "not answered"},
		{"SEARCH /(/ in *.go = 0", "", "SEARCH /(/ in *.go = 0", "open", "not valid"},
		{"SEARCH /x/ in [ = 0", "", "SEARCH /x/ in [ = 0", "open", "is not a glob"},
		{"SEARCH /over\\s+flow/ in *.txt = 0", "", "SEARCH /over\\s+flow/ in *.txt = 0", "open", "matches across lines in split.txt"},
		{"SEARCH /marker/ in *.bin = 0", "", "SEARCH /marker/ in *.bin = 0", "open", "image.bin is not text and has a match"},
		{"SEARCH /absent/ in *.bin = 0", "", "SEARCH /absent/ in *.bin = 0", "verified", "1 file of them not text"},
		{"SEARCH /RETRY=/ = 0", "", "SEARCH /RETRY=/ = 0", "verified", "files not searched: 1 may hold secrets, 1 written by moot"},
		{"SEARCH /schema/ = 0", "", "SEARCH /schema/ = 0", "verified", "1 written by moot"},
		{"SEARCH //etc/ in ../* = 0", "", "SEARCH //etc/ in ../* = 0", "open", "not answered"},
		{"SEARCH  = 0", "", "SEARCH  = 0", "open", "a search that counts is"},
	} {
		got := checker.Check(t.Context(), c.reference, c.quote)
		if outcome(got) != c.outcome || got.Reference != c.normal || !strings.Contains(got.Reason, c.says) {
			t.Errorf("%s %q: %s, %s: %s\n%s%s", c.reference, c.quote, outcome(got), got.Reference, got.Reason, got.Excerpt, got.Nearest)
		}
		if got.Verified && (got.Digest == "" || got.Excerpt == "") {
			t.Errorf("%s: the digest or the excerpt is missing", c.reference)
		}
	}
	got := checker.Check(t.Context(), "SEARCH /Retry/ in *.go = 9", "")
	if want := "3 lines match in 2 files\nqueue/lock.go:3: func lock() { Retry() }\nqueue/queue.go:3: "; !strings.HasPrefix(got.Nearest, want) {
		t.Errorf("the places are\n%s\nwant\n%s", got.Nearest, want)
	}
}

// Not to have looked everywhere is no proof of absence, but what was found disproves it.
func TestSearchOfWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{"big.txt": strings.Repeat("0123456789abcde\n", 1<<20) + "over\n", "small.txt": "here\n"})
	checker := research.OpenAbsence(dir, nil, nil, nil, os.Environ())
	for reference, want := range map[string]string{
		"SEARCH /nowhere/ = 0": "open", "SEARCH /here/ = 1": "open", "SEARCH /here/ = 2": "open", "SEARCH /here/ = 0": "unmet",
		"SEARCH /nowhere/ in small* = 0": "verified",
	} {
		got := checker.Check(t.Context(), reference, "")
		if outcome(got) != want || want != "verified" && !strings.Contains(got.Reason, "big.txt: it has more than 16 MiB") {
			t.Errorf("%s: %s: %s", reference, outcome(got), got.Reason)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := checker.Check(ended, "SEARCH /nowhere/ in small* = 0", ""); outcome(got) != "open" {
		t.Errorf("a canceled check is %s: %s", outcome(got), got.Reason)
	}
}

// A seat cannot guess a secret by counting: what is redacted matches nothing.
func TestSearchDoesNotTellSecrets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{"settings.yml": "password: hunter2zebra\nhost: a\n", "data.bin": "\x00\npassword=hunter2zebra\n"})
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		redactor *redact.Redactor
		want     string
	}{{redactor, "verified"}, {nil, "open"}} {
		got := research.OpenAbsence(dir, nil, nil, c.redactor, nil).Check(t.Context(), "SEARCH /hunter2z/ in * = 0", "")
		if c.redactor == nil {
			got = research.OpenAbsence(dir, nil, nil, nil, os.Environ()).Check(t.Context(), "SEARCH /hunter2z/ in *.bin = 0", "")
		}
		if outcome(got) != c.want || c.redactor != nil && strings.Contains(got.Excerpt+got.Nearest, "hunter2") {
			t.Errorf("%s, want %s: %s\n%s", outcome(got), c.want, got.Reason, got.Excerpt+got.Nearest)
		}
	}
}

// A review of a commit counts in that commit, and git decides what is ignored in the folder.
func TestSearchInAReviewedCommit(t *testing.T) {
	t.Parallel()
	dir := history(t)
	put(t, dir, map[string]string{"new.go": "package q // Retry\n", ".gitignore": "built/\n", "built/x.go": "package x // Retry\n"})
	reference := "SEARCH /Retry/ in *.go = 2"
	tree, err := git.OpenTree(t.Context(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if got := research.OpenAbsence(dir, nil, tree, nil, os.Environ()).Check(t.Context(), reference, ""); !got.Verified {
		t.Errorf("in the commit: %s", got.Reason)
	}
	if got := research.OpenAbsence(dir, nil, nil, nil, os.Environ()).Check(t.Context(), reference, ""); !got.Unmet || !strings.HasPrefix(got.Nearest, "3 lines") {
		t.Errorf("in the folder: %s\n%s", got.Reason, got.Nearest)
	}
}

// Lookups stay lookups.
func TestSearchWithoutACountIsALookup(t *testing.T) {
	t.Parallel()
	kind := research.OpenAbsence(".", nil, nil, nil, nil).Kind()
	if err := ledger.CheckKinds([]ledger.Kind{kind}); err != nil {
		t.Error(err)
	}
	for reference, owned := range map[string]bool{
		"SEARCH retry": false, "SEARCH /retry/": false, "SEARCH": false, "SEARCH x = 1": false, "SEARCH in = 2": false,
		"SEARCH /retry/ = 0": true, "SEARCH /retry/ in *.go": true, " SEARCH  /a b/ in x =3": true, "SEARCHING /a/ = 0": false,
	} {
		if kind.Owns(reference) != owned {
			t.Errorf("%q is owned: %t", reference, !owned)
		}
	}
}

// shopFiles has a Go module and code in other languages.
func shopFiles() map[string]string {
	return map[string]string{
		"go.mod":         "module example.com/shop\n\ngo 1.25\n",
		"queue/queue.go": "package queue\n\ntype Queue struct{}\n\nfunc (*Queue) Close() {}\nfunc Retry() {}\nfunc unused() {}\nfunc Handle() {}\n\nvar table = []func(){Handle}\n",
		"main.go":        "package main\n\nimport \"example.com/shop/queue\"\n\nfunc main() { queue.Retry(); (&queue.Queue{}).Close() }\n",
		"main_test.go":   "package main\n\nimport \"example.com/shop/queue\"\n\nfunc x() { queue.Retry() }\n",
		"bad_plan9.go":   "package main\n\nfunc y() { z() }\nfunc z() {}\n",
		"tool.py":        "def run(n):\n    return n\n\nrun(1)\nprint(run(2))  # run\nsend = run\nlost = 1\n",
		"tool.js":        "function send() {}\nasync load(x) {\n}\n",
		"docs/tool.md":   "call run(3)\n",
	}
}

func TestCallersAndSymbols(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, shopFiles())
	checker := research.OpenAbsence(dir, nil, nil, nil, os.Environ())
	for _, c := range []struct{ reference, quote, outcome, says, shows string }{
		{"CALLERS queue.unused = 0", "", "verified", "0 calls of queue.unused by go/types in 3 Go files", "0 calls"},
		{"CALLERS queue.Retry", "2", "verified", "", "main.go:5: func main() { queue.Retry(); (&queue.Queue{}).Close() }\nmain_test.go:5"},
		{"CALLERS (*Queue).Close = 1", "", "verified", "of (*queue.Queue).Close by go/types", "main.go:5"},
		{"CALLERS Handle = 0", "", "verified", "1 use as a value", "queue/queue.go:10: var table = []func(){Handle} (used as a value)"},
		{"CALLERS queue.Retry = 0", "", "unmet", "2 calls of queue.Retry by go/types in 3 Go files, expected 0", "main.go:5"},
		{"CALLERS queue.Retry = 3", "", "unmet", "expected 3", ""},
		{"CALLERS z = 0", "", "open", "1 identifier with its name could not be resolved", "bad_plan9.go:3: func y() { z() } (not resolved)"},
		{"CALLERS z = 1", "", "open", "not answered", ""},
		{"CALLERS z = 2", "", "unmet", "expected 2", ""},
		{"CALLERS lost.Retry = 0", "", "open", "did you mean: queue.Retry (queue/queue.go:6)", ""},
		{"CALLERS run = 2", "", "verified", "2 calls of run by a search of words in 2 source files that are not Go", "tool.py:4: run(1)\ntool.py:5: print(run(2))"},
		{"CALLERS run = 0", "", "unmet", "2 calls of run", ""},
		{"CALLERS load = 0", "", "open", "may be a call or something else", "tool.js:2: async load(x) { (not sure)"},
		{"CALLERS nowhere = 0", "", "open", "no source file declares or mentions nowhere", ""},
		{"CALLERS a b = 0", "", "open", "is no name", ""},
		{"CALLERS = 0", "", "open", "what to count is missing", ""},
		{"SYMBOL Retry = 1", "", "verified", "1 declaration of Retry in 4 Go files by their syntax", "queue/queue.go:6: func Retry() {}"},
		{"SYMBOL queue.Queue = 1", "", "verified", "", "type Queue struct"},
		{"SYMBOL Retry = 0", "", "unmet", "expected 0", ""},
		{"SYMBOL z = 1", "", "verified", "", "bad_plan9.go:4"},
		{"SYMBOL nowhere = 0", "", "verified", "0 declarations of nowhere", ""},
		{"SYMBOL run = 1", "", "verified", "1 of them by a search of words in other languages", "tool.py:1: def run(n):"},
		{"SYMBOL lost = 0", "", "open", "may be a declaration", ""},
	} {
		got := checker.Check(t.Context(), c.reference, c.quote)
		if outcome(got) != c.outcome || !strings.Contains(got.Reason, c.says) || !strings.Contains(got.Excerpt+got.Nearest, c.shows) {
			t.Errorf("%s %q: %s: %s\n%s%s", c.reference, c.quote, outcome(got), got.Reason, got.Excerpt, got.Nearest)
		}
	}
	// The index is made again for changed files only, and a file with errors of syntax may declare more.
	put(t, dir, map[string]string{"more.go": "package main\n\nimport \"example.com/shop/queue\"\n\nfunc more() { queue.Retry() }\n"})
	if got := checker.Check(t.Context(), "CALLERS queue.Retry = 3", ""); !got.Verified {
		t.Errorf("after a change: %s", got.Reason)
	}
	put(t, dir, map[string]string{"more.go": "package main\n\nfunc more( {\nfunc hidden() {}\n"})
	if got := checker.Check(t.Context(), "SYMBOL hidden = 0", ""); got.Verified {
		t.Errorf("in a file with errors: %s", got.Reason)
	}
	if got := research.OpenAbsence(dir, nil, nil, nil, []string{"PATH="}).Check(t.Context(), "CALLERS queue.unused = 0", ""); outcome(got) != "open" ||
		!strings.Contains(got.Reason, "there is no go command") {
		t.Errorf("without Go: %s: %s", outcome(got), got.Reason)
	}
}

// Calls are counted in the reviewed commit, in a copy that git objects make.
func TestCallersInAReviewedCommit(t *testing.T) {
	t.Parallel()
	dir := history(t)
	put(t, dir, map[string]string{"new.go": "package q\n\nfunc f() { Retry() }\n", "go.mod": "module example.com/q\n\ngo 1.25\n"})
	tree, err := git.OpenTree(t.Context(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	// The commit has no go.mod, so nothing is resolved there; nothing mentions Close either.
	for reference, want := range map[string][2]string{"CALLERS q.Close = 0": {"verified", "verified"}, "CALLERS q.Retry = 1": {"unmet", "verified"}} {
		in := research.OpenAbsence(dir, nil, tree, nil, os.Environ()).Check(t.Context(), reference, "")
		now := research.OpenAbsence(dir, nil, nil, nil, os.Environ()).Check(t.Context(), reference, "")
		if outcome(in) != want[0] || outcome(now) != want[1] || want[0] == "verified" && !strings.Contains(in.Reason, "could not be checked") {
			t.Errorf("%s: %s: %s\n%s: %s", reference, outcome(in), in.Reason, outcome(now), now.Reason)
		}
	}
}

// A check that runs out of time leaves the index being made for later checks, and Close ends that.
func TestAnIndexIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, shopFiles())
	checker := research.OpenAbsence(dir, nil, nil, nil, os.Environ())
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if got := checker.Check(short, "CALLERS queue.unused = 0", ""); outcome(got) != "open" {
		t.Errorf("in no time: %s: %s", outcome(got), got.Reason)
	}
	if got := checker.Check(t.Context(), "CALLERS queue.unused = 0", ""); !got.Verified {
		t.Errorf("later: %s", got.Reason)
	}
	checker.Close()
	put(t, dir, map[string]string{"more.go": "package main\n"})
	if got := checker.Check(t.Context(), "CALLERS queue.unused = 0", ""); outcome(got) != "open" {
		t.Errorf("after the end: %s: %s", outcome(got), got.Reason)
	}
}
