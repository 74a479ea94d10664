package ledger_test

import (
	"encoding/json"
	"testing"

	"moot/ledger"
)

func predicate(path, op, value string) *ledger.Predicate {
	return &ledger.Predicate{Path: path, Op: op, Value: json.RawMessage(value)}
}

// AC5: same path and no value that satisfies both; what cannot be compared is
// not called incompatible.
func TestIncompatible(t *testing.T) {
	for _, c := range []struct {
		a, b *ledger.Predicate
		want bool
	}{
		{predicate("n", "=", "16"), predicate("n", "≤", "8"), true},
		{predicate("n", "=", "8"), predicate("n", "≤", "8"), false},
		{predicate("n", "=", "8"), predicate("n", "<", "8"), true},
		{predicate("n", "=", "8"), predicate("m", "<", "8"), false},
		{predicate("n", "=", "8"), predicate("n", "≠", "8"), true},
		{predicate("n", "=", `"a"`), predicate("n", "=", `"b"`), true},
		{predicate("n", "=", `"a"`), predicate("n", "in", `["b","a"]`), false},
		{predicate("n", "=", `"c"`), predicate("n", "in", `["b","a"]`), true},
		{predicate("n", "in", `[1,2]`), predicate("n", "in", `[3,4]`), true},
		{predicate("n", "in", `[1,2]`), predicate("n", ">", `1`), false},
		{predicate("n", "<", "3"), predicate("n", ">", "3"), true},
		{predicate("n", "≤", "3"), predicate("n", "≥", "3"), false},
		{predicate("n", "<", "3"), predicate("n", "≥", "3"), true},
		{predicate("n", "<", "5"), predicate("n", ">", "3"), false},
		{predicate("n", "=", `"x"`), predicate("n", "<", "3"), false},
		{predicate("n", "=", `nonsense`), predicate("n", "<", "3"), false},
		{predicate("n", "~", "1"), predicate("n", "~", "2"), false},
		{predicate("n", "≠", "1"), predicate("n", "≠", "2"), false},
		{predicate("n", "in", `[]`), predicate("n", "=", "2"), false},
		{nil, predicate("n", "=", "2"), false},
	} {
		for _, pair := range [][2]*ledger.Predicate{{c.a, c.b}, {c.b, c.a}} {
			if got := ledger.Incompatible(pair[0], pair[1]); got != c.want {
				t.Errorf("%v and %v: %v, want %v", pair[0], pair[1], got, c.want)
			}
		}
	}
}
