package dialectic

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Objections holds the outcomes of the objections to a session's proposal: of the last
// resolution says, and as the user ruled since.
type Objections struct {
	s *state.State
	// at is the sequence number of the last resolution, or 0.
	at       int
	outcomes map[string]*Objection
}

// Objection is the outcome of one objection.
type Objection struct {
	// Outcome is "" where no round has resolved it yet.
	Outcome gates.Outcome
	// Rule is R0 to R6, or "" if nothing was resolved. Decider is the item that decided,
	// or "".
	Rule, Decider string
	// Reason gives the reason in a sentence, Threshold the least
	// confidence, 0 to 1, that was asked for.
	Reason    string
	Threshold float64
	// Holds is set if the objection keeps the proposal from advancing, Warns if it only
	// warns. An objection that does neither and is not cleared is LOW.
	Holds, Warns bool
	// ByUser says that the user decided it.
	ByUser bool
	// Seq is the number of its receipt, Hash that receipt's; 0 and "" for none.
	Seq  int
	Hash string
}

// NewObjections reads the outcomes of all objections once. The outcome may be nil.
func NewObjections(s *state.State, o *Outcome) *Objections {
	last := s.Dialectic.Last()
	if o == nil || last == nil {
		return &Objections{s: s}
	}
	return &Objections{s: s, at: last.Seq, outcomes: ObjectionOutcomes(&o.Result)}
}

// ObjectionOutcomes returns the outcome of each objection of a result, by its id.
func ObjectionOutcomes(result *gates.Result) map[string]*Objection {
	outcomes := make(map[string]*Objection, len(result.Artifact.Resolutions))
	for i := range result.Artifact.Resolutions {
		r := &result.Artifact.Resolutions[i]
		outcomes[r.Objection] = &Objection{
			Outcome: r.Outcome, Rule: r.Rule, Decider: r.Decider, Threshold: r.Threshold, ByUser: r.Rule == "R0",
		}
	}
	for _, r := range Blocking(result) {
		outcomes[r.Objection].Holds = true
	}
	for id := range warned(result) {
		if c := outcomes[id]; c != nil {
			c.Warns = true
		}
	}
	for i := range result.Receipts {
		r := &result.Receipts[i]
		if c := outcomes[r.Subject]; c != nil && strings.HasPrefix(r.Rule, "R") {
			c.Reason, c.Seq, c.Hash = r.Reason, r.Seq, r.Hash
		}
	}
	return outcomes
}

// Of returns the outcome of an objection.
func (o *Objections) Of(c *state.Challenge) Objection {
	p := o.s.Point(c.Point)
	if p == nil || p.Field == nil || c.Typed == nil {
		return Objection{}
	}
	if since, decided := o.since(c, p); decided {
		return since
	}
	found := o.outcomes[c.ID]
	if found == nil || found.Outcome == gates.Moot && Proposed(p) {
		return Objection{}
	}
	return *found
}

// since returns the decision of the user or the proposer after the last resolution, if that
// needs no new resolution.
func (o *Objections) since(c *state.Challenge, p *state.Point) (Objection, bool) {
	ruling := objectionOf(c, p).Ruling
	ruledSince := c.Typed.RuledSeq > o.at || p.UserRuling != nil && p.UserRuling.Seq > o.at
	switch {
	case ruledSince && ruling == gates.RulingCleared:
		return Objection{Outcome: gates.Cleared, Rule: "R0", ByUser: true, Reason: "the user cleared it"}, true
	case ruledSince && ruling == gates.RulingUpheld:
		holds := gates.Severity(c.Typed.Severity) != gates.Low
		return Objection{
			Outcome: gates.Upheld, Rule: "R0", ByUser: true, Holds: holds,
			Reason: "the user upheld it",
		}, true
	case !Proposed(p) && max(p.Field.Seq, p.Seq) > o.at:
		return Objection{
			Outcome: gates.Moot, Rule: "R6",
			Reason: p.Field.Path + " is no field of the proposal any more",
		}, true
	case c.Typed.RuledSeq > o.at || p.Reopened > o.at:
		// What the user ruled was taken back.
		return Objection{}, true
	}
	return Objection{}, false
}

