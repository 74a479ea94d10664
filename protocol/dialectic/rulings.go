package dialectic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
	"moot/resolver"
	"moot/state"
)

// proposals rules on the fields of proposals, which stand or fall together: the
// format dialectic.
type rules struct {
	resolver.Base
	// objections is the outcome of the objections, if the caller has read it.
	objections *Objections
	back       recall
}

func (f *rules) Rule(s *state.State) []state.Ruling {
	v := &verdicts{s: s}
	return resolver.RuleEach(s, func(_ *state.State, p *state.Point) state.Ruling { return v.of(p) })
}

func (f *rules) RuleOne(s *state.State, p *state.Point) state.Ruling {
	v := &verdicts{s: s}
	return v.of(p)
}

func (*rules) Independent() bool { return false }

func (*rules) LastRound(s *state.State) int { return Configured(s).MaxRounds }

// Evaluators: consultees, which a proposal has none of; the pressure-tester files
// objections instead.
func (*rules) Evaluators(s *state.State, p *state.Point) []state.Seat {
	return resolver.Claims{}.Evaluators(s, p)
}

// Inconclusive: the decision counts too, unless the user decided.
func (*rules) Inconclusive(s *state.State, rulings []state.Ruling) bool {
	undecided := s.Exit != state.ExitDecided && recorded(s) != gates.Advance
	return resolver.Inconclusive(rulings) || undecided
}

// Expect computes the resolution of a round again, as of the event before it.
func (f *rules) Expect(s *state.State, recorded state.Payload) (state.Payload, error) {
	if _, ok := recorded.(*state.RoundResolved); !ok {
		return recorded, nil
	}
	want, _, err := Recorded(s, s.At)
	return &state.RoundResolved{Resolution: want}, err
}

// ProposalID is how the resolutions of a session name its proposal: a session
// has one.
const ProposalID = "proposal"

// decisionRule names, in a ruling, that only the decision bears on it.
const decisionRule = "decision"

// verdicts is where the fields of one proposal are ruled on.
type verdicts struct {
	s *state.State
	// result is the current resolution, and blocking the resolutions that block the field
	// of each point; both are computed on first use.
	result   *gates.Result
	blocking map[string][]gates.Resolution
}

// of is the ruling on a point.
func (v *verdicts) of(p *state.Point) state.Ruling {
	r := v.rule(p)
	r.Point = p.ID
	if r.Reads == nil {
		r.Reads = []string{}
	}
	return r
}

// resolved is the current resolution of the proposal. The age of evidence counts from
// the last recorded resolution, so that the same state always gives the same result.
func (v *verdicts) resolved() *gates.Result {
	if v.result == nil {
		result := ResolveProposal(v.s, v.s.Dialectic.Last().AsOf)
		v.result = &result
	}
	return v.result
}

func (v *verdicts) rule(p *state.Point) state.Ruling {
	last := v.s.Dialectic.Last()
	switch {
	case p.UserRuling != nil:
		reason := "the user ruled so"
		if why := strings.Join(strings.Fields(p.UserRuling.Reason), " "); why != "" {
			reason += ": " + why
		}
		r := ruled(p.UserRuling.Bucket, state.TagUser, "R0", reason, resolver.Event(p.UserRuling.Seq))
		if r.Bucket == state.BucketUnresolved {
			r.Tag, r.Status, r.Crux = state.TagNone, state.StatusOpen, "a ruling of the user"
		}
		return r
	case p.Field == nil:
		return v.waiting("it is no field of the proposal")
	case p.Field.Withdrawn && p.Field.WithdrawnBy == state.User:
		return ruled(state.BucketDismissed, state.TagUser, "R0", "the user withdrew it", resolver.Event(p.Field.Seq))
	case p.Field.Withdrawn:
		return ruled(state.BucketDismissed, state.TagConceded, "R6", "withdrawn: "+orNothing(p.Field.Reason),
			resolver.Event(p.Field.Seq))
	case last == nil || !v.s.Over() && last.Seq < max(p.Seq, v.s.Constraints):
		return v.waiting("it was not resolved yet as it stands")
	}
	return v.settled(p)
}

// waiting is the ruling on a field that no resolution has looked at.
func (v *verdicts) waiting(why string) state.Ruling {
	if v.s.Over() {
		r := ruled(state.BucketUnresolved, state.TagNone, decisionRule, "the session ended, and "+why)
		r.Status, r.Crux = state.StatusOpen, "a round that resolves it"
		return r
	}
	return ruled(state.BucketOpen, state.TagNone, decisionRule, why)
}

