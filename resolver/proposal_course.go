package resolver

import (
	"encoding/json"
	"slices"

	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// course is a course of events in a session about a proposal that did not
// happen. Seats move in it only where the format asks them.
type course struct {
	*supposed

	back *recall
	// result is what stands of the proposal at the end of the course, nil where that
	// was not asked for.
	result *dialectic.Result
}

// then lets events happen.
func (c *course) then(payloads ...state.Payload) *course {
	c.result = nil
	c.add(payloads...)
	return c
}

// resolve has code say what stands, as it does at the end of a round and after
// each move of the user's. Where no field is proposed any more the session ends
// before that.
func (c *course) resolve() *course {
	switch {
	case c.impossible || c.s.Over():
	case !AnyProposed(&c.s):
		c.then(&state.ExitReached{Exit: state.ExitDecided, Reason: "no field of the proposal is left"})
	case !Resolved(&c.s):
		recorded, result, err := c.back.recorded(&c.s, c.s.At)
		if err != nil {
			c.cannot()
			return c
		}
		c.then(&state.RoundResolved{Resolution: recorded})
		c.result = &result
	}
	return c
}

// Resolved reports whether this round was resolved as the proposal stands.
func Resolved(s *state.State) bool {
	last := s.Dialectic.Last()
	return last != nil && last.Round == s.Round && last.Seq > ProposalChanged(s)
}

// AnyProposed reports whether a field is left in the proposal.
func AnyProposed(s *state.State) bool {
	for _, p := range s.Points.All() {
		if Proposed(p) {
			return true
		}
	}
	return false
}

// ProposedFields are the fields of the proposal as it stands, in their order.
func ProposedFields(s *state.State) []*state.Point {
	var fields []*state.Point
	for _, p := range s.Points.All() {
		if Proposed(p) {
			fields = append(fields, p)
		}
	}
	return fields
}

// Challenged reports whether a round brought an objection to the proposal that
// the user did not rule on, or a request for evidence that is open: the proposer
// answers then.
func Challenged(s *state.State, round int) bool {
	for _, c := range s.Challenges.All() {
		if p := s.Point(c.Point); c.Round == round && c.Typed != nil && c.Typed.Verdict == "" && Proposed(p) {
			return true
		}
	}
	for _, r := range s.Requests.All() {
		if r.Round == round && r.About != "" && r.Open() {
			return true
		}
	}
	return false
}

// nextRound resolves this round and goes on to the next, where the proposal is
// held for that.
func (c *course) nextRound() *course {
	if c.past || c.resolve().impossible {
		return c
	}
	last := c.s.Dialectic.Last()
	if c.s.Over() || len(Escalations(&c.s)) > 0 || last.Decision != string(dialectic.Hold) || c.s.Round >= LastRound(&c.s) {
		c.cannot()
		return c
	}
	return c.then(&state.RoundStarted{Round: c.s.Round + 1})
}

// revising goes on to where the proposer may give fields other values.
func (c *course) revising() *course {
	if c.tabled() {
		return c.nextRound()
	}
	return c
}

// tabled reports whether the proposer had its turn at the values of this round.
func (c *course) tabled() bool {
	return c.s.Round < 2 || c.s.AskedOf(state.Proposer, state.StagePropose).Replies > 0
}

// answering goes on to where the proposer may bring evidence, concede and
// withdraw.
func (c *course) answering() *course {
	answers := c.s.AskedOf(state.Proposer, state.StageAnswer).Replies == 0 && Challenged(&c.s, c.s.Round)
	if c.tabled() && !answers {
		return c.nextRound()
	}
	return c
}

// examining goes on to where the pressure-tester may object.
func (c *course) examining() *course {
	if c.s.AskedOf(state.PressureTester, state.StageEvaluate).Replies > 0 {
		return c.nextRound()
	}
	return c
}

// proof is a kind of evidence that may come.
type proof struct {
	kind       ledger.Type
	source     ledger.SourceKind
	confidence float64
	// words name it in a sentence.
	words string
}

// proofs are the kinds, those that are had most easily first.
func proofs() []proof {
	return []proof{
		{ledger.Textual, ledger.DomainEvidence, ledger.ConfidenceInPlace, "a verified passage"},
		{ledger.Textual, ledger.OfficialSource, ledger.ConfidenceOfficial, "a passage of an official source"},
		{ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution, "a command's checked output"},
	}
}

// evidence lets a seat bring an item that proves right, for or against a field,
// to bear on objections. It quotes what the field says.
func (c *course) evidence(by state.Seat, k *proof, relation ledger.Relation, objections ...string) *course {
	if c.impossible {
		return c
	}
	id, quoted := state.NextID('E', c.s.Evidence.Len()), saidOf(c.here().Field.Value)
	c.then(&state.EvidenceOffered{ID: id, Point: c.point, Relation: relation, Reference: "what-if/" + id, Quote: quoted, By: by})
	for _, objection := range objections {
		if c.s.Challenge(objection).Status == state.StandsConceded {
			// What was conceded no seat answers any more.
			c.cannot()
		}
		c.then(&state.EvidenceSupplied{Evidence: id, Challenge: objection})
	}
	return c.then(&state.EvidenceVerified{
		ID: id, Type: k.kind, SourceKind: k.source, Confidence: k.confidence,
		Reference: "what-if/" + id, Excerpt: quoted, Admitted: true, Reason: "in place",
	})
}

// saidOf is a value as a passage says it.
func saidOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	return string(value)
}

