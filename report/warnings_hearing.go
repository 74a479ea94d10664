package report

import (
	"fmt"

	"moot/internal/plain"
	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// hearingWarnings are why the verdict may be less sure than it looks, what was dropped
// since it cites what is not in the packet, and where code kept a number that fell.
func hearingWarnings(s *state.State) []string {
	var warnings []string
	if v, judged := resolver.VerdictOf(s); judged {
		flags := resolver.FlagsOf(s, &v)
		for _, flag := range flags {
			warnings = append(warnings, fmt.Sprintf("%s: %s (risk %s)", flag, resolver.FlagSays(flag),
				hearing.Figure(hearing.Risk(flags))))
		}
	}
	for _, seat := range []state.Seat{state.Architect, state.Skeptic, state.Oracle} {
		dropped, kept, ignored := 0, 0, 0
		for _, v := range s.Hearing.Violations {
			if v.Seat == seat {
				dropped++
			}
		}
		for _, d := range s.Drifts.All() {
			if d.Seat == seat && d.Kept {
				kept++
			}
		}
		for _, i := range s.Hearing.Ignored {
			if i.Seat == seat {
				ignored++
			}
		}
		if dropped > 0 {
			warnings = append(warnings, fmt.Sprintf("schema: %s of the %s cited facts that the packet does not hold, "+
				"and %s dropped whole", plain.Counted(dropped, "move"), seat, wasOrWere(dropped)))
		}
		if kept > 0 {
			warnings = append(warnings, fmt.Sprintf("drift: %s of the %s fell without a fact that contradicts; facts "+
				"alone let them fall (see DRIFTS)", plain.Counted(kept, "confidence"), seat))
		}
		if ignored > 0 {
			warnings = append(warnings, fmt.Sprintf("rebuttal: the %s left %s unanswered, and neither lowered its "+
				"confidence nor named what would change its mind", seat, plain.Counted(ignored, "contradicting fact")))
		}
	}
	return warnings
}

func wasOrWere(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}
