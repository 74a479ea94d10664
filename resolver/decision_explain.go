package resolver

import (
	"fmt"
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
	// Release is the nearest thing that would take it away, as a condition, "If a
	// verified passage answers C1"; "" where none was found. Way is its course of
	// events, or nil.
	Release string
	Way     *Way
}

// ExplainDecision explains the decision on the proposal of a session of the
// format dialectic; in others it is the zero value.
func ExplainDecision(s state.State) DecisionExplanation {
	if s.Settings.Format != state.FormatDialectic {
		return DecisionExplanation{}
	}
	w := newProspect(&s)
	w.named = true
	e := DecisionExplanation{
		Decision: w.decision, Rounds: LastRound(&s), Round: s.Round, Where: decisionWords(w.decision),
		Sentence: "No round was resolved yet.", Warnings: w.result.Artifact.Validation.Warnings,
	}
	if last := s.Dialectic.Last(); last != nil {
		e.Round, e.Changed = last.Round, !s.Over() && last.Seq < ProposalChanged(&s)
		e.Sentence = decisionSentence(&s)
	}
	e.Holds = w.holds()
	ways := w.decisionWays()
	e.Changes, _ = grouped(ways)
	e.Limit = w.limit(ways)
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

// decisionSentence is the reason on the receipt of the last decision.
func decisionSentence(s *state.State) string {
	o, err := OutcomeOf(s)
	if err != nil || o == nil || len(o.Receipts) == 0 {
		return ""
	}
	return sentence(o.Receipts[len(o.Receipts)-1].Reason)
}

// holds are what keeps the proposal from advancing, each with its release.
func (w *prospect) holds() []Hold {
	var list []Hold
	taken := map[string]bool{}
	for _, p := range ProposedFields(w.s) {
		b := w.bench(p)
		for _, o := range w.burdens(p) {
			what := b.objectionWords(o)
			if owed := w.owed(o.ID); owed != "" {
				what += "; " + owed
			}
			list = append(list, w.released(p, Hold{ID: o.ID, What: what}))
		}
	}
	slices.SortStableFunc(list, func(a, b Hold) int { return gravity(w.s, a.ID) - gravity(w.s, b.ID) })
	for _, p := range ProposedFields(w.s) {
		for _, g := range FailuresOf(&w.result, p.Field.Path) {
			taken[g.Gate] = true
			list = append(list, w.released(p, Hold{ID: g.Gate, What: strings.Join(g.Reasons, "; ")}))
		}
	}
	for _, g := range w.result.Artifact.Validation.Gates {
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

// released is a hold with the nearest thing that would take it away.
func (w *prospect) released(p *state.Point, h Hold) Hold {
	h.Point, h.Path = p.ID, p.Field.Path
	for _, r := range w.releasing(p, &h) {
		c := w.seats(p)
		if r.who == MovedByUser {
			c = w.user(p)
		}
		way, possible := w.way(r.who, r.clause, r.had, r.do(c))
		if possible && !w.after(c).stillHeld(c.here(), &h) {
			h.Way, h.Release = way, condition([]Way{*way})
			return h
		}
	}
	return h
}

// stillHeld reports whether something holds a field yet.
func (w *prospect) stillHeld(p *state.Point, h *Hold) bool {
	if !Proposed(p) {
		return false
	}
	if strings.HasPrefix(h.ID, "G") {
		return w.fails(p, h.ID)
	}
	return slices.ContainsFunc(w.burdens(p), func(c *state.Challenge) bool { return c.ID == h.ID })
}

// releasing are what could take a hold away, the nearest first.
func (w *prospect) releasing(p *state.Point, h *Hold) []release {
	var list []release
	if o := w.s.Challenge(h.ID); o != nil {
		if o.Status != state.StandsConceded && !w.ruledOn(o) {
			for _, k := range proofs() {
				list = append(list, w.cites(p, &k, []*state.Challenge{o}, nil))
			}
		}
		list = append(list, w.cleared(p, []*state.Challenge{o}))
	} else {
		list = append(list, w.mends(p)...)
	}
	return append(list, w.accepted(p), w.withdrawal(p))
}

// cleared is that the user clears objections.
func (w *prospect) cleared(p *state.Point, objections []*state.Challenge) release {
	ids := challengeIDs(objections)
	return release{who: MovedByUser, clause: "you clear " + listed(ids), do: func(c *course) *course {
		if p.UserRuling != nil {
			c.cannot()
		}
		for _, id := range ids {
			c.on(p).then(&state.ObjectionRuled{Challenge: id, Verdict: string(dialectic.RulingCleared)})
		}
		return c
	}}
}

// accepted is that the user agrees to a field.
func (w *prospect) accepted(p *state.Point) release {
	return release{who: MovedByUser, clause: "you agree to " + w.name(p), do: func(c *course) *course { return c.on(p).accept("") }}
}

// withdrawal is that the proposer withdraws a field.
func (w *prospect) withdrawal(p *state.Point) release {
	return release{
		who: MovedBySeats, clause: "the proposer withdraws " + w.name(p), had: "the proposer withdrawn " + w.name(p),
		do: func(c *course) *course {
			if p.UserRuling != nil {
				c.cannot()
			}
			return c.on(p).answering().then(&state.FieldWithdrawn{Point: p.ID, By: state.Proposer, Reason: "withdrawn"})
		},
	}
}

// decisionWays are the courses that give another decision.
func (w *prospect) decisionWays() []Way {
	fields := ProposedFields(w.s)
	if len(fields) == 0 {
		return nil
	}
	var ways []Way
	consider := func(who Mover, clause, had string, c *course) {
		way, possible := w.way(who, clause, had, c)
		if possible && way.Proposal != "" {
			// It is not of one field.
			way.Then = state.Ruling{}
			ways = append(ways, *way)
		}
	}
	for _, who := range []Mover{MovedBySeats, MovedByUser} {
		if plan := w.least(w.plan(who)); len(plan) > 0 && (who != MovedByUser || !w.s.Closed) {
			clause, had := clauses(plan)
			consider(who, clause, had, w.carryOut(who, plan))
		}
	}
	if w.running() {
		if Resolved(w.s) {
			consider(MovedBySession, "nothing new comes in the next round", "", w.seats(fields[0]).nextRound())
		} else {
			consider(MovedBySession, "nothing else comes in this round", "", w.seats(fields[0]))
		}
	}
	w.setbacks(fields[0], consider)
	return ways
}

// setbacks are what would keep a proposal that advances from it.
func (w *prospect) setbacks(p *state.Point, consider func(Mover, string, string, *course)) {
	if w.result.Decision != dialectic.Advance {
		return
	}
	consider(MovedBySeats, "the pressure-tester raises a HIGH objection that nothing settles",
		"the pressure-tester raised a HIGH objection that nothing settled", w.seats(p).examining().object(state.PressureTester))
	tried := []string{}
	for _, r := range w.result.Artifact.Resolutions {
		item := w.s.Item(r.Decider)
		if item == nil || r.Outcome != dialectic.Cleared || slices.Contains(tried, item.ID) || len(tried) == mostTried {
			continue
		}
		tried = append(tried, item.ID)
		consider(MovedByEvidence, "", item.ID+" not been verified",
			w.past(p).then(&state.EvidenceRefused{ID: item.ID, Reason: "it does not stand there"}))
	}
	if !w.s.Closed {
		consider(MovedByUser, "you object to a field", "", w.user(p).object(state.User))
	}
}

// mostSteps is how often it is looked again what holds a proposal once what held
// it was taken away: a gate hides what another one would say, and what only
// warned holds it again where something new comes.
const mostSteps = 3

// plan is how all that holds the proposal could be taken away, by seats or by
// the user.
func (w *prospect) plan(who Mover) []release {
	plan := w.step(who)
	for range mostSteps {
		c := w.carryOut(who, plan)
		if len(plan) == 0 || c.resolve().impossible {
			return plan
		}
		after := w.after(c)
		after.named = true
		more := after.step(who)
		if len(more) == 0 {
			return plan
		}
		plan = append(plan, more...)
	}
	return plan
}

// step takes away what is seen to hold the proposal now.
func (w *prospect) step(who Mover) []release {
	var plan []release
	for _, p := range ProposedFields(w.s) {
		if !w.held(p) {
			continue
		}
		burdens := w.burdens(p)
		r, found := w.accepted(p), true
		switch {
		case who != MovedByUser:
			r, found = w.bySeatsReleased(p, burdens)
		case len(FailuresOf(&w.result, p.Field.Path)) == 0 && p.UserRuling == nil:
			r = w.cleared(p, burdens)
		}
		if !found {
			r = w.withdrawal(p)
		}
		plan = append(plan, r)
	}
	// What changes values comes first: it waits for the next round.
	slices.SortStableFunc(plan, func(a, b release) int { return revised(a) - revised(b) })
	return plan
}

// revised orders a release that begins with a revision before the others.
func revised(r release) int {
	if strings.HasPrefix(r.clause, "the proposer ") {
		return 0
	}
	return 1
}

// carryOut is the course in which all of a plan is done.
func (w *prospect) carryOut(who Mover, plan []release) *course {
	first := ProposedFields(w.s)[0]
	c := w.seats(first)
	if who == MovedByUser {
		c = w.user(first)
	}
	for i := range plan {
		if c.impossible {
			break
		}
		c = plan[i].do(c)
	}
	return c
}

// least is a plan without what it does not need to make the proposal advance;
// nil where it does not.
func (w *prospect) least(plan []release) []release {
	advances := func(plan []release) bool {
		if len(plan) == 0 {
			return false
		}
		c := w.carryOut(plan[0].who, plan).resolve()
		return !c.impossible && c.decision() == dialectic.Advance
	}
	if !advances(plan) {
		return nil
	}
	for i := len(plan) - 1; i >= 0; i-- {
		if without := slices.Delete(slices.Clone(plan), i, i+1); advances(without) {
			plan = without
		}
	}
	return plan
}

// clauses say what a plan takes, the first things by name.
func clauses(plan []release) (clause, had string) {
	var said, hads []string
	for i := range plan {
		if i == mostTried && len(plan) > mostTried+1 {
			more := fmt.Sprintf("%d more are done likewise", len(plan)-i)
			said, hads = append(said, more), append(hads, more)
			break
		}
		said, hads = append(said, plan[i].clause), append(hads, plan[i].had)
	}
	return joined(said), joined(hads)
}
