package tui

import (
	"fmt"
	"slices"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// hearingAsks says in a sentence what a stage of a hearing asks for.
func hearingAsks(stage state.Stage) string {
	switch stage { //nolint:exhaustive // the others are of other formats
	case state.StageArgue:
		return "Argue your side from the facts of the packet, then conclude: how sure are you of it?"
	case state.StageProbe:
		return "What is the strongest argument from the facts against who is more confident?"
	case state.StageContest:
		return "Which facts speak against the claims of the other side?"
	}
	return "Answer what was cited against your claims, cite facts against the other's, then conclude."
}

// hearingHint shows the telegraphic form of a move of a hearing: facts stand in
// brackets, by their ids.
func hearingHint(m protocol.MoveKind) string {
	switch m { //nolint:exhaustive // a hearing has no others
	case protocol.MoveClaim:
		return "CLAIM [f01, f02] 0.8: what they show"
	case protocol.MoveContradict:
		return "CONTRADICT P3 [f07]: how"
	case protocol.MoveAnswer:
		return "ANSWER C1 [f02]: why the claim stands"
	case protocol.MoveScore:
		return "SCORE P2 0.6 because f07"
	case protocol.MoveConcede:
		return "CONCEDE P2: why"
	case protocol.MoveConclude:
		return "CONCLUDE 0.7 | would change: a fact such as …"
	case protocol.MoveFlag:
		return "NOTHING"
	}
	return hint(m)
}

// knownClaims are the claims that a side may know of while it argues, its own and those
// that the other made in rounds before; also where it is asked once more.
func knownClaims(s *state.State, seat state.Seat) []*state.Point {
	return slices.DeleteFunc(protocol.Deliberated(s), func(p *state.Point) bool {
		return p.IsAuthor(state.Opponent(seat)) && p.Round >= s.Round
	})
}

// claimedBy says whose claim a point of a hearing is.
func claimedBy(l *theme.Look, s *state.State, p *state.Point) []theme.Span {
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		if s.Settings.Format == state.FormatHearing && p.IsAuthor(seat) {
			return []theme.Span{l.SeatStyle(seat).Span(string(seat) + "  ")}
		}
	}
	return nil
}

// mostListed is how many facts are listed for who speaks; the view of the hearing has
// all of them.
const mostListed = 100

// packetRows are the facts that can be cited, each in a row with its id; none in other
// formats.
func packetRows(l *theme.Look, s *state.State, width int) []string {
	packet := s.Hearing.Packet
	if packet == nil {
		return nil
	}
	rows := []string{theme.Blank(width), l.Row(width, []theme.Span{l.Bold.Span("facts"), l.Faint.Span(fmt.Sprintf("  %d, all there are", packet.Len()))}, nil)}
	for i := range min(packet.Len(), mostListed) {
		f := packet.At(i)
		rows = append(rows, l.Row(width, []theme.Span{l.Bold.Span("  " + f.ID + "  "), l.Text.Span(pane.PacketFactWords(&f))}, nil))
	}
	if left := packet.Len() - mostListed; left > 0 {
		rows = append(rows, l.Row(width, []theme.Span{l.Faint.Span(fmt.Sprintf("  and %d more, in view 6", left))}, nil))
	}
	return rows
}
