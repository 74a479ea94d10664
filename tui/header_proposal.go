package tui

import (
	"fmt"

	"moot/state"
)

// roundWidth is the width from which the round is named beside the decision.
const roundWidth = 24

// proposal is where a session of the format dialectic stands: the round, and what
// code last decided.
func (h *heading) proposal(width int) []span {
	l := h.look
	if h.state.Round == 0 {
		return []span{{text: " "}, {l.bold, when(width < compactWidth, "opening", "not begun")}}
	}
	round := fmt.Sprintf("%d/%d", h.state.Round, h.rounds)
	spans := []span{{text: " "}, {l.bold, when(width < roundWidth, round, "round "+round)}}
	if width >= compactWidth {
		spans = append(append(spans, span{text: " "}), h.dots(h.rounds)...)
	}
	spans = append(append(spans, span{text: "  "}), h.decision(width)...)
	return append(spans, h.step(width)...)
}

// decision is what code last decided, with its sign, and where there is room
// whether that was in an earlier round or no longer holds.
func (h *heading) decision(width int) []span {
	l, o := h.look, h.outcome
	if o == nil {
		return []span{{l.faint, when(width < costWidth, "undecided", "nothing is decided yet")}}
	}
	glyph, st, _ := decisionTone(string(o.Decision)).signs(l)
	spans := []span{{st, glyph + " " + string(o.Decision)}}
	switch {
	case width < costWidth || h.state.Over():
	case o.Round < h.state.Round:
		spans = append(spans, span{l.faint, fmt.Sprintf(" in round %d", o.Round)})
	case o.Changed:
		spans = append(spans, span{l.faint, ", changed since"})
	}
	return spans
}

// step is how the session ended, or what is asked for now, where there is room.
func (h *heading) step(width int) []span {
	switch {
	case width < compactWidth:
	case h.state.Exit != state.ExitNone:
		return []span{{h.look.text, "  exit " + string(h.state.Exit)}}
	case h.stage != "":
		return []span{{h.look.text, "  " + stageName(h.stage)}}
	}
	return nil
}
