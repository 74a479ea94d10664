package tui

import (
	"fmt"

	"moot/resolver"
	"moot/state"
)

// councilBlocks are how a claim of a council stands against CV1 to CV4, and how sure the
// seats are of it. It is empty in other formats.
func councilBlocks(l *look, c *resolver.CouncilExplanation) []block {
	if c == nil {
		return nil
	}
	list := []block{{section: "Validation"}}
	for i := range c.Validation.Rules {
		r := &c.Validation.Rules[i]
		glyph, st, _ := l.bucket(state.BucketAgreed)
		if !r.Passed {
			glyph, st, _ = l.bucket(state.BucketUnresolved)
		}
		list = append(list, block{indent: 2, lead: span{st, glyph + " " + r.Rule + "  "}, body: span{l.text, r.Says}, hang: 9})
		for _, required := range r.Requires {
			list = append(list, block{indent: 9, lead: span{l.bold, "needs  "}, body: span{l.text, required}})
		}
	}
	list = append(list, block{section: "Confidence"})
	widest := 0
	for i := range c.Confidences {
		widest = max(widest, l.width(string(c.Confidences[i].Seat)))
	}
	for i := range c.Confidences {
		one := &c.Confidences[i]
		lead := fmt.Sprintf("%-*s  ", widest, one.Seat)
		list = append(list, block{
			indent: 2, lead: span{l.bold, lead}, body: span{l.text, sureWords(one.Score)},
			right: span{l.faint, fmt.Sprintf("weight %v", one.Weight)}, hang: 2 + l.width(lead), column: true,
		})
	}
	if c.Aggregate != "" {
		list = append(list, block{indent: 2, body: span{l.faint, c.Aggregate}}, block{indent: 2, body: span{l.faint, "Validation confidence: " + c.Confidence}})
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
