package program

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"moot/protocol"
)

// fenced is the first block of a kind in a page.
func fenced(t *testing.T, page, kind string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, "\n```"+kind+"\n")
	block, _, closed := strings.Cut(rest, "```\n")
	if !found || !closed {
		t.Fatalf("the page has no block of %s", kind)
	}
	return block
}

// The example of docs/programs.md is an adapter, and reads its lines as the page
// says; the page names every key, every meaning and every program.
func TestPage(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "programs.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	a, err := Read("parrot", "parrot.toml", []byte(fenced(t, page, "toml")))
	if err != nil {
		t.Fatal(err)
	}
	n := &answer{adapter: &a, clean: func(text string) string { return text }, most: defaultReplyBytes, watch: func(protocol.Delta) {}}
	for line := range strings.Lines(fenced(t, page, "json")) {
		if err := n.take([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if n.text() != "Retries are limited to 3." || n.model != "macaw-2" || n.conversation != "t-17" || n.known != 6 || !n.done ||
		n.tokens != (Tokens{1000, 12}) || n.cost != 0.004 || len(n.notes) != 1 || n.notes[0] != "uses read queue.go" {
		t.Errorf("%q %+v %v %g", n.text(), n, n.tokens, n.cost)
	}
	words := append(explained(), BuiltIn()...)
	for _, m := range Meanings() {
		words = append(words, m.String())
	}
	for _, word := range words {
		if !strings.Contains(page, "`"+word+"`") && !strings.Contains(page, "."+word+"`") && !strings.Contains(page, "`[["+word+"]]`") && !strings.Contains(page, "`["+word+"]`") {
			t.Errorf("docs/programs.md does not explain %s", word)
		}
	}
	known, _ := Known("")
	for i := range known {
		for _, want := range append([]string{known[i].Fix.Install, known[i].Fix.Login}, known[i].Version.Tried...) {
			if !strings.Contains(page, want) {
				t.Errorf("docs/programs.md does not say %q of %s", want, known[i].Name)
			}
		}
	}
}

// explained are the keys of the file that are not tables of others alone.
func explained() []string {
	tables := []string{"version", "fix", "environment", "arguments", "output", "stay"}
	return slices.DeleteFunc(keys(reflect.TypeFor[Adapter]()), func(key string) bool { return slices.Contains(tables, key) })
}
