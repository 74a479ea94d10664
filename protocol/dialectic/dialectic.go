package dialectic

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
	"moot/view"
)

// Dialectic puts a typed proposal under pressure: a proposer makes its fields, a
// pressure-tester attacks them from a playbook, both bring evidence, and code
// says at the end of each round whether it advances, is held for another round,
// or is put to the user.
type Format struct{}

// Next implements Format. As in a consultation, the steps stand in the order of
// a round, and each looks at the state alone.
func (Format) Next(s state.State) protocol.Turn {
	for _, due := range []protocol.Step{
		starting,
		protocol.Checking,  // every reference, before it can count
		protocol.Approving, // commands, before they are run
		protocol.Failing,   // format failures
		concluding,
		permitted, // commands that wait for the user's leave
		tabling,   // PROPOSE, then REVISE and its kin
		emptied,   // nothing is proposed any more
		examining, // OBJECT
		supplying, // SUPPLY_EVIDENCE for what was objected
		rebutting, // a last look at what was supplied
		resolving,
		relieving, // questions that are settled otherwise
		escalated, // questions that wait for the user
		deciding,
	} {
		if turn, ok := due(&s); ok {
			return turn
		}
	}
	return protocol.Turn{}
}

// starting begins round 1.
func starting(s *state.State) (protocol.Turn, bool) {
	if s.Round > 0 || s.Over() {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.RoundStarted{Round: 1})
}

// tabling has the proposer make its proposal, and in later rounds answer what
// holds it. A reply without a field gets one critique.
func tabling(s *state.State) (protocol.Turn, bool) {
	if s.Round == 1 {
		asked := s.AskedOf(state.Proposer, state.StagePropose)
		if asked.Replies == 1 && s.Quality == 1 {
			return protocol.Turn{Asks: []protocol.Ask{{
				Seat: state.Proposer, Stage: state.StagePropose, Moves: []protocol.MoveKind{protocol.MovePropose, protocol.MoveNoObjection},
				Retry: s.QualityReason + ": give the fields of the proposal, each a PROPOSE\n" + protocol.RetryOf(asked),
			}}}, true
		}
		return askMended(s, state.Proposer, state.StagePropose, protocol.MovePropose, protocol.MoveNoObjection)
	}
	return askMended(s, state.Proposer, state.StagePropose,
		protocol.MovePropose, protocol.MoveRevise, protocol.MoveDefend, protocol.MoveConcede, protocol.MoveWithdraw, protocol.MoveSupply)
}

// emptied ends a session whose last field was withdrawn.
func emptied(s *state.State) (protocol.Turn, bool) {
	if resolver.AnyProposed(s) {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.ExitReached{
		Exit:   state.ExitDecided,
		Reason: "no field of the proposal is left: nothing advances",
	})
}

// examining has the pressure-tester look at the proposal. Where no move of its
// could be taken, also when it was asked again, the session ends: what nobody
// was heard on would else advance as if nobody had an objection.
func examining(s *state.State) (protocol.Turn, bool) {
	moves := []protocol.MoveKind{protocol.MoveObject, protocol.MoveRequest, protocol.MoveSupply, protocol.MoveNoObjection}
	asked := s.AskedOf(state.PressureTester, state.StageEvaluate)
	switch {
	case !unheard(s, asked):
		return askMended(s, asked.Seat, asked.Stage, moves...)
	case asked.Replies > 1:
		return protocol.Emit(&state.ExitReached{
			Exit:   state.ExitQuality,
			Reason: fmt.Sprintf("no move of %s could be taken, also when it was asked again: nobody was heard on the proposal", asked.Seat),
		})
	}
	return protocol.Turn{Asks: []protocol.Ask{{Seat: asked.Seat, Stage: asked.Stage, Moves: moves, Retry: protocol.RetryOf(asked)}}}, true
}

// unheard reports whether all that the pressure-tester said of the proposal in
// this round was refused, and not because it was known or settled already.
func unheard(s *state.State, asked state.Asked) bool {
	known := func(r state.Refusal) bool {
		switch r.Code {
		case "repeated", "too-many", "closed-point", "closed-challenge", "withdrawn":
			return true
		}
		return false
	}
	refused := slices.DeleteFunc(slices.Clone(asked.Refusals),
		func(r state.Refusal) bool { return r.Code == state.DroppedField })
	return len(refused) > 0 && !slices.ContainsFunc(refused, known) && !spoke(s, asked.Seat)
}

