package claims

import (
	"cmp"
	"slices"

	"moot/protocol"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// DueOf returns the open tasks of the asked seat.
func DueOf(s *state.State, ask protocol.Ask) Due {
	return Of(s).Due(s, ask)
}

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
	case state.FramingCritique, state.FramingRedteam, state.FramingVerify, state.FramingAudit:
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

// OverridesAfterEnd returns the overrides of a closed session (AN3).
func (Base) OverridesAfterEnd(decisions protocol.Decisions) []protocol.Override {
	o := Decisions{decisions}
	if !decidable(o.State) {
		return []protocol.Override{o.rewrite()}
	}
	open := protocol.OpenToUser(o.State)
	first, rest := o.OnQuestions()
	list := slices.DeleteFunc(slices.Concat(first, rest), func(one protocol.Override) bool {
		return !slices.ContainsFunc(open, func(q *state.Question) bool { return q.ID == one.About })
	})
	slices.SortFunc(list, func(a, b protocol.Override) int {
		return cmp.Compare(state.Index(a.About, 'Q'), state.Index(b.About, 'Q'))
	})
	for _, build := range rulingsOnPoints() {
		list = append(list, o.OnPoint("point", func(point string) protocol.Override {
			rule := build(point)
			rule.Undo = ""
			rule.Fields = []view.Field{
				protocol.ReasonField("It goes on the record and may be empty. A later ruling replaces it."),
			}
			return rule
		}))
	}
	return slices.Concat(list, o.SelectedFact(), o.OnFacts(), []protocol.Override{o.rewrite()})
}
