package figure

import (
	"fmt"
	"strconv"
)

// Bin is a part of the confidences in a calibration plot.
type Bin struct {
	// Confidence is the mean of the verdicts in it, Right the share of them that are
	// right, with its interval from Low to High; each from 0 to 1.
	Confidence, Right, Low, High float64
	// Count is how many verdicts there are. Of none nothing is drawn.
	Count int
}

// Reliability are the verdicts of one mode, in bins of equal width from 0 to 1.
type Reliability struct {
	Name string
	Bins []Bin
	// Error is the expected calibration error, for the words beside it.
	Error float64
}

// Calibration shows how often verdicts of a confidence are right: a plot for each
// mode, with a guide where both are the same. The name keeps the SVG document's ids
// apart from those of other pictures and holds letters, digits and hyphens; the mark is
// the first word of the title, and says where the figures come from.
func Calibration(name, mark string, modes []Reliability) *Chart {
	c := &Chart{name: name, wide: true, title: safe(mark) + ": how often verdicts are right (up), by their confidence (across)"}
	for _, m := range modes {
		p := plot{
			title: fmt.Sprintf("%s (error %.3f)", safe(m.Name), m.Error), xWord: "sure", right: 1, high: 1,
			xTicks: []tick{{0, "0"}, {0.2, "0.2"}, {0.4, "0.4"}, {0.6, "0.6"}, {0.8, "0.8"}, {1, "1"}},
			yTicks: []tick{{1, "1.0"}, {0.5, "0.5"}, {0, "0.0"}},
			curves: []curve{{name: "as sure as right", role: RoleFaint, guide: true, samples: []sample{{0, 0}, {1, 1}}}},
		}
		verdicts := curve{name: safe(m.Name), role: RoleOpen, loose: true}
		line := brief{words: safe(m.Name), high: 1, role: RoleOpen}
		total := 0
		for i, b := range m.Bins {
			p.counts = append(p.counts, count{(float64(i) + 0.5) / float64(len(m.Bins)), b.Count})
			line.values = append(line.values, when(b.Count > 0, b.Right, 0))
			total += b.Count
			if b.Count > 0 {
				verdicts.samples = append(verdicts.samples, sample{b.Confidence, b.Right})
				p.spreads = append(p.spreads, spread{b.Confidence, b.Low, b.High, RoleFaint})
			}
		}
		if total == 0 {
			continue
		}
		line.end = fmt.Sprintf("error %.3f, n %s", m.Error, strconv.Itoa(total))
		p.curves = append(p.curves, verdicts)
		c.plots, c.brief = append(c.plots, p), append(c.brief, line)
	}
	if len(c.plots) == 0 {
		c.empty = "There is no verdict yet."
		return c
	}
	c.keys = []note{
		{words: "a tenth of confidence, with its 95 % interval", role: RoleOpen, shape: 1},
		{sign: "·", words: "as often right as sure", role: RoleFaint},
		{sign: "n", words: "verdicts in each tenth", role: RoleFaint},
	}
	return c
}
