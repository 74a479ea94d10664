package hearing_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the output in docs/judge.md anew")

// TestThePageShowsWhatComesOut judges the first example of docs/judge.md, and compares its
// output with what the page shows: the second block. That of the claims is written by
// package domain.
func TestThePageShowsWhatComesOut(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "judge.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const opens, closes = "```json\n", "```\n"
	parts := strings.SplitN(string(page), opens, 3)
	if len(parts) != 3 {
		t.Fatalf("the page has %d examples", len(parts)-1)
	}
	input, _, _ := strings.Cut(parts[1], closes)
	shown, rest, _ := strings.Cut(parts[2], closes)
	lines, wrong := answers(input)
	if len(lines) != 1 || len(wrong) > 0 {
		t.Fatalf("%q, %v", lines, wrong)
	}
	if *update {
		text := parts[0] + opens + parts[1] + opens + lines[0] + closes + rest
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(shown, lines[0]); diff != "" {
		t.Errorf("%s is not what comes out (-page +program); -update writes it:\n%s", path, diff)
	}
}
