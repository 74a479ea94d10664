package resolver

import (
	"fmt"

	"moot/ledger"
	"moot/state"
)

// ConflictExplanation says how a conflict of a panel came out, and why.
type ConflictExplanation struct {
	// ID is K1, K2, …; Kind how the two sides differ.
	ID   string
	Kind state.ConflictKind
	// Sides are the points that the two are known by, with their texts and who
	// holds them. Texts quote seats as they wrote: who draws them escapes them.
	Sides [2]ConflictSide
	// Came says in a sentence how it came out.
	Came string
	// Positions say who took which side, and how.
	Positions []state.Position
	// Grounds are the verified items on either side, in the order of Sides.
	Grounds [2][]Reading
	// Else says in sentences what would settle it otherwise, the nearest first.
	Else []string
}

// ConflictSide is one side of a conflict.
type ConflictSide struct {
	Point, Text string
	Holders     []state.Seat
	// Strength is the weight of the verified evidence for it, 0 and up.
	Strength int
}

// ExplainConflict says how a conflict came out, and why; ok is false where there
// is none of the id.
func ExplainConflict(s state.State, id string) (e ConflictExplanation, ok bool) {
	c := s.Conflict(id)
	if c == nil {
		return e, false
	}
	t := newTable(&s)
	ending := t.Ending(c)
	e = ConflictExplanation{ID: c.ID, Kind: c.Kind, Came: sentence(ending.Words("you"))}
	for i, point := range []string{c.A, c.B} {
		side := ConflictSide{Point: t.here(point)}
		if claim := t.Claim(point); claim != nil {
			side.Point, side.Holders = claim.Points[0], claim.Holders
		}
		side.Text = s.Point(side.Point).Text
		e.Sides[i] = side
	}
	if !t.stands(c) {
		return e, true
	}
	sides := t.between[c.ID]
	for i := range sides {
		e.Sides[i].Strength, _ = t.strength(sides[i], sides[1-i])
		for _, item := range t.grounds(sides[i], sides[1-i]) {
			e.Grounds[i] = append(e.Grounds[i], Reading{ID: item.ID, What: evidenceWords(item)})
		}
	}
	e.Positions = t.Positions(c)
	e.Else = t.settledElse(c)
	return e, true
}

// settledElse says what would settle a conflict otherwise: the votes that are
// out, evidence that would turn the weight, and the user.
func (t *Table) settledElse(c *state.Conflict) []string {
	if t.s.Closed {
		return []string{"The session is closed and is never rewritten; a fork goes on from an earlier event."}
	}
	var ways []string
	if !t.s.Over() && !c.Argued {
		ways = append(t.byFurtherVotes(c), t.byFurtherEvidence(c)...)
	}
	sides := t.between[c.ID]
	return append(ways, fmt.Sprintf("If you agree with %s, or with %s, the other side falls.", sides[0].Points[0], sides[1].Points[0]))
}

// byFurtherVotes tries that all that were not heard on a conflict vote for one
// side.
func (t *Table) byFurtherVotes(c *state.Conflict) []string {
	silent := t.unheard(c)
	if len(silent) == 0 || t.s.Round != 1 || !CountsVotes(t.s) {
		return nil
	}
	var ways []string
	for _, side := range t.between[c.ID] {
		x := &supposed{s: *t.s}
		for _, seat := range silent {
			x.add(t.vote(c, side, seat)...)
		}
		if now := newTable(&x.s).Settle(c); now.Settled && !alreadySettled(c, now.Winner) {
			ways = append(ways, fmt.Sprintf("If %s voted for %s: settled for %s by %s.", seatNames(silent), side.Points[0], now.Winner, now.Method))
		}
	}
	return ways
}

// byFurtherEvidence tries a run for either side.
func (t *Table) byFurtherEvidence(c *state.Conflict) []string {
	var ways []string
	for _, side := range t.between[c.ID] {
		x := (&supposed{s: *t.s, point: side.Points[0]}).evidence(ledger.Execution, ledger.Supports)
		if x.impossible {
			continue
		}
		if now := newTable(&x.s).Settle(c); now.Settled && now.Winner == side.Points[0] && !alreadySettled(c, now.Winner) {
			ways = append(ways, fmt.Sprintf("If a command's checked output supported %s: settled for it by %s.", side.Points[0], now.Method))
		}
	}
	return ways
}

func alreadySettled(c *state.Conflict, winner string) bool {
	return Settled(c) && c.Settlement.Winner == winner
}