func ruled(bucket state.Bucket, tag state.Tag, rule, reason string, reads ...string) state.Ruling {
	return state.Ruling{Bucket: bucket, Tag: tag, Reason: reason, Receipt: state.Receipt{Rule: rule, Reads: reads}}
}

func orNothing(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "no reason given"
	}
	return text
}

// settled rules on a field that was resolved: what upholds an objection to it
// comes first, then the gates, then what is not settled.
func (v *verdicts) settled(p *state.Point) state.Ruling {
	blocking := v.blockingOn(p)
	for i := range blocking {
		if blocking[i].Outcome == gates.Upheld {
			c, r := v.s.Challenge(blocking[i].Objection), &blocking[i]
			return ruled(state.BucketDismissed, state.TagRejected, r.Rule, upheldBecause(c, r), readsOf(r)...)
		}
	}
	for _, failure := range FailuresOf(v.resolved(), p.Field.Path) {
		r := ruled(state.BucketUnresolved, state.TagNone, failure.Gate, strings.Join(failure.Reasons, "; "),
			v.cited(p)...)
		r.Status, r.Crux = state.StatusBlocked, "what makes "+failure.Gate+" pass"
		return r
	}
	for i := range blocking {
		c, r := v.s.Challenge(blocking[i].Objection), &blocking[i]
		ruling := ruled(state.BucketUnresolved, state.TagNone, r.Rule, unresolvedBecause(c, r), readsOf(r)...)
		ruling.Status, ruling.Crux = state.StatusBlocked, "evidence on: "+c.Typed.Predicate
		return ruling
	}
	return v.carried(p)
}

// blockingOn are the resolutions of the objections to a field that hold it, the
// gravest first: not those that only warn.
func (v *verdicts) blockingOn(p *state.Point) []gates.Resolution {
	if v.blocking == nil {
		v.blocking = map[string][]gates.Resolution{}
		for _, r := range Blocking(v.resolved()) {
			point := v.s.Challenge(r.Objection).Point
			v.blocking[point] = append(v.blocking[point], r)
		}
		for _, list := range v.blocking {
			slices.SortStableFunc(list, func(a, b gates.Resolution) int {
				return cmp.Compare(gravity(v.s, a.Objection), gravity(v.s, b.Objection))
			})
		}
	}
	return v.blocking[p.ID]
}

// Blocking are the resolutions that keep a proposal from advancing: objections
// above LOW that are upheld or unresolved, without those that only warn.
func Blocking(result *gates.Result) []gates.Resolution {
	warns := warned(result)
	var blocking []gates.Resolution
	for i := range result.Artifact.Objections {
		o, r := &result.Artifact.Objections[i], &result.Artifact.Resolutions[i]
		if o.Severity != gates.Low && !warns[o.ID] && r.Outcome.Holds() {
			blocking = append(blocking, *r)
		}
	}
	return blocking
}

// FailuresOf are the gates that fail for a field, each with the reasons that
// concern it. What fails for objections is not among them.
func FailuresOf(result *gates.Result, path string) []gates.GateResult {
	place := ""
	for i := range result.Artifact.Proposal.Fields {
		if result.Artifact.Proposal.Fields[i].Path == path {
			place = fmt.Sprintf("artifact.proposal.fields[%d]", i)
		}
	}
	var failures []gates.GateResult
	for _, g := range result.Artifact.Validation.Gates {
		if g.Pass || g.Gate == "G5" || g.Gate == "G7" {
			continue
		}
		failure := gates.GateResult{Gate: g.Gate}
		for _, reason := range g.Reasons {
			if place != "" && strings.HasPrefix(reason, place+".") || isAbout(reason, path) {
				failure.Reasons = append(failure.Reasons, strings.Replace(reason, place+".", path+": ", 1))
			}
		}
		if len(failure.Reasons) > 0 {
			failures = append(failures, failure)
		}
	}
	return failures
}

// isAbout reports whether a gate's reason is about a field: it begins with the
// path. Further on it may name others, which the field follows from.
func isAbout(reason, path string) bool {
	rest, ok := strings.CutPrefix(reason, path)
	return ok && (strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, ": "))
}

func upheldBecause(c *state.Challenge, r *gates.Resolution) string {
	switch r.Rule {
	case "R0":
		return fmt.Sprintf("the user upholds %s (%s)", c.ID, c.Typed.Severity)
	case "R6":
		return fmt.Sprintf("%s (%s) was conceded, and the field is still proposed", c.ID, c.Typed.Severity)
	}
	return fmt.Sprintf("%s upholds %s (%s)", r.Decider, c.ID, c.Typed.Severity)
}

