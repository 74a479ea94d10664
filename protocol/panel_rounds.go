package protocol

import (
	"fmt"
	"slices"

	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// finding records the conflicts among the marked pairs. A contradiction
// challenges both points (RD1b).
func finding(s *state.State) (Turn, bool) {
	if s.Round == 0 || s.Over() {
		return notDue()
	}
	d := &draft{s: *s}
	for _, pair := range resolver.Contradictory(s) {
		d.try(0, func() error {
			e := &state.ConflictFound{ID: d.nextConflict(), What: pair.Kind, A: pair.A, B: pair.B, By: pair.By, Challenges: []string{}}
			if e.What == state.Contradiction {
				var err error
				if e.Challenges, err = d.opposeSides(pair.A, pair.B, "says the opposite"); err != nil {
					return err
				}
			}
			return d.add(e)
		})
	}
	return Turn{Events: d.events}, len(d.events) > 0
}

func (d *draft) nextConflict() string { return state.NextID('K', d.s.Panel.Conflicts.Len()) }

// opposeSides challenges either side of a conflict with the other.
func (d *draft) opposeSides(a, b, how string) ([]string, error) {
	raised := []string{}
	if d.s.Round >= lastRound(&d.s) {
		return raised, nil
	}
	for _, side := range [][2]string{{a, b}, {b, a}} {
		id := d.nextChallenge()
		err := d.add(&state.ChallengeRaised{
			ID: id, Point: side[0], By: state.Protocol, What: state.Skeptical,
			Objection: fmt.Sprintf("%s %s: %q.", side[1], how, clip(d.s.Point(side[1]).Text)),
			UpgradeIf: "evidence for this and against the other",
		})
		if err != nil {
			return nil, err
		}
		raised = append(raised, id)
	}
	return raised, nil
}

// counts reports whether the session's strategy counts who holds what.
func counts(s *state.State) bool {
	if s.Settings.Panel == nil {
		return false
	}
	switch conflict.Strategy(s.Settings.Panel.Strategy) {
	case conflict.Vote, conflict.Tiered:
		return true
	case conflict.EvidenceWeight, conflict.Escalate:
	}
	return false
}

// undeclared are the conflicts of which the first answer of a seat says nothing:
// it is asked for its side in them.
func undeclared(t *resolver.Table, seat state.Seat) []*state.Conflict {
	var open []*state.Conflict
	for _, c := range t.Conflicts() {
		a, b := t.Sides(c)
		if !slices.Contains(a.Holders, seat) && !slices.Contains(b.Holders, seat) {
			open = append(open, c)
		}
	}
	return open
}

// voting has each panelist take a side in the conflicts of which its answer says
// nothing. Who holds what is not shown.
func voting(s *state.State) (Turn, bool) {
	if s.Round != 1 || !counts(s) {
		return notDue()
	}
	t := resolver.NewTable(s)
	var asks []Ask
	for _, seat := range present(s) {
		asked := s.AskedOf(seat, state.StageVote)
		if asked.Replies > 0 || asked.Failed > 1 || len(undeclared(t, seat)) == 0 {
			continue
		}
		asks = append(asks, Ask{Seat: seat, Stage: state.StageVote, Moves: []MoveKind{MoveClassify, MoveCite, MoveFlag}, Retry: retryOf(asked)})
	}
	return Turn{Asks: asks}, len(asks) > 0
}

// settling applies the strategy to each conflict, and again where something came
// that bears on it; what is argued is left to that.
func settling(s *state.State) (Turn, bool) {
	if s.Round == 0 || s.Over() {
		return notDue()
	}
	t := resolver.NewTable(s)
	var settled []state.Payload
	for _, c := range t.Conflicts() {
		if c.Argued {
			continue
		}
		if now := t.Settle(c); c.Settlement == nil || !resolver.SameSettlement(c.Settlement, &now) {
			settled = append(settled, &state.ConflictSettled{ID: c.ID, Settlement: now})
		}
	}
	return Turn{Events: settled}, len(settled) > 0
}

// refutingRounds puts verified refutations to who is asked about the point.
func refutingRounds(s *state.State) (Turn, bool) {
	if s.Round < 2 {
		return notDue()
	}
	return refuting(s)
}

// countering has both sides answer what speaks against them (RD4, RD5).
func countering(s *state.State) (Turn, bool) {
	if s.Round < 2 {
		return notDue()
	}
	var seats []state.Seat
	for _, seat := range seated(s) {
		if len(openChallenges(s, seat, state.StandsOpen)) > 0 || len(requestsOf(s, seat)) > 0 && !judgesOnly(s, seat) {
			seats = append(seats, seat)
		}
	}
	return askOnce(s, state.StageAnswer, seats,
		MoveDefend, MoveConcede, MoveRevise, MoveCite, MoveContest, MoveBlocked, MoveClarify, MoveScore)
}

// judging has each side judge what the other answered (CH5).
func judging(s *state.State) (Turn, bool) {
	if s.Round < 2 {
		return notDue()
	}
	return evaluating(s)
}

// demanding asks both sides once for evidence (JU5).
func demanding(s *state.State) (Turn, bool) {
	if s.Round < 2 {
		return notDue()
	}
	return grounding(s)
}

// sending has the sides argue what the strategy did not settle, where the session
// was opened so: as many conflicts as a consultation takes points.
func sending(s *state.State) (Turn, bool) {
	if s.Settings.Panel == nil || s.Settings.Panel.Then != state.ThenConsult || s.Round > 1 {
		return notDue()
	}
	d := &draft{s: *s}
	for _, c := range resolver.NewTable(s).Conflicts() {
		if c.Argued || resolver.Settled(c) || !resolver.Arguable(s, c) || questionAbout(s, aboutConflict+c.ID) != nil || crowded(&d.s, c) {
			continue
		}
		d.try(0, func() error { return d.argue(c, state.Protocol) })
	}
	return Turn{Events: d.events}, len(d.events) > 0
}

// argue has the sides of a conflict argue it.
func (d *draft) argue(c *state.Conflict, by state.Seat) error {
	e := &state.ConflictArgued{ID: c.ID, By: by, Challenges: []string{}}
	if len(c.Challenges) == 0 {
		var err error
		a, b := d.s.Current(c.A).ID, d.s.Current(c.B).ID
		if e.Challenges, err = d.opposeSides(a, b, "says something else on the same subject"); err != nil {
			return err
		}
	}
	return d.add(e)
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
	return len(points) > MaxInScope
}

// continuing begins the next round while something that is argued can still move.
func continuing(s *state.State) (Turn, bool) {
	arguing := slices.ContainsFunc(resolver.NewTable(s).Conflicts(), func(c *state.Conflict) bool { return resolver.Arguing(s, c) })
	if !arguing || s.Round >= lastRound(s) || s.Round > 1 && !movable(s) {
		return notDue()
	}
	return advancing(s)
}

// appealing puts each conflict to the user that neither the strategy nor the
// argument settled.
func appealing(s *state.State) (Turn, bool) {
	d := &draft{s: *s}
	t := resolver.NewTable(s)
	var open []string
	for _, c := range t.Conflicts() {
		q := questionAbout(s, aboutConflict+c.ID)
		switch {
		case resolver.Settled(c) || t.Ended(c):
		case q == nil || q.Answered && q.Answer == answerArgue && c.ArguedBy == state.User:
			d.try(0, func() error { return d.add(appeal(d.nextQuestion(), s, t, c, q != nil)) })
		case !q.Answered:
			open = append(open, q.ID)
		}
	}
	if len(d.events) > 0 {
		return Turn{Events: d.events}, true
	}
	return Turn{Await: open}, len(open) > 0 && s.Settings.Attended
}

// appeal is the question about a conflict.
func appeal(id string, s *state.State, t *resolver.Table, c *state.Conflict, again bool) *state.QuestionSurfaced {
	a, b := t.Sides(c)
	p, q := s.Point(a.Points[0]), s.Point(b.Points[0])
	options := []string{p.ID, q.ID, answerNeither, answerOpen}
	if !c.Argued && resolver.Arguable(s, c) && s.Round < lastRound(s) && s.Settings.Attended {
		options = append(options, answerArgue)
	}
	why := ""
	switch {
	case again || c.Argued:
		why = "; arguing did not settle it"
	case c.Settlement != nil && c.Settlement.Method != string(conflict.Escalate):
		why = "; " + c.Settlement.Reasoning
	}
	return &state.QuestionSurfaced{
		ID: id, Point: p.ID, What: state.QuestionEscalation, About: aboutConflict + c.ID, Options: options,
		// Quotes in it are left as they are: who draws the text escapes it.
		Text: fmt.Sprintf("%s: %s%s. %s \"%s\" or %s \"%s\"?", c.ID, t.Describe(c), why, p.ID, clip(p.Text), q.ID, clip(q.Text)),
	}
}

// disbanding ends the session.
func disbanding(s *state.State) (Turn, bool) {
	counts := resolver.NewTable(s).Counts()
	return events(&state.ExitReached{Exit: state.ExitDecided, Reason: counts.Words("the user")})
}
