package conflict_test

import (
	"encoding/json"
	"math"
	"testing"

	"moot/resolver/conflict"
)

// likeness is a row of a table: what two JSON texts have in common.
type likeness struct {
	a, b string
	want float64
}

// checkSimilarity checks each row in both directions, and that the detector, with
// thresholds by which nearly everything is a conflict, says the same.
func checkSimilarity(t *testing.T, rows []likeness) {
	t.Helper()
	for _, row := range rows {
		a, b := value(t, row.a), value(t, row.b)
		if got := conflict.Similarity(&a, &b); got != row.want {
			t.Errorf("%s and %s: %v, want %v", row.a, row.b, got, row.want)
		}
		if got := conflict.Similarity(&b, &a); got != row.want {
			t.Errorf("%s and %s: %v, want %v: it is not symmetric", row.b, row.a, got, row.want)
		}
		found := row.want == 1
		for pair := range conflict.Detect([]conflict.Output{{Value: a}, {Value: b}}, conflict.Thresholds{Agreement: 1}) {
			found = pair.Similarity == row.want
		}
		if !found {
			t.Errorf("%s and %s: the detector finds another similarity than %v", row.a, row.b, row.want)
		}
	}
}

func TestSimilarityOfTheExamples(t *testing.T) {
	checkSimilarity(t, []likeness{
		{`"The API is secure"`, `"The API is vulnerable"`, 3.0 / 5},
		{`{"status":"safe","score":0.9}`, `{"status":"unsafe","score":0.3}`, 0},
		{`[1,2,3]`, `[1,2,4]`, 2.0 / 3},
	})
}

func TestNullIsAlikeToNothing(t *testing.T) {
	checkSimilarity(t, []likeness{
		{`null`, `null`, 0},
		{`null`, `""`, 0},
		{`null`, `0`, 0},
		{`null`, `false`, 0},
		{`null`, `[]`, 0},
		{`null`, `{}`, 0},
		{`[null]`, `[null]`, 0},
		{`{"a":null,"b":1}`, `{"a":null,"b":1}`, 0.5},
	})
}

func TestOtherTypesAreNotAlike(t *testing.T) {
	checkSimilarity(t, []likeness{
		{`[]`, `{}`, 0},
		{`["a"]`, `{"0":"a"}`, 0},
		{`1`, `"1"`, 0},
		{`1`, `true`, 0},
		{`0`, `false`, 0},
		{`"true"`, `true`, 0},
		{`"a"`, `["a"]`, 0},
		{`["a",1]`, `["a","1"]`, 0.5},
	})
}

func TestStringsShareWords(t *testing.T) {
	checkSimilarity(t, []likeness{
		{`""`, `""`, 0},
		{`"word"`, `""`, 0},
		{`" \t\n"`, `"\u00a0"`, 0},
		{`"one two three"`, `"three two one"`, 1},
		{`"One TWO"`, `"one two two one"`, 1},
		{`"a\tb\nc"`, `"  a b c "`, 1},
		{`"a b"`, `"c d"`, 0},
		{`"a"`, `"a b c"`, 1.0 / 3},
		{`"safe."`, `"safe"`, 0},
	})
}

func TestWordsAreThoseOfUnicode(t *testing.T) {
	checkSimilarity(t, []likeness{
		{`"É ÜBER ЖУК"`, `"é über жук"`, 1},
		{`"İ"`, `"i"`, 1},
		{`"I"`, `"ı"`, 0},
		{`"ΣΑΣ"`, `"σασ"`, 1},
		{`"ΣΑΣ"`, `"σας"`, 0},
		{`"STRASSE"`, `"straße"`, 0},
		{`"a\u00a0b"`, `"a b"`, 1},
		{`"a\u2003b\u3000c\u0085d"`, `"a b c d"`, 1},
		{`"a\u200bb"`, `"a b"`, 0},
		{`"a\ufeff"`, `"a"`, 0},
		{`"\u00e9"`, `"e\u0301"`, 0},
		{`"日本"`, `"日 本"`, 0},
	})
}

func TestBytesThatAreNoUTF8AreReplaced(t *testing.T) {
	a, b := text("caf\xff X"), text("CAF\ufffd x")
	if got := conflict.Similarity(&a, &b); got != 1 {
		t.Errorf("%v, want 1", got)
	}
}

func TestNumbersAndBooleansAreEqualOrNot(t *testing.T) {
	checkSimilarity(t, []likeness{
		{`1`, `1.0`, 1},
		{`1`, `1.0000001`, 0},
		{`0`, `-0`, 1},
		{`1e308`, `1e308`, 1},
		{`1e308`, `-1e308`, 0},
		{`0.1`, `0.10000000000000001`, 1},
		{`9007199254740993`, `9007199254740992`, 1},
		{`5e-324`, `0`, 0},
		{`1e-400`, `0`, 1},
		{`true`, `true`, 1},
		{`false`, `false`, 1},
		{`true`, `false`, 0},
	})
	infinite := conflict.Value{Kind: conflict.Number, Float: math.Inf(1)}
	if got := conflict.Similarity(&infinite, &infinite); got != 1 {
		t.Errorf("an infinite number and itself: %v", got)
	}
}

