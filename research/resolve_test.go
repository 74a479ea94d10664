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
		if !strings.Contains(f.Reason, test.says) || f.Verified != (test.at != "") ||
			f.Verified && f.Reference != test.at ||
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

// The quote decides between several files and where a name alone fits; what is left is unclear.
func TestResolving(t *testing.T) {
	c, root := open(t, map[string]string{
		"a/same.go": "first\nonly in a\n", "b/same.go": "second\nonly in b\n",
		"b/deep/pair.go": "text of one\nshared line\n", "c/deep/pair.go": "text of two\nshared line\n",
		"main.go": "top\n", "cmd/x/main.go": "below\n", "Read/Case.go": "x in upper\n",
		"read/case.go": "x in lower\n", "lib/one.go": "the only one\n",
		"top.go": "at the top\n", "old plan.md": "a plan of old\n",
	})
	project := filepath.Base(root)
	for _, test := range []struct{ reference, quote, at, reason string }{
		{"same.go:2", "only in b", "b/same.go:2", "same.go is read as b/same.go"},
		{"same.go:2", "", "", "unclear: several files fit \"same.go\": a/same.go, b/same.go; cite one by its path"},
		{"same.go:2", "only in c", "", "unclear"},
		{
			"deep/pair.go:2", "shared line", "",
			"unclear: several files fit \"deep/pair.go\": b/deep/pair.go, c/deep/pair.go",
		},
		{"deep/pair.go:1", "text of two", "c/deep/pair.go:1", ""},
		{"read/CASE.go:1", "x in lower", "read/case.go:1", ""},
		{"read/CASE.go:1", "", "", "unclear"},
		{"READ/case.go:1", "x in upper", "Read/Case.go:1", ""},
		{"lib/ONE.go:1", "", "lib/one.go:1", "lib/ONE.go is read as lib/one.go"},
		{"src/one.go:1", "", "", "is lib/one.go meant? cite it by its path"},
		{"src/one.go:1", "the only one", "lib/one.go:1", ""},
		{"/home/u/" + project + "/main.go:1", "", "main.go:1", ""},
		{"/home/u/" + project + "/cmd/y/main.go:1", "", "", "is main.go meant? cite it by its path"},
		{"/home/u/" + project + "/lib/one.go:1", "", "lib/one.go:1", ""},
		{"/home/u/elsewhere/main.go:1", "", "", "is main.go meant? cite it by its path"},
		{"/home/u/elsewhere/top.go:1", "", "top.go:1", ""},
		{"/home/u/elsewhere/one.go:1", "", "", "leaves the workspace; is lib/one.go meant?"},
		{"plan.md:1", "", "", "is old plan.md meant?"},
		{"plan.md:1", "a plan of old", "old plan.md:1", ""},
		{"see lib/one.go:1", "", "lib/one.go:1", ""},
		{"见lib/one.go:1", "", "lib/one.go:1", ""},
		{"../lib/one.go:1", "the only one", "", "leaves the workspace"},
		{"none.go:1", "the only one", "", "there is no file \"none.go\" in the workspace"},
	} {
		finding := c.Check(t.Context(), test.reference, test.quote)
		if finding.Verified != (test.at != "") || finding.Verified && finding.Reference != test.at ||
			!strings.Contains(finding.Reason, test.reason) {
			t.Errorf(
				"%s %q: verified %t at %s: %s",
				test.reference,
				test.quote,
				finding.Verified,
				finding.Reference,
				finding.Reason,
			)
		}
		if unclear := strings.HasPrefix(finding.Reason, "unclear") || strings.Contains(finding.Reason,
			"meant?"); unclear != (len(finding.Candidates) > 0) {
			t.Errorf("%s %q: candidates %q: %s", test.reference, test.quote, finding.Candidates, finding.Reason)
		}
	}
}
