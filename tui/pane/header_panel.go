package pane

import (
	"fmt"

	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
)

// panel is where a panel stands: its round, how many answered while it is the
// first, and what became of the conflicts.
func (h *Header) panel(width int) []theme.Span {
	l := h.Look
	if h.State.Round == 0 {
		return []theme.Span{{Text: " "}, l.Bold.Span(when(width < CompactWidth, "opening", "not begun"))}
	}
	round := fmt.Sprintf("%d/%d", h.State.Round, state.MaxRounds)
	if h.State.Round == 1 {
		// Most panels have no other.
		round = "1"
	}
	spans := []theme.Span{{Text: " "}, l.Bold.Span(when(width < roundWidth, round, "round "+round))}
	if h.State.Round > 1 && width >= WideWidth {
		spans = append(append(spans, theme.Span{Text: " "}), h.dots(state.MaxRounds)...)
		spans = append(spans, l.Text.Span("  "+h.phaseName(width)))
	}
	spans = append(spans, h.answers(width)...)
	spans = append(spans, h.clashing(width)...)
	return append(spans, h.step(width)...)
}

// answers says how many of the panelists answered, and how many are missing.
func (h *Header) answers(width int) []theme.Span {
	l, n := h.Look, &h.Clashes.counts
	if h.State.Round > 1 && n.Missing == 0 {
		return nil
	}
	spans := []theme.Span{l.Text.Span(fmt.Sprintf("  %d/%d", n.Answered, n.Panelists))}
	if width >= roundWidth {
		spans[0].Text = fmt.Sprintf("  answers %d/%d", n.Answered, n.Panelists)
	}
	if n.Missing > 0 {
		spans = append(spans, l.Warn.Span(fmt.Sprintf(" %s %d%s", l.Glyphs.Warn, n.Missing, when(width < roundWidth, "", " missing"))))
	}
	return spans
}

// clashing says how many conflicts there are, and how many of them are left.
func (h *Header) clashing(width int) []theme.Span {
	l, n := h.Look, &h.Clashes.counts
	found := n.Conflicts()
	switch {
	case found == 0 && h.State.Over() && width >= roundWidth:
		return []theme.Span{l.Agreed.Span("  " + l.Glyphs.Agreed + " no conflicts")}
	case found == 0:
		return nil
	case width < roundWidth && n.Left == 0:
		return []theme.Span{l.Agreed.Span(fmt.Sprintf("  %s%d settled", l.Glyphs.Agreed, found))}
	case width < roundWidth:
		return []theme.Span{l.Open.Span(fmt.Sprintf("  %s%d left", l.Glyphs.Open, n.Left))}
	}
	spans := []theme.Span{l.Text.Span("  " + plain.Counted(found, "conflict"))}
	if found > n.Left && (width >= costWidth || n.Left == 0) {
		spans = append(spans, l.Agreed.Span(fmt.Sprintf("  %s %d settled", l.Glyphs.Agreed, found-n.Left)))
	}
	if n.Left > 0 {
		spans = append(spans, when(h.State.Over(), l.Unresolved, l.Open).Span(fmt.Sprintf("  %s %d left", when(h.State.Over(), l.Glyphs.Unresolved, l.Glyphs.Open), n.Left)))
	}
	return spans
}
