package conflict_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"moot/resolver/conflict"
)

var update = flag.Bool("update", false, "rewrite the output in docs/panel.md")

// TestDocsShowTheOutput compares the output of the example in docs/panel.md with the two blocks that show it.
func TestDocsShowTheOutput(t *testing.T) {
	const path, opens, closes = "../../docs/panel.md", "```json\n", "```\n"
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(page), opens)
	if len(parts) != 4 {
		t.Fatalf("the page has %d examples", len(parts)-1)
	}
	input, _, _ := strings.Cut(parts[1], closes)
	c, err := first(input)
	if err != nil {
		t.Fatal(err)
	}
	var rows, summary bytes.Buffer
	if err := errors.Join(c.Write(&rows, conflict.DefaultRows), c.WriteSummary(&summary)); err != nil {
		t.Fatal(err)
	}
	for i, out := range []string{rows.String(), summary.String()} {
		for _, name := range []string{
			`{"id"`, `"outputs":[`, `"description"`, `"resolution"`, `"review"`, `"agents"`,
			`{"agentId"`,
		} {
			out = strings.ReplaceAll(out, name, "\n  "+name)
		}
		shown, rest, _ := strings.Cut(parts[i+2], closes)
		if diff := diff.Diff("page", []byte(shown), "program", []byte(out)); len(diff) > 0 && !*update {
			t.Errorf("%s does not show what comes out (-page +program); -update rewrites it:\n%s", path, diff)
		}
		parts[i+2] = out + closes + rest
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(parts, opens)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
