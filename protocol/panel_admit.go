package protocol

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// Admit implements Format. An answer, and what is argued, is admitted as in a
// consultation; marks and votes in ways of their own.
func (Panel) Admit(s state.State, ask Ask, moves []Move) Admission {
	if ask.Stage != state.StageTriage && ask.Stage != state.StageVote {
		return Consult{}.Admit(s, ask, moves)
	}
	d := &draft{s: s}
	a := &admission{draft: d, ask: ask, seat: ask.Seat, began: s.Seq}
	do := a.mark
	if ask.Stage == state.StageVote {
		do = a.vote
	}
	for i, m := range moves {
		d.try(i+1, func() error {
			if !slices.Contains(ask.Moves, m.Kind()) {
				return refuse("not-allowed", "%s is no move of this turn", m.Kind())
			}
			return do(m)
		})
	}
	return Admission{Events: d.events, Refused: d.refused}
}

// mark is what the orchestrator says of the answers: what is beside the question,
// what asserts the same, and which pairs are on one subject (RD1b).
func (a *admission) mark(m Move) error {
	switch m := m.(type) {
	case *FlagMove:
		// Nothing to mark, or something beside it: neither changes anything.
		return nil
	case *Merge:
		return a.merge(m)
	case *Triage:
		if m.Other == "" {
			return a.triage(m)
		}
		p, err := a.point(m.Point)
		if err != nil {
			return err
		}
		if err := a.compare(p, m.Other, state.Pair{Same: m.SameSubject, Opposed: m.Opposed, Alike: m.Alike},
			a.seat); err != nil || m.Scope == "" {
			return err
		}
		scoped := *m
		scoped.Other = ""
		return a.triage(&scoped)
	}
	return refuse("unknown-move", "%s is no move of this turn", m.Kind())
}

// compare marks two points. Who marks a pair anew is the user: seats do it once.
func (d *draft) compare(p *state.Point, other string, mark state.Pair, by state.Seat) error {
	q := d.s.Live(other)
	switch {
	case q == nil:
		return refuse("unknown-point", "there is no point %q", other)
	case q.ID == p.ID:
		return refuse("pair", "%s cannot be compared with itself", p.ID)
	case sameAuthors(p, q):
		return refuse("pair", "%s and %s are of the same panelist", p.ID, q.ID)
	case by != state.User && paired(&d.s, p, q):
		return refuse("pair", "%s and %s are marked already", p.ID, q.ID)
	case mark.Opposed && mark.Alike:
		return refuse("pair", "%s and %s cannot both say the same and contradict each other", p.ID, q.ID)
	}
	same := mark.Same || mark.Opposed || mark.Alike
	return d.add(&state.PointsPaired{A: p.ID, B: q.ID, Same: same, Opposed: mark.Opposed, Alike: mark.Alike, By: by})
}

// vote is a panelist's side in a conflict of which its answer says nothing. It
// raises no challenge: it is counted.
func (a *admission) vote(m Move) error {
	switch m := m.(type) {
	case *FlagMove:
		return nil
	case *Cite:
		if err := a.contestedPoint(m.Point); err != nil {
			return err
		}
		return a.cite(m.Point, m.Citation, m.Label)
	case *Classify:
		if err := a.contestedPoint(m.Point); err != nil {
			return err
		}
		p := a.s.Live(m.Point)
		if err := a.add(&state.PointClassified{
			Point: p.ID, By: a.seat, Class: m.Class, Reason: strings.TrimSpace(first(m.Reason, m.Flaw)),
			Value: m.ValueJudgment,
		}); err != nil {
			return err
		}
		relation := ledger.Supports
		if m.Class == state.Skeptical || m.Class == state.Reject {
			relation = ledger.Refutes
		}
		return a.bring(p.ID, m.Citations, LabelNone, relation)
	}
	return refuse("unknown-move", "%s is no move of this turn", m.Kind())
}

// contestedPoint refuses a point that the seat was not asked about.
func (a *admission) contestedPoint(id string) error {
	p, err := a.point(id)
	if err != nil {
		return err
	}
	t := resolver.NewTable(&a.s)
	for _, c := range neutral(t, a.seat) {
		left, right := t.Sides(c)
		if slices.Contains(left.Points, p.ID) || slices.Contains(right.Points, p.ID) {
			return nil
		}
	}
	return refuse("closed-point", "%s is in no conflict that you were asked about", p.ID)
}

// sameAuthors reports whether the same seats brought two points.
func sameAuthors(p, q *state.Point) bool {
	return len(p.Authors) == len(q.Authors) &&
		!slices.ContainsFunc(p.Authors, func(seat state.Seat) bool { return !q.IsAuthor(seat) })
}
