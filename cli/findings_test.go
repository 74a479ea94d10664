package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sarif has the fields of a SARIF file that code scanning reads.
type sarif struct {
	Schema, Version string
	Runs            []struct {
		Tool struct {
			Driver struct {
				Name  string
				Rules []struct {
					ID               string
					ShortDescription struct{ Text string }
				}
			}
		}
		Invocations []struct{ ExecutionSuccessful bool }
		Results     []struct {
			RuleID    string
			RuleIndex int
			Level     string
			Message   struct{ Text string }
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine, EndLine int }
				}
			}
			PartialFingerprints map[string]string
		}
	}
}

// The findings that stand or are unresolved reach code scanning and reviewdog with their lines and severities. Dismissed findings
// do not.
func TestFindingsForOtherPrograms(t *testing.T) {
	p := newPosting(t)
	odd := "a b/q:1.go"
	if err := os.MkdirAll(filepath.Join(p.Dir, "a b"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.Dir, odd), []byte("package q\n\nvar one = 1\nvar two = 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.git(t, "add", ".")
	p.commit(t, "package queue\n\nvar a = 1\nvar b = 2\nvar c = 3\nvar d = 4\nvar e = 5\nvar f = 6\n")
	if err := os.WriteFile(filepath.Join(p.Dir, odd), []byte("package q\n\nvar one = 3\nvar two = 4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.git(t, "add", ".")
	p.github.head = p.commit(t, "package queue\n\nvar a = 9\n")
	at := func(severity, category, path string, line, end int, what string) map[string]any {
		return map[string]any{
			"move": "FINDING", "path": path, "line": line, "end": end, "severity": severity, "category": category, "what": what,
			"why": "it is read elsewhere", "fix": "keep it",
		}
	}
	first := p.script(t, 1,
		at("BLOCKING", "data loss", "queue.go", 3, 3, "nine overflows the buffer of the writer"),
		at("MEDIUM", "", odd, 3, 4, "both numbers are swapped"),
		at("LOW", "style", odd, 3, 4, "names say nothing to readers"),
		at("LOW", "style", "queue.go", 8, 8, "removing f breaks importers"),
		at("HIGH", "tests", "nowhere.go", 1, 1, "a test is missing here"))
	second := p.script(t, 2, at("BLOCKING", "data loss", "queue.go", 3, 3, "nine overflows the buffer of the writer"))
	p.review(first, second)
	p.out.Reset()
	if code := p.run("export", "--as", "sarif"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, p.err.String())
	}
	var got sarif
	if err := json.Unmarshal([]byte(p.out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if got.Version != "2.1.0" || len(got.Runs) != 1 || got.Runs[0].Tool.Driver.Name != "moot" || !got.Runs[0].Invocations[0].ExecutionSuccessful {
		t.Fatalf("the log is\n%s", p.out.String())
	}
	run, lines, prints := got.Runs[0], []string(nil), map[string]bool{}
	for _, r := range run.Results {
		place := r.Locations[0].PhysicalLocation
		if r.RuleIndex >= len(run.Tool.Driver.Rules) || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || strings.Contains(r.RuleID, " ") {
			t.Errorf("rule %d is not %s", r.RuleIndex, r.RuleID)
		}
		if hash := r.PartialFingerprints["primaryLocationLineHash"]; hash == "" || prints[hash] {
			t.Errorf("the fingerprint %q is not its own", hash)
		} else {
			prints[hash] = true
		}
		if !strings.Contains(r.Message.Text, "\n\nFix: keep it\n\n") {
			t.Errorf("the message has no fix: %s", r.Message.Text)
		}
		text, _, _ := strings.Cut(r.Message.Text, "\n")
		lines = append(lines, strings.Join([]string{
			r.Level, r.RuleID, place.ArtifactLocation.URI, string(rune('0' + place.Region.StartLine)), string(rune('0' + place.Region.EndLine)), text,
		}, " "))
	}
	want := []string{
		"error data-loss queue.go 3 3 nine overflows the buffer of the writer",
		"warning other a%20b/q%3A1.go 3 4 both numbers are swapped",
		"note style a%20b/q%3A1.go 3 4 names say nothing to readers",
		"note style queue.go 1 1 removing f breaks importers",
	}
	if !slices.Equal(lines, want) {
		t.Errorf("SARIF has\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	p.out.Reset()
	if code := p.run("export", "--as", "rdjson"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, p.err.String())
	}
	var result struct {
		Source      struct{ Name string }
		Diagnostics []struct {
			Message  string
			Location struct {
				Path  string
				Range *struct{ Start, End struct{ Line int } }
			}
			Severity string
			Code     *struct{ Value string }
		}
	}
	if err := json.Unmarshal([]byte(p.out.String()), &result); err != nil {
		t.Fatal(err)
	}
	d := result.Diagnostics
	if result.Source.Name != "moot" || len(d) != 4 || d[0].Severity != "ERROR" || d[0].Code.Value != "data loss" ||
		d[1].Severity != "WARNING" || d[1].Code != nil || d[1].Location.Path != odd || d[1].Location.Range.End.Line != 4 ||
		d[2].Severity != "INFO" || d[3].Location.Range != nil || !strings.Contains(d[3].Message, "Place: queue.go:8") {
		t.Errorf("rdjson has\n%s", p.out.String())
	}
}
