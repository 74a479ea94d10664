package protocol

import (
	"cmp"
	"slices"

	"moot/ledger"
	"moot/protocol/move"
	"moot/state"
	"moot/view"
)

// OpenSession starts round 1.
func OpenSession(s *state.State) (Turn, bool) {
	if s.Round > 0 || s.Over() {
		return NotDue()
	}
	return NextRound(s)
}

// NextRound starts the next round.
func NextRound(s *state.State) (Turn, bool) { return Emit(&state.RoundStarted{Round: s.Round + 1}) }

// EndOnFailures ends the session after two replies in a row of a seat that could not be used, or a
// quality failure that recurred after a critique (EX4). The reason also names the other seats whose last reply could
// not be used.
func EndOnFailures(s *state.State) (Turn, bool) {
	if s.Over() {
		return NotDue()
	}
	for _, f := range s.Failures {
		if len(s.FailuresOf(f.Seat)) >= 2 && f.Seat != state.Arbiter {
			reason, failure := FailedTwice(s, f.Seat)
			named := []state.Seat{f.Seat}
			for _, other := range s.Failures {
				if !slices.Contains(named, other.Seat) && other.Seat != state.Arbiter {
					named = append(named, other.Seat)
					reason += "; " + alsoFailed(s, other.Seat)
				}
			}
			return Emit(&state.ExitReached{Exit: state.ExitQuality, Reason: reason, Failure: failure})
		}
	}
	for _, c := range s.QualityOf {
		if c.Count < 2 {
			continue
		}
		e := &state.ExitReached{Exit: state.ExitQuality, Reason: s.QualityReason + ", also after a critique"}
		if f := s.QualityFailure; f.Kind != state.FailureNone {
			e.Failure = &f
			e.Reason = view.Sentence(view.Who(f.Seat, answering(s, f.Seat)), e.Reason)
			if f.Kind == state.FailureLookups {
				e.Reason = view.FailureLine(answering(s, f.Seat), f)
			}
		}
		return Emit(e)
	}
	return NotDue()
}

// alsoFailed says what happened to the last replies of a seat that could not be used.
func alsoFailed(s *state.State, seat state.Seat) string {
	failures := s.FailuresOf(seat)
	if len(failures) >= 2 {
		reason, _ := FailedTwice(s, seat)
		return reason
	}
	return view.FailureLine(answering(s, seat), failures[0])
}

// FailedTwice says what happened to the last two replies of a seat, neither of which could be used,
// and returns the failure of the last one. It is nil for replies that an older moot recorded without.
func FailedTwice(s *state.State, seat state.Seat) (string, *state.Failure) {
	failures := s.FailuresOf(seat)
	failures = failures[len(failures)-2:]
	if failures[1].Kind == state.FailureNone {
		return string(seat) + " failed the format twice in a row", nil
	}
	return view.FailureLine(answering(s, seat), failures...), &failures[1]
}

// MissedTwice returns the event for a seat whose last two replies could not be taken, in a format that continues without
// it; or nil.
func MissedTwice(s *state.State, seat state.Seat) *state.SeatMissed {
	failures := s.FailuresOf(seat)
	if len(failures) < 2 {
		return nil
	}
	m := &state.SeatMissed{Seat: seat, Answered: true, Reason: "two replies in a row could not be taken"}
	for _, asked := range s.Asked {
		if asked.Seat == seat && asked.Failed > 0 {
			m.Stage = asked.Stage
		}
	}
	failures = failures[len(failures)-2:]
	if last := &failures[1]; last.Kind != state.FailureNone {
		m.Failure, m.Reason = last, view.FailureWords(failures...)
	}
	return m
}

// answering returns the participant that answers for a seat: its own, or its fallback.
func answering(s *state.State, seat state.Seat) string {
	a, _ := s.Assignment(seat)
	return cmp.Or(a.Answering, a.Participant)
}

// AskOnce asks the seats that have not given a valid reply in this stage.
func AskOnce(s *state.State, stage state.Stage, seats []state.Seat, moves ...move.Kind) (Turn, bool) {
	var asks []Ask
	for _, seat := range seats {
		if asked := s.AskedOf(seat, stage); asked.Replies == 0 {
			asks = append(asks, Ask{Seat: seat, Stage: stage, Moves: moves, Retry: RetryOf(asked)})
		}
	}
	return Turn{Asks: asks}, len(asks) > 0
}

// RetryOf says why a seat is asked again, from its last reply.
func RetryOf(asked state.Asked) string {
	if asked.Failed == 0 && asked.Replies == 0 {
		return ""
	}
	why, over := "", ""
	for _, r := range asked.Refusals {
		if r.Code == state.NotTaken && r.Text == over {
			continue // It is the same limit.
		}
		why += r.Text + "\n"
		if r.Code == state.NotTaken {
			over = r.Text
		}
	}
	return cmp.Or(why, "what is listed below still waits for you\n")
}

// WasAsked reports whether the user was asked about something.
func WasAsked(s *state.State, about string) bool {
	return s.Questions.Any(func(q *state.Question) bool { return q.About == about })
}

// WithdrawStop withdraws the offer to stop once an exit was reached.
func WithdrawStop(s *state.State) (Turn, bool) {
	if !s.Over() {
		return NotDue()
	}
	return WithdrawQuestions(s, AnswerEnded, func(q *state.Question) bool { return q.About == AboutStop })
}

// Close ends a session after an exit was reached: it withdraws the offer to stop, records the unverified facts, and
// takes the steps before the end (RD10).
func Close(s *state.State, steps ...Step) (Turn, bool) {
	if !s.Over() {
		return NotDue()
	}
	if turn, due := WithdrawStop(s); due {
		return turn, due
	}
	var facts []state.Payload
	for _, f := range s.Facts.All() {
		if !s.FactsListed && f.Tag == ledger.TagUnverified && f.Live && !f.Evaluated {
			facts = append(facts, &state.FactEvaluated{Fact: f.ID, Outcome: "not evaluated"}) // LE5
		}
	}
	if len(facts) > 0 {
		return Emit(facts...)
	}
	if turn, due := FirstDue(s, steps...); due {
		return turn, due
	}
	return Turn{Close: true}, true
}
