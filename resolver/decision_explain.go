package resolver

import (
	"slices"
	"strings"

	"moot/resolver/dialectic"
	"moot/state"
)

// DecisionExplanation says why the proposal of a session advances, is held or is
// put to the user: what holds it, and what would make it advance. Its strings
// quote seats as they wrote: who draws them escapes them.
type DecisionExplanation struct {
	// Decision is the last on the record, "" where no round was resolved; Round is
	// the one of it, Rounds the last that there can be.
	Decision      dialectic.Decision
	Round, Rounds int
	// Where is the decision in words, Sentence why it is so.
	Where, Sentence string
	// Changed says that something came since that bears on the proposal. Holds,
	// Warnings and Changes are of the proposal as it stands.
	Changed bool
	// Holds are what keeps the proposal from advancing: objections, the gravest
	// first, then gates in the order of the fields.
	Holds []Hold
	// Warnings are what stands against it and holds nothing.
	Warnings []string
	// Changes are what would move the decision, the nearest first; their Words and
	// Then are empty. The first that makes it advance is one without which it
	// would not: nothing of it could be left out.
	Changes []Change
	// Limit says what bounds the changes, or is "".
	Limit string
}

// Hold is one thing that keeps a proposal from advancing.
type Hold struct {
	// ID is that of the objection, or the gate: C1, G3. Point is the field, Path
	// its path; both are "" where it is of none.
	ID, Point, Path string
	// What it is, in words.
	What string
	// Release is the nearest thing that would take it away: "With a verified passage
	// that answers C1"; "" if none was found. Way is its course of events, or nil.
	Release string
	Way     *Way
}

// ExplainDecision explains the decision on the proposal of a session of the
// format dialectic; in others it is the zero value.
func ExplainDecision(s state.State) DecisionExplanation {
	if s.Settings.Format != state.FormatDialectic {
		return DecisionExplanation{}
	}
	w := newSearch(&s, nil, &state.Ruling{})
	d := newDesk(&s, w.back)
	e := DecisionExplanation{
		Rounds: LastRound(&s), Round: s.Round, Sentence: "No round was resolved yet.",
		Warnings: d.result.Artifact.Validation.Warnings,
	}
	if last := s.Dialectic.Last(); last != nil {
		e.Decision = dialectic.Decision(last.Decision)
		e.Round, e.Changed = last.Round, !s.Over() && last.Seq < ProposalChanged(&s)
		if o, err := OutcomeOf(&s); err == nil && o != nil && len(o.Receipts) > 0 {
			e.Sentence = sentence(o.Receipts[len(o.Receipts)-1].Reason)
		}
	}
	e.Where = decisionWords(e.Decision)
	e.Holds = w.holds(d)
	e.Changes, _, e.Limit = w.changes()
	return e
}

// decisionWords is a decision as a heading.
func decisionWords(d dialectic.Decision) string {
	switch d {
	case dialectic.Advance:
		return "ADVANCE: nothing holds the proposal"
	case dialectic.Hold:
		return "HOLD: another round is needed"
	case dialectic.Escalate:
		return "ESCALATE: you decide"
	}
	return "Not decided yet"
}

// holds are what keeps the proposal from advancing: objections, the gravest first,
// then gates in the order of the fields.
func (w *search) holds(d *desk) []Hold {
	var list, gates []Hold
	taken := map[string]bool{}
	for _, p := range ProposedFields(w.s) {
		for _, o := range d.burdens(p) {
			what := newBench(w.s, p).objectionWords(o)
			if owed := Outstanding(&d.result, o.ID); owed != "" {
				what += "; " + owed
			}
			list = append(list, w.released(Hold{ID: o.ID, Point: p.ID, Path: p.Field.Path, What: what}))
		}
		for _, g := range FailuresOf(&d.result, p.Field.Path) {
			taken[g.Gate] = true
			gates = append(gates, w.released(Hold{
				ID: g.Gate, Point: p.ID, Path: p.Field.Path,
				What: strings.Join(g.Reasons, "; "),
			}))
		}
	}
	slices.SortStableFunc(list, func(a, b Hold) int { return gravity(w.s, a.ID) - gravity(w.s, b.ID) })
	list = append(list, gates...)
	for _, g := range d.result.Artifact.Validation.Gates {
		if !g.Pass && g.Gate != "G5" && g.Gate != "G7" && !taken[g.Gate] {
			list = append(list, Hold{ID: g.Gate, What: strings.Join(g.Reasons, "; ")})
		}
	}
	return list
}

// gravity is the place of an objection's severity, the gravest first.
func gravity(s *state.State, objection string) int {
	return Gravity(s.Challenge(objection).Typed.Severity)
}

// released is a hold with the nearest thing that would take it away: what helps
// comes first, then what else there is, a new objection not being of help.
func (w *search) released(h Hold) Hold {
	all := aboutField(w.s, w.s.Point(h.Point), w.back, h.Point)
	slices.SortStableFunc(all, func(a, b candidate) int { return remoteness(a) - remoteness(b) })
	for _, c := range all {
		do := c.do
		c.do = func(x *course) {
			x.point = h.Point
			do(x)
		}
		x := w.course(c)
		if c.past || x.impossible || stillHeld(newDesk(&x.s, w.back), x.s.Point(h.Point), h.ID) {
			continue
		}
		way := w.end(c, x)
		h.Way, h.Release = &way, condition([]Way{way})
		break
	}
	return h
}

func remoteness(c candidate) int {
	if c.helps {
		return slices.Index(Movers(), c.who)
	}
	return len(Movers()) + slices.Index(Movers(), c.who)
}

// stillHeld reports whether an objection or a gate holds a field yet.
func stillHeld(d *desk, p *state.Point, id string) bool {
	if !Proposed(p) {
		return false
	}
	return d.fails(p, id) || slices.ContainsFunc(d.burdens(p), func(c *state.Challenge) bool { return c.ID == id })
}
