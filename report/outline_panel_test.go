package report_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/report"
	"moot/state"
	"moot/view"
)

func TestPanelReports(t *testing.T) {
	for name := range askings() {
		s, rulings := asked(t, name)
		goldenReport(t, filepath.Join("testdata", "panel", name), &s, rulings, name == "mixed" || name == "missing")
	}
}

// Who is missing stands before all else, and a seat that is there is not named so.
func TestWhoIsMissingIsSaidFirst(t *testing.T) {
	for name := range askings() {
		s, rulings := asked(t, name)
		text := report.Text(&s, rulings, 0)
		first := strings.Split(text, "\n")[2]
		if missing := len(s.Panel.Missing) > 0 || s.Paused == state.PauseUnreachable; missing != strings.HasPrefix(first, "MISSING ") {
			t.Errorf("%s: the first line is %q, and %d seats are missing", name, first, len(s.Panel.Missing))
		}
		warnings := view.Warnings(&s, rulings)
		for _, m := range s.Panel.Missing {
			if !slices.ContainsFunc(warnings, func(w string) bool { return strings.HasPrefix(w, "missing: "+string(m.Seat)+" ") }) {
				t.Errorf("%s: no warning names %s: %q", name, m.Seat, warnings)
			}
		}
	}
}

// Each way in which a conflict comes out is told in words of its own.
func TestConflictsAreReportedAsTheyCameOut(t *testing.T) {
	for name, wants := range map[string][]string{
		"mixed": {
			"came to    4 conflicts: 2 settled by vote, 2 argued out", "settled for P1 by vote: 3/4 agents agreed", "voted for by: panelist-3, panelist-4",
			"argued out for P8: P4 fell: conceded by all its authors in round 2", "all say    P5\n", "the same as P9 P11; everyone who answered says so",
		},
		"weighed": {"settled for P1 by evidence: verified evidence weighs ", "left to you, Q"},
		"waiting": {"waits for you, Q1: 1 for P1 and 1 for P3 is no clear vote, and no evidence on either side was verified", "WAITING FOR YOU (2)", "changed    nothing yet"},
		"decided": {"came to    1 conflict: 1 decided by you", "decided for P1 by you\n", "no conflict: the user marked the pair anew"},
		"left":    {"2 left to you", "INCONCLUSIVE", "left to you, Q1: "},
		"agreed":  {"came to    no two answers conflict", "review     agreed", "CONFLICTS (0)\n  none", "all say    P1\n"},
		"alone":   {"only panelist answered", "review     nothing to compare"},
	} {
		s, rulings := asked(t, name)
		text := report.Text(&s, rulings, 0)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, text)
			}
		}
	}
}

func TestForeignTextOfAPanelIsEscaped(t *testing.T) {
	s, rulings := asked(t, "missing")
	for _, p := range s.Points.All() {
		p.Text = "a\x1b]0;b\a \u202e <b> | cell | [where](x)\n# heading"
	}
	for _, c := range s.Panel.Conflicts.All() {
		c.DroppedReason = "\x1b[2J"
		if c.Settlement != nil {
			c.Settlement.Reasoning = "\x1b[2J<b>"
		}
	}
	text, markdown := report.Text(&s, rulings, 60), report.Markdown(&s, rulings)
	for _, bad := range []string{"\x1b", "\u202e", "\a"} {
		if strings.Contains(text, bad) || strings.Contains(markdown, bad) {
			t.Errorf("%q stands in a report", bad)
		}
	}
	if strings.Contains(markdown, "<b>") || strings.Contains(markdown, "[where](") || strings.Contains(markdown, "\n# heading") {
		t.Error("foreign markup acts in Markdown")
	}
}
