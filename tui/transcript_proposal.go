package tui

import (
	"fmt"
	"strings"

	"moot/state"
)

// proposal tells of the fields of a proposal, of what is objected to them, and
// of what code decides.
func (t *transcript) proposal(p state.Payload) bool {
	switch p := p.(type) {
	case *state.FieldProposed:
		t.put(toneQuiet, p.Point, p.Path+", "+p.Category+", "+p.Severity+when(p.Grounded, "", ", not grounded"), "")
	case *state.FieldRevised:
		t.by(p.By, tonePoint, p.Point, p.Text)
	case *state.FieldWithdrawn:
		t.by(p.By, toneBad, p.Point, sentence("withdrawn", p.Reason))
	case *state.ObjectionFiled:
		t.put(toneQuiet, p.Challenge, p.Severity+", "+p.Category+": "+p.Predicate, p.Flag)
	case *state.ObjectionRuled:
		t.put(toneUser, p.Challenge, when(p.Verdict == "", "ruling taken back", p.Verdict), "user")
	case *state.EvidenceSupplied:
		t.put(toneQuiet, p.Evidence, "bears on "+p.Challenge, "")
	case *state.ProposalExamined:
		found := when(p.New == 0, "no objection", fmt.Sprintf("%d objections", p.New))
		t.put(toneQuiet, string(p.By), sentence(found, p.Reason), "")
	case *state.RoundResolved:
		t.put(decisionTone(p.Decision), strings.ToLower(p.Decision), fmt.Sprintf("round %d, receipt %.12s", p.Round, p.Head), "")
	default:
		return false
	}
	return true
}

// decisionTone is the tone of a decision on a proposal.
func decisionTone(decision string) tone {
	switch decision {
	case "ADVANCE":
		return toneGood
	case "ESCALATE":
		return toneWarn
	}
	return toneOpen
}
