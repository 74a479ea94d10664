package report

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"moot/protocol/council"
	"moot/resolver"
)

// council says how a claim of a council fares against CV1 to CV4, and how sure
// the seats are.
func (t *textWriter) council(e *resolver.Explanation) {
	c, ok := e.Details.(*council.CouncilExplanation)
	if !ok {
		return
	}
	t.validation(c, strings.HasPrefix(e.Rule, "CV"))
	t.confidences(c)
}

func (t *textWriter) validation(c *council.CouncilExplanation, decided bool) {
	t.heading("VALIDATION")
	if !decided {
		t.block("  ", "  ", "Another rule decided before these; they say this of it:")
	}
	for i := range c.Validation.Rules {
		r := &c.Validation.Rules[i]
		if r.Passed {
			t.entry(r.Rule, "holds: "+r.Says)
			continue
		}
		t.entry(r.Rule, "fails: "+r.Says)
		for _, required := range r.Requires {
			indent := strings.Repeat(" ", textIndent)
			t.block(indent+"must change: ", indent+"  ", required)
		}
	}
}

func (t *textWriter) confidences(c *council.CouncilExplanation) {
	t.heading("CONFIDENCE")
	widest := 0
	for i := range c.Confidences {
		widest = max(widest, displaywidth.String(string(c.Confidences[i].Seat)))
	}
	for i := range c.Confidences {
		one := &c.Confidences[i]
		lead := "  " + pad(string(one.Seat), widest) + "  "
		t.block(lead, strings.Repeat(" ", widest+4), reportedWords(one))
	}
	if c.Aggregate != "" {
		t.block("  ", "    ", "Aggregate: "+c.Aggregate)
		t.block("  ", "    ", "Validation confidence: "+c.Confidence)
	}
}

// reportedWords says what a seat reports: "0.72 (it said 0.90), weight 0.4, in round
// 2: one source".
func reportedWords(one *council.SeatConfidence) string {
	score := one.Score
	if score == nil {
		return fmt.Sprintf("reported nothing, weight %v", one.Weight)
	}
	words := fmt.Sprintf("%.2f", score.Admitted)
	if score.Stated != score.Admitted {
		words += fmt.Sprintf(" (it said %.2f, with no cause to move)", score.Stated)
	}
	words += fmt.Sprintf(", weight %v, in round %d", one.Weight, score.Round)
	if score.Cause != "" {
		words += ": " + score.Cause
	}
	return words
}
