package resolver

import (
	"strings"

	"moot/ledger"
	"moot/state"
)

// councilRuleName is the rule of a claim of which CV1 to CV4 hold.
const councilRuleName = "CV"

// beforeValidation is how many rules of acceptance come before CV1: AC1 to AC8.
const beforeValidation = 8

// ruleOnClaim is the ruling on a claim of a council: AC1 to AC8, then CV1 to CV4.
func ruleOnClaim(s *state.State, p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return mergedAway(p)
	}
	b := newBench(s, p)
	table := rules()
	for _, r := range table[:beforeValidation] {
		if ruling, ok := r.apply(b); ok {
			return ruledBy(ruling, p.ID, r.name)
		}
	}
	v := b.validate()
	return b.validated(&v)
}

// validated is the ruling on a claim that the rules before validation leave alone.
func (b *bench) validated(v *Validation) state.Ruling {
	var reads []string
	failed := ""
	var reasons []string
	for _, r := range v.Rules {
		reads = append(reads, r.Reads...)
		if r.Passed {
			continue
		}
		if failed == "" {
			failed = r.Rule
		}
		reasons = append(reasons, r.Says+" ("+r.Rule+")")
	}
	if failed == "" {
		return b.valid(v, reads)
	}
	ruling := state.Ruling{
		Point: b.p.ID, Bucket: state.BucketOpen, Reason: strings.Join(reasons, "; "),
		Receipt: state.Receipt{Rule: failed, Reads: noNil(reads)},
	}
	if b.s.Over() {
		ruling.Bucket, ruling.Status = state.BucketUnresolved, heldUp(v, b.value)
		ruling.Crux = strings.Join(v.Required(), "; ")
		ruling.Reason += "; validation confidence " + figure(v.Confidence)
	}
	return ruling
}

// valid is the ruling on a claim of which CV1 to CV4 hold.
func (b *bench) valid(v *Validation, reads []string) state.Ruling {
	ruling := state.Ruling{
		Point: b.p.ID, Bucket: state.BucketAgreed, Tag: state.TagNotApplicable,
		Reason:  v.Rules[1].Says + "; " + v.Rules[0].Says + "; agreement is no proof",
		Receipt: state.Receipt{Rule: councilRuleName, Reads: noNil(reads)},
	}
	if firm := b.firmSupport(); !b.value && firm != nil {
		ruling.Tag = state.TagTextual
		if firm.Type == ledger.Execution {
			ruling.Tag = state.TagExecution
		}
		ruling.Reason = v.Rules[1].Says + "; " + v.Rules[0].Says
	}
	return ruling
}

// heldUp says what keeps a claim from an end: evidence, or what the constitution
// demands, before all that the seats could still agree on.
func heldUp(v *Validation, value bool) state.Status {
	switch {
	case !v.Rules[0].Passed || !v.Rules[2].Passed:
		return state.StatusBlocked
	case value && !v.Rules[1].Passed:
		return state.StatusTradeoff
	}
	return state.StatusOpen
}

// noNil is a list that is written as an empty one where there is none.
func noNil(ids []string) []string {
	if ids == nil {
		return []string{}
	}
	return ids
}

// Unsettled are the live claims of a council of which CV1 to CV4 do not all hold:
// while there is one there is no consensus.
func Unsettled(s *state.State) []string {
	unsettled := []string{}
	for _, p := range s.Points.All() {
		if p.MergedInto != "" || p.RevisedBy != "" {
			continue
		}
		// What the user left open is settled as far as the rules go.
		if ruling := ruleOnClaim(s, p); ruling.Bucket != state.BucketAgreed &&
			strings.HasPrefix(ruling.Rule, councilRuleName) {
			unsettled = append(unsettled, p.ID)
		}
	}
	return unsettled
}

// ConsensusOf is the test for consensus of the present round.
func ConsensusOf(s *state.State) state.Consensus {
	c := state.Consensus{Round: s.Round, Unsettled: Unsettled(s)}
	c.Reached = len(c.Unsettled) == 0
	if said := s.Council.Synthesis(s.Round); said != nil {
		c.Reported = state.AgreementNo
		if said.Agreement {
			c.Reported = state.AgreementYes
		}
	}
	return c
}
