package ledger

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Normalised is a text for the comparison "identical normalised text" (RD2):
// lower-cased, punctuation at the ends of words removed, white space folded.
func Normalised(text string) string {
	kept := make([]byte, 0, len(text))
	word := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c >= utf8.RuneSelf:
			return normalised(text)
		case c == ' ' || c >= '\t' && c <= '\r':
			kept, word = endWord(kept, word)
		case len(kept) == word && isPunct(c):
			// It stands before a word.
		case c >= 'A' && c <= 'Z':
			kept = append(kept, c+'a'-'A')
		default:
			kept = append(kept, c)
		}
	}
	kept, _ = endWord(kept, word)
	return string(bytes.TrimSuffix(kept, []byte(" ")))
}

// endWord ends the word that began at a place: without the punctuation at its end,
// with a blank. The next one begins at the place that it returns.
func endWord(kept []byte, word int) ([]byte, int) {
	for len(kept) > word && isPunct(kept[len(kept)-1]) {
		kept = kept[:len(kept)-1]
	}
	if len(kept) > word {
		kept = append(kept, ' ')
	}
	return kept, len(kept)
}

func isPunct(c byte) bool { return unicode.IsPunct(rune(c)) }

// normalised is Normalised of a text in any script.
func normalised(text string) string {
	var kept strings.Builder
	kept.Grow(len(text))
	for field := range strings.FieldsSeq(strings.ToLower(text)) {
		field = strings.TrimFunc(field, unicode.IsPunct)
		if field == "" {
			continue
		}
		if kept.Len() > 0 {
			kept.WriteByte(' ')
		}
		kept.WriteString(field)
	}
	return kept.String()
}
