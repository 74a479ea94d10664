package reply

import (
	"slices"
	"strings"
	"unicode"

	"moot/ledger"
)

// fenced returns what the first fenced block of a text holds, or "".
func fenced(text string) string {
	fence, block := "", ""
	for line := range strings.Lines(text) {
		mark := strings.TrimSpace(line)
		opens := strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~")
		switch {
		case fence == "" && opens:
			fence = mark[:3]
		case fence != "" && strings.HasPrefix(mark, fence):
			return block
		case fence != "":
			block += line
		}
	}
	return ""
}

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
		line, rest, _ := strings.Cut(b.text[at:], "\n")
		// The arguments of what runs may hold arrows and quotation marks.
		reference, quote, arrow := ledger.CutProposal(line)
		if !arrow {
			reference, quote, arrow = strings.Cut(line, "=>")
		}
		if !arrow && !kinds[kind].Runs {
			reference, quote, _ = strings.Cut(line, ` "`)
			quote, _, _ = strings.Cut(quote, `"`)
		}
		fields := map[string]any{"reference": strings.TrimSpace(reference), "quote": strings.TrimSpace(quote)}
		if kind := ledger.KindOf(kinds, reference); kind.Patch {
			if patch := fenced(rest); patch != "" {
				fields["patch"] = patch
			}
		}
		return []any{fields}
	}
	return nil
}
