package protocoltest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Explain returns the explanation of a point, which must exist.
func Explain(t testing.TB, s *state.State, point string) resolver.Explanation {
	t.Helper()
	r, ok := resolver.RuleOne(s, point)
	if !ok {
		t.Fatalf("there is no %s", point)
	}
	return resolver.Explain(s, r)
}

// Explained is an explanation as text, for golden files.
func Explained(e *resolver.Explanation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s by %s\n  says    %s\n  here    %s\n", e.Point, view.Ruling(&e.Ruling), e.Rule, e.Says, e.Sentence)
	for _, r := range e.Reads {
		fmt.Fprintf(&b, "  read    %s: %s\n", r.ID, r.What)
	}
	for _, c := range e.Changes {
		fmt.Fprintf(&b, "  %-8s %s: %s by %s\n", c.Who, c.With, view.Ruling(&c.Then), c.Then.Rule)
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "  more    %d\n", e.More)
	}
	if e.Limit != "" {
		fmt.Fprintf(&b, "  limit   %s\n", e.Limit)
	}
	return b.String()
}

// Golden compares a text with the file of the name in testdata/explain, or writes the file.
func Golden(t *testing.T, update bool, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "explain", name+".txt")
	if update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := diff.Diff("want", want, "got", []byte(got)); len(diff) > 0 {
		t.Errorf("%s differs (-want +got); -update writes it:\n%s", path, diff)
	}
}
