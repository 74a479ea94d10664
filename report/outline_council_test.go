package report_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/protocol/formats"
	"moot/report"
	"moot/state"
	"moot/view"
)

func TestCouncilReports(t *testing.T) {
	for name := range sittings() {
		s, rulings := sat(t, name)
		goldenReport(t, filepath.Join("testdata", "council", name), &s, rulings, name == "mixed")
	}
}

// What a council came to is said in words: whether there is consensus, what
// CV1 to CV4 find of each claim, and what became of the violations.
func TestCouncilsAreReportedAsTheyCameOut(t *testing.T) {
	for name, wants := range map[string][]string{
		"mixed": {
			"consensus  none: P2 is not settled\n", "9 violations (1 stands, 3 mended, 2 gone, 3 flagged)", "P4 reworded as P5 (agreed)", "P3 → dismissed",
			"worded by: moderator, and held by strategist", "was P4: A job starts within 30 s after it was queued\n", "requires: an aggregate of 0.65: it is 0.5\n",
			"CONTRADICTED: it reported agreement, but the rules find none: P2, P5 are not settled; the rules decide", "rules: confirm it",
			"! moderator: in round 1 it reported agreement", "! key claim: much depends on P2, and it ended unresolved",
			"CV1 evidence quality: does not hold: ", "CV3 constitution: does not hold: be-feasible", "CV4 uncertainty: holds: it names its limit",
		},
		"agreed": {
			"consensus  in round 1: ", "1 claim is agreed\n", "strategist 0.85, critic 0.72, adversary 0.68, moderator 0.7; aggregate 0.749; apart 0.17",
			"nothing from expert", "silent     expert reported", "parallel   critic and adversary", "it reported that there is no agreement, but the rules find consensus",
			"changed    nothing: each claim ended as the strategist presented it",
		},
		"waiting": {"consensus  not tested yet\n", "STILL OPEN (4)", "changed    nothing yet\n", "CV2 consensus level: does not hold: C1 is not settled"},
		"stopped": {"consensus  none: the session ended before it was tested\n", "1 of 3, user: another time", "INCONCLUSIVE"},
		"empty":   {"the strategist presented no claim", "INCONCLUSIVE", "VIOLATIONS (0)\n  none", "SYNTHESES (0)\n  none"},
		"alone":   {"agreeing with itself is no second opinion", "code checks nothing in house"},
	} {
		s, rulings := sat(t, name)
		text := report.Text(&s, rulings, 0)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, text)
			}
		}
	}
}

// Who tests the claims of another participant is no reason for a warning, and
// neither are scripts, which hold the replies of several seats.
func TestAgreementWithOneselfIsWarnedOf(t *testing.T) {
	for name, want := range map[string]bool{"alone": true, "agreed": false} {
		s, _ := sat(t, name)
		if got := view.SameParticipant(&s) != ""; got != want {
			t.Errorf("%s: %q", name, view.SameParticipant(&s))
		}
		s.Seats = slices.Clone(s.Seats)
		for i := range s.Seats {
			s.Seats[i].Participant = "script:seats.txt"
		}
		if said := view.SameParticipant(&s); said != "" {
			t.Errorf("%s, a script: %q", name, said)
		}
	}
}

// Two seats that are to hold against each other are no two opinions where one model
// fills both, whatever it is called; rules and scripts are told of elsewhere.
func TestOneModelAgainstItselfIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		format        state.Format
		first, second state.SeatAssignment
		want          string
	}{
		{
			state.FormatConsult,
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Consultee, Participant: "fast=ollama:a"},
			"orchestrator, consultee are both ollama:a: ",
		},
		{
			state.FormatDialectic,
			state.SeatAssignment{Seat: state.Proposer, Participant: "codex"},
			state.SeatAssignment{Seat: state.PressureTester, Participant: "codex"},
			"proposer, pressure-tester are both codex: ",
		},
		{
			state.FormatHearing,
			state.SeatAssignment{Seat: state.Architect, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Skeptic, Participant: "ollama:a"},
			"architect, skeptic are both ollama:a: ",
		},
		{
			state.FormatConsult,
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Consultee, Participant: "ollama:b"},
			"",
		},
		{
			state.FormatConsult,
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "rules", NoModel: true},
			state.SeatAssignment{Seat: state.Consultee, Participant: "rules", NoModel: true},
			"",
		},
		{
			state.FormatPanel,
			state.SeatAssignment{Seat: state.Panelist, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "ollama:a"},
			"",
		},
	} {
		s := state.State{Rules: formats.ByName(c.format), Settings: state.Settings{Format: c.format}, Seats: []state.SeatAssignment{c.first, c.second}}
		got := view.SameParticipant(&s)
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s of %s and %s: %q", c.format, c.first.Participant, c.second.Participant, got)
		}
	}
}

