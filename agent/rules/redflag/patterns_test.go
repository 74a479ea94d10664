package redflag_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"moot/agent/rules/redflag"
	"moot/protocol/dialectic/playbook"
)

// Every row of every set of patterns finds a line, and every set leaves lines
// alone that look like it.
func TestPatterns(t *testing.T) {
	table, err := os.ReadFile("testdata/patterns.txt")
	if err != nil {
		t.Fatal(err)
	}
	checker := newChecker(t)
	var set string
	var book *playbook.Playbook
	var found []int
	silent := 0
	finish := func() {
		for row, n := range found {
			if n == 0 {
				t.Errorf("%s: no line for the row %s", set, book.Flags[0].Checks[0].Patterns[row].Match)
			}
		}
		if set != "" && silent == 0 {
			t.Errorf("%s: no line that it must leave alone", set)
		}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			finish()
			set = strings.Trim(line, "[]")
			seen[set] = true
			book = one(t, "kind = \"added-line\"\nset = \""+set+"\"\n")
			found, silent = make([]int, len(book.Flags[0].Checks[0].Patterns)), 0
			continue
		}
		name, text, ok := strings.Cut(line[2:], "|")
		if !ok {
			t.Fatalf("%q names no file", line)
		}
		matched := 0
		for row, pattern := range book.Flags[0].Checks[0].Patterns {
			single := *book
			single.Flags = []playbook.Flag{{ID: "it", Checks: []playbook.Check{{
				Kind: playbook.AddedLine, Scope: playbook.AllFiles, Patterns: []playbook.Pattern{pattern},
			}}}}
			findings, err := checker.Find(context.Background(), &single, redflag.ReadDocument(name, []byte(text+"\n")), nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(findings) > 0 {
				found[row]++
				matched++
			}
		}
		switch {
		case line[0] == '+' && matched == 0:
			t.Errorf("%s does not find %q in %s", set, text, name)
		case line[0] == '-' && matched > 0:
			t.Errorf("%s finds %q in %s", set, text, name)
		case line[0] == '-':
			silent++
		}
	}
	finish()
	for _, name := range playbook.Sets() {
		if !seen[name] {
			t.Errorf("no lines for the set of patterns %s", name)
		}
	}
}
