package research

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The forms of a reference, with and without a quote, and what is refused.
func TestReferencesAreFound(t *testing.T) {
	dir := t.TempDir()
	opened := time.Now().Add(-time.Hour)
	for name, text := range map[string]string{
		"store.go":         "package store\n\nfunc Sync() {\n\tf.Sync()\n}\n",
		"queue/retry.go":   "const retries = 3\n",
		"a/same.go":        "one\n",
		"b/same.go":        "two\n",
		"long.txt":         strings.Repeat("a line\n", 40),
		"result.md":        "<!-- moot.session/1 -->\nP1 agreed\n",
		"notes.md":         "# Notes\n\n    session    20250309-140502-k3f9 (panel)\n    P1 agreed\n",
		"vendor/x/deep.go": "three\n",
		"later.md":         "written by a seat\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		at := opened.Add(-time.Hour)
		if name == "later.md" {
			at = opened.Add(time.Minute)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	c, err := OpenCitation(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.Since(opened)
	for _, test := range []struct{ reference, quote, at, says string }{
		{"store.go:4", "f.Sync()", "store.go:4", "verbatim"},
		{"store.go:3-5", "", "store.go:3-5", "no quote; these are the lines"},
		{"store.go#L3-L4", "", "store.go:3-4", "no quote"},
		{"store.go (lines 3-4)", "", "store.go:3-4", "no quote"},
		{"[the sync](store.go:4)", "", "store.go:4", "no quote"},
		{"retry.go:1", "", "queue/retry.go:1", "no quote"},
		{dir + "/queue/retry.go:1", "retries = 3", "queue/retry.go:1", "verbatim"},
		{"long.txt:1-40", "", "long.txt:1-12", "no quote"},
		{"long.txt:1-8,20-30", "", "long.txt:1-8,20-23", "no quote"},
		{"store.go:2", "", "", "the cited lines are empty"},
		{"store.go:4-9", "", "store.go:4-5", "cut to the end of the file, which has 5 lines"},
		{"same.go:1", "", "", "unclear: several files fit \"same.go\": a/same.go, b/same.go; cite one by its path"},
		{"deep.go:1", "", "", "there is no file"},
		{"result.md:2", "P1 agreed", "", "was written by moot"},
		{"notes.md:4", "P1 agreed", "", "was written by moot, in whole or in part"},
		{"later.md:1", "", "", "changed after the session was opened"},
	} {
		f := c.Check(t.Context(), test.reference, test.quote)
		if !strings.Contains(f.Reason, test.says) || f.Verified != (test.at != "") || f.Verified && f.Reference != test.at ||
			f.Shown != (f.Verified && test.quote == "") {
			t.Errorf("%s: verified %t at %s, shown %t: %s", test.reference, f.Verified, f.Reference, f.Shown, f.Reason)
		}
	}
	c.Since(opened, "later.md", "result.md")
	for _, named := range []string{"later.md:1", "result.md:2"} {
		if f := c.Check(t.Context(), named, ""); !f.Verified {
			t.Errorf("%s, which the user gave, is refused: %s", named, f.Reason)
		}
	}
}

// What the user gave is cited by its name, also without a workspace.
func TestGivenFilesAreCited(t *testing.T) {
	g := Given{Files: []File{
		{"/srv/notes.md", "# Load\nThe peak is 300 writes a second.\n"},
		{"docs/a/plan.md", "one\n"},
		{"docs/b/plan.md", "two\n"},
	}}
	for _, test := range []struct{ reference, quote, says string }{
		{"notes.md:2", "300 writes", "the user gave the file"},
		{"notes.md:2", "", "the user gave the file"},
		{"/srv/notes.md:1", "# Load", "the user gave the file"},
		{"docs/b/plan.md:1", "two", "the user gave the file"},
		{"notes.md:2", "400 writes", "does not contain the quote"},
		{"notes.md:9", "", "line 9 does not exist"},
		{"docs/a/plan.md:1", "one", "the user gave the file"},
		{"a/plan.md:1", "one", "the user gave the file"},
		{"plan.md:1", "one", "unclear: several files fit \"plan.md\": docs/a/plan.md, docs/b/plan.md; cite one by its path"},
		{"main.go:1", "", "the session has no workspace"},
	} {
		f := g.Check(t.Context(), test.reference, test.quote)
		if !strings.Contains(f.Reason, test.says) || f.Verified != strings.HasPrefix(test.says, "the user") {
			t.Errorf("%s %q: verified %t: %s", test.reference, test.quote, f.Verified, f.Reason)
		}
	}
}

// What an agent passes is not named by the user: moot's own text stays refused.
func TestFilesOfAnAgentAreNoOwnText(t *testing.T) {
	files := []File{
		{"result.md", "- **session** 20250309-140502-k3f9 (panel)\nP1 agreed\n"}, {"spec.md", "Writes are synced.\n"},
	}
	for _, test := range []struct {
		byAgent         bool
		reference, says string
		verified        bool
	}{
		{true, "result.md:2", "was written by moot", false},
		{true, "spec.md:1", "the agent passed the file", true},
		{false, "result.md:2", "the user gave the file", true},
	} {
		f := Given{Files: files, ByAgent: test.byAgent}.Check(t.Context(), test.reference, "")
		if f.Verified != test.verified || !strings.Contains(f.Reason, test.says) {
			t.Errorf("%s, by an agent %t: verified %t: %s", test.reference, test.byAgent, f.Verified, f.Reason)
		}
	}
}
