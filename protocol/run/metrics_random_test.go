package run

import (
	"math"

	"pgregory.net/rapid"

	"moot/protocol/hearing"
	"moot/resolver"
	"moot/state"
)

// checkMetrics checks the metrics after an event: shares are from 0 to 1, all figures are finite, and every live point
// has its figures.
func checkMetrics(t *rapid.T, s *state.State, rulings []state.Ruling) {
	metrics := resolver.Measure(s, rulings)
	for _, figure := range metrics.Figures() {
		if figure.Value == nil {
			continue
		}
		v := *figure.Value
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 || figure.Share && v > 1 {
			t.Fatalf("event %d: %s is %v", s.Seq, figure.Name, v)
		}
	}
	i := 0
	for _, p := range s.Points.All() {
		if p.MergedInto != "" || s.Settings.Format == state.FormatHearing && p.ID == hearing.QuestionPoint {
			continue
		}
		if i >= len(metrics.Points) || metrics.Points[i].Point != p.ID {
			t.Fatalf("event %d: the metrics leave out %s", s.Seq, p.ID)
		}
		i++
	}
	if i != len(metrics.Points) {
		t.Fatalf("event %d: %d points have figures, and %d stand", s.Seq, len(metrics.Points), i)
	}
	if metrics.Compliance != nil && s.Settings.Format != state.FormatCouncil &&
		s.Settings.Format != state.FormatHearing {
		t.Fatalf("event %d: a %s has nothing that its moves comply with", s.Seq, s.Settings.Format)
	}
}
