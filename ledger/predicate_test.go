package ledger_test

import (
	"encoding/json"
	"reflect"
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

// A text of the form PATH OP VALUE is a predicate. A text that only resembles it is not.
func TestParsePredicate(t *testing.T) {
	for text, want := range map[string]*ledger.Predicate{
		"retries <= 2":                   predicate("retries", "≤", "2"),
		"retries≤2":                      predicate("retries", "≤", "2"),
		"  queue.max-retries_2 >= -1.5 ": predicate("queue.max-retries_2", "≥", "-1.5"),
		"n < 3":                          predicate("n", "<", "3"),
		"n > 1e3":                        predicate("n", ">", "1e3"),
		"n != 0":                         predicate("n", "≠", "0"),
		"n ≠ 0":                          predicate("n", "≠", "0"),
		"cache = true":                   predicate("cache", "=", "true"),
		"mode = read-only":               predicate("mode", "=", `"read-only"`),
		`mode = "read only"`:             predicate("mode", "=", `"read only"`),
		"région = été":                   predicate("région", "=", `"été"`),
		"zone in [eu-west, 2, true]":     predicate("zone", "in", `["eu-west",2,true]`),
		`zone in ["a, b", "c"]`:          predicate("zone", "in", `["a, b","c"]`),

		"use = signs in tests":       nil,
		"retries <= 2 per call":      nil,
		"retries <= 2.":              nil,
		"retries = few.":             nil,
		"retries are <= 2":           nil,
		"max retries = 2":            nil,
		"retries == 2":               nil,
		"retries <= two":             nil,
		"retries <= null":            nil,
		"timeout <= 30s":             nil,
		"timeout = 30s":              nil,
		"owner = null":               nil,
		"a->b":                       nil,
		"a => b":                     nil,
		"x < y":                      nil,
		"1 < 2":                      nil,
		"= 2":                        nil,
		"retries =":                  nil,
		"retries":                    nil,
		"":                           nil,
		"deploys in staging":         nil,
		"errors in [a, b] are rare":  nil,
		"errors in []":               nil,
		"errors in [a,]":             nil,
		"errors in [[a]]":            nil,
		"errors index [a]":           nil,
		"errors in [":                nil,
		"a = {}":                     nil,
		"a = [1]":                    nil,
		"retries <= 2\ntimeout <= 3": nil,
		"n <= 1e999":                 nil,
		"a = \"\xff\"":               nil,
	} {
		if got := ledger.ParsePredicate(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

// RV2: code finds a value in a text only if it is assigned there and of the kind that is meant.
func TestPredicateFindsTheValue(t *testing.T) {
	for text, want := range map[string][2]bool{
		"retries: 3": {true, true}, `"retries" = 3`: {true, true}, "retries := 4": {false, true},
		"retries: max": {}, `retries = "3"`: {}, "if retries == 3 {": {}, "retries != 3": {}, "max_retries = 3": {},
		"retries = 3\nretries = 4": {}, "retries = 3\nretries = n": {},
	} {
		if holds, found := predicate("queue.retries", "=", "3").Test(text); [2]bool{holds, found} != want {
			t.Errorf("%q: holds %v, found %v; want %v", text, holds, found, want)
		}
	}
	if holds, found := predicate("mode", "in", `["a",2]`).Test("mode = a"); !holds || !found {
		t.Errorf("a value of a list was not found")
	}
}
