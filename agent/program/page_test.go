package program

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/config"
	"moot/protocol"
)

// fenced are the first blocks of a kind in a page.
func fenced(t *testing.T, page, kind string, most int) []string {
	t.Helper()
	var blocks []string
	for range most {
		_, rest, found := strings.Cut(page, "\n```"+kind+"\n")
		block, after, closed := strings.Cut(rest, "```\n")
		if !found || !closed {
			t.Fatalf("the page has %d blocks of %s", len(blocks), kind)
		}
		blocks, page = append(blocks, block), after
	}
	return blocks
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
	files, said := fenced(t, page, "toml", 2), fenced(t, page, "json", 3)
	a, err := Read("parrot", "parrot.toml", []byte(files[0]))
	if err != nil {
		t.Fatal(err)
	}
	n := &answer{adapter: &a, clean: func(text string) string { return text }, most: defaultReplyBytes, watch: func(protocol.Delta) {}}
	for line := range strings.Lines(said[0]) {
		if err := n.take([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if n.text() != "Retries are limited to 3." || n.model != "macaw-2" || n.conversation != "t-17" || n.known != 6 || !n.done ||
		n.tokens != (Tokens{1000, 12}) || n.cost != 0.004 || len(n.notes) != 1 || n.notes[0] != "uses read queue.go" {
		t.Errorf("%q %+v %v %g", n.text(), n, n.tokens, n.cost)
	}
	pageTalk(t, files[0]+files[1], said[1], said[2])
	words := append(explained(), BuiltIn()...)
	for _, m := range Meanings() {
		words = append(words, string(m))
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

func pageTalk(t *testing.T, file, says, told string) {
	t.Helper()
	a, err := Read("parrot", "parrot.toml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(Options{Adapter: a})
	if err != nil {
		t.Fatal(err)
	}
	call := &protocol.Call{Prompt: protocol.Prompt{Text: "What limits retries?"}}
	turn := &turn{program: p, call: call, watch: func(protocol.Delta) {}, folder: "/home/me/project"}
	n, v := turn.answer(), turn.staying()
	talk := turn.talk(&resident{}, &v, n, true)
	var heard strings.Builder
	write := func(lines []byte) { heard.Write(lines) }
	talk.write, n.write = write, write
	write(talk.next())
	over := false
	for line := range strings.Lines(says) {
		if over, err = talk.take([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if heard.String() != told {
		t.Errorf("it is told\n%s and the page says\n%s", heard.String(), told)
	}
	if !over || n.text() != "Retries are limited." || n.conversation != "t-18" || n.failed {
		t.Errorf("%+v", n)
	}
}

// explained are the keys of the file that are not tables of others alone.
func explained() []string {
	tables := []string{"version", "fix", "environment", "arguments", "output", "stay", "trust"}
	keys := config.Keys(Adapter{})
	for _, table := range []any{Version{}, Fix{}, Environment{}, Arguments{}, Output{}, Stay{}, Trust{}, Rule{}, Plain{}, Failure{}} {
		keys = append(keys, config.Keys(table)...)
	}
	tables = append(tables, "form") // Removed, or without effect.
	return slices.DeleteFunc(keys, func(key string) bool { return slices.Contains(tables, key) })
}

// Costs that no turn has are left out, so that no sum overflows.
func TestAbsurdCost(t *testing.T) {
	a, err := Read("fake", "fake.toml", fmt.Appendf(nil, fakeAdapter, "fake"))
	if err != nil {
		t.Fatal(err)
	}
	n := &answer{adapter: &a, clean: func(text string) string { return text }, most: defaultReplyBytes, watch: func(protocol.Delta) {}}
	for _, cost := range []string{"1e308", "1e308", "0.5"} {
		if err := n.take([]byte(`{"type":"end","in":10,"out":4,"cost":` + cost + "}\n")); err != nil {
			t.Fatal(err)
		}
	}
	if n.cost != 0.5 {
		t.Errorf("cost %g", n.cost)
	}
}
