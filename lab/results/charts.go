package results

import (
	"fmt"

	"moot/figure"
	"moot/lab/measure"
	"moot/state"
)

// Charts makes the pictures of a document: for each half its calibration plots, then its
// traces of confidence. The name begins the ids in their SVG. Unless whole, modes that
// go on behind a gate are left out, as they repeat what the others show.
func Charts(d *measure.Document, name string, whole bool) []*figure.Chart {
	var charts []*figure.Chart
	for i, p := range parts(d) {
		var reliability []figure.Reliability
		var traces []figure.Trace
		for _, s := range p.shown {
			if s.Mode.Form == state.FormSelective && !whole {
				continue
			}
			label := p.labels.of(s.Mode)
			reliability = append(reliability, figure.Reliability{Name: label, Bins: binsOf(s), Error: s.Calibration.Error()})
			traces = append(traces, figure.Trace{Name: label, Architect: stands(s, state.Architect), Skeptic: stands(s, state.Skeptic)})
		}
		mark := p.title[:len(p.title)-len(": ")]
		for _, c := range []*figure.Chart{
			figure.Calibration(fmt.Sprintf("%s-%d-calibration", name, i), mark, reliability),
			figure.Traces(fmt.Sprintf("%s-%d-traces", name, i), mark, traces),
		} {
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

func stands(s *measure.Summary, seat state.Seat) []figure.Stand {
	all := make([]figure.Stand, len(s.Traces))
	for i, t := range s.Traces {
		m := t.Architect
		if seat == state.Skeptic {
			m = t.Skeptic
		}
		all[i] = figure.Stand{Mean: m.Mean, Spread: m.Spread(), Count: m.N}
	}
	return all
}