// Settled reports whether nothing of the objection keeps the proposal from
// advancing any more.
func (o *Objection) Settled() bool { return o.Outcome != "" && !o.Holds }

// Words gives the outcome of the objection, the item that decided, and the rule: "cleared by
// E2, R1", "unresolved, R5", "only warns, R5", "not resolved yet". User is how the
// user is called: "you", "the user".
func (o *Objection) Words(user string) string {
	words := strings.ToLower(string(o.Outcome))
	switch {
	case o.Outcome == "":
		return "not resolved yet"
	case o.Warns:
		words = "only warns"
	case o.Outcome.Holds() && !o.Holds:
		words += ", holds nothing"
	case o.ByUser:
		words += " by " + user
	case o.Decider != "":
		words += " by " + o.Decider
	case o.Outcome == gates.Upheld && o.Rule == "R6":
		words += " as conceded"
	}
	return words + ", " + o.Rule
}

// Gravity is the index of a severity in gates.Severities, the gravest first. An
// unknown word counts as the gravest.
func Gravity(severity string) int { return gates.Severity(severity).Gravity() }

// Owed are the requests for evidence on an objection that nothing answered, in
// their order.
func Owed(s *state.State, c *state.Challenge) []*state.Request {
	var owed []*state.Request
	for _, r := range s.Requests.All() {
		if r.About == c.ID && c.Typed != nil && !requestAnswered(s, r, c) {
			owed = append(owed, r)
		}
	}
	return owed
}

// OfProposal reports whether a rule or gate of a ruling is one of the resolver
// of proposals: R0 to R6, G1 to G8, the decision.
func OfProposal(rule string) bool { return ProposalRuleSays(rule) != "" }

// Describe shows objections with their outcome, items with what counts of them in a
// proposal, and a withdrawal.
func (f *rules) Describe(b *resolver.Basis, id string) string {
	if c := b.State.Challenge(id); c != nil && c.Typed != nil {
		return f.describeObjection(b.State, c)
	}
	field := b.Point.Field
	if e := b.State.Item(id); e != nil && field != nil {
		return fieldEvidenceWords(e)
	}
	if field != nil && field.Withdrawn && id == resolver.Event(field.Seq) {
		return "the withdrawal by " + resolver.SeatName(field.WithdrawnBy) + strings.TrimSuffix(resolver.Colon(field.Reason), ".")
	}
	return b.Describe(id)
}

// describeObjection is an objection with its outcome: "BLOCKING objection of the
// pressure-tester from round 1, cleared by E2, R1: “…”".
func (f *rules) describeObjection(s *state.State, c *state.Challenge) string {
	if f.objections == nil {
		// A resolution that cannot be read says nothing of any objection.
		outcome, _ := OutcomeOf(s)
		f.objections = NewObjections(s, outcome)
	}
	outcome := f.objections.Of(c)
	return fmt.Sprintf("%s objection of %s from round %d, %s: %s", c.Typed.Severity, resolver.SeatName(c.By), c.Round,
		outcome.Words("you"), resolver.Quote(c.Objection))
}

// Because explains the ruling on a field like resolver.Because, with the outcomes that
// were read before.
func (o *Objections) Because(r *state.Ruling) resolver.Explanation {
	e, _ := resolver.ExplainRule(o.s, r, &rules{objections: o})
	return e
}

// Because makes the failure of a gate a sentence: a clause that begins with a path
// does not begin one.
func (*rules) Because(b *resolver.Basis, e *resolver.Explanation) {
	if b.Point.Field != nil && strings.HasPrefix(e.Rule, "G") && e.Ruling.Bucket == state.BucketUnresolved {
		e.Sentence = resolver.Sentence("it fails " + e.Rule + ": " + e.Ruling.Reason)
	}
}

// Explain says what else holds a field, and what nearly decided.
func (f *rules) Explain(b *resolver.Basis, e *resolver.Explanation) {
	if b.Point.Field != nil && Proposed(b.Point) {
		d := f.review(b.State)
		e.Reads = d.obstacles(b, e.Reads)
		e.Before = d.nearly(b.Point)
	}
}

func (*rules) Says(rule string) string {
	return resolver.OrElse(ProposalRuleSays(rule), resolver.Base{}.Says(rule))
}

