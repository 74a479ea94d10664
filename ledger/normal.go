package ledger

import (
	"strings"
	"unicode"
)

// Normalised is a text for the comparison "identical normalised text" (RD2):
// lower-cased, punctuation at the ends of words removed, white space folded.
func Normalised(text string) string {
	fields := strings.Fields(strings.ToLower(text))
	kept := fields[:0]
	for _, f := range fields {
		f = strings.TrimFunc(f, unicode.IsPunct)
		if f != "" {
			kept = append(kept, f)
		}
	}
	return strings.Join(kept, " ")
}
