package tui

import (
	"fmt"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/state/store"
)

// phaseBarWidth is the width from which all phases of a council stand in a row.
const phaseBarWidth = 120

// council is where a council stands: the phase of its round, its round of how
// many, and what the rules said of consensus.
func (h *heading) council(width int) []span {
	l := h.look
	number, name := protocol.CouncilPhase(&h.state)
	rounds := resolver.LastRound(&h.state)
	left, found := []span{{text: " "}}, h.found(width)
	switch {
	case number == 0:
		return append(left, span{l.bold, when(width < compactWidth, "opening", "not begun")})
	case h.state.Over(), found != nil && width < costWidth:
		// What the rules found says more than the phase.
	case width >= phaseBarWidth:
		left = append(left, h.councilBar(number)...)
	case width < compactWidth:
		short, _, _ := strings.Cut(name, " ")
		left = append(left, span{l.bold, short + " "})
	default:
		left = append(left, span{l.bold, name + "  "})
	}
	round := fmt.Sprintf("%d/%d", h.state.Round, rounds)
	left = append(left, span{l.text, when(width < compactWidth, round, "round "+round)}, span{text: " "})
	if width >= costWidth || width >= compactWidth && found == nil {
		left = append(left, h.dots(rounds)...)
	}
	left = append(left, found...)
	if h.stage != "" {
		left = append(left, span{l.text, "  " + stageName(h.stage)})
	}
	return left
}

// councilBar draws the phases of a round: heavy strokes behind those that were
// reached.
func (h *heading) councilBar(number int) []span {
	l := h.look
	var spans []span
	for i, name := range protocol.CouncilPhases() {
		reached := i < number
		spans = append(spans,
			span{when(i == number-1, l.bold, l.faint), name + " "},
			span{when(reached, l.accent, l.border), strings.Repeat(when(reached, l.glyphs.heavy, l.glyphs.light), 2)},
			span{text: "  "})
	}
	return spans
}

// found is what the rules said of consensus in this round, and whether the
// moderator said otherwise.
func (h *heading) found(width int) []span {
	l := h.look
	tested := h.state.Council.Consensus(h.state.Round)
	if tested == nil {
		return nil
	}
	var spans []span
	switch n := len(tested.Unsettled); {
	case tested.Reached:
		spans = []span{{l.agreed, when(width < costWidth, " ", "  ") + l.glyphs.agreed + " consensus"}}
	case width < compactWidth:
		spans = []span{{l.unresolved, fmt.Sprintf(" %s%d", l.glyphs.unresolved, n)}}
	case width < costWidth:
		spans = []span{{l.unresolved, fmt.Sprintf(" %s %d unsettled", l.glyphs.unresolved, n)}}
	default:
		spans = []span{{l.unresolved, fmt.Sprintf("  %s no consensus, %d unsettled", l.glyphs.unresolved, n)}}
	}
	if tested.Contradicted() {
		words := when(width < costWidth, " "+l.glyphs.warn+" contradicted", "  "+l.glyphs.warn+" moderator contradicted")
		spans = append(spans, span{l.warn, when(width < compactWidth, " "+l.glyphs.warn, words)})
	}
	return spans
}

// listedCouncil is the round that a council has come to, of how many.
func listedCouncil(s *store.Summary) string {
	if s.Rounds == 0 {
		return fmt.Sprintf("round %d", s.Round)
	}
	return fmt.Sprintf("round %d/%d", s.Round, s.Rounds)
}

// endedCouncil says whether a council that ended came to consensus; "" where it
// ended otherwise.
func endedCouncil(s *store.Summary) string {
	switch s.Exit { //nolint:exhaustive // the others say themselves how it ended
	case state.ExitConverged:
		return "consensus"
	case state.ExitCap:
		return "no consensus"
	}
	return ""
}
