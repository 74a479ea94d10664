package pane_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// An objection that code cleared is never shown as a challenge that waits for an answer or a judgment: those are words of
// another format. The debate and the record show what happened at that time.
func TestAnObjectionShowsItsOutcome(t *testing.T) {
	s := protocoltest.Proposal(t).State
	rulings := resolver.Rule(s)
	argument, look := view.NewArgument(s, rulings), theme.New(theme.Appearance{Mono: true})
	points, point, ledger := pane.NewPoints(look), pane.NewPoint(look, pane.NewDebate(look).Transcript), pane.NewLedger(look)
	graph, confidence, result := pane.NewGraph(look), pane.NewConfidence(look), pane.NewResult(look)
	buckets, challenges := pane.NewBuckets(look), pane.NewChallenges(look)
	points.SetState(s, rulings, argument)
	point.SetState(s, argument)
	ledger.SetState(s)
	graph.SetState(s, rulings, argument)
	confidence.SetState(s)
	result.SetState(s, rulings)
	buckets.SetState(s, rulings, argument)
	challenges.SetState(s, argument)
	for _, id := range []string{"P1", "P2", "P3", "P5"} {
		point.SetPoint(id)
		for _, p := range []pane.Pane{points, point, ledger, graph, confidence, result, buckets, challenges} {
			text := ansi.Strip(strings.Join(p.View(240, 300), "\n"))
			if strings.TrimSpace(text) == "" {
				t.Errorf("%s of %s is empty", p.Title(), id)
			}
			for _, wrong := range []string{"REJECT ", "SKEPTICAL", "not judged", "agreement only", "not answered", "not resolved yet"} {
				if strings.Contains(text, wrong) {
					t.Errorf("%s of %s says %q:\n%s", p.Title(), id, wrong, text)
				}
			}
		}
	}
}
