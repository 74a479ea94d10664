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
		side := ConflictSide{Point: current(t.s, point)}
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

// settledElse says what would settle a conflict otherwise: the votes that are still
// to come, evidence that would turn the weight, and the user.
func (t *Table) settledElse(c *state.Conflict) []string {
	if t.s.Closed {
		return []string{"The session is closed and never rewritten; fork it to continue from an earlier event."}
	}
	var ways []string
	sides := t.between[c.ID]
	for _, side := range sides {
		if t.s.Over() || c.Argued {
			break
		}
		var list []candidate
		if silent := t.unheard(c); len(silent) > 0 && t.s.Round == 1 && CountsVotes(t.s) {
			list = append(list, candidate{
				with: "votes of " + seatNames(silent) + " for " + side.Points[0],
				do: func(x *course) {
					for _, seat := range silent {
						x.add(t.vote(c, side, seat)...)
					}
				},
			})
		}
		k := proofs()[2]
		list = append(list, candidate{with: k.words + " for " + side.Points[0], do: func(x *course) {
			x.evidence(&k, ledger.Supports, "a command")
		}})
		for _, way := range list {
			x := &course{s: *t.s, point: side.Points[0], past: true}
			way.do(x)
			known := Settled(c) && c.Settlement.Winner == side.Points[0]
			if now := newTable(&x.s).Settle(c); !x.impossible && now.Settled && now.Winner == side.Points[0] && !known {
				ways = append(ways, fmt.Sprintf("With %s: settled for %s by %s.", way.with, now.Winner, now.Method))
			}
		}
	}
	return append(ways, fmt.Sprintf("If you agree with %s, or with %s, the other side falls.", sides[0].Points[0],
		sides[1].Points[0]))
}

// vote is what a seat says that takes a side in a conflict: AGREE with it, and REJECT
// of the other if it had agreed with that.
func (t *Table) vote(c *state.Conflict, side *Claim, seat state.Seat) []state.Payload {
	votes := []state.Payload{&state.PointClassified{
		Point: side.Points[0], By: seat, Class: state.Agree,
		Reason: "a reason",
	}}
	if other := t.opposite(c, side); t.agrees(other, seat) {
		votes = append(votes, &state.PointClassified{
			Point: other.Points[0], By: seat, Class: state.Reject,
			Reason: "a reason",
		})
	}
	return votes
}
