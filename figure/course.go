package figure

import (
	"fmt"
	"slices"
	"strconv"

	"moot/resolver"
	"moot/state"
)

// Course shows the way of a claim of a council: the confidence of each seat at the
// end of each round, and the aggregate, 0 to 1. The steps are those of
// resolver.Course; several forms of one round stand beside each other.
func Course(steps []resolver.CourseStep) *Chart {
	c := &Chart{name: "course", title: "Its confidence by round, 0 (none) to 1 (sure)"}
	p := plot{xWord: "round", left: 1, high: 1, yTicks: []tick{{1, "1.0"}, {0.5, "0.5"}, {0, "0.0"}}}
	aggregate := curve{name: aggregateName, role: RoleBold, shape: len(state.CouncilSeats())}
	var seats []state.Seat
	for i := range steps {
		step := &steps[i]
		x := placeOfStep(steps, i)
		p.right = max(p.right, x)
		for _, score := range step.Validation.Scores {
			if !slices.Contains(seats, score.Seat) {
				seats = append(seats, score.Seat)
			}
			at := p.curve(score.Seat, slices.Index(state.CouncilSeats(), score.Seat))
			at.samples = append(at.samples, sample{x, score.Admitted})
		}
		if v := step.Validation.Aggregate; v != nil {
			aggregate.samples = append(aggregate.samples, sample{x, *v})
		}
		if i == 0 || step.Round != steps[i-1].Round {
			p.xTicks = append(p.xTicks, tick{float64(step.Round), strconv.Itoa(step.Round)})
			p.left = min(p.left, float64(step.Round))
		}
		if i == 0 || step.Point != steps[i-1].Point {
			p.title += when(i == 0, safe(step.Point), ", then "+safe(step.Point))
		}
	}
	if len(seats) == 0 {
		c.empty = "No seat has reported a confidence in it yet."
		return c
	}
	if p.right <= p.left {
		p.right = p.left + 1
	}
	p.curves = append(p.curves, aggregate)
	c.plots = []plot{p}
	for _, line := range p.curves {
		if len(line.samples) > 0 {
			c.keys = append(c.keys, note{words: line.name, role: line.role, shape: line.shape + 1})
			c.brief = append(c.brief, briefly(&line))
		}
	}
	return c
}

// aggregateName is what the line of the weighted confidence is called.
const aggregateName = "aggregate"

// placeOfStep is where a step stands on the axis: forms after the first share the
// way to the next round.
func placeOfStep(steps []resolver.CourseStep, i int) float64 {
	before, all := 0, 0
	for k := range steps {
		if steps[k].Round == steps[i].Round {
			all++
			before += when(k < i, 1, 0)
		}
	}
	return float64(steps[i].Round) + float64(before)/float64(all)
}

// briefly is a curve in one line: from what to what it went.
func briefly(line *curve) brief {
	first, last := line.samples[0], line.samples[len(line.samples)-1]
	entry := brief{words: line.name, end: fmt.Sprintf("%.2f", last.y), high: 1, role: line.role}
	if len(line.samples) > 1 {
		entry.end = fmt.Sprintf("%.2f to %.2f", first.y, last.y)
	}
	for _, v := range line.samples {
		entry.values = append(entry.values, v.y)
	}
	return entry
}
