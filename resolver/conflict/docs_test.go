package conflict_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moot/resolver/conflict"
	"moot/resolver/jsonlines"
)

var update = flag.Bool("update", false, "write the output in docs/conflicts.md anew")

// TestThePageShowsWhatComesOut compares the outputs of the example of
// docs/conflicts.md, and what is printed with what the page shows: the second
// block, and the third for the summary.
func TestThePageShowsWhatComesOut(t *testing.T) {
	path := filepath.Join("..", "..", "docs", "conflicts.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const opens, closes = "```json\n", "```\n"
	parts := strings.Split(string(page), opens)
	if len(parts) != 4 {
		t.Fatalf("the page has %d examples", len(parts)-1)
	}
	input, _, _ := strings.Cut(parts[1], closes)
	c, err := conflict.NewReader(strings.NewReader(input)).Next()
	if err != nil {
		t.Fatal(err)
	}
	var rows, summary bytes.Buffer
	if err := c.Write(&rows); err != nil {
		t.Fatal(err)
	}
	if err := c.WriteSummary(&summary); err != nil {
		t.Fatal(err)
	}
	for i, got := range map[int]string{
		2: broken(rows.String(), `{"id"`, `"outputs":[`, `"description"`, `"resolution"`, `"review"`),
		3: broken(summary.String(), `"agents"`, `{"agentId"`, `"review"`),
	} {
		shown, rest, _ := strings.Cut(parts[i], closes)
		if diff := cmp.Diff(shown, got); diff != "" && !*update {
			t.Errorf("%s is not what comes out (-page +program); -update writes it:\n%s", path, diff)
		}
		parts[i] = got + closes + rest
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(parts, opens)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// The numbers on the page are those of the code.
func TestThePageNamesTheNumbers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "conflicts.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	for _, preset := range conflict.Presets() {
		limits := preset.Thresholds()
		row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| [^|]*`%s`[^|]* \\| %v \\| %v \\|$", preset, limits.Contradiction, limits.Agreement))
		if !row.MatchString(page) {
			t.Errorf("no row of the page says %s %+v", preset, limits)
		}
	}
	for _, strategy := range conflict.Strategies() {
		if !strings.Contains(page, "| `"+strategy.String()+"` |") {
			t.Errorf("the page says nothing of %s", strategy)
		}
	}
	if conflict.LargestCase != 1_000_000 || jsonlines.LargestObject != 512<<20 || jsonlines.Deepest != 10_000 {
		t.Error("the page names other limits")
	}
}

// broken is a line with breaks before some names.
func broken(line string, before ...string) string {
	for _, name := range before {
		line = strings.ReplaceAll(line, name, "\n  "+name)
	}
	return line
}
