package view

import (
	"fmt"
	"slices"

	"moot/resolver"
	"moot/state"
)

// Change compares the bucket that a point had after round 1 with its bucket now (ST5).
type Change struct {
	Point  string       `json:"point"`
	Before state.Bucket `json:"before"`
	After  state.Bucket `json:"after"`
}

// Moved reports whether the debate changed anything. An Open point may still go either way, and one that was not
// evaluated was not debated.
func (c Change) Moved() bool {
	return c.Before != c.After && c.After != state.BucketOpen && c.After != state.BucketNotEvaluated
}

// Baseline returns what the debate changed, point by point. Merged points are left out: they count
// as the point they were merged into.
//
// Before is agreed if another seat agreed in round 1, dismissed if the others rejected it there,
// not_evaluated if it came later, else unresolved. In a panel, an answer that says the same counts
// as agreement; in a council, a confidence of 0.5 or more; in a dialectic, a pressure-tester
// without an objection to the field.
func Baseline(s *state.State, rulings []state.Ruling) []Change {
	var changes []Change
	first := FormatOf(s).FirstAnswers(s)
	for i := range rulings {
		if p := s.Point(rulings[i].Point); p != nil && p.MergedInto == "" {
			changes = append(changes, Change{Point: p.ID, Before: first(p), After: rulings[i].Bucket})
		}
	}
	return changes
}

// firstWord returns the seats' judgment of a point in round 1, before any ruling.
func firstWord(b state.Bucket) string {
	switch b {
	case state.BucketAgreed:
		return "agreed to"
	case state.BucketDismissed:
		return "rejected"
	case state.BucketNotEvaluated:
		return "not raised yet"
	case state.BucketUnresolved, state.BucketOpen:
	}
	return "undecided"
}

// Moves lists the points that moved: "P1 agreed to → unresolved". A revision of a point of round 1 was raised in other
// words: "P1 undecided → revised as P2, P2 worded as P1 → dismissed".
func Moves(s *state.State, changes []Change) []string {
	var moved []string
	for _, c := range changes {
		if !c.Moved() {
			continue
		}
		p := s.Point(c.Point)
		before, after := firstWord(c.Before), BucketName(c.After)
		if first := wordedAs(s, p); first != nil {
			before = "worded as " + first.ID
		}
		if p.RevisedBy != "" && c.After == state.BucketDismissed {
			after = "revised as " + p.RevisedBy
		}
		moved = append(moved, fmt.Sprintf("%s %s → %s", c.Point, before, after))
	}
	return moved
}

// wordedAs returns the latest earlier form of a point that was raised in round 1, or nil.
func wordedAs(s *state.State, p *state.Point) *state.Point {
	for _, form := range resolver.Lineage(s, p)[1:] {
		if form.Round == 1 {
			return form
		}
	}
	return nil
}

// Flips counts how the debate changed labeled points (ST5). An answer is right if it is agreed and
// the point turned out true, or dismissed and it turned out false; wrong if it is the other way
// around; otherwise it is undecided.
type Flips struct {
	// Labeled counts the points that carry a label.
	Labeled int `json:"labeled"`
	// Good counts points that the debate moved toward the truth; Corrected are those
	// that went all the way from wrong to right.
	Good      int `json:"good"`
	Corrected int `json:"corrected"`
	// Bad counts points that it moved away, Corrupted those that went from right to wrong.
	Bad       int `json:"bad"`
	Corrupted int `json:"corrupted"`
	// RightBefore and RightAfter count right answers.
	RightBefore int `json:"right_before"`
	RightAfter  int `json:"right_after"`
}

// Add counts one point that turned out to be true or false.
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

// rightness is 1 for a right answer, -1 for a wrong one, 0 for an undecided one.
func rightness(b state.Bucket, truth bool) int {
	switch {
	case !slices.Contains([]state.Bucket{state.BucketAgreed, state.BucketDismissed}, b):
		return 0
	case (b == state.BucketAgreed) == truth:
		return 1
	}
	return -1
}
