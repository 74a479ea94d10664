package pane

import (
	"fmt"
	"strings"

	"moot/protocol/council"
	"moot/state"
)

// council tells of the constitution, of what is said beside the claims, and of
// what the moderator and the rules make of a round.
func (t *transcript) council(p state.Payload) bool {
	switch p := p.(type) {
	case *state.ConstitutionViolated:
		t.put(toneWarn, p.About(), breachWords(p.Constraint, p.Text), string(p.Seat))
	case *state.ClaimMarkedKey:
		t.by(p.By, toneQuiet, p.Point, keyWords(p.Key))
	case *state.ClaimLimited:
		t.by(p.By, toneQuiet, p.Point, sentence("limit", p.Limit))
	case *state.ChallengeMended:
		t.told[p.Challenge] = t.by(p.By, toneDoubt, p.Challenge+" mended", p.Objection)
		t.would(p.Challenge, p.UpgradeIf)
	case *state.Synthesized:
		t.put(tonePlain, "synthesis", p.Text, "")
		t.put(toneQuiet, string(p.By), reportedWords(p.Agreement, p.Open), "")
	case *state.ConsensusTested:
		t.consensus(&p.Consensus)
	default:
		return false
	}
	return true
}

// breachWords name the constraint that is violated.
func breachWords(constraint, text string) string {
	return sentence("violates "+constraint+" of the constitution", text)
}

func keyWords(key bool) string {
	return when(key, "a key claim: much rests on it", "no key claim any more")
}

// reportedWords are what a moderator says of agreement.
func reportedWords(agreement bool, open []string) string {
	text := when(agreement, "reports agreement", "reports no agreement")
	if len(open) > 0 {
		text += when(agreement, ", except on ", " on ") + strings.Join(open, ", ")
	}
	return text
}

// councilPhase tells which phase of a council begins with what was asked of a seat.
func (t *transcript) councilPhase(stage state.Stage) {
	begun := council.PhaseOf(stage)
	if t.format != state.FormatCouncil || begun <= t.begun {
		return
	}
	t.begun = begun
	t.put(toneQuiet, "phase", council.Phases()[begun-1], "")
}

// consensus is what the rules find at the end of a round, and where the moderator
// said otherwise.
func (t *transcript) consensus(c *state.Consensus) {
	if c.Reached {
		t.put(toneGood, "consensus", "CV1 to CV4 leave no live claim unsettled", "")
	} else {
		t.put(toneOpen, "no consensus", sentence("not settled", strings.Join(c.Unsettled, ", ")), "")
	}
	if c.Contradicted() {
		t.put(toneWarn, "contradicted", contradictedWords(c), "")
	}
}

// contradictedWords say that a moderator spoke of agreement otherwise than the
// rules find, and where those find none.
func contradictedWords(c *state.Consensus) string {
	if c.Reached {
		return "the moderator reports no agreement; the rules find it"
	}
	return sentence("the moderator reports agreement; the rules find none", strings.Join(c.Unsettled, ", "))
}

// scored tells in one line how sure a seat of a council is of each claim.
func (t *transcript) scored(p *state.ConfidenceReported) {
	text := fmt.Sprintf("%s %.2f", p.Point, p.Admitted)
	if last := len(t.Entries) - 1; last >= 0 && t.scores != nil && t.Entries[last] == t.scores && t.scores.seat == p.Seat {
		t.scores.set(toneQuiet, t.scores.Text+"  "+text, "")
		return
	}
	t.scores = t.put(toneQuiet, "confidence", text, "")
	t.scores.seat = p.Seat
}
