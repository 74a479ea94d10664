package report_test

import (
	"path/filepath"
	"strings"
	"testing"

	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

func TestHearingReports(t *testing.T) {
	for name := range trials() {
		s, rulings := tried(t, name)
		goldenReport(t, filepath.Join("testdata", "hearing", name), &s, rulings, name == "anchored")
	}
}

// What a hearing came to is said in words: the verdict and the numbers behind it, what
// became of each number, what code dropped, and why it ended.
func TestHearingsAreReportedAsTheyCameOut(t *testing.T) {
	for name, wants := range map[string][]string{
		"anchored": {
			"verdict    THREAT_", "changed    ", "3 of 3, cap: round 3 is the last", "digest 50a114c8000e…\n",
			"! schema: 1 move of the architect cited facts that are not in the packet, and was dropped as a whole\n",
			"! drift: ", "! rebuttal: the skeptic left 1 contradicting fact unanswered",
			"confidence: 0.8; in round 3 from 0.9 to 0.8 (-0.1) by f04\n", "ORACLE (1)\n", "OUTSIDE OF THE PACKET (1)\n", "DRIFTS (", "IGNORED REBUTTALS (1)\n",
			"What would change its mind: a ticket for the copy\n", "IGNORED REBUTTALS", "! evidence conflict: ", "It ended because: round 3 is the last.\n",
		},
		"audit": {
			"because    v2.1: ", "(the skeptic has no supported claim)", "[CONTESTED] data left the house\n", "[SUPPORTED] a directory was copied\n", "the architect answered in round 2: the backup had ended [f04]\n", "rounds     2 of 2, decided: each claim was argued and ruled alone\n",
		},
		"nothing":   {"verdict    THREAT_INCONCLUSIVE, confidence 0.35\n", "because    no row of v2-bounded holds for architect 0.35 and skeptic 0.35\n", "ARCHITECT (0)\n  none\n", "What would change its mind: any sign of harm\n"},
		"opened":    {"gate       escalation opened, and the hearing continued as multi: confidence 0.35, in the range that escalates; no flag\n", "form selective, continued as multi", "round 2 is the last"},
		"shut":      {"gate       miscalibration stayed shut: confidence 0.35, in the range that escalates; no flag\n"},
		"waiting":   {"verdict    none yet: not both sides have argued\n"},
		"stopped":   {"verdict    none: the skeptic did not argue\n", "another time"},
		"overruled": {"you        ruled dismissed, which outranks the judge: it was an exercise\n"},
	} {
		s, rulings := tried(t, name)
		text := report.Text(&s, rulings, 0)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, text)
			}
		}
	}
}

// The verdict stands first, and what other formats warn of does not.
func TestAHearingIsNoConsultation(t *testing.T) {
	s, rulings := tried(t, "anchored")
	text := report.Text(&s, rulings, 0)
	if !strings.HasPrefix(text, "Is this a threat?\n\nverdict    THREAT_") {
		t.Error(text)
	}
	for _, misfit := range []string{"ST3", "ST1", "turned round", "nothing but agreement", "verified evidence", "nobody challenged", "never challenged", "ledger "} {
		if strings.Contains(text, misfit) {
			t.Errorf("it says %q", misfit)
		}
	}
}

// Facts, readings and what seats say act neither on the terminal nor in Markdown.
func TestForeignTextOfAHearingIsEscaped(t *testing.T) {
	s, rulings := tried(t, "anchored")
	why, _ := resolver.RuleOne(s, "P3")
	explanation := view.Why(&s, &why)
	text, markdown := report.Text(&s, rulings, 60)+report.Document(&explanation, 60), report.Markdown(&s, rulings)
	for _, bad := range []string{"\x1b", "\u202e", "\a"} {
		if strings.Contains(text, bad) || strings.Contains(markdown, bad) {
			t.Errorf("%q stands in a report", bad)
		}
	}
	if strings.Contains(markdown, "<b>") {
		t.Error("foreign markup acts in Markdown")
	}
	for _, shown := range []string{`\x1b[31mred`, `\u202e`} {
		if !strings.Contains(text, shown) {
			t.Errorf("%s is not shown", shown)
		}
	}
}

// Why the question is where it is, and why a claim is.
func TestWhyOfAHearing(t *testing.T) {
	for _, c := range []struct{ session, point string }{{"anchored", "P1"}, {"anchored", "P2"}, {"audit", "P1"}, {"audit", "P4"}, {"nothing", "P1"}, {"opened", "P1"}, {"stopped", "P1"}} {
		s, _ := tried(t, c.session)
		ruling, ok := resolver.RuleOne(s, c.point)
		if !ok {
			t.Fatalf("%s has no %s", c.session, c.point)
		}
		explanation := view.Why(&s, &ruling)
		golden(t, filepath.Join("testdata", "hearing", "why-"+c.session+"-"+c.point+".txt"), []byte(report.Document(&explanation, 80)))
	}
}

// What the baseline of a hearing compares with is the judge after round 1.
func TestBaselineOfAHearing(t *testing.T) {
	s, rulings := tried(t, "anchored")
	for _, change := range view.Baseline(&s, rulings) {
		want := state.BucketNotEvaluated
		if change.Point == "P1" {
			want = state.BucketAgreed
		}
		if change.Before != want {
			t.Errorf("%+v", change)
		}
	}
}
