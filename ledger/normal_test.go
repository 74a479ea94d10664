package ledger

import "testing"

func TestNormalisedOfAnyScript(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "",
		" - ":                       "",
		"The (Queue), keeps-order.": "the queue keeps-order",
		"«Über»\u00a0uns":           "über uns",
	} {
		if got := Normalized(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