func (*rules) Meaning(r *state.Ruling) string {
	if r.Status == state.StatusNone && r.Tag == state.TagNotApplicable && OfProposal(r.Rule) {
		return "Nothing holds it, and it rests on no evidence."
	}
	return ""
}

// nearly names the items that bear on what holds a field and decide nothing,
// each with the rule or gate that it came close to and what it lacks.
func (d *review) nearly(p *state.Point) []resolver.NearMiss {
	var list []resolver.NearMiss
	in := d.f.back.proposalOf(d.s, lastResolved(d.s))
	for _, o := range d.burdens(p) {
		if r := resolutionOf(&d.result, o.ID); r == nil || r.Rule == "R0" || r.Rule == "R6" {
			continue
		}
		for _, short := range gates.Shortfalls(&in, o.ID) {
			rule, side := "R1", "for the field"
			if short.Relation == ledger.Refutes {
				rule, side = "R2", "against the field"
			}
			lacks := d.lacks(&short, o.Typed.Severity, o.Typed.Category)
			list = append(list, resolver.NearMiss{
				Rule:  rule,
				Words: fmt.Sprintf("%s is %s on %s; %s.", short.Item, side, o.ID, lacks),
			})
		}
	}
	for _, gate := range []string{"G3", "G4"} {
		if !d.fails(p, gate) {
			continue
		}
		for _, short := range gates.FloorShortfalls(&in, p.Field.Path) {
			weak := short.Lack == gates.LackKind
			if gate == "G4" || !weak {
				list = append(list, resolver.NearMiss{
					Rule:  gate,
					Words: fmt.Sprintf("%s is cited; %s.", short.Item, d.lacks(&short, p.Field.Severity, "")),
				})
			}
		}
		break
	}
	return list[:min(len(list), resolver.MostChanges)]
}

// lacks names the missing property that keeps an item from deciding at a severity, in
// a clause.
func (d *review) lacks(short *gates.Shortfall, severity, category string) string {
	switch short.Lack {
	case gates.LackFresh:
		return "it is too old to count (G8)"
	case gates.LackVerified:
		if item := d.s.Item(short.Item); item != nil && !item.Checked {
			return "it was not checked yet"
		}
		return "it was not verified"
	case gates.LackKind:
		return "it is " + string(short.Kind) + ", which may not decide what is " + severity
	case gates.LackConfidence:
		return fmt.Sprintf("it is at %.2f, where %s asks for %.2f", short.Confidence, category, short.Threshold)
	}
	return ""
}

// holding adds to what a ruling read what else holds the field: objections, gates
// and the user's facts that they name.
func (d *review) obstacles(b *resolver.Basis, list []resolver.Reading) []resolver.Reading {
	p := b.Point
	add := func(id, what string) {
		if what != "" && !slices.ContainsFunc(list, func(r resolver.Reading) bool { return r.ID == id }) {
			list = append(list, resolver.Reading{ID: id, What: what})
		}
	}
	for _, o := range d.burdens(p) {
		add(o.ID, d.f.describeObjection(d.s, o))
		if owed := Outstanding(&d.result, o.ID); owed != "" {
			add("G7", owed)
		}
	}
	for _, g := range FailuresOf(&d.result, p.Field.Path) {
		add(g.Gate, "fails: "+strings.Join(g.Reasons, "; "))
		for _, f := range d.s.Facts.All() {
			if g.Gate == "G6" && Binds(f, p) {
				add(f.ID, resolver.FactWords(f))
			}
		}
	}
	return list
}

