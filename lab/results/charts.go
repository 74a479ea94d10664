package results

import (
	"fmt"
	"reflect"
	"slices"

	"moot/figure"
	"moot/lab/measure"
	"moot/state"
)

// Charts draws a document: for each half the calibration plots, then the confidence by round, of all cases and by
// tier. The ids in the SVG start with name. Unless whole, tiers and selective modes are left out.
func Charts(d *measure.Document, name string, whole bool) []*figure.Chart {
	var charts []*figure.Chart
	for i, p := range parts(d) {
		mark := p.title[:len(p.title)-len(": ")]
		var reliability []figure.Reliability
		for _, s := range p.drawn(whole) {
			reliability = append(reliability, figure.Reliability{
				Name: p.labels.of(s.Mode), Bins: binsOf(s), Error: s.Calibration.Error(),
			})
		}
		var traces []figure.Trace
		var byTier []*figure.Chart
		for k, c := range p.courses(whole) {
			traces = append(traces, traceOf(c.label, c.summary.Traces))
			if whole && len(c.summary.Traces) > 1 {
				byTier = append(byTier, figure.Traces(fmt.Sprintf("%s-%d-tiers-%d", name, i, k), mark+", "+c.label,
					tierTraces(c.summary)))
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

// drawn are the summaries that have a picture.
func (p *part) drawn(whole bool) []*measure.Summary {
	var found []*measure.Summary
	for _, s := range p.shown {
		if whole || s.Mode.Form != state.FormSelective {
			found = append(found, s)
		}
	}
	return found
}

// course is the way of the confidences in a mode.
type course struct {
	label   string
	summary *measure.Summary
}

// courses are those that differ: hearings that several judges decide go one way, which
// is shown once and without a judge.
func (p *part) courses(whole bool) []course {
	bare := labels{seats: p.labels.seats}
	var found []course
	for _, s := range p.drawn(whole) {
		label := bare.of(s.Mode)
		same := func(c course) bool { return c.label == label }
		switch at := slices.IndexFunc(found, same); {
		case at < 0:
			found = append(found, course{label, s})
		case !reflect.DeepEqual(found[at].summary.Traces, s.Traces):
			found = append(found, course{p.labels.of(s.Mode), s})
		}
	}
	return found
}

func binsOf(s *measure.Summary) []figure.Bin {
	bins := make([]figure.Bin, len(s.Calibration))
	for i, b := range s.Calibration {
		bins[i] = figure.Bin{Confidence: b.Mean(), Right: b.Right.Share(), Count: b.Right.Total}
	}
	return bins
}

// tierTraces returns the traces of a mode by tier.
func tierTraces(s *measure.Summary) []figure.Trace {
	var traces []figure.Trace
	for _, t := range s.Tiers {
		traces = append(traces, traceOf(string(t.Tier), t.Traces))
	}
	return traces
}

// traceOf is the picture of the confidences of both seats.
func traceOf(name string, traces []measure.Trace) figure.Trace {
	t := figure.Trace{Name: name}
	for _, round := range traces {
		t.Architect = append(t.Architect, figure.Stand{Mean: round.Architect.Mean, Count: round.Architect.N})
		t.Skeptic = append(t.Skeptic, figure.Stand{Mean: round.Skeptic.Mean, Count: round.Skeptic.N})
	}
	return t
}
