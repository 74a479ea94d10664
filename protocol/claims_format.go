package protocol

import (
	"slices"

	"moot/internal/lists"
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
func DueOf(s *state.State, ask Ask) Due {
	return ClaimsOf(s).Due(s, ask)
}

// IDsOf returns the IDs of points.
func IDsOf(points []*state.Point) []string {
	return lists.Map(points, func(p *state.Point) string { return p.ID })
}

// ClaimsFormat is what a format that debates claims has besides the methods of Format.
type ClaimsFormat interface {
	// AnswerSeat returns the seat that answers the question at the end (AN1), or "" if the format's
	// own decision is the answer.
	AnswerSeat(s *state.State) state.Seat
	// Seated returns the seats that take part in the rounds.
	Seated(s *state.State) []state.Seat
	// Due returns the open tasks of the asked seat.
	Due(s *state.State, ask Ask) Due
	// Answerable reports whether a challenge that is raised now can still be answered.
	Answerable(s *state.State) bool
	// Examines reports whether all prose that the user gave is under examination, so that it is no evidence
	// (RV4).
	Examines(s *state.State) bool
	// AsksAtOnce reports whether a request to a seat is due in the round it was made in; otherwise
	// it is due in the next.
	AsksAtOnce() bool
}

// ClaimsOf returns the format of a session that debates claims, or a base without claims.
func ClaimsOf(s *state.State) ClaimsFormat {
	if f, ok := s.Rules.(ClaimsFormat); ok {
		return f
	}
	return ClaimsBase{}
}

// ClaimsBase implements the methods of ClaimsFormat that most debates have in common. A format embeds it.
type ClaimsBase struct{ Base }

// Due implements ClaimsFormat: the open tasks of a seat in a debate over claims.
func (ClaimsBase) Due(s *state.State, ask Ask) Due {
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

// AnswerSeat implements ClaimsFormat: the orchestrator answers, if there is one.
func (ClaimsBase) AnswerSeat(s *state.State) state.Seat {
	if _, seated := s.Assignment(state.Orchestrator); !seated {
		return ""
	}
	return state.Orchestrator
}

// Seated implements ClaimsFormat: all seats take part.
func (ClaimsBase) Seated(s *state.State) []state.Seat {
	return s.SeatsThat(func(seat state.Seat) bool { return seat != state.Arbiter })
}

// Moves implements Format: the moves of all debates.
func (ClaimsBase) Moves() Moves { return MovesWith() }

// AdmitUser implements Format.
func (ClaimsBase) AdmitUser(u *UserAdmitter, move UserMove) error { return NewClaimsUser(u).Move(move) }

// Overrides implements Format.
func (ClaimsBase) Overrides(o Decisions) []Override { return ClaimsDecisions{o}.Claims() }

// AfterEnd lets the user decide points of a session that is closed (AN3).
func (ClaimsBase) AfterEnd(s *state.State, move UserMove) error { return afterTheEnd(s, move) }

// QuestionInfo describes a command that waits for approval.
func (ClaimsBase) QuestionInfo(s *state.State, q *state.Question) (info QuestionInfo, ok bool) {
	if IsRun(q) {
		return CommandInfo(s, q), true
	}
	return info, false
}

// View implements Format.
func (ClaimsBase) View() view.Format { return view.Claims{} }

// Rulings implements Format.
func (ClaimsBase) Rulings() resolver.Format { return resolver.Claims{} }

// Answerable implements ClaimsFormat: authors answer in the next round.
func (ClaimsBase) Answerable(s *state.State) bool { return s.Round < resolver.LastRound(s) }

// Examines implements ClaimsFormat: the framings that put a text to the test.
func (ClaimsBase) Examines(s *state.State) bool {
	switch s.Settings.Framing { //nolint:exhaustive // the others examine no document
	case state.FramingCritique, state.FramingRedteam, state.FramingVerify:
		return true
	}
	return false
}

// AsksAtOnce implements ClaimsFormat.
func (ClaimsBase) AsksAtOnce() bool { return false }
