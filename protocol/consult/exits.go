package consult

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// testExits tests EX1 to EX3 at the end of a round.
func testExits(s *state.State) (protocol.Turn, bool) {
	done := converged(s)
	switch {
	case trivialDone(s):
		return protocol.Emit(&state.ExitReached{
			Exit:   state.ExitTrivial,
			Reason: "the question proved factual or trivial by round 2",
		})
	case done && s.Points.Len() == 0:
		return protocol.Emit(&state.ExitReached{Exit: state.ExitUnresolved, Reason: view.NoPoint(s)})
	case done && onlyRulesFace(s):
		return protocol.Emit(&state.ExitReached{Exit: state.ExitUnresolved, Reason: "no seat is left that can judge"})
	case done && !(s.Round == 2 && stressRequired(s)):
		return protocol.Emit(endOfDebate(s, state.ExitConverged))
	case s.Round >= resolver.LastRound(s):
		return protocol.Emit(&state.ExitReached{
			Exit:   state.ExitCap,
			Reason: fmt.Sprintf("round %d is the last", s.Round),
		})
	}
	return protocol.NotDue()
}

// onlyRulesFace reports whether no point was agreed or dismissed, and the authors of the
// remaining points face only built-in rules.
func onlyRulesFace(s *state.State) bool {
	rulings := resolver.Rule(s)
	if resolver.Found(s, rulings) {
		return true
	}
	points := claims.LivePoints(s)
	return resolver.Inconclusive(s, rulings) && len(points) > 0 &&
		!slices.ContainsFunc(points, func(p *state.Point) bool {
			return !resolver.FacesRules(s, p)
		})
}

// trivialDone reports whether a seat called the question trivial by round 2 and every
// point has its ruling (EX3).
func trivialDone(s *state.State) bool {
	return s.Trivial && s.Round <= 2 && s.Points.Len() > 0 && !hasPending(s)
}

// hasPending reports whether a live point still needs triage, a judgment, an answer to a
// challenge, or has an open request.
func hasPending(s *state.State) bool {
	return slices.ContainsFunc(claims.LivePoints(s), func(p *state.Point) bool {
		return p.Scope == state.Untriaged || resolver.Waiting(s, p) != nil || claims.NeedsEvaluation(s, p) ||
			slices.ContainsFunc(p.Asked, func(at int) bool { return s.Requests.At(at).Open() })
	})
}

// converged is EX1: nothing is pending, and the last exchange brought no new point.
func converged(s *state.State) bool {
	if s.Round < 2 {
		// In round 1 every point is new. Mode quick may end there.
		return s.Settings.Mode == state.ModeQuick && s.Points.Len() > 0 && !hasPending(s)
	}
	return !s.Points.Any(func(p *state.Point) bool {
		return p.Round == s.Round && p.Scope != state.Late && p.Scope != state.OverLimit && p.MergedInto == ""
	}) && !claims.CanProgress(s)
}

// nextRound starts the next round and sets its phase (PH1, PH2, PH3). CONSTRUCTIVE may be extended.
func nextRound(s *state.State) (protocol.Turn, bool) {
	n := s.Round + 1
	start := &state.RoundStarted{Round: n}
	change := &state.PhaseChanged{Phase: claims.PhaseByRound(n), Reason: fmt.Sprintf("round %d", n)}
	switch {
	case n != claims.FirstDevelopment:
	case s.Settings.Mode != state.ModeQuick && Of(s).Coverage == s.Round && Of(s).NewDisputes > 0 && newDispute(s):
		change.Extended, change.Reason = true, "the coverage check found what is not yet addressed"
	case stressRequired(s):
		change.Extended, change.Reason = true, "the stress test is still missing"
	}
	switch {
	case change.Extended:
		change.Phase = state.Constructive
	case change.Phase == s.Phase:
		return protocol.Emit(start)
	}
	return protocol.Emit(start, change)
}

// newDispute reports whether a point of this round is still open.
func newDispute(s *state.State) bool {
	return s.Points.Any(func(p *state.Point) bool {
		r := s.Ruling(p.ID)
		return p.Round == s.Round && r != nil && r.Bucket == state.BucketOpen
	})
}

// endOfDebate is the exit of a session in which nothing is left to do, by the rulings of the end (EX1): converged, or
// unresolved if a point stays so, or if every point in scope fell by concession or silence.
func endOfDebate(s *state.State, exit state.Exit) *state.ExitReached {
	over := *s
	over.Exit = exit
	settled := false
	var open []string
	for _, r := range resolver.Rule(&over) {
		if p := s.Point(r.Point); r.Bucket == state.BucketUnresolved && p.MergedInto == "" {
			open = append(open, r.Point)
		}
		argued := r.Tag == state.TagUser || r.Tag == state.TagViolates || r.Tag == state.TagRejected
		settled = settled || r.Bucket == state.BucketAgreed || r.Bucket == state.BucketDismissed && argued
	}
	if len(open) > 0 {
		stay := " stay unresolved"
		if len(open) == 1 {
			stay = " stays unresolved"
		}
		reason := "nothing more can be settled; " + strings.Join(open, ", ") + stay
		return &state.ExitReached{Exit: state.ExitUnresolved, Reason: reason}
	}
	if !settled {
		return &state.ExitReached{
			Exit:   state.ExitUnresolved,
			Reason: "no claim was agreed, and none was dismissed by argument, by evidence, by the user or by a fact of the user",
		}
	}
	return &state.ExitReached{Exit: state.ExitConverged, Reason: "no challenge waits, and the scope is stable"}
}

