package resolver

import (
	"fmt"

	"moot/ledger"
	"moot/state"
)

// explainProposal says why a field of a proposal is where it is: its ruling and
// what that read. What would change it is left to the receipts, since fields
// stand or fall together.
func explainProposal(s *state.State, p *state.Point, e *Explanation) {
	e.Says = ProposalRuleSays(e.Rule)
	e.Reads = newBench(s, p).readings(&e.Ruling)
}

// ProposalRuleSays is what a rule or gate of a proposal, R0 to R6 or G1 to G8, says
// of any field, and what the rule "decision" says of one that waits; "" for any other.
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
		return "Where eligible evidence of one kind stands on both sides, nothing is settled; confidence does not settle it."
	case "R5":
		return "Where no evidence is eligible, nothing is settled."
	case "R6":
		return "An objection is moot once its field is gone, and upheld where it was conceded and the field stays."
	case "G1":
		return "Every word is one of its list, and every number in its range."
	case "G2":
		return "Everything that is cited exists."
	case "G3":
		return "What a grounded value says is found in what the user asked for or in what it cites, or follows from that."
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

// objectionWords is an objection with how it came out: "BLOCKING objection of the
// pressure-tester from round 1, cleared by E2, R1: “…”".
func (b *bench) objectionWords(c *state.Challenge) string {
	if b.objected == nil {
		// A resolution that cannot be read says nothing of any objection.
		outcome, _ := OutcomeOf(b.s)
		b.objected = NewObjected(b.s, outcome)
	}
	came := b.objected.Of(c)
	return fmt.Sprintf("%s objection of %s from round %d, %s: %s", c.Typed.Severity, seatName(c.By), c.Round, came.Words("you"), quote(c.Objection))
}

// fieldEvidenceWords is an item with what counts of it in a proposal: its source,
// and how sure code is of it.
func fieldEvidenceWords(e *ledger.Evidence) string {
	bears := "neither for nor against the field"
	switch e.Relation {
	case ledger.Supports:
		bears = "for the field"
	case ledger.Refutes:
		bears = "against the field"
	case ledger.Neutral:
	}
	checked := "not checked yet"
	switch {
	case e.Counts():
		checked = "verified"
	case e.Checked:
		checked = "not verified, so that it counts as " + string(ledger.LLMInference)
	}
	return fmt.Sprintf("%s, %.2f, %s, %s, at %s: %s", e.SourceKind, e.Confidence, bears, checked, clip(e.Reference), quote(e.Excerpt))
}
