package report_test

import (
	"path/filepath"
	"strings"
	"testing"

	"moot/report"
	"moot/state"
)

func TestProposalReports(t *testing.T) {
	for name := range pressings() {
		s, rulings := pressed(t, name)
		goldenReport(t, filepath.Join("testdata", "dialectic", name), &s, rulings, name != "waiting" && name != "stopped" && name != "odd")
	}
}

// The decision comes first, and an outcome that was not decided is not told as a
// consultation's.
func TestAProposalIsReportedInItsOwnWords(t *testing.T) {
	for name := range pressings() {
		s, rulings := pressed(t, name)
		text := report.Text(&s, rulings, 0)
		lines := strings.Split(text, "\n")
		if want := "decision   " + s.Dialectic.Last().Decision + ": "; !strings.HasPrefix(lines[2], want) {
			t.Errorf("%s begins with %q", name, lines[:3])
		}
		for _, foreign := range []string{"debate", "nothing but agreement", "AGREED", "no point was agreed"} {
			if strings.Contains(text, foreign) {
				t.Errorf("%s speaks of a consultation: %q", name, foreign)
			}
		}
	}
}

func TestForeignTextOfAProposalIsEscaped(t *testing.T) {
	s, rulings := pressed(t, "hold")
	for _, c := range s.Challenges.All() {
		c.By, c.Typed.Predicate, c.Typed.Flag = "a\x1b]0;b\a", "\x1b[2J", "\u202e"
		c.Defenses = []state.Defense{{By: "x\x1b[1m", Text: "<b>\x1b[31m\n# heading"}}
	}
	for _, p := range s.Points.All() {
		p.Field.Category, p.Field.Severity = "\x1b[2J", "\u202e"
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

// What was cleared counts for the value that stood then, and a proposal of which
// nothing was resolved says so.
func TestReportsOfWhatIsNotResolved(t *testing.T) {
	s, rulings := pressed(t, "escalate")
	s.Points.At(0).Field.Seq = s.Seq
	s.Dialectic.Resolved = nil
	text := report.Text(&s, rulings, 0)
	for _, want := range []string{"decision   none: no round was resolved", "[BLOCKING, not resolved yet]", "it no longer counts", "No round was resolved."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	s.ExitReason, s.Exit = "", state.ExitNone
	if text := report.Text(&s, rulings, 0); !strings.Contains(text, "none yet") {
		t.Errorf("while it runs:\n%s", text)
	}
}
