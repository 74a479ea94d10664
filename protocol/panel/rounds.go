package panel

import (
	"fmt"
	"slices"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// finding records the conflicts among the marked pairs. A contradiction
// challenges both points (RD1b).
func finding(s *state.State) (protocol.Turn, bool) {
	if s.Round == 0 || s.Over() {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: *s}
	for _, pair := range resolver.Contradictory(s) {
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

// opposeSides challenges either side of a conflict with the other.
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

// neutral are the conflicts of which the answer of a seat says nothing.
func neutral(t *resolver.Table, seat state.Seat) []*state.Conflict {
	var found []*state.Conflict
	for _, c := range t.Conflicts() {
		a, b := t.Sides(c)
		if !slices.Contains(a.Holders, seat) && !slices.Contains(b.Holders, seat) {
			found = append(found, c)
		}
	}
	return found
}

// undeclared are the conflicts of which the answer of a seat says nothing, and on
// which it has not taken a side since: it is asked for its side in them.
func undeclared(t *resolver.Table, s *state.State, seat state.Seat) []*state.Conflict {
	return slices.DeleteFunc(neutral(t, seat), func(c *state.Conflict) bool {
		a, b := t.Sides(c)
		return sided(s, c, slices.Concat(a.Points, b.Points), seat)
	})
}

// sided reports whether a seat said something of a side since the conflict was
// found.
func sided(s *state.State, c *state.Conflict, points []string, seat state.Seat) bool {
	return slices.ContainsFunc(points, func(id string) bool {
		latest := s.Point(id).Latest(seat)
		return latest != nil && latest.Seq > c.Found
	})
}

// voting has each panelist take a side in the conflicts of which its answer says
// nothing: once, and again where one was found that it was not shown. Who holds
// what is not shown.
func voting(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 || !resolver.CountsVotes(s) {
		return protocol.NotDue()
	}
	t := resolver.NewTable(s)
	var asks []protocol.Ask
	for _, seat := range present(s) {
		asked, open := s.AskedOf(seat, state.StageVote), undeclared(t, s, seat)
		// What is argued is not counted; what a seat was shown it was asked.
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

// settling applies the strategy to each conflict, and again where something came
// that bears on it; what is argued is left to that.
func settling(s *state.State) (protocol.Turn, bool) {
	if s.Round == 0 || s.Over() {
		return protocol.NotDue()
	}
	t := resolver.NewTable(s)
	var settled []state.Payload
	for _, c := range t.Conflicts() {
		// What came to an end otherwise is not settled once more.
		if c.Argued || c.Settlement != nil && t.Ended(c) {
			continue
		}
		if now := t.Settle(c); c.Settlement == nil || !resolver.SameSettlement(c.Settlement, &now) {
			settled = append(settled, &state.ConflictSettled{ID: c.ID, Settlement: now})
		}
	}
	return protocol.Turn{Events: settled}, len(settled) > 0
}

// countering has both sides answer what speaks against them (RD4, RD5).
func countering(s *state.State) (protocol.Turn, bool) {
	return protocol.AskOnce(s, state.StageAnswer, protocol.Owing(s), protocol.AnswerMoves()...)
}

// sending has the sides argue what the strategy did not settle, where the session
// was opened so: as many conflicts as a consultation takes points.
func sending(s *state.State) (protocol.Turn, bool) {
	if s.Settings.Panel == nil || s.Settings.Panel.Then != state.ThenConsult || s.Round > 1 {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: *s}
	for _, c := range resolver.NewTable(s).Conflicts() {
		if c.Argued || resolver.Settled(c) || !resolver.Arguable(s, c) ||
			questionAbout(s, state.AboutConflict+c.ID) != nil || crowded(&d.State, c) {
			continue
		}
		d.Try(0, func() error { return argue(d, c, state.Protocol) })
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// argue has the sides of a conflict argue it.
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

// crowded reports whether a further conflict would be more than a consultation
// evaluates (RD2).
func crowded(s *state.State, c *state.Conflict) bool {
	points := []*state.Point{s.Current(c.A), s.Current(c.B)}
	for _, p := range s.Points.All() {
		if resolver.Argued(s, p) && !slices.Contains(points, p) {
			points = append(points, p)
		}
	}
	return len(points) > protocol.MaxInScope
}

// continuing begins the next round while something that is argued can still move.
func continuing(s *state.State) (protocol.Turn, bool) {
	if !moving(s) {
		return protocol.NotDue()
	}
	return nextRound(s)
}

// moving reports whether something that is argued can still move.
func moving(s *state.State) bool { return arguing(s) && (s.Round == 1 || protocol.Movable(s)) }

// disbanding ends the session.
func disbanding(s *state.State) (protocol.Turn, bool) {
	counts := resolver.NewTable(s).Counts()
	return protocol.Emit(&state.ExitReached{Exit: state.ExitDecided, Reason: counts.Words("the user")})
}
