package gates_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
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
		for where, in := range map[string]*gates.Input{
			"directive": {Directive: from},
			"quote":     {Evidence: []gates.Evidence{{ID: "E1", Quote: from}}},
			"value":     {Evidence: []gates.Evidence{{ID: "E1", Value: quoted(t, from)}}},
		} {
			field := gates.Field{Path: "f", Value: quoted(t, value), Grounded: true}
			if literal, ok := strings.CutPrefix(value, "= "); ok {
				field.Value = json.RawMessage(literal)
			}
			for i := range in.Evidence {
				e := &in.Evidence[i]
				e.SourceKind, e.Relation, e.Point, e.Verified = ledger.DomainEvidence, ledger.Supports, "f", true
				field.Evidence = []string{"E1"}
			}
			in.Artifact.Proposal.Fields = []gates.Field{field}
			g3 := gates.Resolve(in).Artifact.Validation.Gates[2]
			got := strings.TrimPrefix(strings.Join(g3.Reasons, "; "), "f: ")
			if g3.Pass {
				got = "ok"
			}
			if got != plainly(want) {
				t.Errorf("%s from the %s %q: %s, want %s", value, where, from, got, want)
			}
		}
	}
	if n < 190 {
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

// Values and quotes that make a scanner look ahead again and again cost time in
// proportion to their size: these would take minutes else.
func TestHostileValuesAreReadOnce(t *testing.T) {
	const size = 1 << 12
	for _, unit := range []string{
		"1/", "a-", "a.", "a/", "-a", " 'a", " `a", "1h", "1-", "1,000", "1.", "((", "https://", "a+", "\\u00e91",
		"2026-11-21t", "'a' ",
		`\"a\"`, "1 000 ", "$", ":1", "1:", "e1", "v1.", "#l1", ".a", "~", "abcdef1-",
	} {
		text := json.RawMessage(`"` + strings.Repeat(unit, size/len(unit)) + `"`)
		in := &gates.Input{Directive: string(text), Evidence: []gates.Evidence{{
			ID: "E1", SourceKind: ledger.LiveAPI, Relation: ledger.Supports, Point: "f", Verified: true, Value: text,
		}}}
		in.Artifact.Proposal.Fields = []gates.Field{{
			Path: "f", Value: text, Grounded: true,
			Evidence: []string{"E1"},
		}}
		if r := gates.Resolve(in); len(r.Receipts) != 9 {
			t.Errorf("%q: %d receipts", unit, len(r.Receipts))
		}
	}
}
