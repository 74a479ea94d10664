package panel

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/resolver"
	"moot/state"
	"moot/view"
)

func (*rules) Says(rule string) string {
	return cmp.Or((&Table{}).table().Says(rule), resolver.Base{}.Says(rule))
}

// Describe implements resolver.Format for conflicts, and for events of points that say the same.
func (*rules) Describe(b *resolver.Basis, id string) string {
	t := b.Answers.(*Table)
	if c := Of(b.State).Conflict(id); c != nil {
		return t.describeConflict(b, c)
	}
	words := b.Describe(id)
	if claim := t.stance[b.Point.ID]; words == resolver.EventOfRecord && claim != nil {
		for _, p := range t.points(claim) {
			if other := (&resolver.Basis{State: b.State, Point: p}).Describe(id); other != resolver.EventOfRecord {
				return other
			}
		}
	}
	return words
}

// describeConflict describes a conflict with its sides and its outcome.
func (t *Table) describeConflict(b *resolver.Basis, c *Conflict) string {
	one, other := t.sidePoints(c)
	words := fmt.Sprintf("the %s between %s and %s", c.Kind, sideWords(one), sideWords(other))
	if claim := t.stance[b.Point.ID]; claim != nil && slices.Contains(claim.Conflicts, c.ID) {
		words = fmt.Sprintf("the %s with %s", c.Kind, sideWords(t.s.Point(t.opposite(c, claim).Points[0])))
	}
	ending := t.Ending(c)
	return words + ", " + resolver.Clip(ending.Words("you"))
}

func sideWords(p *state.Point) string { return p.ID + " " + resolver.Quote(p.Text) }

// vote returns the classifications of a seat that takes a side in a conflict: AGREE
// with it, and REJECT of the other if the seat had agreed with that.
func (t *Table) vote(c *Conflict, side *Claim, seat state.Seat) []state.Payload {
	const why = "a reason"
	votes := []state.Payload{&state.PointClassified{Point: side.Points[0], By: seat, Class: state.Agree, Reason: why}}
	if other := t.opposite(c, side); t.agrees(other, seat) {
		votes = append(votes, &state.PointClassified{
			Point: other.Points[0], By: seat, Class: state.Reject,
			Reason: why,
		})
	}
	return votes
}

// Candidates adds what could happen to a point: votes, if the point is not argued.
func (*rules) Candidates(l *resolver.Candidates) {
	if l.Basis.Answers.(*Table).argued(l.Basis) {
		l.Debate()
	} else {
		votes(l)
		l.Checks()
		if !resolver.Running(l.State) {
			l.Evidence()
		}
	}
	l.Outside()
}

// Follow applies the strategy to every conflict that is not argued.
func (*rules) Follow(x *resolver.Scenario) {
	if Of(x.State).Conflicts.Len() > 0 && (!x.State.Over() || x.Past) {
		x.Add(NewTable(x.State).settlements()...)
	}
	x.RaiseRefutation()
}

// votes adds votes of panelists that hold neither side of a conflict of the point and can still be
// asked. After the session, these are all that hold neither side.
func votes(l *resolver.Candidates) {
	t := l.Basis.Answers.(*Table)
	running := resolver.Running(l.State)
	claim := t.Claim(l.Point.ID)
	for _, c := range t.about[claim] {
		if c.Argued || !countsVotes(l.State) || running && l.State.Round != 1 {
			continue
		}
		other := t.opposite(c, claim)
		for _, seat := range t.seats {
			heard := l.State.AskedOf(seat, StageVote).Replies > 0 || t.agrees(claim, seat) || t.agrees(other, seat)
			if slices.Contains(claim.Holders, seat) || slices.Contains(other.Holders, seat) ||
				l.State.Misses(seat) || heard && running {
				continue
			}
			for _, side := range []*Claim{claim, other} {
				l.List = append(l.List, resolver.Candidate{
					Who:  resolver.MovedBySeats,
					With: fmt.Sprintf("a vote of %s for %s (%s)", seat, side.Points[0], c.ID),
					Do:   func(x *resolver.Scenario) { x.Add(t.vote(c, side, seat)...) },
				})
			}
		}
	}
}

// Explain shows the outcome of a conflict: its sides, who took which, and the evidence for each.
func (document) Explain(s *state.State, name string) (d view.Document, ok bool) {
	c := Of(s).Conflict(strings.ToUpper(name))
	if c == nil {
		return d, false
	}
	t := NewTable(s)
	ending := t.Ending(c)
	d = view.Document{
		Title: c.ID, Question: "a " + string(c.Kind) + " of " + c.A + " and " + c.B, Heading: "OUTCOME",
		Verdict: []string{resolver.Sentence(ending.Words("you"))},
	}
	sides := view.Section{Title: "SIDES", Uncounted: true}
	a, b := t.sidePoints(c)
	for i, p := range []*state.Point{a, b} {
		it := view.Item{ID: p.ID, Text: p.Text, Role: view.RolePoint}
		if claim := t.stance[p.ID]; claim != nil && len(claim.Holders) > 0 {
			it.Note("said by", view.Seats(claim.Holders))
		}
		weight := 0
		if t.isLive(c) {
			for _, item := range t.grounds(t.between[c.ID][i], t.between[c.ID][1-i]) {
				it.Note(item.ID, resolver.EvidenceWords(item))
				weight += Strength(item)
			}
		}
		if weight > 0 {
			it.Note("verified evidence weighs", strconv.Itoa(weight))
		}
		sides.Items = append(sides.Items, it)
	}
	positions := view.Section{Title: "POSITIONS", Uncounted: true}
	for _, p := range t.Positions(c) {
		how := "by its own answer"
		if !p.Answered {
			how = "when it was asked"
		}
		positions.Lines = append(positions.Lines, fmt.Sprintf("%s for %s, %s", p.Seat, p.Point, how))
	}
	d.Add(sides, positions)
	return d, true
}
