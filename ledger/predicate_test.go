package ledger_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
)

func predicate(path, op, value string) *ledger.Predicate {
	return &ledger.Predicate{Path: path, Op: op, Value: json.RawMessage(value)}
}

// AC5: same path and no value that satisfies both. What cannot be compared is a possible conflict at most.
func TestConflicts(t *testing.T) {
	const none, possible, certain = ledger.NoConflict, ledger.PossibleConflict, ledger.CertainConflict
	unit := func(p *ledger.Predicate, unit string) *ledger.Predicate {
		p.Unit = unit
		return p
	}
	for _, c := range []struct {
		a, b *ledger.Predicate
		want ledger.Conflict
	}{
		{predicate("n", "=", "16"), predicate("n", "≤", "8"), certain},
		{predicate("n", "=", "8"), predicate("n", "≤", "8"), none},
		{predicate("n", "=", "8.0"), predicate("n", "=", "8"), none},
		{predicate("n", "=", "8"), predicate("n", "<", "8"), certain},
		{predicate("n", "=", "8"), predicate("m", "<", "8"), none},
		{predicate("n", "=", "8"), predicate("n", "≠", "8"), certain},
		{predicate("n", "=", `"a"`), predicate("n", "=", `"b"`), certain},
		{predicate("n", "=", `"a"`), predicate("n", "=", `"A"`), possible},
		{predicate("n", "=", `"a"`), predicate("n", "in", `["b","a"]`), none},
		{predicate("n", "=", `"c"`), predicate("n", "in", `["b","a"]`), certain},
		{predicate("n", "in", `[1,2]`), predicate("n", "in", `[3,4]`), certain},
		{predicate("n", "in", `[1,2]`), predicate("n", ">", `1`), none},
		{predicate("n", "<", "3"), predicate("n", ">", "3"), certain},
		{predicate("n", "≤", "3"), predicate("n", "≥", "3"), none},
		{predicate("n", "<", "3"), predicate("n", "≥", "3"), certain},
		{predicate("n", "<", "5"), predicate("n", ">", "3"), none},
		{predicate("n", "=", "9007199254740993"), predicate("n", "=", "9007199254740992"), certain},
		{predicate("n", "=", "true"), predicate("n", "=", "false"), certain},
		{predicate("n", "=", "true"), predicate("n", "=", "1"), possible},
		{predicate("n", "=", `"x"`), predicate("n", "<", "3"), possible},
		{predicate("n", "=", `nonsense`), predicate("n", "<", "3"), possible},
		{predicate("n", "~", "1"), predicate("n", "~", "2"), none},
		{predicate("n", "≠", "1"), predicate("n", "≠", "2"), none},
		{nil, predicate("n", "=", "2"), none},
		{predicate("", "=", "1"), predicate("", "=", "2"), none},

		// Only the last elements of the paths are equal.
		{predicate("queue.n", "=", "1"), predicate("n", "=", "2"), possible},
		{predicate("queue.n", "=", "1"), predicate("cache.n", "=", "2"), possible},
		{predicate("queue.n", "=", "1"), predicate("queue.N", "=", "2"), possible},
		{predicate("queue.n", "=", "1"), predicate("cache.n", "=", "1"), none},
		{predicate("n.queue", "=", "1"), predicate("n.cache", "=", "2"), none},

		// Units are not converted.
		{unit(predicate("n", "=", "7"), "d"), unit(predicate("n", "=", "168"), "h"), possible},
		{unit(predicate("n", "=", "7"), "d"), unit(predicate("n", "=", "8"), "d"), certain},
		{unit(predicate("n", "=", "7"), "d"), predicate("n", "=", "7"), possible},
		{unit(predicate("n", "≤", "7"), "d"), unit(predicate("n", "≤", "168"), "h"), none},
		{unit(predicate("n", "≤", "7"), "d"), unit(predicate("n", "≥", "168"), "h"), possible},
		{unit(predicate("n", "≠", "7"), "d"), unit(predicate("n", "≥", "168"), "h"), none},
	} {
		for _, pair := range [][2]*ledger.Predicate{{c.a, c.b}, {c.b, c.a}} {
			if got := pair[0].ConflictWith(pair[1]); got != c.want {
				t.Errorf("%v and %v: %v, want %v", pair[0], pair[1], got, c.want)
			}
		}
	}
}

