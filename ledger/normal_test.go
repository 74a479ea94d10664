package ledger

import (
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// A text in ASCII is normalised in one pass, and comes out as others do.
func TestNormalisedIsTheSameInASCII(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune(" \t\n.,-_$+`aB9")), rapid.RuneFrom(nil, &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0, Hi: 127, Stride: 1}}}))).Draw(t, "text")
		if got, want := Normalised(text), normalised(text); got != want {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	})
}

func TestNormalisedOfAnyScript(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		" - ":                       "",
		"The (Queue), keeps-order.": "the queue keeps-order",
		"«Über»\u00a0uns":           "über uns",
	} {
		if got := Normalised(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
