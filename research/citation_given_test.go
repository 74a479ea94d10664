package research

import (
	"strings"
	"testing"

	"moot/ledger"
)

// What the user gave is cited by its name, also without a workspace.
func TestGivenFilesAreCited(t *testing.T) {
	g := &Citation{}
	g.Give([]File{
		{"/srv/notes.md", "# Load\nThe peak is 300 writes a second.\n"},
		{"docs/a/plan.md", "one\n"},
		{"docs/b/plan.md", "two\n"},
	}, false)
	for _, test := range []struct{ reference, quote, says string }{
		{"notes.md:2", "300 writes", "the user gave the file"},
		{"notes.md:2", "", "the user gave the file"},
		{"/srv/notes.md:1", "# Load", "the user gave the file"},
		{"docs/b/plan.md:1", "two", "the user gave the file"},
		{"notes.md:2", "400 writes", "does not contain the quote"},
		{"notes.md:9", "", "line 9 does not exist"},
		{"docs/a/plan.md:1", "one", "the user gave the file"},
		{"a/plan.md:1", "one", "the user gave the file"},
		{
			"plan.md:1", "one",
			"unclear: several files fit \"plan.md\": docs/a/plan.md, docs/b/plan.md; cite one by its path",
		},
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
		c := &Citation{}
		c.Give(files, test.byAgent)
		f := c.Check(t.Context(), test.reference, "")
		if f.Verified != test.verified || !strings.Contains(f.Reason, test.says) {
			t.Errorf("%s, by an agent %t: verified %t: %s", test.reference, test.byAgent, f.Verified, f.Reason)
		}
	}
}

// A text that was handed over comes before a file of the same name, and is never an official document.
func TestGivenFilesComeBeforeThoseOfTheWorkspace(t *testing.T) {
	t.Parallel()
	const there = "from the workspace\n"
	c, _ := open(t, map[string]string{"docs/spec.md": there, "docs/other.md": there}, "docs")
	c.Give([]File{{"docs/spec.md", "from the user\n"}}, false)
	given := examine(t, c, "docs/spec.md:1", "from the user", "in-place")
	if given.SourceKind != ledger.DomainEvidence || !strings.HasSuffix(given.Reason, ledger.GivenByUser) {
		t.Errorf("a given file is stamped %s: %s", given.SourceKind, given.Reason)
	}
	examine(t, c, "docs/spec.md:1", "from the workspace", "absent")
	other := examine(t, c, "docs/other.md:1", "from the workspace", "in-place")
	if other.SourceKind != ledger.OfficialSource || strings.Contains(other.Reason, "gave") {
		t.Errorf("a file of the workspace is stamped %s: %s", other.SourceKind, other.Reason)
	}
}
