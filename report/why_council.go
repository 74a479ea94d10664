package report

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"moot/resolver"
	"moot/state"
)

// council says how a claim of a council stands against CV1 to CV4, how sure the
// seats are, and which way it came.
func (t *textWriter) council(e *resolver.Explanation) {
	c := e.Council
	if c == nil {
		return
	}
	t.validation(c, strings.HasPrefix(e.Rule, "CV"))
	t.confidences(c)
	t.course(c.Course)
}

func (t *textWriter) validation(c *resolver.CouncilExplanation, decided bool) {
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

func (t *textWriter) confidences(c *resolver.CouncilExplanation) {
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

// reportedWords is what a seat reports: "0.72 (it said 0.90), weight 0.4, in round
// 2: one source".
func reportedWords(one *resolver.SeatConfidence) string {
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

// course is the way of a claim through the rounds, a line of figures and one of what
// came for each form in each round.
func (t *textWriter) course(steps []resolver.CourseStep) {
	if len(steps) == 0 {
		return
	}
	t.heading("ITS WAY")
	last := &steps[len(steps)-1]
	t.block("  ", "  ", "by round: "+seatsOf(last)+" -> aggregate")
	form := ""
	for i := range steps {
		step := &steps[i]
		t.block("  ", "      ", fmt.Sprintf("round %d  %s  %s", step.Round, step.Point, step.Figures()))
		indent := strings.Repeat(" ", textIndent)
		if step.Point != form && i > 0 {
			t.block(indent, indent, step.Point+" reads: "+step.Text)
		}
		form = step.Point
		t.block(indent, indent, step.Came())
	}
}

// seatsOf are the seats whose figures a step gives, in their order.
func seatsOf(step *resolver.CourseStep) string {
	sits := map[state.Seat]bool{}
	for _, score := range step.Validation.Scores {
		sits[score.Seat] = true
	}
	for _, seat := range step.Validation.Missing {
		sits[seat] = true
	}
	var names []string
	for _, seat := range state.CouncilSeats() {
		if sits[seat] {
			names = append(names, string(seat))
		}
	}
	return strings.Join(names, ", ")
}