// spoke reports whether a seat objected, requested or brought evidence in this
// round.
func spoke(s *state.State, seat state.Seat) bool {
	for _, c := range s.Challenges.All() {
		if c.By == seat && c.Round == s.Round {
			return true
		}
	}
	for _, r := range s.Requests.All() {
		if r.By == seat && r.Round == s.Round {
			return true
		}
	}
	for _, item := range s.Evidence.All() {
		if item.OfferedBy == string(seat) && item.Round == s.Round {
			return true
		}
	}
	return false
}

// supplying has the proposer answer what this round's examination brought: not
// with other values, which nobody would have looked at.
func supplying(s *state.State) (protocol.Turn, bool) {
	if !resolver.Challenged(s, s.Round) {
		return protocol.NotDue()
	}
	return askMended(s, state.Proposer, state.StageAnswer, protocol.MoveSupply, protocol.MoveDefend, protocol.MoveConcede, protocol.MoveWithdraw)
}

// rebutting has the pressure-tester look at the evidence that came after its
// examination, before it decides anything.
func rebutting(s *state.State) (protocol.Turn, bool) {
	asked := s.AskedOf(state.PressureTester, state.StageJudge)
	if asked.Replies == 0 && asked.Failed == 0 && !suppliedSince(s, s.Dialectic.Examined) {
		return protocol.NotDue()
	}
	return askMended(s, state.PressureTester, state.StageJudge, protocol.MoveObject, protocol.MoveSupply, protocol.MoveNoObjection)
}

// suppliedSince reports whether the proposer brought evidence that was verified
// after an event.
func suppliedSince(s *state.State, seq int) bool {
	for i := s.Evidence.Len() - 1; i >= 0; i-- {
		if item := s.Evidence.At(i); item.Counts() && item.OfferedBy == string(state.Proposer) && item.Seq > seq {
			return true
		}
	}
	return false
}

// askMended asks a seat once, and once more where moves of its reply could not
// be taken and it may mend them.
func askMended(s *state.State, seat state.Seat, stage state.Stage, moves ...protocol.MoveKind) (protocol.Turn, bool) {
	asked := s.AskedOf(seat, stage)
	if asked.Replies > 1 || asked.Replies == 1 && !mendable(asked.Refusals) {
		return protocol.NotDue()
	}
	return protocol.Turn{Asks: []protocol.Ask{{Seat: seat, Stage: stage, Moves: moves, Retry: protocol.RetryOf(asked)}}}, true
}

// mendable reports whether a refused move was lost by the way that it was
// written.
func mendable(refusals []state.Refusal) bool {
	return slices.ContainsFunc(refusals, func(r state.Refusal) bool {
		switch r.Code {
		case "missing-field", "invalid-field", "unknown-flag", "unknown-point", "unknown-challenge", "path":
			return true
		}
		return false
	})
}

// permitted waits for the user's word on the commands that were offered as
// evidence, so that both seats see what comes of them before they go on.
func permitted(s *state.State) (protocol.Turn, bool) {
	if !s.Settings.Attended {
		return protocol.NotDue()
	}
	var open []string
	for _, q := range s.Questions.All() {
		if !q.Answered && strings.HasPrefix(q.About, protocol.AboutRun) {
			open = append(open, q.ID)
		}
	}
	return protocol.Turn{Await: open}, len(open) > 0
}

// resolving has code say what stands, once in a round, and again when the user
// changed something. The rulings follow from the same state.
func resolving(s *state.State) (protocol.Turn, bool) {
	if resolver.Resolved(s) {
		return protocol.NotDue()
	}
	recorded, _, err := resolver.Recorded(s, s.At)
	if err != nil {
		// Values are JSON when they are admitted: this cannot be.
		return protocol.Emit(&state.ExitReached{
			Exit:   state.ExitQuality,
			Reason: "the proposal cannot be resolved: " + err.Error(),
		})
	}
	d := &protocol.Draft{State: *s}
	d.Try(0, func() error { return d.Add(&state.RoundResolved{Resolution: recorded}) })
	d.Try(0, func() error {
		return d.Add(&state.Ruled{Round: s.Round, Rulings: resolver.Changed(&d.State, resolver.Rule(d.State))})
	})
	return protocol.Turn{Events: d.Events}, true
}