// ProposalRuleSays states a rule or gate of proposals, R0 to R6 or G1 to G8, and the
// rule "decision" for a field that waits; it returns "" for other rules.
func ProposalRuleSays(rule string) string {
	switch rule {
	case "R0":
		return "What the user decided stands as decided."
	case "R1":
		return "An objection is cleared where eligible evidence is for the proposal only."
	case "R2":
		return "An objection is upheld where eligible evidence is against the proposal only."
	case "R3":
		return "Where eligible evidence of different kinds stands on both sides, the stronger kind wins."
	case "R4":
		return "Where eligible evidence of one kind stands on both sides, nothing is settled; confidence does not " +
			"settle it."
	case "R5":
		return "Where no evidence is eligible, nothing is settled."
	case "R6":
		return "An objection is moot once its field is gone, and upheld where it was conceded and the field stays."
	case "G1":
		return "Every word is one of its list, and every number in its range."
	case "G2":
		return "Everything that is cited exists."
	case "G3":
		return "What a grounded value says is found in what the user asked for or in what it cites, or follows from " +
			"that."
	case "G4":
		return "A grounded field cites evidence of a source that its severity allows."
	case "G5":
		return "No BLOCKING or HIGH objection stands."
	case "G6":
		return "No field contradicts a fact of the user."
	case "G7":
		return "Nothing that was asked for about a BLOCKING or HIGH objection is outstanding."
	case "G8":
		return "What is too old does not count."
	case decisionRule:
		return "What no round has resolved is open."
	}
	return ""
}

// fieldEvidenceWords is an item with what counts of it in a proposal: its source,
// and how sure code is of it.
func fieldEvidenceWords(e *ledger.Evidence) string {
	bears := resolver.BearsOn(e.Relation, "the field")
	checked := "not checked yet"
	switch {
	case e.Counts():
		checked = "verified"
	case e.Checked:
		checked = "not verified, so that it counts as " + string(ledger.LLMInference)
	}
	return fmt.Sprintf("%s, %.2f, %s, %s, at %s: %s", e.SourceKind, e.Confidence, bears, checked, resolver.Clip(e.Reference),
		resolver.Quote(e.Excerpt))
}

// DecisionExplanation says why the proposal of a session advances, is held or is
// put to the user: what holds it, and what would make it advance. Its strings
// quote seats as they wrote: who draws them escapes them.
type DecisionExplanation struct {
	// Decision is the last on the record, "" where no round was resolved; Round is
	// the one of it, Rounds the last that there can be.
	Decision      gates.Decision
	Round, Rounds int
	// Where is the decision in words, Sentence why it is so.
	Where, Sentence string
	// Changed is set if an event after the last resolution affects the proposal. Holds,
	// Warnings and Changes describe the proposal as it is now.
	Changed bool
	// Holds lists the obstacles to advancing: objections, the gravest first, then gates in
	// the order of the fields.
	Holds []Hold
	// Warnings lists the objections that only warn.
	Warnings []string
	// Changes lists events that would change the decision, the nearest first; their Words
	// and Then are empty. The first that makes the proposal advance is minimal: no part of
	// it can be left out.
	Changes []resolver.Change
	// Limit says what bounds the changes, or is "".
	Limit string
}

// Hold is one thing that keeps a proposal from advancing.
type Hold struct {
	// ID is the objection or the gate: C1, G3. Point is the field and Path its path; both
	// are "" for an obstacle that belongs to no field.
	ID, Point, Path string
	// What it is, in words.
	What string
	// Release is the nearest thing that would take it away: "With a verified passage
	// that answers C1"; "" if none was found. Way is its course of events, or nil.
	Release string
	Way     *resolver.Way
}

// ExplainDecision explains the decision on the proposal of a session of the
// format dialectic; in others it is the zero value.
func ExplainDecision(s state.State) DecisionExplanation {
	f, ok := resolver.FormatOf(&s).(*rules)
	if !ok {
		return DecisionExplanation{}
	}
	w := resolver.NewSearch(&s, nil, f, &state.Ruling{})
	w.Candidates = func(s *state.State, _ *state.Point) []resolver.Candidate { return f.aboutProposal(s) }
	d := f.review(&s)
	e := DecisionExplanation{
		Rounds: resolver.LastRound(&s), Round: s.Round, Sentence: "No round was resolved yet.",
		Warnings: d.result.Artifact.Validation.Warnings,
	}
	if last := s.Dialectic.Last(); last != nil {
		e.Decision = gates.Decision(last.Decision)
		e.Round, e.Changed = last.Round, !s.Over() && last.Seq < ProposalChanged(&s)
		if o, err := OutcomeOf(&s); err == nil && o != nil && len(o.Receipts) > 0 {
			e.Sentence = resolver.Sentence(o.Receipts[len(o.Receipts)-1].Reason)
		}
	}
	e.Where = decisionWords(e.Decision)
	e.Holds = holds(w, d)
	e.Changes, _, e.Limit = w.Changes()
	return e
}

