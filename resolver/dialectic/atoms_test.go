package dialectic_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"moot/ledger"
	"moot/resolver/dialectic"
)

// TestAtoms goes through testdata/atoms.txt, for G3: once with the origin as the
// user's directive, once as the quote of a cited item, once as its value.
func TestAtoms(t *testing.T) {
	text, err := os.ReadFile("testdata/atoms.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		parts := strings.Split(strings.TrimRight(line, "\n"), " | ")
		if verdict, value, ok := strings.Cut(parts[0], "| "); ok && len(parts) == 2 {
			parts = []string{verdict, value, parts[1]}
		}
		if len(parts) != 3 {
			if strings.Contains(line, "|") {
				t.Errorf("%q is no case", line)
			}
			continue
		}
		n++
		want, value, from := strings.TrimSpace(parts[0]), strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2])
		for where, in := range map[string]*dialectic.Input{
			"directive": {Directive: from},
			"quote":     {Evidence: []dialectic.Evidence{{ID: "E1", Quote: from}}},
			"value":     {Evidence: []dialectic.Evidence{{ID: "E1", Value: quoted(t, from)}}},
		} {
			field := dialectic.Field{Path: "f", Value: quoted(t, value), Grounded: true}
			if literal, ok := strings.CutPrefix(value, "= "); ok {
				field.Value = json.RawMessage(literal)
			}
			for i := range in.Evidence {
				e := &in.Evidence[i]
				e.SourceKind, e.Relation, e.Point, e.Verified = ledger.DomainEvidence, ledger.Supports, "f", true
				field.Evidence = []string{"E1"}
			}
			in.Artifact.Proposal.Fields = []dialectic.Field{field}
			g3 := dialectic.Resolve(in).Artifact.Validation.Gates[2]
			got := strings.TrimPrefix(strings.Join(g3.Reasons, "; "), "f: ")
			if g3.Pass {
				got = "ok"
			}
			if got != plainly(want) {
				t.Errorf("%s from the %s %q: %s, want %s", value, where, from, got, want)
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d cases were read", n)
	}
}

// plainly drops the zero-width blank that a line of the list has for a trap.
func plainly(text string) string { return strings.ReplaceAll(text, "\u200b", "") }

func quoted(t *testing.T, text string) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
