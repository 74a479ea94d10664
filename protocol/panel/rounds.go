package panel

import (
	"fmt"
	"slices"

	"moot/protocol"
	"moot/state"
)

// recordConflicts records the conflicts among the marked pairs. A contradiction challenges
// both points (RD1b).
func recordConflicts(s *state.State) (protocol.Turn, bool) {
	if s.Round == 0 || s.Over() {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: *s}
	for _, pair := range Contradictory(s) {
		d.Try(0, func() error {
			e := &state.ConflictFound{
				ID: nextConflict(d), What: pair.Kind, A: pair.A, B: pair.B, By: pair.By,
				Challenges: []string{},
			}
			if e.What == state.Contradiction {
				var err error
				if e.Challenges, err = opposeSides(d, pair.A, pair.B, "says the opposite"); err != nil {
					return err
				}
			}
			return d.Add(e)
		})
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

func nextConflict(d *protocol.Draft) string { return state.NextID('K', d.State.Panel.Conflicts.Len()) }

// opposeSides challenges each side of a conflict with the other.
func opposeSides(d *protocol.Draft, a, b, how string) ([]string, error) {
	raised := []string{}
	if d.State.Round >= protocol.LastRound(&d.State) {
		return raised, nil
	}
	for _, side := range [][2]string{{a, b}, {b, a}} {
		id := d.NextChallenge()
		err := d.Add(&state.ChallengeRaised{
			ID: id, Point: side[0], By: state.Protocol, What: state.Skeptical,
			Objection: fmt.Sprintf("%s %s: %q.", side[1], how, protocol.Clip(d.State.Point(side[1]).Text)),
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
func neutralOn(t *Table, seat state.Seat) []*state.Conflict {
	var found []*state.Conflict
	for _, c := range t.Conflicts() {
		a, b := t.Sides(c)
		if !slices.Contains(a.Holders, seat) && !slices.Contains(b.Holders, seat) {
			found = append(found, c)
		}
	}
	return found
}

// undeclaredBy returns the conflicts that a seat's answer doesn't cover and on which it
// hasn't taken a side since. The seat is asked to vote on them.
func undeclaredBy(t *Table, s *state.State, seat state.Seat) []*state.Conflict {
	return slices.DeleteFunc(neutralOn(t, seat), func(c *state.Conflict) bool {
		a, b := t.Sides(c)
		return tookSide(s, c, slices.Concat(a.Points, b.Points), seat)
	})
}

// tookSide reports whether a seat commented on a side since the conflict was found.
func tookSide(s *state.State, c *state.Conflict, points []string, seat state.Seat) bool {
	return slices.ContainsFunc(points, func(id string) bool {
		latest := s.Point(id).Latest(seat)
		return latest != nil && latest.Seq > c.Found
	})
}

// askVotes asks each panelist to take a side in the conflicts that its answer doesn't
// cover: once, and again if a new one was found. The prompt doesn't say who holds what.
func askVotes(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 || !CountsVotes(s) {
		return protocol.NotDue()
	}
	t := NewTable(s)
	var asks []protocol.Ask
	for _, seat := range present(s) {
		asked, open := s.AskedOf(seat, state.StageVote), undeclaredBy(t, s, seat)
		// Argued conflicts don't count votes. Each conflict is shown to a seat once.
		open = slices.DeleteFunc(open, func(c *state.Conflict) bool {
			return c.Argued || asked.Replies > 0 && (c.Found < asked.Sent || asked.Sent == 0)
		})
		if asked.Failed > 1 || len(open) == 0 {
			continue
		}
		asks = append(asks, protocol.Ask{
			Seat: seat, Stage: state.StageVote,
			Moves: []protocol.MoveKind{protocol.MoveClassify, protocol.MoveCite, protocol.MoveFlag},
			Retry: protocol.RetryOf(state.Asked{Failed: asked.Failed, Refusals: asked.Refusals}),
		})
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// settleConflicts applies the strategy to each conflict, and again when something relevant
// arrives. Conflicts in an argument are left to it.
func settleConflicts(s *state.State) (protocol.Turn, bool) {
	if s.Round == 0 || s.Over() {
		return protocol.NotDue()
	}
	t := NewTable(s)
	var settled []state.Payload
	for _, c := range t.Conflicts() {
		// Conflicts that ended another way aren't settled again.
		if c.Argued || c.Settlement != nil && t.Ended(c) {
			continue
		}
		if now := t.Settle(c); c.Settlement == nil || !SameSettlement(c.Settlement, &now) {
			settled = append(settled, &state.ConflictSettled{ID: c.ID, Settlement: now})
		}
	}
	return protocol.Turn{Events: settled}, len(settled) > 0
}

// askDefenses asks both sides to answer open challenges (RD4, RD5).
func askDefenses(s *state.State) (protocol.Turn, bool) {
	return protocol.AskOnce(s, state.StageAnswer, protocol.Owing(s), protocol.AnswerMoves()...)
}

// argueUnsettled has the sides argue what the strategy didn't settle, if the session is
// configured for it: at most as many conflicts as a consultation takes points.
func argueUnsettled(s *state.State) (protocol.Turn, bool) {
	if s.Settings.Panel == nil || s.Settings.Panel.Then != state.ThenConsult || s.Round > 1 {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: *s}
	for _, c := range NewTable(s).Conflicts() {
		if c.Argued || Settled(c) || !Arguable(s, c) ||
			questionAbout(s, state.AboutConflict+c.ID) != nil || atCapacity(&d.State, c) {
			continue
		}
		d.Try(0, func() error { return argue(d, c, state.Protocol) })
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// argue moves a conflict into the argument.
func argue(d *protocol.Draft, c *state.Conflict, by state.Seat) error {
	e := &state.ConflictArgued{ID: c.ID, By: by, Challenges: []string{}}
	if len(c.Challenges) == 0 {
		var err error
		a, b := d.State.Current(c.A).ID, d.State.Current(c.B).ID
		if e.Challenges, err = opposeSides(d, a, b, "says something else on the same subject"); err != nil {
			return err
		}
	}
	return d.Add(e)
}

// atCapacity reports whether another conflict would exceed the limit on points in scope
// (RD2).
func atCapacity(s *state.State, c *state.Conflict) bool {
	points := []*state.Point{s.Current(c.A), s.Current(c.B)}
	for _, p := range s.Points.All() {
		if Argued(s, p) && !slices.Contains(points, p) {
			points = append(points, p)
		}
	}
	return len(points) > protocol.MaxInScope
}

// continueArgument starts the next round while an argued conflict can still move.
func continueArgument(s *state.State) (protocol.Turn, bool) {
	if !canMove(s) {
		return protocol.NotDue()
	}
	return nextRound(s)
}

// canMove reports whether an argued conflict can still move.
func canMove(s *state.State) bool { return canArgueFurther(s) && (s.Round == 1 || protocol.Movable(s)) }

// endSession ends the session.
func endSession(s *state.State) (protocol.Turn, bool) {
	counts := NewTable(s).Counts()
	return protocol.Emit(&state.ExitReached{Exit: state.ExitDecided, Reason: counts.Words("the user")})
}