func unresolvedBecause(c *state.Challenge, r *gates.Resolution) string {
	if r.Rule == "R4" {
		return fmt.Sprintf("%s and %s are of one kind and stand on both sides of %s (%s)", r.BestFor, r.BestAgainst,
			c.ID, c.Typed.Severity)
	}
	return fmt.Sprintf("no evidence that may decide bears on %s (%s)", c.ID, c.Typed.Severity)
}

// readsOf are the ids that a resolution read.
func readsOf(r *gates.Resolution) []string {
	reads := []string{r.Objection}
	for _, id := range []string{r.Decider, r.BestFor, r.BestAgainst} {
		if id != "" && id != "user" && !slices.Contains(reads, id) {
			reads = append(reads, id)
		}
	}
	return reads
}

// carried is the ruling on a field that nothing holds.
func (v *verdicts) carried(p *state.Point) state.Ruling {
	for _, r := range v.resolved().Artifact.Resolutions {
		if v.s.Challenge(r.Objection).Point != p.ID || r.Outcome != gates.Cleared {
			continue
		}
		reason := fmt.Sprintf("%s clears %s, and every gate passes for it", r.Decider, r.Objection)
		if r.Rule == "R0" {
			reason = fmt.Sprintf("the user cleared %s, and every gate passes for it", r.Objection)
		}
		return ruled(state.BucketAgreed, v.tag(p), r.Rule, reason, readsOf(&r)...)
	}
	if cited := v.cited(p); p.Field.Grounded && len(cited) > 0 {
		return ruled(state.BucketAgreed, v.tag(p), "G4",
			"no objection holds it, and it rests on "+strings.Join(cited, ", "), cited...)
	}
	return ruled(state.BucketAgreed, v.tag(p), "G5", "no objection holds it, and every gate passes for it")
}

// cited are the ids of the items on record that carry a field.
func (v *verdicts) cited(p *state.Point) []string {
	var ids []string
	for _, id := range fieldOf(v.s, p).Evidence {
		if item := v.s.Item(id); item != nil && item.Counts() {
			ids = append(ids, id)
		}
	}
	return ids
}

// tag says what kind of evidence the field rests on.
func (v *verdicts) tag(p *state.Point) state.Tag {
	var items []*ledger.Evidence
	for _, id := range v.cited(p) {
		items = append(items, v.s.Item(id))
	}
	top := resolver.Best(items)
	switch {
	case top == nil:
		return state.TagNotApplicable
	case top.Type == ledger.Execution:
		return state.TagExecution
	case top.Type == ledger.Textual:
		return state.TagTextual
	}
	return state.TagNotApplicable
}

// Escalations are the ids of the questions about the proposal that wait for the
// user: no round begins before all are answered.
func Escalations(s *state.State) []string {
	var asked []string
	for _, q := range s.Questions.All() {
		if q.Kind == state.QuestionEscalation && !q.Answered {
			asked = append(asked, q.ID)
		}
	}
	return asked
}

// Resolved reports whether this round was resolved as the proposal is now.
func Resolved(s *state.State) bool {
	last := s.Dialectic.Last()
	return last != nil && last.Round == s.Round && last.Seq > ProposalChanged(s)
}

// AnyProposed reports whether a field is left in the proposal.
func AnyProposed(s *state.State) bool { return len(ProposedFields(s)) > 0 }

// ProposedFields are the fields of the proposal as it is now, in their order.
func ProposedFields(s *state.State) []*state.Point {
	var fields []*state.Point
	for _, p := range s.Points.All() {
		if Proposed(p) {
			fields = append(fields, p)
		}
	}
	return fields
}

// Challenged reports whether a round brought an objection to the proposal that the
// user did not rule on, or an open request for evidence: the proposer then answers.
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

// Outstanding names the evidence that G7 still requires for an objection, or returns
// "".
func Outstanding(result *gates.Result, objection string) string {
	for _, g := range result.Artifact.Validation.Gates {
		for _, reason := range g.Reasons {
			if g.Gate == "G7" && !g.Pass && strings.Contains(reason, " about "+objection+" ") {
				return reason
			}
		}
	}
	return ""
}

// Binds reports whether a fact of the user's says what a field may be.
func Binds(f *ledger.Fact, p *state.Point) bool {
	return f.Live && f.Tag == ledger.TagUser && f.Predicate != nil && f.Predicate.Path == p.Field.Path
}