// deciding does what the last resolution says.
func deciding(s *state.State) (protocol.Turn, bool) {
	last := s.Dialectic.Last()
	switch dialectic.Decision(last.Decision) {
	case dialectic.Advance:
		return protocol.Emit(&state.ExitReached{Exit: state.ExitDecided, Reason: "ADVANCE: nothing holds the proposal"})
	case dialectic.Hold:
		return another(s)
	case dialectic.Escalate:
		return escalation(s)
	}
	return another(s)
}

// another begins the next round, or ends the session after the last.
func another(s *state.State) (protocol.Turn, bool) {
	if rounds := resolver.Configured(s).MaxRounds; s.Round >= rounds {
		exit, reason := state.ExitCap, fmt.Sprintf("round %d was the last, and the proposal does not advance", s.Round)
		if answeredByUser(s) {
			exit, reason = state.ExitDecided, "the user ruled, and the proposal does not advance"
		}
		return protocol.Emit(&state.ExitReached{Exit: exit, Reason: reason})
	}
	return protocol.Emit(&state.RoundStarted{Round: s.Round + 1})
}

// answeredByUser reports whether the user answered an escalation of this round,
// or upheld an objection that still holds a field.
func answeredByUser(s *state.State) bool {
	for _, c := range s.Challenges.All() {
		if upheldByUser(s, c) && resolver.Proposed(s.Point(c.Point)) {
			return true
		}
	}
	for _, q := range s.Questions.All() {
		if q.Kind == state.QuestionEscalation && q.Round == s.Round && q.Answered && q.Answer != settled {
			return true
		}
	}
	return false
}

// concluding is what happens once an exit is reached.
func concluding(s *state.State) (protocol.Turn, bool) {
	if !s.Over() {
		return protocol.NotDue()
	}
	var stale []state.Payload
	for _, q := range s.Questions.All() {
		if q.Kind == state.QuestionEscalation && !q.Answered {
			stale = append(stale, &state.QuestionAnswered{ID: q.ID, By: state.Protocol, Answer: "the session ended"})
		}
	}
	if len(stale) > 0 {
		return protocol.Turn{Events: stale}, true
	}
	if turn, due := protocol.Unapproved(s); due {
		return turn, due
	}
	rulings := resolver.Rule(*s)
	if rulings := resolver.Changed(s, rulings); len(rulings) > 0 || s.RuledSeq < s.Constraints {
		return protocol.Emit(&state.Ruled{Round: s.Round, Rulings: rulings})
	}
	return protocol.Turn{Close: true}, true
}

// Seated implements Format: each round has its two seats in turn.
func (Format) Seated(*state.State) []state.Seat {
	return []state.Seat{state.Proposer, state.PressureTester}
}

// Deliberated implements Format: the fields of the proposal as they stand.
func (Format) Deliberated(s *state.State) []*state.Point { return resolver.ProposedFields(s) }

// Missing implements Format: nobody can be done without.
func (Format) Missing(*state.State, protocol.Ask, string) []state.Payload { return nil }

// Answerable implements Format: the proposer answers in the next round.
func (Format) Answerable(s *state.State) bool { return s.Round < protocol.LastRound(s) }

// Undecided implements Format: the proposal does not advance, and it was not the
// user who decided so.
func (Format) Undecided(s *state.State) bool {
	if s.Exit == state.ExitDecided {
		return false
	}
	last := s.Dialectic.Last()
	return last == nil || last.Decision != string(dialectic.Advance)
}

// Least implements Format: what is asked, and the examination that follows a
// proposal.
func (Format) Least(_ state.State, asks []protocol.Ask) []protocol.Ask {
	least := append([]protocol.Ask{}, asks...)
	if asks[0].Stage == state.StagePropose {
		least = append(least, protocol.Ask{Seat: state.PressureTester, Stage: state.StageEvaluate})
	}
	return least
}

// fieldNamed returns the point of a field that is named by its id or path.
func fieldNamed(s *state.State, name string) *state.Point {
	if p := s.Point(name); p != nil && p.Field != nil {
		return p
	}
	return s.FieldAt(strings.TrimSpace(name))
}

// Name implements Format.
func (Format) Name() state.Format { return state.FormatDialectic }

// AsksAtOnce implements Format.
func (Format) AsksAtOnce() bool { return false }

// Blind implements Format.
func (Format) Blind(s *state.State, participant string) (owes, unseen bool) {
	return s.Owes(participant), s.Unseen(participant)
}

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return resolver.Proposals() }

// View implements protocol.Format.
func (Format) View() view.Format { return view.Proposals() }
