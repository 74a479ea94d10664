// Package panel asks several participants at once, without showing them each other's answers, and
// settles their contradictions. Start at Format.Next, then read conflicts.go and rulings.go.
package panel

import (
	_ "embed" // for prompts.md
	"fmt"
	"reflect"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
	"moot/view"
)

// Next implements Format. The steps are listed in the order of a round; the first one that
// is due becomes the turn. In rounds 2 to 8 the two sides of a conflict argue it.
func (Format) Next(s *state.State) protocol.Turn {
	const last = state.MaxRounds
	turn, _ := protocol.FirstDue(s,
		claims.AskAboutFacts, // facts of the user that do not hold together
		openSession,
		claims.CheckEvidence,                  // RD6
		claims.AskAboutPoints,                 // AC5b
		claims.ApproveCommands,                // commands, before they are run
		closeSession,                          // RD10, once an exit is reached
		markMissing,                           // seats that failed twice
		inRounds(1, 1, askPanel),              // RD1b: in parallel
		inRounds(1, 1, tooFewAnswers),         // fewer than two answers
		claims.MergeDuplicates,                // RD2: identical text
		inRounds(1, 1, askComparison),         // TRIAGE by the orchestrator (RD1b)
		inRounds(1, 1, markContradictions),    // RD1b: unmarked contradictions
		inRounds(1, 1, claims.ScopeUntriaged), // all other points
		recordConflicts,
		inRounds(1, 1, hearOtherSide),              // RV2: before evidence decides
		inRounds(1, 1, askVotes),                   // on conflicts that an answer leaves open
		settleConflicts,                            // by strategy
		retractQuestions,                           // obsolete questions
		inRounds(2, last, claims.RaiseRefutations), // RD6
		inRounds(2, last, askDefenses),             // RD4, RD5
		claims.RemindSeats,                         // CH2, CH4
		inRounds(2, last, claims.EvaluatePoints),   // RD3, CH5
		claims.ExpireRequests,                      // unanswered requests
		inRounds(2, last, claims.RequestEvidence),  // JU5: request evidence once
		claims.RecordRulings,                       // RD7
		inRounds(1, 1, argueUnsettled),             // if configured
		continueArgument,                           // next round
		askUser,                                    // unsettled conflicts
		endSession,
	)
	if len(turn.Asks) > 0 {
		turn.Least = leastAsks(s, turn.Asks)
	}
	return turn
}

// inRounds limits a step to some rounds.
func inRounds(first, last int, due protocol.Step) protocol.Step {
	return func(s *state.State) (protocol.Turn, bool) {
		if s.Round < first || s.Round > last {
			return protocol.NotDue()
		}
		return due(s)
	}
}

// present returns the panelists that are not missing.
func present(s *state.State) []state.Seat { return slices.DeleteFunc(panelists(s), s.Misses) }

// answered returns the panelists whose first answer arrived.
func answered(s *state.State) []state.Seat {
	return slices.DeleteFunc(panelists(s), func(seat state.Seat) bool { return !claims.HasPoint(s, seat) })
}

// markMissing marks a seat as missing if its format failed twice in a row, or if it gave
// no discrete point even after a critique. The others continue.
func markMissing(s *state.State) (protocol.Turn, bool) {
	var gone []state.Payload
	for _, seat := range claims.Seated(s) {
		if m := missed(s, seat); m != nil {
			gone = append(gone, m)
		}
	}
	return protocol.Turn{Events: gone}, len(gone) > 0
}

// missed returns the event for a seat whose replies could not be used, or nil.
func missed(s *state.State, seat state.Seat) *state.SeatMissed {
	if IsPanelist(seat) && s.AskedOf(seat, state.StagePropose).Replies > 1 && !claims.HasPoint(s, seat) {
		m := &state.SeatMissed{Seat: seat, Answered: true, Stage: state.StagePropose}
		m.Reason = "gave no discrete point, also after a critique"
		m.Failure = claims.Formless(seat, m.Reason)
		if f := s.QualityFailure; f.Seat == seat && f.Kind == state.FailureLookups {
			m.Failure, m.Reason = &f, view.FailureWords(f)
		}
		return m
	}
	return protocol.MissedTwice(s, seat)
}

