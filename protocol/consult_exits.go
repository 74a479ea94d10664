package protocol

import (
	"fmt"
	"slices"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// ruled records the changed rulings, once a round (RD7).
func ruled(s *state.State) (Turn, bool) {
	if s.RuledRound == s.Round {
		return notDue()
	}
	return events(&state.Ruled{Round: s.Round, Rulings: resolver.Changed(s, resolver.Rule(*s))})
}

// ruling records the changed rulings (RD7), and offers to stop where a round brought
// nothing.
func ruling(s *state.State) (Turn, bool) {
	turn, due := ruled(s)
	if !due {
		return notDue()
	}
	d := &draft{s: *s}
	d.try(0, func() error { return d.all(turn.Events...) })
	if d.s.Idle > 0 && s.Settings.Attended && !offered(s, aboutStop) {
		// ST5: a round that brought nothing makes the session offer to stop.
		d.try(0, func() error {
			return d.add(&state.QuestionSurfaced{
				ID: d.nextQuestion(), What: state.QuestionApproval, About: aboutStop,
				Options: []string{answerStop, "go on"},
				Text:    fmt.Sprintf("Round %d brought neither evidence nor a changed ruling. Stop here?", s.Round),
			})
		})
	}
	return Turn{Events: d.events}, true
}

func offered(s *state.State, about string) bool {
	for _, q := range s.Questions.All() {
		if q.About == about {
			return true
		}
	}
	return false
}

// nothingFound is why a session ends in which built-in rules found no passage.
const nothingFound = "nothing found that answers this"

// exits tests EX1 to EX3 at the end of a round.
func exits(s *state.State) (Turn, bool) {
	switch {
	case trivialDone(s):
		return events(&state.ExitReached{
			Exit:   state.ExitTrivial,
			Reason: "the question proved factual or trivial by round 2",
		})
	case converged(s) && s.Points.Len() == 0:
		return events(&state.ExitReached{Exit: state.ExitUnresolved, Reason: nothingFound})
	case converged(s) && onlyRulesFace(s):
		return events(&state.ExitReached{Exit: state.ExitUnresolved, Reason: "no seat is left that can judge"})
	case converged(s) && !(s.Round == 2 && stressRequired(s)):
		return events(&state.ExitReached{
			Exit:   state.ExitConverged,
			Reason: "no challenge waits, and the scope is stable",
		})
	case s.Round >= lastRound(s):
		return events(&state.ExitReached{Exit: state.ExitCap, Reason: fmt.Sprintf("round %d is the last", s.Round)})
	}
	return notDue()
}

// onlyRulesFace reports whether no point was agreed or dismissed and only built-in rules
// face the authors of those that are left.
func onlyRulesFace(s *state.State) bool {
	rulings := resolver.Rule(*s)
	if resolver.Found(rulings) {
		return true
	}
	points := livePoints(s)
	return resolver.Inconclusive(rulings) && len(points) > 0 && !slices.ContainsFunc(points, func(p *state.Point) bool {
		return !resolver.FacesRules(s, p)
	})
}

// trivialDone reports whether a seat found the question trivial by round 2 and
// every point has its ruling (EX3).
func trivialDone(s *state.State) bool {
	return s.Trivial && s.Round <= 2 && s.Points.Len() > 0 && !waiting(s)
}

// waiting reports whether a live point is owed a challenge's end, a judgment,
// or the window of a request.
func waiting(s *state.State) bool {
	for _, p := range livePoints(s) {
		if p.Scope == state.Untriaged || resolver.Waiting(s, p) != nil {
			return true
		}
		for _, at := range p.Asked {
			if s.Requests.At(at).Open() {
				return true
			}
		}
		if unseen(s, p) {
			return true
		}
	}
	return false
}

// unseen reports whether an evaluator has not judged the point.
func unseen(s *state.State, p *state.Point) bool {
	for _, seat := range evaluators(s, p) {
		if latest := p.Latest(seat); latest == nil || latest.Seq < p.Reopened {
			return true
		}
	}
	return false
}

// converged is EX1: nothing waits, and the last exchange brought no new point.
func converged(s *state.State) bool {
	if s.Round < 2 {
		// Round 1 is all new points; in mode quick it may do.
		return s.Settings.Mode == state.ModeQuick && s.Points.Len() > 0 && !waiting(s)
	}
	for _, p := range s.Points.All() {
		if p.Round == s.Round && p.Scope != state.Late && p.Scope != state.OverLimit && p.MergedInto == "" {
			return false
		}
	}
	return !movable(s)
}

// movable reports whether something waits that a further round can move.
// Points that their evaluator never judged, though asked, do not hold the
// session; they end Unresolved.
func movable(s *state.State) bool {
	for _, p := range livePoints(s) {
		if resolver.Waiting(s, p) != nil {
			return true
		}
		for _, at := range p.Asked {
			if s.Requests.At(at).Open() {
				return true
			}
		}
		if unseen(s, p) && (p.Round >= s.Round-1 || p.Reopened > s.RoundSeq) {
			return true
		}
	}
	return false
}

// advancing starts the next round and sets its phase (PH1, PH2, PH3).
func advancing(s *state.State) (Turn, bool) {
	n := s.Round + 1
	start := &state.RoundStarted{Round: n}
	phase, extended, reason := phaseOf(s, n)
	if phase == s.Phase && !extended {
		return events(start)
	}
	return events(start, &state.PhaseChanged{Phase: phase, Extended: extended, Reason: reason})
}

// The first rounds of the later phases (PH1).
const (
	firstDevelopment     = 3
	firstCrystallization = 6
)

// phaseOf returns the phase of round n, and whether CONSTRUCTIVE is extended.
func phaseOf(s *state.State, n int) (state.Phase, bool, string) {
	switch {
	case n < firstDevelopment:
		return state.Constructive, false, fmt.Sprintf("round %d", n)
	case n == firstDevelopment && s.Settings.Mode != state.ModeQuick && s.NewDisputes > 0:
		return state.Constructive, true, "the coverage check found what is not yet addressed (PH2a)"
	case n == firstDevelopment && stressRequired(s):
		return state.Constructive, true, "the stress test is still owed (PH2b)"
	case n < firstCrystallization:
		return state.Development, false, fmt.Sprintf("round %d", n)
	}
	return state.Crystallization, false, fmt.Sprintf("round %d", n)
}

// closingSteps is what happens once an exit is reached: the last rulings, what
// became of unverified facts, arbitration, the end (RD10).
func closingSteps(s *state.State) (Turn, bool) {
	if !s.Over() {
		return notDue()
	}
	if stale := staleOffers(s); len(stale) > 0 {
		return Turn{Events: stale}, true
	}
	rulings := resolver.Rule(*s)
	if changed := resolver.Changed(s, rulings); len(changed) > 0 || s.RuledSeq < s.Constraints {
		return events(&state.Ruled{Round: s.Round, Rulings: changed})
	}
	if facts := unevaluated(s); len(facts) > 0 {
		return Turn{Events: facts}, true
	}
	if arbiterDue(s, rulings) {
		if turn, due := askOnce(s, state.StageArbiter, []state.Seat{state.Arbiter}, MoveFlag); due {
			return turn, due
		}
	}
	if turn, due := offerReexamination(s, rulings); due {
		return turn, due
	}
	if turn, due := lastWord(s); due {
		return turn, due
	}
	if turn, due := unapproved(s); due {
		return turn, due
	}
	return Turn{Close: true}, true
}

// staleOffers takes back the offer to stop, once the session has ended.
func staleOffers(s *state.State) []state.Payload {
	var stale []state.Payload
	for _, q := range s.Questions.All() {
		if q.About == aboutStop && !q.Answered {
			stale = append(stale, &state.QuestionAnswered{ID: q.ID, By: state.Protocol, Answer: "the session ended"})
		}
	}
	return stale
}

// unevaluated lists unverified facts that nothing was said of yet (LE5).
func unevaluated(s *state.State) []state.Payload {
	var events []state.Payload
	if s.FactsListed {
		return nil
	}
	for _, f := range s.Facts.All() {
		if f.Tag == ledger.TagUnverified && f.Live && !f.Evaluated {
			events = append(events, &state.FactEvaluated{Fact: f.ID, Outcome: "not evaluated"})
		}
	}
	return events
}

// arbiterDue tests the triggers of arbitration (AR).
func arbiterDue(s *state.State, rulings []state.Ruling) bool {
	if _, seated := s.Assignment(state.Arbiter); !seated || s.Settings.Mode != state.ModeStandard || s.Arbitrated ||
		len(rulings) == 0 {
		return false
	}
	for _, f := range s.Failures {
		if f.Seat == state.Arbiter && f.Count >= 2 {
			return false
		}
	}
	unresolved := 0
	for _, r := range rulings {
		if r.Bucket == state.BucketUnresolved {
			unresolved++
		}
	}
	return unresolved >= 2 || s.Settings.HighStakes || s.Settings.Arbitration || (agreedAtOnce(s) && !anyVerified(s))
}

func anyVerified(s *state.State) bool {
	for _, e := range s.Evidence.All() {
		if e.Counts() {
			return true
		}
	}
	return false
}

// offerReexamination asks the user whether to look again (AR).
func offerReexamination(s *state.State, rulings []state.Ruling) (Turn, bool) {
	if !s.Settings.Attended || !resolver.HeavilyFlagged(s, rulings) {
		return notDue()
	}
	for _, q := range s.Questions.All() {
		if q.About == aboutReexam {
			if q.Answered {
				return notDue()
			}
			return Turn{Await: []string{q.ID}}, true
		}
	}
	return events(&state.QuestionSurfaced{
		ID: state.NextID('Q', s.Questions.Len()), What: state.QuestionApproval, About: aboutReexam,
		Options: []string{answerReopen, "close"},
		Text:    "The arbiter flagged half of the points or more. Look at them again?",
	})
}

// lastWord holds an attended session open while questions wait whose answers
// could still change a ruling: a closed session is never rewritten.
func lastWord(s *state.State) (Turn, bool) {
	if !s.Settings.Attended || s.Exit == state.ExitUser {
		return notDue()
	}
	var open []string
	for _, q := range s.Questions.All() {
		switch {
		case q.About == aboutClose && q.Answered:
			return notDue()
		case q.Answered || q.About == aboutStop || q.About == aboutReexam || (q.Point == "" && q.About != aboutClose):
		default:
			open = append(open, q.ID)
		}
	}
	if len(open) == 0 {
		return notDue()
	}
	if offered(s, aboutClose) {
		if len(open) == 1 {
			// Only the offer to close is left.
			return notDue()
		}
		return Turn{Await: open}, true
	}
	return events(&state.QuestionSurfaced{
		ID: state.NextID('Q', s.Questions.Len()), What: state.QuestionApproval, About: aboutClose,
		Options: []string{answerClose},
		Text:    "The debate is over; your answers can still change rulings. Answer what is open, or close the session.",
	})
}

// closing is the last event of a session (EX9).
func closing(s state.State, rulings []state.Ruling) *state.SessionClosed {
	inconclusive := resolver.Inconclusive(rulings)
	if f := FormatOf(s.Settings.Format); f != nil && f.undecided(&s) {
		inconclusive = true
	}
	return &state.SessionClosed{Exit: s.Exit, Inconclusive: inconclusive, Digest: resolver.Digest(rulings)}
}
