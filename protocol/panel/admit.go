package panel

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// Admit implements Format. Answers and arguments follow the rules of a consultation. Marks
// and votes have their own rules.
func (Format) Admit(s state.State, ask protocol.Ask, moves []protocol.Move) protocol.Admission {
	if ask.Stage != state.StageTriage && ask.Stage != state.StageVote {
		return protocol.AdmitClaims(s, ask, moves)
	}
	d := &protocol.Draft{State: s}
	a := &protocol.Admitter{Draft: d, Ask: ask, Seat: ask.Seat, Began: s.Seq}
	do := mark
	if ask.Stage == state.StageVote {
		do = vote
	}
	for i, m := range moves {
		d.Try(i+1, func() error {
			if !slices.Contains(ask.Moves, m.Kind()) {
				return protocol.Refuse("not-allowed", "%s is no move of this turn", m.Kind())
			}
			return do(a, m)
		})
	}
	return protocol.Admission{Events: d.Events, Refused: d.Refused}
}

// mark admits a move of the orchestrator's comparison: which points are out of scope,
// which assert the same, and which pairs share a subject (RD1b).
func mark(a *protocol.Admitter, m protocol.Move) error {
	switch m := m.(type) {
	case *protocol.FlagMove:
		// No effect: there is nothing to mark.
		return nil
	case *protocol.Merge:
		return a.Merge(m)
	case *protocol.Triage:
		if m.Other == "" {
			return a.Triage(m)
		}
		p, err := a.Point(m.Point)
		if err != nil {
			return err
		}
		if err := compare(a.Draft, p, m.Other, state.Pair{Same: m.SameSubject, Opposed: m.Opposed, Alike: m.Alike},
			a.Seat); err != nil || m.Scope == "" {
			return err
		}
		scoped := *m
		scoped.Other = ""
		return a.Triage(&scoped)
	}
	return protocol.Refuse("unknown-move", "%s is no move of this turn", m.Kind())
}

// compare marks a pair of points. Seats mark a pair once; only the user may change it.
func compare(d *protocol.Draft, p *state.Point, other string, mark state.Pair, by state.Seat) error {
	q := d.State.Live(other)
	switch {
	case q == nil:
		return protocol.Refuse("unknown-point", "there is no point %q", other)
	case q.ID == p.ID:
		return protocol.Refuse("pair", "%s cannot be compared with itself", p.ID)
	case sameAuthors(p, q):
		return protocol.Refuse("pair", "%s and %s are of the same panelist", p.ID, q.ID)
	case by != state.User && protocol.Paired(&d.State, p, q):
		return protocol.Refuse("pair", "%s and %s are marked already", p.ID, q.ID)
	case mark.Opposed && mark.Alike:
		return protocol.Refuse("pair", "%s and %s cannot both say the same and contradict each other", p.ID, q.ID)
	}
	same := mark.Same || mark.Opposed || mark.Alike
	return d.Add(&state.PointsPaired{A: p.ID, B: q.ID, Same: same, Opposed: mark.Opposed, Alike: mark.Alike, By: by})
}

// vote records a panelist's side in a conflict that its own answer doesn't cover. It
// counts, but it raises no challenge.
func vote(a *protocol.Admitter, m protocol.Move) error {
	switch m := m.(type) {
	case *protocol.FlagMove:
		return nil
	case *protocol.Cite:
		if err := contestedPoint(a, m.Point); err != nil {
			return err
		}
		return a.Cite(m.Point, m.Citation, m.Label)
	case *protocol.Classify:
		if err := contestedPoint(a, m.Point); err != nil {
			return err
		}
		p := a.State.Live(m.Point)
		if err := a.Add(&state.PointClassified{
			Point: p.ID, By: a.Seat, Class: m.Class, Reason: strings.TrimSpace(protocol.FirstOf(m.Reason, m.Flaw)),
			Value: m.ValueJudgment,
		}); err != nil {
			return err
		}
		relation := ledger.Supports
		if m.Class == state.Skeptical || m.Class == state.Reject {
			relation = ledger.Refutes
		}
		return a.Bring(p.ID, m.Citations, protocol.LabelNone, relation)
	}
	return protocol.Refuse("unknown-move", "%s is no move of this turn", m.Kind())
}

// contestedPoint returns a point that the seat was asked to vote on.
func contestedPoint(a *protocol.Admitter, id string) error {
	p, err := a.Point(id)
	if err != nil {
		return err
	}
	t := NewTable(&a.State)
	for _, c := range neutralOn(t, a.Seat) {
		left, right := t.Sides(c)
		if slices.Contains(left.Points, p.ID) || slices.Contains(right.Points, p.ID) {
			return nil
		}
	}
	return protocol.Refuse("closed-point", "%s is in no conflict that you were asked about", p.ID)
}

// sameAuthors reports whether the same seats brought two points.
func sameAuthors(p, q *state.Point) bool {
	return len(p.Authors) == len(q.Authors) &&
		!slices.ContainsFunc(p.Authors, func(seat state.Seat) bool { return !q.IsAuthor(seat) })
}
