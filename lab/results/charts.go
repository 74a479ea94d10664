package results

import (
	"fmt"

	"moot/figure"
	"moot/lab/measure"
	"moot/state"
)

// Charts makes the pictures of a document: for each half its calibration plots, then its
// traces of confidence, of all cases and by tier. The name begins the ids in their SVG.
// Unless whole, the tiers are left out, and modes that go on behind a gate, which repeat
// what the others show.
func Charts(d *measure.Document, name string, whole bool) []*figure.Chart {
	var charts []*figure.Chart
	for i, p := range parts(d) {
		var reliability []figure.Reliability
		var traces []figure.Trace
		var byTier []*figure.Chart
		mark := p.title[:len(p.title)-len(": ")]
		for k, s := range p.shown {
			if s.Mode.Form == state.FormSelective && !whole {
				continue
			}
			label := p.labels.of(s.Mode)
			reliability = append(reliability, figure.Reliability{Name: label, Bins: binsOf(s), Error: s.Calibration.Error()})
			traces = append(traces, figure.Trace{Name: label, Architect: stands(s.Traces, state.Architect), Skeptic: stands(s.Traces, state.Skeptic)})
			if whole && len(s.Traces) > 1 {
				byTier = append(byTier, figure.Traces(fmt.Sprintf("%s-%d-tiers-%d", name, i, k), mark+", "+label, tierTraces(s)))
			}
		}
		for _, c := range append([]*figure.Chart{
			figure.Calibration(fmt.Sprintf("%s-%d-calibration", name, i), mark, reliability),
			figure.Traces(fmt.Sprintf("%s-%d-traces", name, i), mark, traces),
		}, byTier...) {
			if c.Empty() == "" {
				charts = append(charts, c)
			}
		}
	}
	return charts
}

func binsOf(s *measure.Summary) []figure.Bin {
	bins := make([]figure.Bin, len(s.Calibration))
	for i, b := range s.Calibration {
		low, high := b.Right.Wilson()
		bins[i] = figure.Bin{Confidence: b.Mean(), Right: b.Right.Share(), Low: low, High: high, Count: b.Right.Total}
	}
	return bins
}

// tierTraces are those of a mode by tier.
func tierTraces(s *measure.Summary) []figure.Trace {
	var traces []figure.Trace
	for _, t := range s.Tiers {
		traces = append(traces, figure.Trace{Name: string(t.Tier), Architect: stands(t.Traces, state.Architect), Skeptic: stands(t.Traces, state.Skeptic)})
	}
	return traces
}

func stands(traces []measure.Trace, seat state.Seat) []figure.Stand {
	all := make([]figure.Stand, len(traces))
	for i, t := range traces {
		m := t.Architect
		if seat == state.Skeptic {
			m = t.Skeptic
		}
		all[i] = figure.Stand{Mean: m.Mean, Spread: m.Spread(), Count: m.N}
	}
	return all
}
