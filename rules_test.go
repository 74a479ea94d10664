package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ruleNames lists the rules of the protocol that code implements. They are put
// together here, so that this file names none.
func ruleNames() []string {
	var names []string
	for _, group := range []struct {
		letters string
		last    int
	}{
		{"PH", 7}, {"RD", 10}, {"CH", 8}, {"AC", 19}, {"LE", 7}, {"ST", 6}, {"JU", 8}, {"EX", 9}, {"INV", 7}, {"R", 6}, {"G", 8}, {"PN", 4}, {"CV", 4}, {"HR", 3}, {"RW", 8},
	} {
		for n := 1; n <= group.last; n++ {
			names = append(names, fmt.Sprintf("%s%d", group.letters, n))
		}
	}
	return append(names, "R"+"0", "RD"+"1b", "A"+"R")
}

// unnamed returns the rules that the text does not name as words of their own.
func unnamed(text string) []string {
	named := map[string]bool{}
	for _, word := range regexp.MustCompile(`\b[A-Z]{1,3}(\d+)?b?\b`).FindAllString(text, -1) {
		named[word] = true
	}
	var missing []string
	for _, name := range ruleNames() {
		if !named[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

// TestEveryRuleIsNamedInATest finds each rule in a test, or in a scenario or a
// reply that one reads.
func TestEveryRuleIsNamedInATest(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all tests, in one goroutine")
	}
	var all strings.Builder
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name = filepath.ToSlash(name)
		scenario := strings.HasPrefix(name, "protocol/") && strings.Contains(name, "/testdata/")
		if !scenario && !strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, forTests+"/") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read a test: %w", err)
		}
		all.Write(text)
		all.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if missing := unnamed(all.String()); len(missing) > 0 {
		t.Errorf("no test or scenario names %s", strings.Join(missing, " "))
	}
}

// TestEveryRuleIsDocumented finds each rule in the descriptions of the protocol,
// of the other formats and of the dialectic resolver.
func TestEveryRuleIsDocumented(t *testing.T) {
	var all strings.Builder
	for _, page := range []string{"docs/consult.md", "docs/panel.md", "docs/council.md", "docs/hearing.md", "docs/dialectic.md", "docs/review.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	if missing := unnamed(all.String()); len(missing) > 0 {
		t.Errorf("the docs do not name %s", strings.Join(missing, " "))
	}
}
