package claims

import (
	"slices"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Due lists the open tasks of a seat in its turn, by id. The prompt shows them to a model;
// other participants read them from the state.
type Due struct {
	// Triage and Classify are points.
	Triage, Classify []string
	// Answer and Judge are challenges.
	Answer, Judge []string
	// Weigh are items of evidence whose relevance the seat was not asked about yet.
	Weigh []string
	// Score are the points for which the seat has not reported a confidence.
	Score []string
	// Optional says that the points in Classify need not be classified.
	Optional bool
	// Requests are the open requests to the seat from earlier rounds.
	Requests []*state.Request
}

// DueOf returns the open tasks of the asked seat.
func DueOf(s *state.State, ask protocol.Ask) Due {
	return Of(s).Due(s, ask)
}

// IDsOf returns the IDs of points.
func IDsOf(points []*state.Point) []string {
	return lists.Map(points, func(p *state.Point) string { return p.ID })
}

// Format has the methods of a format that debates claims, besides those of protocol.Format.
type Format interface {
	// AnswerSeat returns the seat that answers the question at the end (AN1), or "" if the format's
	// own decision is the answer.
	AnswerSeat(s *state.State) state.Seat
	// Seated returns the seats that take part in the rounds.
	Seated(s *state.State) []state.Seat
	// Due returns the open tasks of the asked seat.
	Due(s *state.State, ask protocol.Ask) Due
	// Answerable reports whether a challenge that is raised now can still be answered.
	Answerable(s *state.State) bool
	// Examines reports whether all prose that the user gave is under examination, so that it is no evidence
	// (RV4).
	Examines(s *state.State) bool
	// AsksAtOnce reports whether a request to a seat is due in the round it was made in; otherwise
	// it is due in the next.
	AsksAtOnce() bool
}

// Of returns the format of a session that debates claims, or a base without claims.
func Of(s *state.State) Format {
	if f, ok := s.Rules.(Format); ok {
		return f
	}
	return Base{}
}

// Base implements the methods of Format that most debates have in common. A format embeds it.
type Base struct{ protocol.Base }

// Own implements state.Rules: the format debates claims.
func (Base) Own() state.Own { return state.Own{Claims: true} }

// Due implements Format: the open tasks of a seat in a debate over claims.
func (Base) Due(s *state.State, ask protocol.Ask) Due {
	var d Due
	switch ask.Stage { //nolint:exhaustive // nothing is owed by id in the other stages
	case state.StageEvaluate, state.StageJudge:
		if ask.Seat == state.Orchestrator {
			d.Triage = IDsOf(Untriaged(s))
		}
		d.Classify = IDsOf(unclassified(s, ask.Seat))
		for _, c := range Unjudged(s, ask.Seat) {
			d.Judge = append(d.Judge, c.ID)
		}
	case state.StageAnswer, state.StageRemind:
		for _, c := range OpenChallenges(s, ask.Seat, state.StandsOpen, state.StandsReminded) {
			if !slices.Contains(d.Answer, c.ID) {
				d.Answer = append(d.Answer, c.ID)
			}
		}
	default:
		return d
	}
	for _, item := range ToWeigh(s, ask.Seat) {
		d.Weigh = append(d.Weigh, item.ID)
	}
	d.Requests = RequestsOf(s, ask.Seat)
	return d
}

// AnswerSeat implements Format: the orchestrator answers, if there is one.
func (Base) AnswerSeat(s *state.State) state.Seat {
	if _, seated := s.Assignment(state.Orchestrator); !seated {
		return ""
	}
	return state.Orchestrator
}

// Seated implements Format: all seats take part.
func (Base) Seated(s *state.State) []state.Seat {
	return s.SeatsThat(func(seat state.Seat) bool { return seat != state.Arbiter })
}

// Moves implements Format: the moves of all debates.
func (Base) Moves() protocol.Moves { return Moves() }

// AdmitUser implements Format.
func (Base) AdmitUser(u *protocol.UserAdmitter, move protocol.UserMove) error {
	return NewUser(u).Move(move)
}

// Overrides implements Format.
func (Base) Overrides(o protocol.Decisions) []protocol.Override { return Decisions{o}.Claims() }

// AfterEnd lets the user decide points of a session that is closed (AN3).
func (Base) AfterEnd(s *state.State, move protocol.UserMove) error { return afterTheEnd(s, move) }

// QuestionInfo describes a command that waits for approval.
func (Base) QuestionInfo(s *state.State, q *state.Question) (info protocol.QuestionInfo, ok bool) {
	if IsRun(q) {
		return CommandInfo(s, q), true
	}
	return info, false
}

// View implements Format.
func (Base) View() view.Format { return view.Claims{} }

// Rulings implements Format.
func (Base) Rulings() resolver.Format { return resolver.Claims{} }

// Answerable implements Format: authors answer in the next round.
func (Base) Answerable(s *state.State) bool { return s.Round < resolver.LastRound(s) }

// Examines implements Format: the framings that put a text to the test.
func (Base) Examines(s *state.State) bool {
	switch s.Settings.Framing { //nolint:exhaustive // the others examine no document
	case state.FramingCritique, state.FramingRedteam, state.FramingVerify:
		return true
	}
	return false
}

// AsksAtOnce implements Format.
func (Base) AsksAtOnce() bool { return false }

// Moves returns the moves of a debate over claims with those of its format, which may replace a shared one.
func Moves(own ...move.Row) protocol.Moves {
	rows := move.Shared()
	for _, row := range own {
		row.Plain = true
		at := slices.IndexFunc(rows, func(r move.Row) bool { return move.KindOf(r.Move) == move.KindOf(row.Move) })
		if at >= 0 {
			row.Plain = rows[at].Plain
			rows[at] = row
		} else {
			rows = append(rows, row)
		}
	}
	return protocol.Moves{Seats: rows}
}
