package pane

import (
	"fmt"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/tui/theme"
)

// phaseBarWidth is the width from which all phases of a council stand in a row.
const phaseBarWidth = 120

// council is where a council stands: the phase of its round, its round of how
// many, and what the rules said of consensus.
func (h *Header) council(width int) []theme.Span {
	l := h.Look
	number, name := protocol.CouncilPhase(&h.State)
	rounds := resolver.LastRound(&h.State)
	left, found := []theme.Span{{Text: " "}}, h.found(width)
	switch {
	case number == 0:
		return append(left, l.Bold.Span(when(width < CompactWidth, "opening", "not begun")))
	case h.State.Over(), found != nil && width < costWidth:
		// What the rules found says more than the phase.
	case width >= phaseBarWidth:
		left = append(left, h.councilBar(number)...)
	case width < CompactWidth:
		short, _, _ := strings.Cut(name, " ")
		left = append(left, l.Bold.Span(short+" "))
	default:
		left = append(left, l.Bold.Span(name+"  "))
	}
	round := fmt.Sprintf("%d/%d", h.State.Round, rounds)
	left = append(left, l.Text.Span(when(width < CompactWidth, round, "round "+round)), theme.Span{Text: " "})
	if width >= costWidth || width >= CompactWidth && found == nil {
		left = append(left, h.dots(rounds)...)
	}
	left = append(left, found...)
	if h.Stage != "" {
		left = append(left, l.Text.Span("  "+StageName(h.Stage)))
	}
	return left
}

// councilBar draws the phases of a round: heavy strokes behind those that were
// reached.
func (h *Header) councilBar(number int) []theme.Span {
	l := h.Look
	var spans []theme.Span
	for i, name := range protocol.CouncilPhases() {
		reached := i < number
		spans = append(spans,
			when(i == number-1, l.Bold, l.Faint).Span(name+" "),
			when(reached, l.Accent, l.Border).Span(strings.Repeat(when(reached, l.Glyphs.Heavy, l.Glyphs.Light), 2)),
			theme.Span{Text: "  "})
	}
	return spans
}

// found is what the rules said of consensus in this round, and whether the
// moderator said otherwise.
func (h *Header) found(width int) []theme.Span {
	l := h.Look
	tested := h.State.Council.Consensus(h.State.Round)
	if tested == nil {
		return nil
	}
	var spans []theme.Span
	switch n := len(tested.Unsettled); {
	case tested.Reached:
		spans = []theme.Span{l.Agreed.Span(when(width < costWidth, " ", "  ") + l.Glyphs.Agreed + " consensus")}
	case width < CompactWidth:
		spans = []theme.Span{l.Unresolved.Span(fmt.Sprintf(" %s%d", l.Glyphs.Unresolved, n))}
	case width < costWidth:
		spans = []theme.Span{l.Unresolved.Span(fmt.Sprintf(" %s %d unsettled", l.Glyphs.Unresolved, n))}
	default:
		spans = []theme.Span{l.Unresolved.Span(fmt.Sprintf("  %s no consensus, %d unsettled", l.Glyphs.Unresolved, n))}
	}
	if tested.Contradicted() {
		words := when(width < costWidth, " "+l.Glyphs.Warn+" contradicted", "  "+l.Glyphs.Warn+" moderator contradicted")
		spans = append(spans, l.Warn.Span(when(width < CompactWidth, " "+l.Glyphs.Warn, words)))
	}
	return spans
}
