package ledger

import (
	"strings"
	"unicode"
)

// Normalised returns a text in the form in which texts are compared (RD2): lower-cased, without punctuation at the
// ends of words, with single blanks.
func Normalised(text string) string {
	words := strings.Fields(strings.ToLower(text))
	kept := words[:0]
	for _, word := range words {
		if word = strings.TrimFunc(word, unicode.IsPunct); word != "" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}
