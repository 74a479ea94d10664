package report

import (
	"fmt"

	"moot/protocol/panel"
	"moot/view"
)

// WhyConflict renders as Why does how a conflict of a panel came out: its sides,
// who took which, the evidence on either, and what would settle it otherwise.
func WhyConflict(e *panel.ConflictExplanation, width int) string {
	t := newTextWriter(width)
	t.block("", "", fmt.Sprintf("%s, a %s", e.ID, e.Kind))
	t.block("  ", "  ", e.Outcome)
	t.heading("SIDES")
	for i := range e.Sides {
		side := &e.Sides[i]
		t.entry(side.Point, side.Text)
		if len(side.Holders) > 0 {
			t.block("      ", "      ", "said by: "+view.Seats(side.Holders))
		}
		for _, r := range e.Grounds[i] {
			t.block("      ", "        ", r.ID+"  "+r.What)
		}
		if side.Strength > 0 {
			t.block("      ", "      ", fmt.Sprintf("verified evidence weighs %d", side.Strength))
		}
	}
	if len(e.Positions) > 0 {
		t.heading("POSITIONS")
	}
	for _, p := range e.Positions {
		how := "by its own answer"
		if !p.Answered {
			how = "when it was asked"
		}
		t.block("  ", "    ", fmt.Sprintf("%s for %s, %s", p.Seat, p.Point, how))
	}
	if len(e.Else) > 0 {
		t.heading("WHAT WOULD SETTLE IT OTHERWISE")
	}
	first, next := "  - ", "    "
	if len(e.Else) == 1 {
		first, next = "  ", "  "
	}
	for _, way := range e.Else {
		t.block(first, next, way)
	}
	return t.String()
}
