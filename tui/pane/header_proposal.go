package pane

import (
	"fmt"

	"moot/state"
	"moot/tui/theme"
)

// roundWidth is the width from which the round is named beside the decision.
const roundWidth = 24

// proposal is where a session of the format dialectic stands: the round, and what
// code last decided.
func (h *Header) proposal(width int) []theme.Span {
	l := h.Look
	if h.State.Round == 0 {
		return []theme.Span{{Text: " "}, l.Bold.Span(when(width < CompactWidth, "opening", "not begun"))}
	}
	round := fmt.Sprintf("%d/%d", h.State.Round, h.Rounds)
	spans := []theme.Span{{Text: " "}, l.Bold.Span(when(width < roundWidth, round, "round "+round))}
	if width >= CompactWidth {
		spans = append(append(spans, theme.Span{Text: " "}), h.dots(h.Rounds)...)
	}
	spans = append(append(spans, theme.Span{Text: "  "}), h.decision(width)...)
	return append(spans, h.step(width)...)
}

// decision is what code last decided, with its sign, and where there is room
// whether that was in an earlier round or no longer holds.
func (h *Header) decision(width int) []theme.Span {
	l, o := h.Look, h.Outcome
	if o == nil {
		return []theme.Span{l.Faint.Span(when(width < costWidth, "undecided", "nothing is decided yet"))}
	}
	glyph, st, _ := decisionTone(string(o.Decision)).signs(l)
	spans := []theme.Span{st.Span(glyph + " " + string(o.Decision))}
	switch {
	case width < costWidth || h.State.Over():
	case o.Round < h.State.Round:
		spans = append(spans, l.Faint.Span(fmt.Sprintf(" in round %d", o.Round)))
	case o.Changed:
		spans = append(spans, l.Faint.Span(", changed since"))
	}
	return spans
}

// step is how the session ended, or what is asked for now, where there is room.
func (h *Header) step(width int) []theme.Span {
	switch {
	case width < CompactWidth:
	case h.State.Exit != state.ExitNone:
		return []theme.Span{h.Look.Text.Span("  exit " + string(h.State.Exit))}
	case h.Stage != "":
		return []theme.Span{h.Look.Text.Span("  " + StageName(h.Stage))}
	}
	return nil
}
