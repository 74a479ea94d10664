package research

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moot/ledger"
)

// source is the file of most tests; line 4 and line 8 are equal.
const source = "package a\n\nfunc A() error {\n\treturn nil\n}\n\nfunc B() error {\n\treturn nil\n}\n"

// open makes a workspace of files, by their paths, and opens it.
func open(t testing.TB, files map[string]string, official ...string) (*Citation, string) {
	t.Helper()
	directory := t.TempDir()
	for path, content := range files {
		write(t, filepath.Join(directory, filepath.FromSlash(path)), content)
	}
	citation, err := OpenCitation(directory, official...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { citation.Close() })
	return citation, directory
}

func write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// initGit makes a folder a git repository.
func initGit(t testing.TB, dir string, args ...string) {
	t.Helper()
	for _, args := range append([][]string{{"init", "-q"}}, args) {
		if len(args) == 0 {
			continue
		}
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// outcomeOf names the outcome of a check by its reason.
func outcomeOf(f *ledger.Finding) string {
	switch {
	case f.Verified && f.Moved:
		return "moved"
	case f.Verified:
		return "in-place"
	}
	for _, o := range [][]string{
		{"out-of-bounds", "does not exist: the file has", "the file is empty"},
		{"absent", "the file does not contain the quote", "the quote joins lines", "the cited lines are empty"},
		{"no-quote", "no quote to compare"},
		{"too-short", "the quote is too short"},
		{"too-long", "the quote is over"},
		{"bad-reference", "write path:12, path:12-18"},
		{"other-commit", "the link is to"},
		{"outside", "leaves the workspace", "leads out", "is in the repository"},
		{"missing", "there is no file", "several files are named"},
		{"not-regular", "only a regular", "not a regular"},
		{"too-large", "is over 16 MiB"},
		{"own-output", "counts only if the user names it"},
		{"secret", "may hold secrets"},
		{"binary", "is binary"},
		{"ended", "did not finish"},
		{"unreadable", "cannot be read"},
	} {
		for _, phrase := range o[1:] {
			if strings.Contains(f.Reason, phrase) {
				return o[0]
			}
		}
	}
	return f.Reason
}

// examine checks a citation whose outcome is known.
func examine(t *testing.T, c *Citation, reference, quote, want string) ledger.Finding {
	t.Helper()
	finding := c.Check(t.Context(), reference, quote)
	if outcomeOf(&finding) != want {
		t.Errorf("%s %q: %s, want %s", reference, quote, finding.Reason, want)
	}
	return finding
}

// What an adapter may stamp is fixed in code, by how its check came out.
func TestStamps(t *testing.T) {
	files := map[string]string{
		"a.go": source, "docs/spec.md": source, "docs/more/rfc.txt": source, "docs.md": source,
		"spec.md": source,
	}
	c, _ := open(t, files, "docs", "./spec.md")
	tests := []struct {
		reference, quote string
		outcome          string
		kind             ledger.SourceKind
		confidence       float64
	}{
		{"a.go:4", "return nil", "in-place", ledger.DomainEvidence, 0.95},
		{"a.go:3", "return nil", "moved", ledger.DomainEvidence, 0.90},
		{"docs/spec.md:4", "return nil", "in-place", ledger.OfficialSource, 0.95},
		{"docs/more/rfc.txt:4", "return nil", "in-place", ledger.OfficialSource, 0.95},
		{"docs/spec.md:3", "return nil", "moved", ledger.OfficialSource, 0.90},
		{"spec.md:4", "return nil", "in-place", ledger.OfficialSource, 0.95},
		{"docs.md:4", "return nil", "in-place", ledger.DomainEvidence, 0.95},
		{"docs/spec.md:4", "return nul", "absent", ledger.LLMInference, 0.30},
		{"b.go:4", "return nil", "missing", ledger.LLMInference, 0.30},
	}
	for _, test := range tests {
		finding := examine(t, c, test.reference, test.quote, test.outcome)
		kind := ledger.Textual
		if !finding.Verified {
			kind = ledger.Claim
		}
		if finding.Type != kind || finding.SourceKind != test.kind || finding.Confidence != test.confidence {
			t.Errorf("%s: %s, %s, %v; want %s, %s, %v", test.reference, finding.Type, finding.SourceKind,
				finding.Confidence, kind, test.kind, test.confidence)
		}
		// A finding is stored: its words must be of the closed lists.
		line, err := json.Marshal(finding)
		if err != nil {
			t.Fatal(err)
		}
		var again ledger.Finding
		if err := json.Unmarshal(line, &again); err != nil || again != finding {
			t.Errorf("%s: stored as %s and read back as %+v, %v", test.reference, line, again, err)
		}
	}
}

// A wrong path of --official is an error.
func TestOfficialPathsMustExist(t *testing.T) {
	_, directory := open(t, map[string]string{"w/spec.md": source, "outside.md": source})
	workspace := filepath.Join(directory, "w")
	for _, path := range []string{"spec.txt", "../outside.md", filepath.Join(directory, "outside.md")} {
		if c, err := OpenCitation(workspace, path); err == nil {
			c.Close()
			t.Errorf("official %q was taken", path)
		}
	}
	c, err := OpenCitation(workspace, filepath.Join(workspace, "spec.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if finding := examine(t, c, "spec.md:4", "return nil", "in-place"); finding.SourceKind != ledger.OfficialSource {
		t.Errorf("an absolute official path: %s", finding.SourceKind)
	}
	if _, err := OpenCitation(filepath.Join(directory, "none")); err == nil {
		t.Error("a workspace that is not there was opened")
	}
}

// If the quote is found elsewhere, the lines are corrected and reported.
func TestMovedIsReported(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": source})
	finding := examine(t, c, "a.go#L1-L2", "{\n\treturn nil\n}", "moved")
	if finding.Reference != "a.go:3-5" || !finding.Moved || finding.Reason != "found at other lines: 1-2 → 3-5" {
		t.Errorf("%+v", finding)
	}
	if finding.Excerpt != "func A() error {\n\treturn nil\n}" {
		t.Errorf("excerpt %q", finding.Excerpt)
	}
}

// A line after the end refuses the citation, and the reason reports where the quote is.
func TestOutOfBoundsSaysWhere(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": source})
	finding := examine(t, c, "a.go:4-10", "return nil", "out-of-bounds")
	if finding.Nearest != "\treturn nil" || finding.NearestReference != "a.go:4" || finding.Similarity != 1 {
		t.Errorf("%q at %s, similarity %v", finding.Nearest, finding.NearestReference, finding.Similarity)
	}
	if finding.Reason != "line 10 does not exist: the file has 9 lines; the quote is at a.go:4" {
		t.Errorf("reason %q", finding.Reason)
	}
}

// An excerpt has whole lines of the source, and is bounded.
func TestExcerpts(t *testing.T) {
	long := strings.Repeat("é", MaxExcerpt)
	c, _ := open(t, map[string]string{
		"a.txt":    "  first  \r\nsecond\t\r\nthird\r\n",
		"long.txt": "short\n" + long + "the middle" + long + "\n",
	})
	tests := []struct{ reference, quote, want string }{
		{"a.txt:1-3", "first\nsec", "  first  \r\nsecond\t"},
		{"a.txt:1-3", "third", "third"},
		{"long.txt:2", "the middle", "the middle"},
		{"long.txt:2", "the middle" + long[:MaxExcerpt], "the middle" + long[:MaxExcerpt-10]},
	}
	for _, test := range tests {
		if finding := examine(t, c, test.reference, test.quote, "in-place"); finding.Excerpt != test.want {
			t.Errorf("%s: excerpt %.80q, want %.80q", test.reference, finding.Excerpt, test.want)
		}
	}
}

// A check that is not let finish is refused, also while it waits for its turn.
func TestContextEndsACheck(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": source})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if finding := c.Check(cancelled, "a.go:4", "return nil"); outcomeOf(&finding) != "ended" {
		t.Errorf("%+v", finding)
	}
	c.turn <- struct{}{}
	if _, refused := c.read(cancelled, "a.go"); !strings.Contains(refused, "did not finish") {
		t.Errorf("while waiting: %s", refused)
	}
	<-c.turn
	text := newText([]byte(strings.Repeat("some line of the file\n", 1<<16)))
	quoted, refused := newQuotation("same lime of a file")
	if refused != "" {
		t.Fatal(refused)
	}
	if _, _, err := text.nearest(cancelled, quoted, Span{1, 1}); err == nil {
		t.Error("the search for the nearest passage did not end")
	}
}
