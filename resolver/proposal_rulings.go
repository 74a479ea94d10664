package resolver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// decisionRule names, in a ruling, that nothing but the decision bears on it.
const decisionRule = "decision"

// proposals is how sessions of the format dialectic are ruled on. Nothing is
// reused: the fields of a proposal stand or fall together.
func proposals() system {
	return system{
		rule: ruleProposal,
		ruleOne: func(s *state.State, p *state.Point) state.Ruling {
			v := &verdicts{s: s}
			return v.of(p)
		},
		ruler:      func() func(*state.State) []state.Ruling { return ruleProposal },
		lastRound:  func(s *state.State) int { return Configured(s).MaxRounds },
		because:    becauseProposal,
		explain:    explainProposal,
		bench:      newBench,
		evaluators: otherSide,
	}
}

// ruleProposal gives the rulings of a session of the format dialectic: one per
// field, by the rules and gates of the proposal's resolver.
func ruleProposal(s *state.State) []state.Ruling {
	v := &verdicts{s: s}
	rulings := make([]state.Ruling, 0, s.Points.Len())
	for _, p := range s.Points.All() {
		rulings = append(rulings, v.of(p))
	}
	return rulings
}

// verdicts is where the fields of one proposal are ruled on.
type verdicts struct {
	s *state.State
	// result is what stands, and standing what of it holds the field of a point,
	// once they were asked for.
	result   *dialectic.Result
	standing map[string][]dialectic.Resolution
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

// resolved is what stands of the proposal now. The age of evidence counts from
// the last resolution, so that the same state gives the same result always.
func (v *verdicts) resolved() *dialectic.Result {
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
		r := ruled(p.UserRuling.Bucket, state.TagUser, "R0", reason, event(p.UserRuling.Seq))
		if r.Bucket == state.BucketUnresolved {
			r.Tag, r.Status, r.Crux = state.TagNone, state.StatusOpen, "a ruling of the user"
		}
		return r
	case p.Field == nil:
		return v.waiting("it is no field of the proposal")
	case p.Field.Withdrawn && p.Field.WithdrawnBy == state.User:
		return ruled(state.BucketDismissed, state.TagUser, "R0", "the user withdrew it", event(p.Field.Seq))
	case p.Field.Withdrawn:
		return ruled(state.BucketDismissed, state.TagConceded, "R6", "withdrawn: "+orNothing(p.Field.Reason),
			event(p.Field.Seq))
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
	standing := v.standingOn(p)
	for i := range standing {
		if standing[i].Outcome == dialectic.Upheld {
			c, r := v.s.Challenge(standing[i].Objection), &standing[i]
			return ruled(state.BucketDismissed, state.TagRejected, r.Rule, upheldBecause(c, r), readsOf(r)...)
		}
	}
	for _, failure := range FailuresOf(v.resolved(), p.Field.Path) {
		r := ruled(state.BucketUnresolved, state.TagNone, failure.Gate, strings.Join(failure.Reasons, "; "),
			v.cited(p)...)
		r.Status, r.Crux = state.StatusBlocked, "what makes "+failure.Gate+" pass"
		return r
	}
	for i := range standing {
		c, r := v.s.Challenge(standing[i].Objection), &standing[i]
		ruling := ruled(state.BucketUnresolved, state.TagNone, r.Rule, unresolvedBecause(c, r), readsOf(r)...)
		ruling.Status, ruling.Crux = state.StatusBlocked, "evidence on: "+c.Typed.Predicate
		return ruling
	}
	return v.carried(p)
}

// standingOn are the resolutions of the objections to a field that hold it, the
// gravest first: not those that only warn.
func (v *verdicts) standingOn(p *state.Point) []dialectic.Resolution {
	if v.standing == nil {
		v.standing = map[string][]dialectic.Resolution{}
		for _, r := range Standing(v.resolved()) {
			point := v.s.Challenge(r.Objection).Point
			v.standing[point] = append(v.standing[point], r)
		}
		for _, list := range v.standing {
			slices.SortStableFunc(list, func(a, b dialectic.Resolution) int {
				return cmp.Compare(gravity(v.s, a.Objection), gravity(v.s, b.Objection))
			})
		}
	}
	return v.standing[p.ID]
}

// Standing are the resolutions that keep a proposal from advancing: objections
// above LOW that are upheld or unresolved, without those that only warn.
func Standing(result *dialectic.Result) []dialectic.Resolution {
	warns := warned(result)
	var standing []dialectic.Resolution
	for i := range result.Artifact.Objections {
		o, r := &result.Artifact.Objections[i], &result.Artifact.Resolutions[i]
		if o.Severity != dialectic.Low && !warns[o.ID] && r.Outcome.Holds() {
			standing = append(standing, *r)
		}
	}
	return standing
}

// FailuresOf are the gates that fail for a field, each with the reasons that
// concern it. What fails for objections is not among them.
func FailuresOf(result *dialectic.Result, path string) []dialectic.GateResult {
	place := ""
	for i := range result.Artifact.Proposal.Fields {
		if result.Artifact.Proposal.Fields[i].Path == path {
			place = fmt.Sprintf("artifact.proposal.fields[%d]", i)
		}
	}
	var failures []dialectic.GateResult
	for _, g := range result.Artifact.Validation.Gates {
		if g.Pass || g.Gate == "G5" || g.Gate == "G7" {
			continue
		}
		failure := dialectic.GateResult{Gate: g.Gate}
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

func upheldBecause(c *state.Challenge, r *dialectic.Resolution) string {
	switch r.Rule {
	case "R0":
		return fmt.Sprintf("the user upholds %s (%s)", c.ID, c.Typed.Severity)
	case "R6":
		return fmt.Sprintf("%s (%s) was conceded, and the field is still proposed", c.ID, c.Typed.Severity)
	}
	return fmt.Sprintf("%s upholds %s (%s)", r.Decider, c.ID, c.Typed.Severity)
}

func unresolvedBecause(c *state.Challenge, r *dialectic.Resolution) string {
	if r.Rule == "R4" {
		return fmt.Sprintf("%s and %s are of one kind and stand on both sides of %s (%s)", r.BestFor, r.BestAgainst,
			c.ID, c.Typed.Severity)
	}
	return fmt.Sprintf("no evidence that may decide bears on %s (%s)", c.ID, c.Typed.Severity)
}

// readsOf are the ids that a resolution read.
func readsOf(r *dialectic.Resolution) []string {
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
		if v.s.Challenge(r.Objection).Point != p.ID || r.Outcome != dialectic.Cleared {
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
	top := best(items)
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
