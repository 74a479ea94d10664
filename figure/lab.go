package figure

import (
	"fmt"

	"moot/state"
)

// Bin is a part of the confidences in a calibration plot.
type Bin struct {
	// Confidence is the mean of its verdicts, Right the share of them that are right;
	// each from 0 to 1.
	Confidence, Right float64
	// Count is the number of verdicts. Empty bins are not drawn.
	Count int
}

// Reliability holds the verdicts of one mode, in bins of equal width from 0 to 1.
type Reliability struct {
	Name string
	Bins []Bin
	// Error is the expected calibration error.
	Error float64
}

// Calibration shows how often verdicts of a confidence are right: a plot for each
// mode, with a guide where both are equal. The name keeps the ids of the SVG document
// apart from those of other pictures; it holds letters, digits and hyphens. The mark is
// the first word of the title and says where the numbers come from.
func Calibration(name, mark string, modes []Reliability) *Chart {
	c := &Chart{name: name, title: safe(mark) + ": how often verdicts are right (up), by their confidence (across)"}
	for _, m := range modes {
		verdicts, total := curve{name: "right", role: RoleOpen, loose: true}, 0
		for _, b := range m.Bins {
			if b.Count > 0 {
				verdicts.samples = append(verdicts.samples, sample{b.Confidence, b.Right})
				total += b.Count
			}
		}
		if total == 0 {
			continue
		}
		words := fmt.Sprintf("%s (error %.3f, n %d)", safe(m.Name), m.Error, total)
		p := newPlot(words, 0, 1)
		p.xWord = "sure"
		p.xTicks = []tick{{0, "0"}, {0.2, "0.2"}, {0.4, "0.4"}, {0.6, "0.6"}, {0.8, "0.8"}, {1, "1"}}
		p.curves = []curve{{role: RoleFaint, guide: true, samples: []sample{{0, 0}, {1, 1}}}, verdicts}
		c.add(&p, words)
	}
	if len(c.plots) == 0 {
		c.empty = "There is no verdict yet."
		return c
	}
	c.keys = []note{{seatSign(0, false), "a tenth of confidence", RoleOpen}, {"┈", "as often right as sure", RoleFaint}}
	return c
}

// Stand is the confidence of a seat after a round.
type Stand struct {
	// Mean is from 0 to 1.
	Mean float64
	// Count is how many hearings had the round.
	Count int
}

// Trace is how confidences developed in one mode, by round from the first.
type Trace struct {
	Name               string
	Architect, Skeptic []Stand
}

// Traces shows the mean confidence of both seats by round: a plot for each mode. Name
// and mark have the same meaning as in Calibration.
func Traces(name, mark string, modes []Trace) *Chart {
	c := &Chart{name: name, title: safe(mark) + ": mean confidence by round, 0 (none) to 1 (sure)"}
	last := 2
	for _, m := range modes {
		last = max(last, len(m.Architect), len(m.Skeptic))
	}
	for _, m := range modes {
		p := newPlot(safe(m.Name), 1, float64(last))
		p.numberRounds(last)
		for i, stands := range [][]Stand{m.Architect, m.Skeptic} {
			seat := []state.Seat{state.Architect, state.Skeptic}[i]
			for round, s := range stands {
				if s.Count > 0 {
					line := p.curve(seat, i)
					line.samples = append(line.samples, sample{float64(round + 1), s.Mean})
				}
			}
		}
		if len(p.curves) > 0 {
			c.add(&p, safe(m.Name))
		}
	}
	if len(c.plots) == 0 {
		c.empty = "No seat has reported a confidence yet."
		return c
	}
	c.keys = []note{seatKey(state.Architect, 0), seatKey(state.Skeptic, 1)}
	return c
}
