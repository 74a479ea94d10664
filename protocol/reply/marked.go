package reply

import (
	"slices"
	"strings"
	"unicode"

	"moot/ledger"
)

// marked reads what a CITE on a line offers if it is of a kind of evidence with marks: the reference from its mark
// on, and its quote behind an arrow or in quotation marks, as in "CITE P1 supports LINES list.txt => 3". It is nil
// for the others.
func marked(b body, kinds []ledger.Kind) []any {
	for at := range b.mask {
		begins := at == 0 || unicode.IsSpace(rune(b.mask[at-1]))
		kind := slices.IndexFunc(kinds, func(k ledger.Kind) bool { return k.Owns(b.text[at:]) })
		if !begins || kind < 0 || b.mask[at] <= ' ' {
			continue
		}
		line, _, _ := strings.Cut(b.text[at:], "\n")
		// The arguments of what runs may hold arrows and quotation marks.
		reference, quote, arrow := ledger.CutProposal(line)
		if !arrow {
			reference, quote, arrow = strings.Cut(line, "=>")
		}
		if !arrow && !kinds[kind].Runs {
			reference, quote, _ = strings.Cut(line, ` "`)
			quote, _, _ = strings.Cut(quote, `"`)
		}
		return []any{map[string]any{"reference": strings.TrimSpace(reference), "quote": strings.TrimSpace(quote)}}
	}
	return nil
}
