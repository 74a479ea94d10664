package report

import (
	"slices"

	"moot/state"
)

// Change compares where a point stood by the answers of round 1 alone with
// where it stands now (ST5).
type Change struct {
	Point  string       `json:"point"`
	Before state.Bucket `json:"before"`
	After  state.Bucket `json:"after"`
}

// Moved reports whether the debate changed anything.
func (c Change) Moved() bool { return c.Before != c.After }

// Baseline says what the debate changed, point by point; merged points are
// left out, what they say counts with the point that they were merged into.
//
// Before is what a reader of the first answers would have taken away, each
// given unseen by the other seats:
//
//   - a point that a participant raised in round 1 is its word: agreed; where
//     another participant's first answer contradicts it, unresolved
//   - a point that the user brought, or the orchestrator alone, stands as the
//     first consultee to judge it in round 1 did: AGREE is agreed, REJECT
//     dismissed, anything else unresolved
//   - a point of a later round was in nobody's first answer: not_evaluated
//   - of a panel, where another first answer does not go together with it,
//     unresolved; what nobody's first answer said is not_evaluated
//   - a claim of a council that the strategist presented is its word: agreed; what
//     came later, new forms too, is not_evaluated
//   - a field of a proposal that was in the first one is the proposer's word as
//     long as it has that value: agreed; another field or value: not_evaluated
//
// After is its bucket now.
func Baseline(s *state.State, rulings []state.Ruling) []Change {
	var changes []Change
	first := formOf(s).first(s)
	for i := range rulings {
		p := s.Point(rulings[i].Point)
		if p == nil || p.MergedInto != "" {
			continue
		}
		changes = append(changes, Change{Point: p.ID, Before: first(p), After: rulings[i].Bucket})
	}
	return changes
}

func firstAnswers(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket { return firstAnswer(s, p) }
}

// firstAnswer is where a claim stood by the first answers to it.
func firstAnswer(s *state.State, p *state.Point) state.Bucket {
	if p.Round > 1 {
		return state.BucketNotEvaluated
	}
	if slices.ContainsFunc(p.Authors, state.Seat.IsConsultee) {
		if contradicted(s, p) || !slices.ContainsFunc(p.Authors,
			func(seat state.Seat) bool { return seat != state.User && !s.ByRules(seat) }) {
			return state.BucketUnresolved
		}
		return state.BucketAgreed
	}
	for _, c := range p.Classes {
		if c.Round != 1 || !c.Seat.IsConsultee() {
			continue
		}
		switch c.Class {
		case state.Agree:
			return state.BucketAgreed
		case state.Reject:
			return state.BucketDismissed
		case state.Skeptical, state.IllFormed:
			return state.BucketUnresolved
		}
	}
	return state.BucketUnresolved
}

// contradicted reports whether triage found another seat's first answer to say
// the opposite (RD1b).
func contradicted(s *state.State, p *state.Point) bool {
	for _, pair := range s.Pairs.All() {
		if !pair.Opposed {
			continue
		}
		a, b := s.Live(pair.A), s.Live(pair.B)
		if a != nil && b != nil && a.Round == 1 && b.Round == 1 && (a.ID == p.ID || b.ID == p.ID) {
			return true
		}
	}
	return false
}

// Flips counts over labeled points what the debate did (ST5). An answer is
// right where it is agreed and the point turned out true, or dismissed and it
// turned out false; wrong where it is the other way round; else it is
// undecided.
type Flips struct {
	// Labeled counts the points that carry a label.
	Labeled int `json:"labeled"`
	// Good counts points that the debate brought nearer to the truth: from
	// wrong to undecided or right, from undecided to right. Corrected are those
	// of them that went all the way from wrong to right.
	Good      int `json:"good"`
	Corrected int `json:"corrected"`
	// Bad counts points that it took further away, Corrupted those of them that
	// went all the way from right to wrong.
	Bad       int `json:"bad"`
	Corrupted int `json:"corrupted"`
	// RightBefore and RightAfter count right answers.
	RightBefore int `json:"right_before"`
	RightAfter  int `json:"right_after"`
}

// Add counts one point that turned out to be true, or not.
func (f *Flips) Add(c Change, truth bool) {
	before, after := rightness(c.Before, truth), rightness(c.After, truth)
	f.Labeled++
	switch {
	case after > before:
		f.Good++
		f.Corrected += (after - before) / 2
	case after < before:
		f.Bad++
		f.Corrupted += (before - after) / 2
	}
	if before > 0 {
		f.RightBefore++
	}
	if after > 0 {
		f.RightAfter++
	}
}

// rightness is 1 for a right answer, -1 for a wrong one, 0 for none.
func rightness(b state.Bucket, truth bool) int {
	switch b {
	case state.BucketAgreed:
		if truth {
			return 1
		}
		return -1
	case state.BucketDismissed:
		if truth {
			return -1
		}
		return 1
	case state.BucketUnresolved, state.BucketNotEvaluated, state.BucketOpen:
	}
	return 0
}
