package tui

import (
	"fmt"

	"moot/internal/plain"
	"moot/state"
)

// panel is where a panel stands: its round, how many answered while it is the
// first, and what became of the conflicts.
func (h *heading) panel(width int) []span {
	l := h.look
	if h.state.Round == 0 {
		return []span{{text: " "}, {l.bold, when(width < compactWidth, "opening", "not begun")}}
	}
	round := fmt.Sprintf("%d/%d", h.state.Round, state.MaxRounds)
	if h.state.Round == 1 {
		// Most panels have no other.
		round = "1"
	}
	spans := []span{{text: " "}, {l.bold, when(width < roundWidth, round, "round "+round)}}
	if h.state.Round > 1 && width >= wideWidth {
		spans = append(append(spans, span{text: " "}), h.dots(state.MaxRounds)...)
		spans = append(spans, span{l.text, "  " + h.phaseName(width)})
	}
	spans = append(spans, h.answers(width)...)
	spans = append(spans, h.clashing(width)...)
	return append(spans, h.step(width)...)
}

// answers says how many of the panelists answered, and how many are missing.
func (h *heading) answers(width int) []span {
	l, n := h.look, &h.clashes.counts
	if h.state.Round > 1 && n.Missing == 0 {
		return nil
	}
	spans := []span{{l.text, fmt.Sprintf("  %d/%d", n.Answered, n.Panelists)}}
	if width >= roundWidth {
		spans[0].text = fmt.Sprintf("  answers %d/%d", n.Answered, n.Panelists)
	}
	if n.Missing > 0 {
		spans = append(spans, span{l.warn, fmt.Sprintf(" %s %d%s", l.glyphs.warn, n.Missing, when(width < roundWidth, "", " missing"))})
	}
	return spans
}

// clashing says how many conflicts there are, and how many of them are left.
func (h *heading) clashing(width int) []span {
	l, n := h.look, &h.clashes.counts
	found := n.Conflicts()
	switch {
	case found == 0 && h.state.Over() && width >= roundWidth:
		return []span{{l.agreed, "  " + l.glyphs.agreed + " no conflicts"}}
	case found == 0:
		return nil
	case width < roundWidth && n.Left == 0:
		return []span{{l.agreed, fmt.Sprintf("  %s%d settled", l.glyphs.agreed, found)}}
	case width < roundWidth:
		return []span{{l.open, fmt.Sprintf("  %s%d left", l.glyphs.open, n.Left)}}
	}
	spans := []span{{l.text, "  " + plain.Counted(found, "conflict")}}
	if found > n.Left && (width >= costWidth || n.Left == 0) {
		spans = append(spans, span{l.agreed, fmt.Sprintf("  %s %d settled", l.glyphs.agreed, found-n.Left)})
	}
	if n.Left > 0 {
		spans = append(spans, span{when(h.state.Over(), l.unresolved, l.open), fmt.Sprintf("  %s %d left", when(h.state.Over(), l.glyphs.unresolved, l.glyphs.open), n.Left)})
	}
	return spans
}