// A fallback that answered is no second opinion either where it is the model of the
// other seat; one that was named and never asked is nothing to warn of.
func TestAFallbackThatIsTheOtherSeatIsWarnedOf(t *testing.T) {
	const first, second = "mine=ollama:a (fallback ollama:b)", "other=ollama:c (fallback fast=ollama:b (fallback rules))"
	for _, c := range []struct {
		orchestrator, consultee string
		answered                []state.ReplyReceived
		want                    string
	}{
		{"ollama:b", second, nil, ""},
		{"ollama:b", second, []state.ReplyReceived{{Seat: state.Consultee}}, ""},
		{"ollama:b", second, []state.ReplyReceived{{Seat: state.Consultee, By: "rules"}}, ""},
		{"ollama:a", second, []state.ReplyReceived{{Seat: state.Consultee, By: "fast=ollama:b (fallback rules)"}}, ""},
		{"rules", second, []state.ReplyReceived{{Seat: state.Consultee, By: "rules"}}, ""},
		{
			"ollama:b", second,
			[]state.ReplyReceived{{Seat: state.Consultee, By: "fast=ollama:b (fallback rules)"}, {Seat: state.Consultee}},
			"orchestrator, consultee (by its fallback) are both ollama:b: ",
		},
		{
			first, "ollama:b",
			[]state.ReplyReceived{{Seat: state.Orchestrator, By: "ollama:b"}},
			"orchestrator (by its fallback), consultee are both ollama:b: ",
		},
		{
			first, second,
			[]state.ReplyReceived{{Seat: state.Orchestrator, By: "ollama:b"}, {Seat: state.Consultee, By: "fast=ollama:b (fallback rules)"}},
			"orchestrator (by its fallback), consultee (by its fallback) are both ollama:b: ",
		},
	} {
		s := state.State{Rules: formats.ByName(state.FormatConsult), Settings: state.Settings{Format: state.FormatConsult}, Seats: []state.SeatAssignment{
			{Seat: state.Orchestrator, Participant: c.orchestrator}, {Seat: state.Consultee, Participant: c.consultee},
		}}
		for i := range c.answered {
			if err := c.answered[i].Fold(&s); err != nil {
				t.Fatal(err)
			}
		}
		got := view.SameParticipant(&s)
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s and %s after %d replies: %q", c.orchestrator, c.consultee, len(c.answered), got)
		}
		// Whoever took the seat since answers for itself.
		taken := state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: state.Consultee, Participant: "ollama:z"}, By: state.User}
		if err := taken.Fold(&s); err != nil {
			t.Fatal(err)
		}
		if said := view.SameParticipant(&s); said != "" {
			t.Errorf("%s, and another in the place of %s: %q", c.orchestrator, c.consultee, said)
		}
	}
}

func TestForeignTextOfACouncilIsEscaped(t *testing.T) {
	s, rulings := sat(t, "mixed")
	hostile := "a\x1b]0;b\a \u202e <b> | cell | [where](x)\n# heading"
	for _, p := range s.Points.All() {
		p.Text, p.Limit = hostile, hostile
	}
	s.Council.Breaches = slices.Clone(s.Council.Breaches)
	for i := range s.Council.Breaches {
		s.Council.Breaches[i].Text = hostile
	}
	s.Council.Syntheses = slices.Clone(s.Council.Syntheses)
	for i := range s.Council.Syntheses {
		s.Council.Syntheses[i].Text = hostile
	}
	council := *s.Settings.Council
	council.Constitution = state.Constitution{Name: hostile, Constraints: []state.Constraint{{ID: "be-feasible", Seat: state.Strategist, Text: hostile}}}
	s.Settings.Council = &council
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