// decisionWords is a decision as a heading.
func decisionWords(d gates.Decision) string {
	switch d {
	case gates.Advance:
		return "ADVANCE: nothing holds the proposal"
	case gates.Hold:
		return "HOLD: another round is needed"
	case gates.Escalate:
		return "ESCALATE: you decide"
	}
	return "Not decided yet"
}

// holds lists the obstacles to advancing: objections, the gravest first, then gates in
// the order of the fields.
func holds(w *resolver.Search, d *review) []Hold {
	var list, gates []Hold
	taken := map[string]bool{}
	for _, p := range ProposedFields(w.State) {
		for _, o := range d.burdens(p) {
			what := d.f.describeObjection(w.State, o)
			if owed := Outstanding(&d.result, o.ID); owed != "" {
				what += "; " + owed
			}
			list = append(list, released(w, d, Hold{ID: o.ID, Point: p.ID, Path: p.Field.Path, What: what}))
		}
		for _, g := range FailuresOf(&d.result, p.Field.Path) {
			taken[g.Gate] = true
			gates = append(gates, released(w, d, Hold{
				ID: g.Gate, Point: p.ID, Path: p.Field.Path,
				What: strings.Join(g.Reasons, "; "),
			}))
		}
	}
	slices.SortStableFunc(list, func(a, b Hold) int { return gravity(w.State, a.ID) - gravity(w.State, b.ID) })
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
func released(w *resolver.Search, d *review, h Hold) Hold {
	f := d.f
	all := f.aboutFieldOf(w.State, w.State.Point(h.Point))
	slices.SortStableFunc(all, func(a, b resolver.Candidate) int { return remoteness(a) - remoteness(b) })
	for _, c := range all {
		x := w.Course(c)
		if c.Past || x.Impossible || stillHeld(f.review(&x.State), x.State.Point(h.Point), h.ID) {
			continue
		}
		way := w.End(c, x)
		h.Way, h.Release = &way, resolver.Condition([]resolver.Way{way})
		break
	}
	return h
}

func remoteness(c resolver.Candidate) int {
	if c.Helps {
		return c.Who.Distance()
	}
	return len(resolver.Movers()) + c.Who.Distance()
}

// stillHeld reports whether an objection or a gate holds a field yet.
func stillHeld(d *review, p *state.Point, id string) bool {
	if !Proposed(p) {
		return false
	}
	return d.fails(p, id) || slices.ContainsFunc(d.burdens(p), func(c *state.Challenge) bool { return c.ID == id })
}

// Why implements view.Format.
func (document) Why(*resolver.Explanation) []view.Section { return nil }

// Explain shows why the proposal advances or not: what holds it, and what would change that.
func (document) Explain(s *state.State, name string) (d view.Document, ok bool) {
	if !strings.EqualFold(name, "decision") {
		return d, false
	}
	e := ExplainDecision(*s)
	d = view.Document{Title: "decision", Question: s.Question, Heading: e.Where, Role: DecisionRole(string(e.Decision)), Verdict: []string{e.Sentence}}
	switch {
	case e.Changed:
		d.Verdict = append(d.Verdict, fmt.Sprintf("Round %d of %d. The proposal changed since; the rest is about the current proposal.", e.Round, e.Rounds))
	case e.Round > 0:
		d.Verdict = append(d.Verdict, fmt.Sprintf("Round %d of %d.", e.Round, e.Rounds))
	}
	held := view.Section{Title: "WHAT HOLDS IT", Uncounted: true}
	for i := range e.Holds {
		h := &e.Holds[i]
		it := view.Item{ID: h.ID, Text: h.What, Role: view.RoleDoubt}
		if h.Point != "" {
			it.Text = "on " + h.Point + " " + h.Path + ": " + h.What
		}
		if h.Release != "" {
			it.Note("released", h.Release+", it no longer holds.")
		}
		held.Items = append(held.Items, it)
	}
	d.Add(held, view.Section{Title: "WHAT ONLY WARNS", Uncounted: true, Lines: e.Warnings})
	d.Add(view.Changes(e.Changes, 0, e.Limit)...)
	return d, true
}
