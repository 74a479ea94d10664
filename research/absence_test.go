package research_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	checker := research.OpenAbsence(dir, nil, nil, nil)
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
		{"SEARCH /RETRY=/ = 0", "", "SEARCH /RETRY=/ = 0", "verified", "1 file that may hold secrets"},
		{"SEARCH /schema/ = 0", "", "SEARCH /schema/ = 0", "verified", "1 file that moot wrote"},
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
	checker := research.OpenAbsence(dir, nil, nil, nil)
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
		got := research.OpenAbsence(dir, nil, nil, c.redactor).Check(t.Context(), "SEARCH /hunter2z/ in * = 0", "")
		if c.redactor == nil {
			got = research.OpenAbsence(dir, nil, nil, nil).Check(t.Context(), "SEARCH /hunter2z/ in *.bin = 0", "")
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
	if got := research.OpenAbsence(dir, nil, tree, nil).Check(t.Context(), reference, ""); !got.Verified {
		t.Errorf("in the commit: %s", got.Reason)
	}
	if got := research.OpenAbsence(dir, nil, nil, nil).Check(t.Context(), reference, ""); !got.Unmet || !strings.HasPrefix(got.Nearest, "3 lines") {
		t.Errorf("in the folder: %s\n%s", got.Reason, got.Nearest)
	}
}

// Lookups stay lookups.
func TestSearchWithoutACountIsALookup(t *testing.T) {
	t.Parallel()
	kind := research.OpenAbsence(".", nil, nil, nil).Kind()
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
