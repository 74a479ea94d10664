package gates_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"moot/protocol/dialectic/gates"
)

var update = flag.Bool("update", false, "update the output in docs/dialectic.md")

// TestThePageShowsTheOutput resolves the example of docs/dialectic.md, and
// compares its output with what the page shows: the second block.
func TestThePageShowsTheOutput(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "dialectic.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const opens, closes = "```json\n", "```\n"
	parts := strings.Split(string(page), opens)
	if len(parts) != 3 {
		t.Fatalf("the page has %d examples", len(parts)-1)
	}
	input, _, _ := strings.Cut(parts[1], closes)
	shown, rest, _ := strings.Cut(parts[2], closes)
	in, err := parse(input)
	if err != nil {
		t.Fatal(err)
	}
	got := abridged(t, gates.Resolve(in))
	if *update {
		text := parts[0] + opens + parts[1] + opens + got + closes + rest
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := diff.Diff("page", []byte(shown), "program", []byte(got)); len(diff) > 0 {
		t.Errorf("%s is not what comes out (-page +program); -update writes it:\n%s", path, diff)
	}
}

// abridged is a result as the page shows it.
func abridged(t *testing.T, r gates.Result) string {
	t.Helper()
	var whole struct {
		Decision          json.RawMessage `json:"decision"`
		NeedsAnotherRound json.RawMessage `json:"needsAnotherRound"`
		Artifact          struct {
			Resolutions []json.RawMessage `json:"resolutions"`
			Validation  struct {
				ReadyToAdvance json.RawMessage   `json:"readyToAdvance"`
				Gates          []json.RawMessage `json:"gates"`
				Warnings       json.RawMessage   `json:"warnings"`
			} `json:"validation"`
		} `json:"artifact"`
		Receipts []json.RawMessage `json:"receipts"`
	}
	if err := json.Unmarshal(bytesOf(t, r), &whole); err != nil {
		t.Fatal(err)
	}
	whole.Receipts = []json.RawMessage{whole.Receipts[0], whole.Receipts[len(whole.Receipts)-1]}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(whole); err != nil {
		t.Fatal(err)
	}
	// One object of a list a line reads better than one field a line.
	out := text.String()
	for _, cut := range []string{
		`"needsAnotherRound"`, `"artifact"`, `"receipts"`, `"validation"`, `"gates"`,
		`"warnings"`, `{"objection"`, `{"gate"`, `{"seq"`,
	} {
		out = strings.ReplaceAll(out, cut, "\n  "+cut)
	}
	return out
}