// byUserEvidence is what the user gives on the field: it bears on the objections.
func (c *course) byUserEvidence(text string, relation ledger.Relation, objections ...string) *course {
	id := state.NextID('E', c.s.Evidence.Len())
	c.then(
		&state.EvidenceOffered{ID: id, Point: c.point, Relation: relation, Reference: "the user", Quote: text, Direct: true, By: state.User},
		&state.EvidenceVerified{
			ID: id, Type: ledger.Textual, SourceKind: ledger.UserOverride, Confidence: ledger.ConfidenceUser,
			Reference: "the user", Excerpt: text, Admitted: true, Reason: "the user gave it",
		},
	)
	for _, objection := range objections {
		c.then(&state.EvidenceSupplied{Evidence: id, Challenge: objection})
	}
	return c
}

// accept has the user agree to the field, for a reason: it stands as it is, and what it
// contradicts gives way.
func (c *course) accept(why string) *course {
	said := c.here().Field.Path + " = " + string(c.here().Field.Value)
	c.then(&state.OverrideMade{What: state.OverrideAgree, Point: c.point, Reason: why}).byUserEvidence(said, ledger.Supports)
	if c.impossible {
		return c
	}
	result := c.back.resolve(&c.s, c.s.At)
	failures := FailuresOf(&result, c.here().Field.Path)
	if !slices.ContainsFunc(failures, func(g dialectic.GateResult) bool { return g.Gate == "G6" }) {
		return c
	}
	for _, f := range c.s.Facts.All() {
		if Binds(f, c.here()) {
			c.then(&state.FactRecorded{
				ID: state.NextID('F', c.s.Facts.Len()), Tag: ledger.TagUser, Seat: state.User, Supersedes: f.ID, Text: "accepted: " + said,
			})
		}
	}
	return c
}

// Binds reports whether a fact of the user's says what a field may be.
func Binds(f *ledger.Fact, p *state.Point) bool {
	return f.Live && f.Tag == ledger.TagUser && f.Predicate != nil && f.Predicate.Path == p.Field.Path
}

// revise gives the field another value, severity or other citations; what is
// empty stays.
func (c *course) revise(value json.RawMessage, severity string, cites []string) *course {
	if c.revising().impossible {
		return c
	}
	f := c.here().Field
	e := &state.FieldRevised{
		Point: c.point, By: state.Proposer, Value: f.Value, Text: f.Path + " = " + string(f.Value), Severity: f.Severity,
		Grounded: f.Grounded, Derived: f.Derived, Cites: f.Cites, Reason: "revised",
	}
	if value != nil {
		e.Value, e.Text, e.Derived = value, f.Path+" = "+string(value), nil
	}
	if severity != "" {
		e.Severity = severity
	}
	if cites != nil {
		e.Cites = cites
	}
	return c.then(e)
}

// object raises a HIGH objection that nothing bears on.
func (c *course) object(by state.Seat) *course {
	if c.impossible {
		return c
	}
	id := state.NextID('C', c.s.Challenges.Len())
	const text = "what nothing settles"
	return c.then(
		&state.ChallengeRaised{ID: id, Point: c.point, By: by, What: state.Reject, Objection: text, UpgradeIf: "evidence on it"},
		&state.ObjectionFiled{Challenge: id, Category: c.here().Field.Category, Severity: string(dialectic.High), Predicate: text, Cites: []string{}},
	)
}

// on goes on with another field.
func (c *course) on(p *state.Point) *course {
	c.point = p.ID
	return c
}

// ruling is where the course leads its field.
func (c *course) ruling() state.Ruling {
	v := &verdicts{s: &c.s, result: c.result}
	return v.of(c.here())
}

// decision is where it leads the proposal; "" where nothing is left of that, or
// nothing was resolved.
func (c *course) decision() dialectic.Decision {
	last := c.s.Dialectic.Last()
	switch {
	case last == nil, !AnyProposed(&c.s):
		return ""
	case c.past && c.s.Over():
		return c.back.resolve(&c.s, last.AsOf).Decision
	}
	return dialectic.Decision(last.Decision)
}
