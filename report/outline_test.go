package report_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// TestForeignText checks that what seats, sources and users write has no effect on the terminal or in Markdown.
func TestForeignText(t *testing.T) {
	const hostile = "a\x1b]0;b\a \u202e <b> | cell | [where](x)\n# heading"
	for name, spoil := range map[string]func(s *state.State){
		"council/mixed": func(s *state.State) {
			own := *council.Of(s)
			own.Breaches, own.Syntheses = slices.Clone(own.Breaches), slices.Clone(own.Syntheses)
			s.Own = &own
			for i := range own.Breaches {
				own.Breaches[i].Text = hostile
			}
			for i := range own.Syntheses {
				own.Syntheses[i].Text = hostile
			}
			settings := *council.SettingsOf(s)
			settings.Constitution = constitution.Constitution{Name: hostile, Constraints: []constitution.Constraint{
				{ID: "be-feasible", Seat: constitution.Strategist, Text: hostile},
			}}
			s.Settings.Own = &settings
		},
		"panel/missing": func(s *state.State) {
			for _, c := range panel.Of(s).Conflicts.All() {
				c.DroppedReason = hostile
				if c.Settlement != nil {
					c.Settlement.Reasoning = hostile
				}
			}
		},
		"dialectic/hold": func(s *state.State) {
			for _, c := range s.Challenges.All() {
				c.By, dialectic.ObjectionOf(c).Predicate, dialectic.ObjectionOf(c).Flag = "a\x1b]0;b\a", "\x1b[2J", "\u202e"
				c.Defenses = []state.Defense{{By: "x\x1b[1m", Text: hostile}}
			}
			for _, p := range s.Points.All() {
				dialectic.FieldOf(p).Category, dialectic.FieldOf(p).Severity = "\x1b[2J", "\u202e"
			}
		},
		"hearing/anchored": func(*state.State) {},
	} {
		s, rulings := builders()[name](t)
		for _, p := range s.Points.All() {
			p.Text = hostile
		}
		spoil(s)
		text, markdown := report.Text(document(s, rulings), 60), report.Markdown(document(s, rulings))
		for i := range rulings {
			explanation := view.Why(s, &rulings[i])
			text += report.Text(&explanation, 60)
		}
		for _, bad := range []string{"\x1b", "\u202e", "\a"} {
			if strings.Contains(text, bad) || strings.Contains(markdown, bad) {
				t.Errorf("%s: a report contains %q", name, bad)
			}
		}
		if strings.Contains(markdown, "<b>") || strings.Contains(markdown, "[where](") ||
			strings.Contains(markdown, "\n# heading") {
			t.Errorf("%s: foreign markup is not escaped in Markdown", name)
		}
	}
}

// With --metrics, a table of the metrics ends every report that has a point. Without consensus, its metrics are left out.
func TestMetricsStandBehindTheBuckets(t *testing.T) {
	for name, build := range builders() {
		s, rulings := build(t)
		d := document(s, rulings)
		d.Add(view.Metrics(s, rulings))
		text, markdown := report.Text(d, 0), report.Markdown(d)
		metrics := resolver.Measure(s, rulings)
		_, short, inText := strings.Cut(text, "\nMETRICS\n")
		_, table, inMarkdown := strings.Cut(markdown, "\n## METRICS\n")
		if raised := len(metrics.Points) > 0; inText != raised || inMarkdown != raised {
			t.Errorf("%s has %d points; metrics as text: %v, in Markdown: %v", name, s.Points.Len(), inText, inMarkdown)
		}
		if strings.Contains(short, "\n\n") || strings.Contains(table, "\n## ") {
			t.Errorf("%s: something stands behind the metrics:\n%s", name, short)
		}
		want := 18
		if without := metrics.RoundsToConsensus; without != nil && *without == 0 {
			// A council without consensus has no figures of one.
			want = 16
		}
		if rows := strings.Count(table, "\n| "); inMarkdown && rows != want || inText && strings.Count(short, "\n") != want {
			t.Errorf("%s: %d rows in %s and\n%s", name, rows, table, short)
		}
	}
}

// A warning appears if one model, by any name, fills two opposing seats. Rules and scripts cause other notes.
func TestOneModelAgainstItselfIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		format        state.Format
		first, second state.SeatAssignment
		want          string
	}{
		{
			consult.Name,
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Consultee, Participant: "fast=ollama:a"},
			"orchestrator, consultee are both ollama:a: ",
		},
		{
			dialectic.Name,
			state.SeatAssignment{Seat: dialectic.Proposer, Participant: "codex"},
			state.SeatAssignment{Seat: dialectic.PressureTester, Participant: "codex"},
			"proposer, pressure-tester are both codex: ",
		},
		{
			hearing.Name,
			state.SeatAssignment{Seat: judge.Architect, Participant: "ollama:a"},
			state.SeatAssignment{Seat: judge.Skeptic, Participant: "ollama:a"},
			"architect, skeptic are both ollama:a: ",
		},
		{
			consult.Name,
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Consultee, Participant: "ollama:b"},
			"",
		},
		{
			consult.Name,
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "rules", NoModel: true},
			state.SeatAssignment{Seat: state.Consultee, Participant: "rules", NoModel: true},
			"",
		},
		{
			panel.Name,
			state.SeatAssignment{Seat: panel.Panelist, Participant: "ollama:a"},
			state.SeatAssignment{Seat: "panelist-2", Participant: "fast=ollama:a"},
			"panelist, panelist-2 are both ollama:a: ",
		},
		{
			panel.Name,
			state.SeatAssignment{Seat: panel.Panelist, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "ollama:a"},
			"",
		},
	} {
		s := &state.State{Rules: formats.ByName(c.format), Settings: state.Settings{Format: c.format}, Seats: []state.SeatAssignment{c.first, c.second}}
		got := view.SameParticipant(s)
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s of %s and %s: %q", c.format, c.first.Participant, c.second.Participant, got)
		}
	}
}

// The explanations of the question and of the claims of a hearing.
func TestWhyOfAHearing(t *testing.T) {
	for _, c := range []struct{ session, point string }{{"anchored", "P1"}, {"anchored", "P2"}, {"audit", "P1"}, {"audit", "P4"}, {"nothing", "P1"}, {"opened", "P1"}, {"stopped", "P1"}} {
		s, _ := played(t, "hearing/"+c.session)
		ruling, ok := resolver.RuleOne(s, c.point)
		if !ok {
			t.Fatalf("%s has no %s", c.session, c.point)
		}
		explanation := view.Why(s, &ruling)
		golden(t, filepath.Join("testdata", "hearing", "why-"+c.session+"-"+c.point+".txt"), []byte(report.Text(&explanation, 80)))
	}
}

// A cleared objection applies to the value at that time. A proposal without a resolved round says so.
func TestReportsOfWhatIsNotResolved(t *testing.T) {
	s, rulings := played(t, "dialectic/escalate")
	dialectic.FieldOf(s.Points.At(0)).Seq = s.Seq
	dialectic.Of(s).Resolved = nil
	text := report.Text(document(s, rulings), 0)
	for _, want := range []string{"no decision: no round was resolved", "[BLOCKING, not resolved yet]", "No round was resolved."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	s.ExitReason, s.Exit = "", state.ExitNone
	if text := report.Text(document(s, rulings), 0); !strings.Contains(text, "none yet") {
		t.Errorf("while it runs:\n%s", text)
	}
}
