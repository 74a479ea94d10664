package move_test

import (
	"slices"
	"testing"

	"moot/protocol/move"
)

// ownRaise is the RAISE of a format, with a field that only it has.
type ownRaise struct {
	move.Raise
	Limit string `json:"limit,omitempty"`
}

func TestRaiseInFindsTheSharedRaise(t *testing.T) {
	t.Parallel()
	own := &ownRaise{Raise: move.Raise{Text: "it holds"}, Limit: "one worker"}
	for name, m := range map[string]move.Move{"shared": &own.Raise, "embedded": own} {
		if got := move.RaiseIn(m); got != &own.Raise {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got := move.RaiseIn(&move.Flag{}); got != nil {
		t.Errorf("a FLAG is read as %v", got)
	}
}

// A format that replaces a shared row finds it by its kind, so each kind has one row, and each lookup is among them.
func TestEachSharedKindHasOneRow(t *testing.T) {
	t.Parallel()
	var kinds []move.Kind
	for _, row := range move.Shared() {
		kind := move.KindOf(row.Move)
		if slices.Contains(kinds, kind) {
			t.Errorf("two rows describe %s", kind)
		}
		if found := move.RowOf(kind); found.Doc != row.Doc {
			t.Errorf("the row of %s is that of %q", kind, found.Doc)
		}
		kinds = append(kinds, kind)
	}
	for _, kind := range move.Lookups() {
		if !slices.Contains(kinds, kind) {
			t.Errorf("no row describes %s", kind)
		}
	}
}

func TestSpecReadsOneMove(t *testing.T) {
	t.Parallel()
	spec, err := move.NewSpec(move.RowOf(move.KindScore), move.ClosedTypes())
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		object  map[string]any
		code    string
		notices int
	}{
		"whole":            {map[string]any{"move": "SCORE", "point": "P1", "confidence": 0.7}, "", 0},
		"unknown field":    {map[string]any{"move": "SCORE", "point": "P1", "confidence": 0.7, "mood": "good"}, "", 1},
		"missing point":    {map[string]any{"move": "SCORE", "confidence": 0.7}, "missing-field", 0},
		"wrong confidence": {map[string]any{"move": "SCORE", "point": "P1", "confidence": "often"}, "invalid-field", 0},
	} {
		m, notices, bad := spec.Read(c.object)
		switch {
		case c.code != "":
			if bad == nil || bad.Code != c.code {
				t.Errorf("%s: refused as %v, want %s", name, bad, c.code)
			}
		case bad != nil || len(notices) != c.notices:
			t.Errorf("%s: refused %v, notices %q", name, bad, notices)
		case m.(*move.Score).Point != "P1" || m.(*move.Score).Confidence != 0.7:
			t.Errorf("%s: read as %+v", name, m)
		}
	}
}