// closeSession asks the arbiter before a consultation ends (AR).
func closeSession(s *state.State) (protocol.Turn, bool) {
	turn, due := claims.CloseAfter(s, askArbiter, offerReexamination)
	if !due || !turn.Close {
		return turn, due
	}
	// An answer of the user may have changed the last ruling, and so the name of the exit.
	nothingFound := s.Exit == state.ExitUnresolved && (s.Points.Len() == 0 || onlyRulesFace(s))
	if s.Exit == state.ExitConverged || s.Exit == state.ExitUnresolved && !nothingFound {
		switch exit := endOfDebate(s, s.Exit); {
		case s.Decided > 0:
			turn.Exit = *exit
		case exit.Exit != s.Exit || exit.Reason != s.ExitReason:
			return protocol.Emit(exit)
		}
	}
	return turn, true
}

// askArbiter asks the arbiter if the triggers of AR are met. If the seat is empty, the result says so.
// The last rulings are on the record by then.
func askArbiter(s *state.State) (protocol.Turn, bool) {
	reason := arbiterDue(s)
	if reason == "" {
		return protocol.NotDue()
	}
	if _, seated := s.Assignment(state.Arbiter); !seated {
		if onlyRulesFace(s) {
			// No seat could judge; what the session needs is a model, not an arbiter.
			return protocol.NotDue()
		}
		return protocol.Emit(&state.Arbitrated{Flags: []state.Flag{}, Missing: reason})
	}
	return protocol.AskOnce(s, state.StageArbiter, []state.Seat{state.Arbiter}, move.KindFlag)
}

// arbitrateNow asks the arbiter if the user asked for it.
func arbitrateNow(s *state.State) (protocol.Turn, bool) {
	if !s.ArbiterAsked || s.Points.Len() == 0 || arbiterFailed(s) {
		return protocol.NotDue()
	}
	return protocol.AskOnce(s, state.StageArbiter, []state.Seat{state.Arbiter}, move.KindFlag)
}

// arbiterFailed reports whether two replies of the arbiter in a row could not be used.
func arbiterFailed(s *state.State) bool { return len(s.FailuresOf(state.Arbiter)) >= 2 }

// arbiterDue says which trigger of arbitration is met (AR), or "".
func arbiterDue(s *state.State) string {
	if s.Settings.Mode != state.ModeStandard || s.Arbitrated || s.Points.Len() == 0 || arbiterFailed(s) {
		return ""
	}
	unresolved := 0
	for _, r := range s.Rulings.All() {
		if r.Bucket == state.BucketUnresolved {
			unresolved++
		}
	}
	verified := s.Evidence.Any(func(e *ledger.Evidence) bool { return e.Proven() })
	switch {
	case unresolved >= 2:
		return fmt.Sprintf("%d points are unresolved", unresolved)
	case s.Settings.HighStakes:
		return "the stakes are high"
	case s.Settings.Arbitration:
		return "it was asked for"
	case agreedInRoundOne(s) && !verified:
		return "all was agreed at once, without verified evidence"
	}
	return ""
}

// offerReexamination asks the user whether to reexamine the points (AR).
func offerReexamination(s *state.State) (protocol.Turn, bool) {
	if !s.Settings.Waits() || len(s.Flags) == 0 || !resolver.HeavilyFlagged(s, resolver.Rule(s)) {
		return protocol.NotDue()
	}
	if protocol.WasAsked(s, claims.AboutReexam) {
		return protocol.Await(s, func(q *state.Question) bool { return q.About == claims.AboutReexam })
	}
	return protocol.Surface(s, &state.QuestionSurfaced{
		What: state.QuestionApproval, About: claims.AboutReexam,
		Options: []string{claims.AnswerReopen, "close"},
		Text:    "The arbiter flagged half of the points or more. Look at them again?",
	})
}

// leastAsks returns the asks that the round makes at least, given its first ones.
// them.
func leastAsks(s *state.State, asks []protocol.Ask) []protocol.Ask {
	least := append([]protocol.Ask{}, asks...)
	stage := asks[0].Stage
	if stage == state.StageMap {
		for _, seat := range proposers(s) {
			least = append(least, protocol.Ask{Seat: seat, Stage: state.StagePropose})
		}
		stage = state.StagePropose
	}
	switch stage { //nolint:exhaustive // nothing must follow the other stages
	case state.StagePropose:
		judges := s.Consultees()
		if framingOf(s.Settings.Framing).consultees {
			judges = []state.Seat{state.Orchestrator}
		}
		for _, seat := range judges {
			least = append(least, protocol.Ask{Seat: seat, Stage: state.StageEvaluate})
		}
	case state.StageAnswer:
		least = append(least, protocol.Ask{Seat: claims.JudgeAfter(s, asks), Stage: state.StageJudge})
	}
	return least
}

// offerStop offers to stop after a round without new evidence or a changed ruling (ST5).
func offerStop(s *state.State) (protocol.Turn, bool) {
	if s.Idle == 0 || !s.Settings.Attended || protocol.WasAsked(s, protocol.AboutStop) {
		return protocol.NotDue()
	}
	return protocol.Surface(s, &state.QuestionSurfaced{
		What: state.QuestionApproval, About: protocol.AboutStop,
		Options: []string{protocol.AnswerStop, "go on"},
		Text:    fmt.Sprintf("Round %d brought neither evidence nor a changed ruling. Stop here?", s.Round),
	})
}
