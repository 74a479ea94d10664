package tui

import (
	"fmt"

	"moot/state"
	"moot/tui/theme"
)

// roundWidth is the width from which the round is named beside the decision.
const roundWidth = 24

// proposal is where a session of the format dialectic stands: the round, and what
// code last decided.
func (h *heading) proposal(width int) []theme.Span {
	l := h.look
	if h.state.Round == 0 {
		return []theme.Span{{Text: " "}, l.Bold.Span(when(width < compactWidth, "opening", "not begun"))}
	}
	round := fmt.Sprintf("%d/%d", h.state.Round, h.rounds)
	spans := []theme.Span{{Text: " "}, l.Bold.Span(when(width < roundWidth, round, "round "+round))}
	if width >= compactWidth {
		spans = append(append(spans, theme.Span{Text: " "}), h.dots(h.rounds)...)
	}
	spans = append(append(spans, theme.Span{Text: "  "}), h.decision(width)...)
	return append(spans, h.step(width)...)
}

// decision is what code last decided, with its sign, and where there is room
// whether that was in an earlier round or no longer holds.
func (h *heading) decision(width int) []theme.Span {
	l, o := h.look, h.outcome
	if o == nil {
		return []theme.Span{l.Faint.Span(when(width < costWidth, "undecided", "nothing is decided yet"))}
	}
	glyph, st, _ := decisionTone(string(o.Decision)).signs(l)
	spans := []theme.Span{st.Span(glyph + " " + string(o.Decision))}
	switch {
	case width < costWidth || h.state.Over():
	case o.Round < h.state.Round:
		spans = append(spans, l.Faint.Span(fmt.Sprintf(" in round %d", o.Round)))
	case o.Changed:
		spans = append(spans, l.Faint.Span(", changed since"))
	}
	return spans
}

// step is how the session ended, or what is asked for now, where there is room.
func (h *heading) step(width int) []theme.Span {
	switch {
	case width < compactWidth:
	case h.state.Exit != state.ExitNone:
		return []theme.Span{h.look.Text.Span("  exit " + string(h.state.Exit))}
	case h.stage != "":
		return []theme.Span{h.look.Text.Span("  " + stageName(h.stage))}
	}
	return nil
}
