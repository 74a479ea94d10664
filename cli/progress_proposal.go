package cli

import (
	"cmp"
	"fmt"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// proposal tells of what happens to a proposal under pressure.
func (p *progress) proposal(data state.Payload, n *protocol.Advanced) {
	switch e := data.(type) {
	case *state.FieldRevised:
		p.say("revised", "%s by %s: %s", e.Point, e.By, clip(e.Text))
	case *state.FieldWithdrawn:
		p.say("withdrawn", "%s by %s: %s", e.Point, e.By, clip(e.Reason))
	case *state.ObjectionFiled:
		p.say("objection", "%s %s, %s: %s", e.Challenge, e.Severity, e.Category, clip(e.Predicate))
	case *state.ProposalExamined:
		if e.New == 0 && e.Reason != "" {
			p.say("examined", "%s has no objection: %s", e.By, clip(e.Reason))
		}
	case *state.Requested:
		if e.About != "" {
			p.say("asked for", "%s by %s: %s", e.About, e.By, clip(e.Text))
		}
	case *state.ObjectionRuled:
		p.say("user", "%s %s", e.Challenge, cmp.Or(e.Verdict, "is no longer ruled on"))
	case *state.RoundResolved:
		p.resolved(e, &n.State)
	}
}

// resolved tells how objections came out where that is new, which gates fail, and
// what follows for the proposal.
func (p *progress) resolved(e *state.RoundResolved, s *state.State) {
	reason := ""
	var warnings []string
	if outcome, err := resolver.OutcomeOf(s); err == nil && outcome != nil && outcome.Head == e.Head {
		warnings = outcome.Artifact.Validation.Warnings
		for i := range outcome.Receipts {
			switch r := &outcome.Receipts[i]; {
			case r.Rule == "decision":
				reason = ": " + clip(r.Reason)
			case strings.HasPrefix(r.Rule, "R"):
				p.objection(r)
			case r.Outcome != "PASS":
				p.say("gate", "%s fails: %s", r.Rule, clip(r.Reason))
			}
		}
	}
	p.say("decision", "%s after round %d%s; receipt %.12s", e.Decision, e.Round, reason, e.Head)
	for _, warning := range warnings {
		p.say("warning", "%s", clip(warning))
	}
}

// objection tells how an objection came out, once for as long as it is so.
func (p *progress) objection(r *dialectic.Receipt) {
	words := fmt.Sprintf("%s %s by %s: %s", r.Subject, r.Outcome, r.Rule, clip(r.Reason))
	if p.told[r.Subject] == words {
		return
	}
	if p.told == nil {
		p.told = map[string]string{}
	}
	p.told[r.Subject] = words
	p.say("resolved", "%s", words)
}