// askPanel asks all panelists for their answers, in parallel.
func askPanel(s *state.State) (protocol.Turn, bool) {
	moves := []move.Kind{move.KindRaise, move.KindCite, move.KindFlag, move.KindClarify}
	if turn, due := protocol.AskOnce(s, state.StagePropose, present(s), moves...); due {
		return turn, due
	}
	var asks []protocol.Ask
	for _, seat := range present(s) {
		if asked := s.AskedOf(seat, state.StagePropose); asked.Replies == 1 && !claims.HasPoint(s, seat) {
			asks = append(asks, protocol.Ask{
				Seat: seat, Stage: state.StagePropose, Moves: moves,
				Retry: "the reply holds no discrete point: give discrete points on the question, each a RAISE",
			})
		}
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// tooFewAnswers handles a panel that has nothing to compare. If no seat could be reached
// the session pauses (EX7); if one answered, it ends.
func tooFewAnswers(s *state.State) (protocol.Turn, bool) {
	there := len(answered(s))
	switch {
	case there > 1:
		return protocol.NotDue()
	case there == 0:
		return noAnswers(s)
	}
	e := &state.ExitReached{
		Exit:   state.ExitQuality,
		Reason: "only " + string(answered(s)[0]) + " answered: there is nothing to compare",
	}
	if m := firstMissing(s); m != nil && m.Failure != nil {
		e.Failure, e.Reason = m.Failure, e.Reason+"; "+missingLine(s, m)
	}
	return protocol.Emit(e)
}

// firstMissing returns the first panelist that gave no answer, or nil.
func firstMissing(s *state.State) *state.SeatMissed {
	for i := range s.Missing {
		if m := &s.Missing[i]; IsPanelist(m.Seat) {
			return m
		}
	}
	return nil
}

// noAnswers is the turn if no answer arrived. Unreachable seats are asked again when the
// session resumes.
func noAnswers(s *state.State) (protocol.Turn, bool) {
	var again []state.Payload
	var why []string
	for _, m := range s.Missing {
		if !m.Answered {
			again = append(again, &state.SeatRecalled{Seat: m.Seat, By: state.Protocol})
		}
		if m.Failure != nil {
			why = append(why, missingLine(s, &m))
		} else {
			why = append(why, string(m.Seat)+": "+m.Reason)
		}
	}
	reason := "nobody answered: " + strings.Join(why, "; ")
	var failure *state.Failure
	if m := firstMissing(s); m != nil {
		failure = m.Failure
	}
	if len(again) == 0 {
		return protocol.Emit(&state.ExitReached{Exit: state.ExitQuality, Reason: reason, Failure: failure})
	}
	paused := &state.SessionPaused{Why: state.PauseUnreachable, Reason: reason, Failure: failure}
	return protocol.Emit(append(again, paused)...)
}

// askComparison asks the orchestrator which points share a subject, their polarity, and
// which are out of scope. It doesn't see the authors.
func askComparison(s *state.State) (protocol.Turn, bool) {
	asked := s.AskedOf(state.Orchestrator, StageTriage)
	if asked.Replies > 0 || asked.Failed > 1 || s.Misses(state.Orchestrator) {
		return protocol.NotDue()
	}
	return protocol.Turn{Asks: []protocol.Ask{{
		Seat: state.Orchestrator, Stage: StageTriage, Moves: []move.Kind{
			move.KindTriage,
			move.KindMerge, move.KindClassify, move.KindAccept, move.KindContest, move.KindFlag,
		},
		Retry: protocol.RetryOf(asked),
	}}}, true
}

// markContradictions marks unmarked pairs that seem to say the opposite of each other.
// Leaving them would be a false consensus (ST6).
func markContradictions(s *state.State) (protocol.Turn, bool) {
	var marked []state.Payload
	for _, pair := range unmarked(s) {
		if pair.opposed {
			marked = append(marked, &state.PointsPaired{
				A: pair.a, B: pair.b, Same: true, Opposed: true,
				By: state.Protocol,
			})
		}
	}
	return protocol.Turn{Events: marked}, len(marked) > 0
}

// likelyPair is an unmarked pair of points of different panelists that may be on one subject.
type likelyPair struct {
	a, b string
	// likeness is the word measure of the pair, 0 to 1. opposed is set if they seem to say the
	// opposite of each other.
	likeness float64
	opposed  bool
}

// unmarked returns the unmarked pairs that share words or seem to say the opposite.
func unmarked(s *state.State) []likelyPair {
	points := claims.LivePoints(s)
	statements := lists.Map(points, func(p *state.Point) *resolver.Statement { return resolver.StatementOf(p.Text) })
	var found []likelyPair
	for i, p := range points {
		for j := i + 1; j < len(points); j++ {
			q, mine, theirs := points[j], statements[i], statements[j]
			pair := likelyPair{p.ID, q.ID, mine.Similarity(theirs), mine.Opposes(theirs)}
			if (pair.likeness >= resolver.SameSubject || pair.opposed) && !sameAuthors(p, q) &&
				!claims.IsPaired(s, p, q) {
				found = append(found, pair)
			}
		}
	}
	return found
}

// openSession starts round 1 (PH1).
func openSession(s *state.State) (protocol.Turn, bool) {
	if s.Round > 0 || s.Over() {
		return protocol.NotDue()
	}
	return nextRound(s)
}

// nextRound starts the next round and sets its phase (PH1).
func nextRound(s *state.State) (protocol.Turn, bool) {
	n := s.Round + 1
	start := &state.RoundStarted{Round: n}
	phase := claims.PhaseByRound(n)
	if phase == s.Phase {
		return protocol.Emit(start)
	}
	return protocol.Emit(start, &state.PhaseChanged{Phase: phase, Reason: fmt.Sprintf("round %d", n)})
}

// Seated implements Format.
func (Format) Seated(s *state.State) []state.Seat {
	return slices.DeleteFunc(append(present(s), state.Orchestrator), s.Misses)
}

// Due implements Format. Arguments owe the same as in a consultation.
func (Format) Due(s *state.State, ask protocol.Ask) claims.Due {
	switch ask.Stage { //nolint:exhaustive // the others are a consultation's
	case StageTriage:
		d := claims.Due{Triage: claims.IDsOf(claims.Untriaged(s))}
		for _, item := range claims.ToWeigh(s, ask.Seat) {
			d.Weigh = append(d.Weigh, item.ID)
		}
		return d
	case StageVote:
		return claims.Due{Classify: contestedFor(s, ask.Seat)}
	}
	return claims.Base{}.Due(s, ask)
}

// Missing implements Format. A panel continues without a seat that can't be reached.
func (Format) Missing(_ *state.State, ask protocol.Ask, reason string, failure *state.Failure) []state.Payload {
	return []state.Payload{&state.SeatMissed{Seat: ask.Seat, Stage: ask.Stage, Reason: reason, Failure: failure}}
}

// leastAsks returns the asks that the round makes at least, given its first ones.
// follow is unknown at this point. A round of argument costs the same as a round of a
// consultation.
func leastAsks(s *state.State, asks []protocol.Ask) []protocol.Ask {
	least := slices.Clone(asks)
	switch asks[0].Stage { //nolint:exhaustive // nothing must follow the other stages
	case state.StagePropose:
		least = append(least, protocol.Ask{Seat: state.Orchestrator, Stage: StageTriage})
	case state.StageAnswer:
		least = append(least, protocol.Ask{Seat: claims.JudgeAfter(s, asks), Stage: state.StageJudge})
	}
	return least
}

// Name implements Format.
func (Format) Name() state.Format { return Name }

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return &rules{} }

// recordConflicts records the conflicts among the marked pairs. A contradiction challenges
// both points (RD1b).
func recordConflicts(s *state.State) (protocol.Turn, bool) {
	d := &protocol.Draft{State: s}
	for _, found := range Contradictory(s) {
		d.Try(0, func() (err error) {
			found.ID = state.NextID('K', Of(d.State).Conflicts.Len())
			if found.What == conflict.Contradiction {
				if found.Challenges, err = opposeSides(d, found.A, found.B, "says the opposite"); err != nil {
					return err
				}
			}
			return d.Add(&found)
		})
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// opposeSides challenges each side of a conflict with the other.
func opposeSides(d *protocol.Draft, a, b, how string) ([]string, error) {
	raised := []string{}
	if d.State.Round >= resolver.LastRound(d.State) {
		return raised, nil
	}
	for _, side := range [][2]string{{a, b}, {b, a}} {
		id := d.State.NextChallenge()
		err := d.Add(&state.ChallengeRaised{
			ID: id, Point: side[0], By: state.Protocol, Kind: state.Skeptical,
			Objection: fmt.Sprintf("%s %s: %q.", side[1], how, plain.Short(d.State.Point(side[1]).Text)),
			UpgradeIf: "evidence for this and against the other",
		})
		if err != nil {
			return nil, err
		}
		raised = append(raised, id)
	}
	return raised, nil
}

// neutralOn returns the conflicts that a seat's answer doesn't cover.
func neutralOn(t *Table, seat state.Seat) []*Conflict {
	return lists.Filter(t.Conflicts, func(c *Conflict) bool {
		sides := t.between[c.ID]
		return !slices.Contains(sides[0].Holders, seat) && !slices.Contains(sides[1].Holders, seat)
	})
}

// undeclaredBy returns the conflicts that a seat's answer doesn't cover and on which it hasn't
// classified a side since the conflict was found. The seat is asked to vote on them.
func undeclaredBy(t *Table, seat state.Seat) []*Conflict {
	return slices.DeleteFunc(neutralOn(t, seat), func(c *Conflict) bool {
		sides := t.between[c.ID]
		return slices.ContainsFunc(slices.Concat(sides[0].Points, sides[1].Points), func(id string) bool {
			latest := t.s.Point(id).Latest(seat)
			return latest != nil && latest.Seq > c.Found
		})
	})
}

// askVotes asks each panelist to take a side in the conflicts that its answer doesn't
// cover: once, and again if a new one was found. The prompt doesn't say who holds what.
func askVotes(s *state.State) (protocol.Turn, bool) {
	if !countsVotes(s) {
		return protocol.NotDue()
	}
	t := NewTable(s)
	var asks []protocol.Ask
	for _, seat := range present(s) {
		asked, open := s.AskedOf(seat, StageVote), undeclaredBy(t, seat)
		// Argued conflicts don't count votes. Each conflict is shown to a seat once.
		open = slices.DeleteFunc(open, func(c *Conflict) bool {
			if ahead, _, _ := t.evidenced(c); ahead != nil {
				return true
			}
			return c.Argued || asked.Replies > 0 && (c.Found < asked.Sent || asked.Sent == 0)
		})
		if asked.Failed > 1 || len(open) == 0 {
			continue
		}
		asks = append(asks, protocol.Ask{
			Seat: seat, Stage: StageVote,
			Moves: []move.Kind{move.KindClassify, move.KindCite, move.KindFlag},
			Retry: protocol.RetryOf(state.Asked{Failed: asked.Failed, Refusals: asked.Refusals}),
		})
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// settleConflicts applies the strategy to each conflict, and again when something relevant
// arrives.
func settleConflicts(s *state.State) (protocol.Turn, bool) {
	settled := NewTable(s).settlements()
	return protocol.Turn{Events: settled}, len(settled) > 0
}

// settlements returns the changed results of the strategy. Conflicts in an argument are left to it,
// and conflicts that ended another way aren't settled again.
func (t *Table) settlements() []state.Payload {
	var changed []state.Payload
	for _, c := range t.Conflicts {
		if c.Argued || c.Settlement != nil && t.Ended(c) {
			continue
		}
		if now := t.Settle(c); c.Settlement == nil || !reflect.DeepEqual(*c.Settlement, now) {
			changed = append(changed, &ConflictSettled{ID: c.ID, Settlement: now})
			changed = append(changed, t.defended(c, &now)...)
		}
	}
	return changed
}

// askDefenses asks both sides to answer open challenges (RD4, RD5).
func askDefenses(s *state.State) (protocol.Turn, bool) {
	return protocol.AskOnce(s, state.StageAnswer, claims.SeatsToAnswer(s), claims.AnswerMoves()...)
}

// argueUnsettled lets the sides argue what the strategy didn't settle, if the session is configured
// for it: at most as many conflicts as a consultation has points in scope.
func argueUnsettled(s *state.State) (protocol.Turn, bool) {
	if settingsOf(s).Then != ThenConsult {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: s}
	for _, c := range NewTable(s).Conflicts {
		if questionAbout(s, c) == nil && canArgue(d.State, c) {
			d.Try(0, func() error { return argue(d, c, state.Protocol) })
		}
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// canArgue reports whether the sides can argue a conflict in the next round.
func canArgue(s *state.State, c *Conflict) bool {
	return !c.Argued && !c.Dropped && !Settled(c) && arguable(s, c) && !atCapacity(s, c) &&
		s.Round < resolver.LastRound(s)
}

// argue moves a conflict into the argument.
func argue(d *protocol.Draft, c *Conflict, by state.Seat) (err error) {
	e := &ConflictArgued{ID: c.ID, By: by, Challenges: []string{}}
	if len(c.Challenges) == 0 {
		a, b := d.State.Current(c.A).ID, d.State.Current(c.B).ID
		if e.Challenges, err = opposeSides(d, a, b, "says something else on the same subject"); err != nil {
			return err
		}
	}
	return d.Add(e)
}

// atCapacity reports whether another conflict would exceed the limit on points in scope
// (RD2).
func atCapacity(s *state.State, c *Conflict) bool {
	points := []*state.Point{s.Current(c.A), s.Current(c.B)}
	for _, p := range s.Points.All() {
		if Argued(s, p) && !slices.Contains(points, p) {
			points = append(points, p)
		}
	}
	return len(points) > claims.MaxInScope
}

// continueArgument starts the next round while an argued conflict can still move.
func continueArgument(s *state.State) (protocol.Turn, bool) {
	if s.Round >= resolver.LastRound(s) || s.Round > 1 && !claims.CanProgress(s) {
		return protocol.NotDue()
	}
	t := NewTable(s)
	if !slices.ContainsFunc(t.Conflicts, func(c *Conflict) bool { return arguing(s, c) && !t.Ended(c) }) {
		return protocol.NotDue()
	}
	return nextRound(s)
}

// endSession ends the session.
func endSession(s *state.State) (protocol.Turn, bool) { return protocol.Emit(decided(s)) }

// decided is the exit of a panel that was compared: how many conflicts ended in which way.
func decided(s *state.State) *state.ExitReached {
	result := view.Stated("result", view.Record{State: s, ID: string(state.User)})
	return &state.ExitReached{Exit: state.ExitDecided, Reason: result}
}

// closeSession closes the session. A decision of the user after the end changes the counts of the exit.
func closeSession(s *state.State) (protocol.Turn, bool) {
	turn, due := claims.ClosingSteps(s)
	if !turn.Close || s.Exit != state.ExitDecided {
		return turn, due
	}
	switch exit := decided(s); {
	case s.Decided > 0:
		turn.Exit = *exit
	case exit.Reason != s.ExitReason:
		return protocol.Emit(exit)
	}
	return turn, due
}

// contestedFor returns the points on which a seat is asked to take a side.
func contestedFor(s *state.State, seat state.Seat) []string {
	var ids []string
	t := NewTable(s)
	for _, c := range undeclaredBy(t, seat) {
		for _, side := range t.between[c.ID] {
			if id := side.Points[0]; !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
