package redact

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

//go:embed testdata/cases.toml
var caseFile []byte

// cases returns the table. A "·" in it is dropped first: it keeps other
// scanners from taking the table for a leak.
func cases(t testing.TB) []struct{ Name, In, Out string } {
	t.Helper()
	var file struct {
		Case []struct{ Name, In, Out string } `toml:"case"`
	}
	if err := toml.Unmarshal(caseFile, &file); err != nil {
		t.Fatal(err)
	}
	for i := range file.Case {
		c := &file.Case[i]
		c.In, c.Out = strings.ReplaceAll(c.In, "·", ""), strings.ReplaceAll(c.Out, "·", "")
		if c.Out == "" {
			c.Out = c.In
		}
	}
	return file.Case
}

// LE6: what is taken out is marked, and all else stays verbatim.
func TestCases(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases(t) {
		got, findings := r.Text(c.In)
		if got != c.Out {
			t.Errorf("%s:\n got %q\nwant %q", c.Name, got, c.Out)
		}
		if marks := strings.Count(c.Out, "[REDACTED: ") - strings.Count(c.In, "[REDACTED: "); marks != len(findings) {
			t.Errorf("%s: %d marks and %d findings", c.Name, marks, len(findings))
		}
	}
}

func TestEveryRuleHasACase(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	all := ""
	for _, c := range cases(t) {
		all += c.Out
	}
	lines, _ := r.Text(strings.ReplaceAll(secretLines, "·", ""))
	all += lines
	for _, row := range r.rules {
		if !strings.Contains(all, Mark(row.Reason)) {
			t.Errorf("no case has %s", Mark(row.Reason))
		}
	}
}

func TestFindingsNameTheLine(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	key := "-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----\n"
	_, findings := r.Text("one\n" + key + "AKIA" + "IOSFODNN7ABCDEFG\n")
	want := []Finding{{"private key", 2, 5}, {"AWS access key", 6, 6}}
	if len(findings) != 2 || findings[0] != want[0] || findings[1] != want[1] {
		t.Errorf("got %v, want %v", findings, want)
	}
}

// Redacting twice changes nothing, lines keep their numbers, the output is bounded, and a part of a text is a part of
// what the whole becomes.
func FuzzText(f *testing.F) {
	for _, c := range cases(f) {
		f.Add("", c.In)
	}
	for line := range strings.Lines(secretLines) {
		f.Add("a.yml", strings.ReplaceAll(line, "·", ""))
	}
	f.Add("a.go", "\xff\xfe password='\x00'")
	r, err := New()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		once, findings := r.Named(name, text)
		if len(findings) == 0 && once != text {
			t.Fatalf("%q was changed without a finding", text)
		}
		if strings.Count(once, "\n") != strings.Count(text, "\n") {
			t.Fatalf("%q has other lines than %q", once, text)
		}
		longest := 0
		for i := range r.rules {
			longest = max(longest, len(Mark(r.rules[i].Reason)))
		}
		if len(once) > len(text)+len(findings)*longest {
			t.Fatalf("%d bytes became %d with %d findings", len(text), len(once), len(findings))
		}
		last := 0
		for _, finding := range findings {
			if finding.Line < max(1, last) || finding.Last < finding.Line || finding.Last > 1+strings.Count(text, "\n") {
				t.Fatalf("the lines of %v are out of order or not in the text", findings)
			}
			last = finding.Line
		}
		if whole := r.Part(name, text, 0, len(text)); whole != once {
			t.Fatalf("as a part %q, else %q", whole, once)
		}
		if twice, _ := r.Named(name, once); twice != once {
			t.Fatalf("%q becomes %q, then %q", text, once, twice)
		}
	})
}

func TestMarksTellWhatWasTakenOut(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	text, found := r.Text("a\ntoken = \"ghp_9aB3kQ7xW2mN5pR8tV1yZ4cF6hJ0lS3dG7uE\"\nb\n")
	if told := Marked(text); len(found) == 0 || !slices.Equal(told, found) {
		t.Errorf("%q was redacted for %v, and its marks tell %v", text, found, told)
	}
	if told := Marked("[REDACTED: no end\n[REDACTED:] nothing"); len(told) > 0 {
		t.Errorf("torn marks tell %v", told)
	}
}