// A conflict is certain exactly if no value of a small domain satisfies both predicates.
func TestConflictsAgreeWithASearchForAValue(t *testing.T) {
	value := rapid.Custom(func(t *rapid.T) int { return rapid.IntRange(0, 4).Draw(t, "value") })
	drawn := rapid.Custom(func(t *rapid.T) *ledger.Predicate {
		op := rapid.SampledFrom(ledger.Operators()).Draw(t, "op")
		if op == "in" {
			list, err := json.Marshal(rapid.SliceOfN(value, 1, 3).Draw(t, "list"))
			if err != nil {
				t.Fatal(err)
			}
			return predicate("n", op, string(list))
		}
		return predicate("n", op, strconv.Itoa(value.Draw(t, "value")))
	})
	// satisfies is the meaning of the operators, on a number and the one or several that they compare.
	satisfies := func(v float64, p *ledger.Predicate) bool {
		var list []float64
		var one float64
		if p.Op == "in" {
			return json.Unmarshal(p.Value, &list) == nil && slices.Contains(list, v)
		}
		if json.Unmarshal(p.Value, &one) != nil {
			return false
		}
		return map[string]bool{
			"=": v == one, "≠": v != one, "<": v < one, "≤": v <= one, ">": v > one, "≥": v >= one,
		}[p.Op]
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawn.Draw(t, "a"), drawn.Draw(t, "b")
		want := ledger.CertainConflict
		for v := -1.0; v <= 5; v += 0.5 {
			if satisfies(v, a) && satisfies(v, b) {
				want = ledger.NoConflict
			}
		}
		if got := a.ConflictWith(b); got != want {
			t.Fatalf("%v and %v: %v, want %v", a, b, got, want)
		}
		if got, again := a.ConflictWith(b), b.ConflictWith(a); got != again {
			t.Fatalf("%v and %v: %v, and the other way %v", a, b, got, again)
		}
	})
}

