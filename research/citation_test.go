package research

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

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
		{"missing", "there is no file", "several files fit"},
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
		if err := json.Unmarshal(line, &again); err != nil || !reflect.DeepEqual(again, finding) {
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

// A range that ends behind the end of the file is cut to it. One that begins there is corrected by the quote, and
// refused without one.
func TestLinesPastTheEnd(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": source})
	for _, test := range []struct{ reference, quote, want, at, reason string }{
		{
			"a.go:4-10", "return nil", "in-place", "a.go:4-9",
			"verbatim at the cited lines; cut to the end of the file, which has 9 lines",
		},
		{
			"a.go:8-99", "", "in-place", "a.go:8-9",
			"no quote; these are the lines; cut to the end of the file, which has 9 lines",
		},
		{
			"a.go:1,99", "", "in-place", "a.go:1",
			"no quote; these are the lines; cut to the end of the file, which has 9 lines",
		},
		{
			"a.go:12", "func B()", "moved", "a.go:7",
			"found at other lines: 12 → 7 (line 12 does not exist: the file has 9 lines)",
		},
		{"a.go:12", "", "out-of-bounds", "a.go:12", "line 12 does not exist: the file has 9 lines"},
		{
			"a.go:12", "func C()", "out-of-bounds", "a.go:12",
			"line 12 does not exist: the file has 9 lines, and the file does not contain the quote",
		},
	} {
		finding := examine(t, c, test.reference, test.quote, test.want)
		if finding.Reference != test.at || !strings.HasPrefix(finding.Reason, test.reason) {
			t.Errorf("%s %q: at %s: %s", test.reference, test.quote, finding.Reference, finding.Reason)
		}
	}
}

// A path without lines is cited by a quote that the file has once.
func TestAPathAloneIsCitedByItsQuote(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": source})
	if finding := examine(t, c, "a.go", "func B()", "moved"); finding.Reference != "a.go:7" ||
		finding.Reason != "no line was cited; found at 7" {
		t.Errorf("%+v", finding)
	}
	for quote, want := range map[string]string{
		"return nil": "the quote is at 4 and at 8: cite one", "": "names no line",
		"func C()": "does not contain the quote",
	} {
		if finding := c.Check(t.Context(), "a.go", quote); finding.Verified || !strings.Contains(finding.Reason, want) {
			t.Errorf("%q: %+v", quote, finding)
		}
	}
}

// A block of whole lines may have another indentation as a whole, and nothing else may differ.
func TestBlocksMayBeMoved(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": "func A() {\n\tfor {\n\t\tdo()\n\n\t\tif x {\n\t\t}\n\t}\n}\n"})
	for quote, want := range map[string]string{
		"for {\n\tdo()\n":                 "in-place",
		"\t\t\tfor {\n\t\t\t\tdo()\n":     "in-place",
		"for {\n\tdo()\n\n\tif x {\n":     "in-place",
		"for {\n\tdo()":                   "absent",
		"for {\ndo()\n":                   "absent",
		"for {\n\tdo()\n\tif x {\n":       "absent",
		"for {\n\tdone()\n":               "absent",
		"    for {\n    \tdo()\n":         "in-place",
		"func A() {\n\tfor {\n\t\tdo()\n": "in-place",
	} {
		finding := examine(t, c, "a.go:1-8", quote, want)
		moved := strings.Contains(finding.Reason, "another indentation")
		if moved != (want == "in-place" && quote[0] != '\t' && quote[:4] != "func") && quote[0] != '\t' {
			t.Errorf("%q: %s", quote, finding.Reason)
		}
	}
}

// Text in UTF-16 with a byte order mark and in Latin-1 is compared as what it says.
func TestEncodings(t *testing.T) {
	wide := func(order binary.AppendByteOrder, text string) string {
		out := order.AppendUint16(nil, 0xfeff)
		for _, unit := range utf16.Encode([]rune(text)) {
			out = order.AppendUint16(out, unit)
		}
		return string(out)
	}
	const text = "first line\nder Größte 𝄞 steht hier\r\nlast line\n"
	const latin = "first line\nder Gr\xf6\xdfte \x84steht\x93 hier\n"
	c, _ := open(t, map[string]string{
		"little.txt": wide(binary.LittleEndian, text), "big.txt": wide(binary.BigEndian, text),
		"bom.txt": "\ufeff" + text, "plain.txt": text, "latin.txt": latin, "zero.txt": "a\x00b",
		"zeros.txt": wide(binary.LittleEndian, "a\x00b"),
	})
	for _, name := range []string{"little.txt", "big.txt", "bom.txt", "plain.txt"} {
		finding := examine(t, c, name+":2", "Größte 𝄞 steht", "in-place")
		if finding.Excerpt != "der Größte 𝄞 steht hier" {
			t.Errorf("%s: excerpt %q", name, finding.Excerpt)
		}
	}
	examine(t, c, "latin.txt:2", "der Größte „steht“ hier", "in-place")
	examine(t, c, "zero.txt:1", "a", "binary")
	examine(t, c, "zeros.txt:1", "a", "binary")
	finding := examine(t, c, "latin.txt:1", "first line", "in-place")
	if finding.Digest != ledger.Digest([]byte(latin)) {
		t.Errorf("the digest is of other bytes: %s", finding.Digest)
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
}
