package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// Every format has its metrics under one key: what there is none of says why, and a
// council says its violations and what moved since the round before.
func TestTheMetricsAreShown(t *testing.T) {
	for _, c := range []struct {
		record *recorder
		says   []string
	}{
		{demo(t), []string{"Overall", "rounds to consensus      n/a", "no move was under a constitution", "no two seats reported on one point"}},
		{pressed(t), []string{"Process rigor", "Points"}},
		{compared(t), []string{"Evidence quality", "coverage"}},
		{councilled(t), []string{"Metrics, arrows since round 1", "Violations ", "C2 attack-method (critic)", "; mended", "P9"}},
	} {
		m := screenOf(t, c.record, Options{NoColor: true}, 120, 60)
		typeKeys(m, "0")
		screen := said(m)
		for _, want := range c.says {
			if !strings.Contains(screen, want) {
				t.Errorf("%s: it does not say %q:\n%s", c.record.state.Settings.Format, want, screen)
			}
		}
		overall := resolver.Measure(&c.record.state, m.rulings).Overall
		if !strings.Contains(screen, "Overall "+strings.Repeat(" ", metricName-len("Overall ")+metricFigure-4)+hundredths(*overall)) {
			t.Errorf("%s: overall %.2f is not shown:\n%s", c.record.state.Settings.Format, *overall, screen)
		}
	}
}

// The figures are those of what is shown: they change while the session runs, and in
// a replay they are those of then.
func TestTheMetricsAreThoseOfTheMoment(t *testing.T) {
	r := councilled(t)
	m := screenOf(t, r, Options{NoColor: true}, 120, 60)
	typeKeys(m, "0")
	now := said(m)
	tell(m, r.advanced(&state.ConfidenceReported{Seat: state.Critic, Point: "P1", Stated: 0.1, Admitted: 0.1}))
	if said(m) == now {
		t.Error("they stay while the session goes on")
	}
	typeKeys(m, "r")
	m.seek(30)
	finish(m, m.findPast())
	m.rearrange()
	if past := said(m); past == now || !strings.Contains(past, "Process rigor") {
		t.Errorf("in a replay they say\n%s", past)
	}
}

// A point is selected by a click or a search and opens in its view.
func TestAPointOfTheMetrics(t *testing.T) {
	m := screenOf(t, councilled(t), Options{NoColor: true}, 120, 60)
	typeKeys(m, "0 / t h r o u g h p u t enter esc")
	if m.metrics.selected() != "P4" || !strings.Contains(m.metrics.copied(), "1 challenge") {
		t.Fatalf("%s is selected, copied is %q", m.metrics.selected(), m.metrics.copied())
	}
	clickOn(t, m, "P6     ")
	if m.metrics.selected() != "P6" {
		t.Errorf("a click selects %s", m.metrics.selected())
	}
	typeKeys(m, "enter")
	if m.focus != PanePoint || m.topic != "P6" {
		t.Errorf("enter shows %s of %s", m.focus, m.topic)
	}
}

// bigCouncil is a council of 1,000 claims with 10,000 entries of the ledger.
func bigCouncil(t testing.TB) *recorder {
	r := &recorder{t: t}
	r.add(councilledOpened(t), &state.RoundStarted{Round: 1})
	for i := range 1000 {
		id := fmt.Sprint("P", i+1)
		r.add(
			&state.PointRaised{ID: id, By: state.Strategist, Text: fmt.Sprintf("claim %d holds under load, as far as anybody has measured it in the last year", i)},
			&state.PointTriaged{Point: id, By: state.Protocol, Scope: state.InScope},
			&state.ChallengeRaised{ID: fmt.Sprint("C", i+1), Point: id, By: state.Critic, What: state.Skeptical, Objection: "the sample is small", UpgradeIf: "a larger sample"},
		)
		for k, seat := range []state.Seat{state.Strategist, state.Critic, state.Adversary, state.Moderator} {
			r.add(&state.ConfidenceReported{Seat: seat, Point: id, Stated: 0.8 - float64(k)/10, Admitted: 0.8 - float64(k)/10, Cause: "one source"})
		}
		for k := range 10 {
			e := fmt.Sprint("E", 10*i+k+1)
			r.add(
				&state.EvidenceOffered{ID: e, Point: id, Relation: ledger.Supports, Reference: fmt.Sprintf("file%d.go:%d", k, i+1), Quote: "it is so", By: state.Strategist},
				&state.EvidenceVerified{ID: e, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: fmt.Sprintf("file%d.go:%d", k, i+1), Excerpt: "it is so", Admitted: true},
			)
		}
	}
	r.add(&state.ConsensusTested{Consensus: resolver.ConsensusOf(&r.state)}, &state.RoundStarted{Round: 2})
	return r
}

// The views of a large council, while a round of it is under way: that of its claims
// and the metrics.
func BenchmarkCouncil(b *testing.B) {
	for name, keys := range map[string]string{"claims": "6", "metrics": "0", "debate": "1"} {
		b.Run(name, func(b *testing.B) {
			r := bigCouncil(b)
			m := newModel(Options{Opened: &Opened{State: r.state, Rulings: resolver.Rule(r.state), Events: r.events}, Environ: []string{"TERM=xterm-256color"}, Now: func() time.Time { return demoTime }})
			m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
			m.ended = false
			pressAll(m, keys)
			tell(m, protocol.CallStarted{Ask: protocol.Ask{Seat: state.Critic, Stage: state.StageCritique}, Participant: "endpoint-1:model", At: demoTime})
			timeFrames(b, m, arguing(m, r))
		})
	}
}
