package report

import (
	"bytes"
	"fmt"

	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

func dialecticForm() form {
	return form{
		outcome:  func(s *state.State) Outcome { return pressed(s) },
		first:    func(*state.State) func(*state.Point) state.Bucket { return firstProposed },
		warnings: proposalWarnings,
		arrange:  arrangeProposal,
	}
}

// Pressed is the outcome of the format dialectic: what code last said of the
// proposal. Resolutions, gates and receipts have the names that "moot resolve"
// gives them, so that the hashes of the receipts can be checked.
type Pressed struct {
	Kind state.Format `json:"kind"`
	// Decision is ADVANCE, HOLD or ESCALATE, "" before a round was resolved.
	Decision          dialectic.Decision `json:"decision"`
	NeedsAnotherRound bool               `json:"needs_another_round"`
	// Round is the one that was resolved, Rounds the last that there can be.
	Round  int `json:"round"`
	Rounds int `json:"rounds"`
	// Changed says that something came since that bears on the proposal, so that
	// the decision may no longer hold.
	Changed bool `json:"changed"`
	// AsOf is the moment from which the age of evidence was counted (G8), in UTC
	// as RFC 3339.
	AsOf string `json:"as_of"`
	// Resolutions are one per objection, in their order.
	Resolutions []dialectic.Resolution `json:"resolutions"`
	// Gates are G1 to G8.
	Gates []dialectic.GateResult `json:"gates"`
	// Warnings are what stands against the proposal and does not hold it.
	Warnings []string            `json:"warnings"`
	Receipts []dialectic.Receipt `json:"receipts"`
	// Head is the hash of the last receipt.
	Head string `json:"head"`
	// Earlier are the decisions before, the oldest first. A round has another
	// one where the user ruled meanwhile.
	Earlier []Decided `json:"earlier"`
}

// Decided is the decision of an earlier round.
type Decided struct {
	Round    int                `json:"round"`
	Decision dialectic.Decision `json:"decision"`
	// Head is the hash of its last receipt.
	Head string `json:"head"`
}

func pressed(s *state.State) Pressed {
	out := Pressed{
		Kind: state.FormatDialectic, Rounds: resolver.Configured(s).MaxRounds, Resolutions: []dialectic.Resolution{},
		Gates: []dialectic.GateResult{}, Warnings: []string{}, Receipts: []dialectic.Receipt{}, Earlier: []Decided{},
	}
	last := s.Dialectic.Last()
	if last == nil {
		return out
	}
	out.Decision, out.Round, out.AsOf, out.Head = dialectic.Decision(last.Decision), last.Round, moment(last.AsOf),
		last.Head
	for i := range s.Dialectic.Resolved[:len(s.Dialectic.Resolved)-1] {
		r := &s.Dialectic.Resolved[i]
		out.Earlier = append(out.Earlier, Decided{
			Round: r.Round, Decision: dialectic.Decision(r.Decision),
			Head: r.Head,
		})
	}
	// One that cannot be read is warned of.
	if o, err := resolver.OutcomeOf(s); err == nil {
		out.NeedsAnotherRound, out.Changed = o.NeedsAnotherRound, o.Changed
		out.Resolutions = some(o.Artifact.Resolutions)
		out.Gates, out.Warnings = some(o.Artifact.Validation.Gates), some(o.Artifact.Validation.Warnings)
		out.Receipts = some(o.Receipts)
	}
	return out
}

// firstProposed is where a field stood by the first proposal: what the proposer
// proposed counts as agreed as long as it says the same. Another value was in
// nobody's first answer.
func firstProposed(p *state.Point) state.Bucket {
	if p.Round > 1 || p.Field == nil {
		return state.BucketNotEvaluated
	}
	first := p.Field.Value
	if len(p.Field.Earlier) > 0 {
		first = p.Field.Earlier[0].Value
	}
	if !bytes.Equal(first, p.Field.Value) {
		return state.BucketNotEvaluated
	}
	return state.BucketAgreed
}

// proposalWarnings are what stands against a proposal and does not hold it, and
// what the last decision does not know of.
func proposalWarnings(s *state.State) []string {
	o, err := resolver.OutcomeOf(s)
	switch {
	case err != nil:
		return []string{fmt.Sprintf("record: %s; moot verify says what else does not hold", err)}
	case o == nil:
		return nil
	}
	var warnings []string
	for _, w := range o.Artifact.Validation.Warnings {
		warnings = append(warnings, "objection: "+w)
	}
	if o.Changed && !s.Over() {
		warnings = append(warnings, fmt.Sprintf("decision: something came after round %d was resolved that bears on "+
			"the proposal; %s may no longer hold", o.Round, o.Decision))
	}
	return warnings
}
