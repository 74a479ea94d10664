package pane

import (
	"encoding/json"
	"fmt"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// proposal tells of the fields of a proposal, of what is objected to them, and
// of what code decides.
func (t *transcript) proposal(p state.Payload) bool {
	switch p := p.(type) {
	case *state.FieldProposed:
		t.fieldProposed(p)
	case *state.FieldRevised:
		t.by(p.By, tonePoint, p.Point, p.Text)
	case *state.FieldWithdrawn:
		t.by(p.By, toneBad, p.Point, sentence("withdrawn", p.Reason))
	case *state.ObjectionFiled:
		t.objectionFiled(p)
	case *state.ObjectionRuled:
		t.put(toneUser, p.Challenge, sentence(when(p.Verdict == "", "ruling taken back", "ruled "+p.Verdict), p.Reason), "user")
	case *state.EvidenceSupplied:
		t.supplied(p)
	case *state.ProposalExamined:
		t.put(toneQuiet, string(p.By), sentence(objections(p.New), p.Reason), "")
	case *state.RoundResolved:
		t.resolved(p)
	default:
		return false
	}
	return true
}

// objections counts the objections of one look at the proposal.
func objections(n int) string {
	switch n {
	case 0:
		return "no objection"
	case 1:
		return "1 objection"
	}
	return fmt.Sprintf("%d objections", n)
}

// fieldProposed says what kind of field was raised just before.
func (t *transcript) fieldProposed(p *state.FieldProposed) {
	kind := p.Severity + ", " + p.Category + when(p.Grounded, "", ", not grounded")
	if e := t.told[p.Point]; e != nil {
		e.set(e.tone, e.Text, strings.TrimSpace(kind+"  "+e.Right))
		return
	}
	t.put(toneQuiet, p.Point, p.Path+" = "+string(p.Value), kind)
}

// objectionFiled says how grave the objection is that was raised just before, and
// what evidence must speak to.
func (t *transcript) objectionFiled(p *state.ObjectionFiled) {
	asks, right := "asks whether "+p.Predicate, p.Category+when(p.Flag == "", "", ", "+p.Flag)
	e := t.told[p.Challenge]
	if e == nil {
		t.put(toneQuiet, p.Challenge+" "+p.Severity, asks, right)
		return
	}
	_, point, _ := CutLast(e.Lead, " on ")
	e.Lead = p.Challenge + " " + p.Severity + " on " + point
	e.set(when(e.tone == toneUser, toneUser, toneDoubt), e.Text, e.Right)
	if wanted := t.wanted[p.Challenge]; wanted != nil && strings.Contains(wanted.Text, p.Predicate) {
		// What would answer it repeats the predicate.
		wanted.set(toneQuiet, asks, right)
		return
	}
	t.put(toneQuiet, "", asks, right)
}

// supplied says which objection an item is brought for, beside its relation.
func (t *transcript) supplied(p *state.EvidenceSupplied) {
	e := t.cites[p.Evidence]
	if e == nil {
		t.put(toneQuiet, p.Evidence, "bears on "+p.Challenge, "")
		return
	}
	relation, rest, _ := strings.Cut(e.Text, "  ")
	e.set(e.tone, relation+", on "+p.Challenge+"  "+rest, e.Right)
}

// source is what decides how much a verified item may settle; "" in formats in
// which that does not count, and for what the user gave.
func (t *transcript) source(p *state.EvidenceVerified) string {
	if t.format != state.FormatDialectic || p.SourceKind == ledger.UserOverride {
		return ""
	}
	return fmt.Sprintf("%s %.2f, ", p.SourceKind, p.Confidence)
}

// resolved tells which objections came out in another way than before, which
// gates fail, and what is decided.
func (t *transcript) resolved(p *state.RoundResolved) {
	reason := ""
	var result dialectic.Result
	if json.Unmarshal(p.Result, &result) == nil {
		cameOut := resolver.ObjectionOutcomes(&result)
		for i := range result.Receipts {
			r := &result.Receipts[i]
			came := cameOut[r.Subject]
			switch {
			case r.Rule == "decision":
				reason = r.Reason
			case came != nil && t.came[r.Subject] != came.Words("you"):
				t.came[r.Subject] = came.Words("you")
				t.put(cameTone(came), r.Subject, sentence(outcomeWord(came), r.Reason), r.Rule)
			case came == nil && r.Outcome != "PASS" && r.Rule != "G5":
				// What G5 says was said of the objections.
				t.put(toneBad, r.Rule, "fails: "+r.Reason, "")
			}
		}
	}
	t.put(decisionTone(p.Decision), p.Decision, sentence(fmt.Sprintf("round %d", p.Round), reason), fmt.Sprintf("receipt %.8s", p.Head))
}

// outcomeWord is how an objection came out, in a word or two.
func outcomeWord(came *resolver.Objection) string {
	return when(came.Warns, "only warns", strings.ToLower(string(came.Outcome)))
}

// cameTone is the tone of how an objection came out.
func cameTone(came *resolver.Objection) tone {
	switch {
	case came.ByUser:
		return toneUser
	case came.Warns:
		return toneWarn
	case came.Outcome == dialectic.Cleared:
		return toneGood
	case came.Outcome == dialectic.Moot || !came.Holds:
		return toneQuiet
	case came.Outcome == dialectic.Upheld:
		return toneBad
	}
	return toneDoubt
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
