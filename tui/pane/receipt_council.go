package pane

import (
	"fmt"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// councilBlocks are how a claim of a council stands against CV1 to CV4, and how sure the
// seats are of it. It is empty in other formats.
func councilBlocks(l *theme.Look, c *resolver.CouncilExplanation) []Block {
	if c == nil {
		return nil
	}
	list := []Block{{Section: "Validation"}}
	for i := range c.Validation.Rules {
		r := &c.Validation.Rules[i]
		glyph, st, _ := l.Bucket(state.BucketAgreed)
		if !r.Passed {
			glyph, st, _ = l.Bucket(state.BucketUnresolved)
		}
		list = append(list, Block{Indent: 2, Lead: st.Span(glyph + " " + r.Rule + "  "), Body: l.Text.Span(r.Says), Hang: 9})
		for _, required := range r.Requires {
			list = append(list, Block{Indent: 9, Lead: l.Bold.Span("needs  "), Body: l.Text.Span(required)})
		}
	}
	list = append(list, Block{Section: "Confidence"})
	widest := 0
	for i := range c.Confidences {
		widest = max(widest, l.Width(string(c.Confidences[i].Seat)))
	}
	for i := range c.Confidences {
		one := &c.Confidences[i]
		lead := fmt.Sprintf("%-*s  ", widest, one.Seat)
		list = append(list, Block{
			Indent: 2, Lead: l.Bold.Span(lead), Body: l.Text.Span(sureWords(one.Score)),
			Right: l.Faint.Span(fmt.Sprintf("weight %v", one.Weight)), Hang: 2 + l.Width(lead), column: true,
		})
	}
	if c.Aggregate != "" {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(c.Aggregate)}, Block{Indent: 2, Body: l.Faint.Span("Validation confidence: " + c.Confidence)})
	}
	return list
}

// sureWords is what a seat reports of a claim: what counts, what it said where that
// is another figure, and why.
func sureWords(score *state.Score) string {
	if score == nil {
		return "reported nothing"
	}
	words := fmt.Sprintf("%.2f", score.Admitted)
	if score.Stated != score.Admitted {
		words += fmt.Sprintf(" (it said %.2f, with no cause to move)", score.Stated)
	}
	if score.Cause != "" {
		words += "  " + score.Cause
	}
	return words
}