func TestArraysAreComparedByPosition(t *testing.T) {
	checkSimilarity(t, []likeness{
		{`[]`, `[]`, 1},
		{`[]`, `[1]`, 0},
		{`[1,2]`, `[2,1]`, 0},
		{`[1,2]`, `[1,2,3,4]`, 0.5},
		{`["a b","c"]`, `["a d","c"]`, (1.0/3 + 1) / 2},
		{`[[],[]]`, `[[],[]]`, 1},
		{`[[1,2],[3]]`, `[[1,3],[4]]`, 0.25},
		{`["a","a"]`, `["a","b"]`, 0.5},
	})
}

func TestObjectsAreComparedByName(t *testing.T) {
	checkSimilarity(t, []likeness{
		{`{}`, `{}`, 1},
		{`{}`, `{"a":1}`, 0},
		{`{"a":1,"b":2}`, `{"b":2,"a":1}`, 1},
		{`{"a":1,"b":2}`, `{"b":2,"c":1}`, 1.0 / 3},
		{`{"a":1}`, `{"A":1}`, 0},
		{`{"":1}`, `{"":1}`, 1},
		{`{"a":{"b":"x y"}}`, `{"a":{"b":"x z"}}`, 1.0 / 3},
		{`{"a":"x","b":"y"}`, `{"a":"y","b":"x"}`, 0},
		{`{"a":[],"b":{}}`, `{"a":[],"b":{}}`, 1},
		{`{"a":[],"b":{}}`, `{"a":{},"b":[]}`, 0},
		{`{"a":["x"]}`, `{"a":{"0":"x"}}`, 0},
	})
}

// A sum is made in one order, so that it is the same to the last bit on both
// sides and in the detector.
func TestSumsAreMadeInTheOrderOfTheNames(t *testing.T) {
	third, quarter, fifth := 1/float64(3), 1/float64(4), 1/float64(5)
	want := ((third + quarter) + fifth) / 3
	if want == ((fifth+quarter)+third)/3 {
		t.Fatal("the order makes no difference to these numbers")
	}
	checkSimilarity(t, []likeness{{`{"a":"x","b":"x","c":"x"}`, `{"c":"x 2 3 4 5","b":"x 2 3 4","a":"x 2 3"}`, want}})
}

func TestDeepValuesAreCompared(t *testing.T) {
	a, b := nested(10_000, text("a b")), nested(10_000, text("a c"))
	if got := conflict.Similarity(&a, &b); got != 1.0/3 {
		t.Errorf("%v", got)
	}
	outputs := []conflict.Output{{Value: a}, {Value: b}, {Value: nested(9_999, text("a b"))}}
	if got, want := conflict.Summarize(outputs, conflict.Thresholds{Contradiction: 0.3, Agreement: 0.4}).Total, (conflict.Counts{Contradictions: 2, Disagreements: 1}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if !a.Equal(&a) || a.Equal(&b) {
		t.Error("only equal values are equal")
	}
}

// FuzzSimilarity reads JSON, or else takes the text as a string.
func FuzzSimilarity(f *testing.F) {
	f.Add(`"The API is secure"`, `"The API is vulnerable"`)
	f.Add(`{"a":["x",null,{"b":"y z"}]}`, `{"a":["x",0,{"b":"y"}],"c":true}`)
	f.Add("\xff İ\u00a0", "1e400")
	f.Fuzz(func(t *testing.T, a, b string) {
		values := [2]conflict.Value{text(a), text(b)}
		for i, s := range [2]string{a, b} {
			var v any
			if json.Unmarshal([]byte(s), &v) == nil {
				values[i] = valueOf(v)
			}
		}
		there, back := conflict.Similarity(&values[0], &values[1]), conflict.Similarity(&values[1], &values[0])
		if there != back || !(there >= 0 && there <= 1) {
			t.Fatalf("%v, the other way %v", there, back)
		}
		if want := plainOf(&values[0]).similarity(plainOf(&values[1])); there != want {
			t.Fatalf("%v, the reference says %v", there, want)
		}
		for pair := range conflict.Detect([]conflict.Output{{Value: values[0]}, {Value: values[1]}}, conflict.Thresholds{Agreement: 1}) {
			if pair.Similarity != there {
				t.Fatalf("%v, the detector says %v", there, pair.Similarity)
			}
		}
	})
}