// A text that states a value is a predicate, by PATH OP VALUE or in plain words. A text that only resembles one is not.
func TestParsePredicate(t *testing.T) {
	for text, want := range map[string]*ledger.Predicate{
		"retries <= 2":                   predicate("retries", "≤", "2"),
		"retries≤2":                      predicate("retries", "≤", "2"),
		"retries <= 2.":                  predicate("retries", "≤", "2"),
		"  queue.max-retries_2 >= -1.5 ": predicate("queue.max-retries_2", "≥", "-1.5"),
		"n < 3":                          predicate("n", "<", "3"),
		"n > 1e3":                        predicate("n", ">", "1e3"),
		"n != 0":                         predicate("n", "≠", "0"),
		"n ≠ 0":                          predicate("n", "≠", "0"),
		"n = +3":                         predicate("n", "=", "3"),
		"cache = true":                   predicate("cache", "=", "true"),
		"mode = read-only":               predicate("mode", "=", `"read-only"`),
		`mode = "read only"`:             predicate("mode", "=", `"read only"`),
		"mode = 'read only'":             predicate("mode", "=", `"read only"`),
		"mode = “read only”":             predicate("mode", "=", `"read only"`),
		"région = été":                   predicate("région", "=", `"été"`),
		"zone in [eu-west, 2, true]":     predicate("zone", "in", `["eu-west",2,true]`),
		`zone in ["a, b", "c"]`:          predicate("zone", "in", `["a, b","c"]`),
		"timeout <= 30s":                 {Path: "timeout", Op: "≤", Value: json.RawMessage("30"), Unit: "s"},
		"timeout = 30 ms":                {Path: "timeout", Op: "=", Value: json.RawMessage("30"), Unit: "ms"},
		"load < 80%":                     {Path: "load", Op: "<", Value: json.RawMessage("80"), Unit: "%"},
		"rate is 5 MB/s":                 {Path: "rate", Op: "=", Value: json.RawMessage("5"), Unit: "MB/s"},
		"rate is 5 requests per second":  {Path: "rate", Op: "=", Value: json.RawMessage("5"), Unit: "requests per second"},
		"t in [1s, 2s]":                  {Path: "t", Op: "in", Value: json.RawMessage("[1,2]"), Unit: "s"},

		"MaxRetries is 3":               predicate("MaxRetries", "=", "3"),
		"MaxRetries is 3.":              predicate("MaxRetries", "=", "3"),
		"MaxRetries  IS  3":             predicate("MaxRetries", "=", "3"),
		"MaxRetries equals 3":           predicate("MaxRetries", "=", "3"),
		"MaxRetries is not 3":           predicate("MaxRetries", "≠", "3"),
		"MaxRetries isn't 3":            predicate("MaxRetries", "≠", "3"),
		"MaxRetries must be 3":          predicate("MaxRetries", "=", "3"),
		"MaxRetries is at most 3":       predicate("MaxRetries", "≤", "3"),
		"MaxRetries must be at least 3": predicate("MaxRetries", "≥", "3"),
		"MaxRetries is under 3":         predicate("MaxRetries", "<", "3"),
		"MaxRetries must be over 3":     predicate("MaxRetries", ">", "3"),
		"`MaxRetries` is `3`":           predicate("MaxRetries", "=", "3"),
		"`MaxRetries = 3`":              predicate("MaxRetries", "=", "3"),
		"`MaxRetries is at most 3`.":    predicate("MaxRetries", "≤", "3"),
		"cache is true":                 predicate("cache", "=", "true"),
		`Mode is "fast"`:                predicate("Mode", "=", `"fast"`),
		"Mode is `fast`":                predicate("Mode", "=", `"fast"`),
		"queue.retries is at most 2":    predicate("queue.retries", "≤", "2"),

		"the store is durable":             nil,
		"durability is high":               nil,
		"the store is 3":                   nil,
		"It is true":                       nil,
		"This is 3":                        nil,
		"MaxRetries is":                    nil,
		"MaxRetries is 3 or 5":             nil,
		"MaxRetries is 3..5":               nil,
		"MaxRetries is 3-5":                nil,
		"MaxRetries is not at most 3":      nil,
		"MaxRetries is at most many":       nil,
		"MaxRetries is about 3":            nil,
		"MaxRetries was 3":                 nil,
		"MaxRetries should be 3":           nil,
		"version is 1.2.3":                 nil,
		"version = 1.2.3":                  nil,
		"deadline is 2025-01-01":           nil,
		"timeout is 1h30m":                 nil,
		"is 3":                             nil,
		"MaxRetries is 3\nMaxRetries is 4": nil,
		"MaxRetries is 0x10":               nil,
		"MaxRetries is 1,000":              nil,
		"MaxRetries is 007":                nil,
		"t in [1s, 2m]":                    nil,
		"use = signs in tests":             nil,
		"retries <= 2 per call":            nil,
		"retries are <= 2":                 nil,
		"max retries = 2":                  nil,
		"retries == 2":                     nil,
		"retries <= two":                   nil,
		"retries <= null":                  nil,
		"owner = null":                     nil,
		"a->b":                             nil,
		"a => b":                           nil,
		"x < y":                            nil,
		"1 < 2":                            nil,
		"= 2":                              nil,
		"retries =":                        nil,
		"retries":                          nil,
		"":                                 nil,
		"`":                                nil,
		"``":                               nil,
		"deploys in staging":               nil,
		"errors in [a, b] are rare":        nil,
		"errors in []":                     nil,
		"errors in [a,]":                   nil,
		"errors in [[a]]":                  nil,
		"errors index [a]":                 nil,
		"errors in [":                      nil,
		"a = {}":                           nil,
		"a = [1]":                          nil,
		"retries <= 2\ntimeout <= 3":       nil,
		"n <= 1e999":                       nil,
		"n <= 1e-999999999":                nil,
		"n <= " + strings.Repeat("9", 99):  nil,
		"n <= 2" + strings.Repeat(" ", 500) + "s": nil,
		"a = \"\xff\"": nil,
	} {
		if got := ledger.ParsePredicate(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

// The clauses of a text in back-quotes state values too, unless the words around them deny them or make them a condition.
func TestParsePredicates(t *testing.T) {
	three, two := *predicate("MaxRetries", "=", "3"), *predicate("Backoff", "≤", "2")
	for text, want := range map[string][]ledger.Predicate{
		"MaxRetries is 3": {three},
		"The store sets `MaxRetries = 3` at start.":           {three},
		"The store sets `MaxRetries = 3` and `Backoff <= 2`.": {three, two},
		"We should set `MaxRetries is 3`":                     {three},
		"It is not true that `MaxRetries = 3`":                nil,
		"The store doesn't set `MaxRetries = 3`":              nil,
		"If `MaxRetries = 3`, the loop ends early":            nil,
		"`MaxRetries = 3` is wrong":                           nil,
		"`MaxRetries = 3` was the default":                    nil,
		"Is it `MaxRetries = 3`?":                             nil,
		"Es stimmt nicht, dass `MaxRetries = 3`":              nil,
		"并不是 `MaxRetries = 3`":                                nil,
		"The store sets ``MaxRetries = 3``":                   nil,
		"```\nMaxRetries = 3\n```":                            nil,
		"The code `if MaxRetries == 3 {` runs":                nil,
		"The store sets `MaxRetries = 3":                      nil,
		"`` `MaxRetries = 3` ``":                              nil,
		strings.Repeat("`a = 1` ", 1000):                      slices.Repeat([]ledger.Predicate{*predicate("a", "=", "1")}, 20),
	} {
		if got := ledger.ParsePredicates(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

// Whatever a text holds, what is read of it is complete, bounded, and states the same when it is read again.
func FuzzParsePredicates(f *testing.F) {
	for _, text := range []string{
		"retries <= 2", "`MaxRetries` is at most 3 s.", "zone in [a, 2, \"b c\"]", "We set `a = 1` and `b is 7d`", "```a = 1```",
		"x is ‘y’", "a = 1e400", "\xff = 1", "`a``b` = `", "load is 99.9%", "x must not be “y”",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		stated := ledger.ParsePredicates(text)
		if len(stated) > 20 {
			t.Fatalf("%d predicates", len(stated))
		}
		for i := range stated {
			p := &stated[i]
			if p.Path == "" || !slices.Contains(ledger.Operators(), p.Op) || !json.Valid(p.Value) || len(p.String()) > 2000 {
				t.Fatalf("%q: %+v", text, p)
			}
			if p.ConflictWith(p) == ledger.CertainConflict {
				t.Fatalf("%q excludes itself: %+v", text, p)
			}
			if again := ledger.ParsePredicate(p.String()); again == nil || !reflect.DeepEqual(again, p) {
				if p.Op != "in" || p.Unit == "" {
					t.Fatalf("%q: %+v is read again as %+v", text, p, again)
				}
			}
			p.Test(text)
			p.Against(text)
		}
	})
}

// RV2: code finds a value in a text only if it is assigned there and of the kind that is meant.
func TestPredicateFindsTheValue(t *testing.T) {
	for text, want := range map[string][2]bool{
		"retries: 3": {true, true}, `"retries" = 3`: {true, true}, "retries := 4": {false, true},
		"retries: max": {}, `retries = "3"`: {}, "if retries == 3 {": {}, "retries != 3": {}, "max_retries = 3": {},
		"retries = 3\nretries = 4": {}, "retries = 3\nretries = n": {}, "const retries = 3 // per call": {true, true},
		"retries = 3 * 2": {}, "retries = 3 + n": {}, "retries: 3 per call": {}, "retries = 3s": {}, "retries = 3..5": {},
		"retries = 3.5": {false, true}, `{"retries": 3, "backoff": 4}`: {true, true}, "call(retries=3)": {true, true},
		"RETRIES: 3 # at most": {true, true}, "retries = 3. Then it gives up": {true, true}, "retries = 3 if fast else 5": {},
	} {
		if holds, found := predicate("queue.retries", "=", "3").Test(text); [2]bool{holds, found} != want {
			t.Errorf("%q: holds %v, found %v; want %v", text, holds, found, want)
		}
	}
	if holds, found := predicate("mode", "in", `["a",2]`).Test("mode = a"); !holds || !found {
		t.Errorf("a value of a list was not found")
	}
}

// Against finds what a verified text says against a predicate: an assigned value, or the statement of a line.
func TestPredicateFindsWhatIsSaidAgainstIt(t *testing.T) {
	five, seconds := predicate("MaxRetries", "=", "5"), ledger.ParsePredicate("timeout <= 10s")
	for _, c := range []struct {
		p          *ledger.Predicate
		text, says string
	}{
		{five, "const MaxRetries = 3", "3"},
		{five, "const MaxRetries = 5", ""},
		{five, "const Retries = 3", ""},
		{five, "MaxRetries is at most 3.", "≤ 3"},
		{five, "MaxRetries is 5\nBackoff is 3", ""},
		{five, "The default is `MaxRetries = 3`, see below", "3"},
		{five, "MaxRetries is high", ""},
		{seconds, "timeout: 30s", "30s"},
		{seconds, "timeout: 5s", ""},
		{seconds, "timeout: 1m", ""},
		{seconds, "timeout = 30 * time.Second", ""},
	} {
		if says := c.p.Against(c.text); says != c.says {
			t.Errorf("%v, %q: says %q, want %q", c.p, c.text, says, c.says)
		}
	}
}

// Two facts that differ by a negation alone deny each other.
func TestFactsThatDifferByANegationExcludeEachOther(t *testing.T) {
	read := func(text string) *ledger.Fact {
		f := &ledger.Fact{Text: text}
		f.Read(nil)
		return f
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"data must survive a restart", "Data must not survive a restart.", true},
		{"The store syncs on every append", "The store does not sync on every append", true},
		{"users can delete data", "users cannot delete data", true},
		{"users can delete data", "users can’t delete data", true},
		{"There is a cache", "There is no cache", true},
		{"it runs with root", "it runs without root", true},
		{"Die Daten sind verschlüsselt", "Die Daten sind nicht verschlüsselt", true},
		{"the cache is not unused", "the cache is not unused", false},
		{"data must survive a restart", "data must survive a crash", false},
		{"data must not survive a restart", "data must survive a crash", false},
		{"the reader calls the writer", "the writer does not call the reader", false},
		{"no", "yes", false},
		{"", "not", false},
		{"MaxRetries <= 2", "MaxRetries >= 3", true},
		{"MaxRetries <= 2", "MaxRetries is 2", false},
		{"MaxRetries <= 2", "queue.MaxRetries >= 3", false},
		{"timeout is 7d", "timeout is 8h", false},
	} {
		a, b := read(c.a), read(c.b)
		if a.Excludes(b) != c.want || b.Excludes(a) != c.want {
			t.Errorf("%q and %q: %v, %v; want %v", c.a, c.b, a.Excludes(b), b.Excludes(a), c.want)
		}
	}
}
