package figure

import "strconv"

// Stand is where a seat stood after a round.
type Stand struct {
	// Mean is that of its confidences, 0 to 1, Spread their standard deviation.
	Mean, Spread float64
	// Count is how many hearings had the round.
	Count int
}

// Trace is how confidences went in one mode, by round from the first.
type Trace struct {
	Name               string
	Architect, Skeptic []Stand
}

// apartBy is how far beside each other the seats of a round stand, in rounds.
const apartBy = 0.06

// Traces shows the confidence of both seats by round, with its spread: a plot for each
// mode. Name and mark are those of Calibration.
func Traces(name, mark string, modes []Trace) *Chart {
	c := &Chart{name: name, wide: true, title: safe(mark) + ": confidence by round, mean and spread, 0 (none) to 1 (sure)"}
	last := 2
	for _, m := range modes {
		last = max(last, len(m.Architect), len(m.Skeptic))
	}
	for _, m := range modes {
		p := plot{
			title: safe(m.Name), xWord: "round", left: 1 - apartBy, right: float64(last) + apartBy, high: 1,
			yTicks: []tick{{1, "1.0"}, {0.5, "0.5"}, {0, "0.0"}},
		}
		for round := 1; round <= last; round++ {
			p.xTicks = append(p.xTicks, tick{float64(round), strconv.Itoa(round)})
		}
		for i, seat := range []struct {
			name   string
			role   Role
			stands []Stand
		}{{"architect", RoleOrchestrator, m.Architect}, {"skeptic", RoleConsultee, m.Skeptic}} {
			line := curve{name: seat.name, role: seat.role, shape: i}
			for round, s := range seat.stands {
				if s.Count == 0 {
					continue
				}
				x := float64(round+1) + apartBy*float64(2*i-1)
				line.samples = append(line.samples, sample{x, s.Mean})
				p.spreads = append(p.spreads, spread{x, max(0, s.Mean-s.Spread), min(1, s.Mean+s.Spread), seat.role})
			}
			if len(line.samples) == 0 {
				continue
			}
			p.curves = append(p.curves, line)
			entry := briefly(&line)
			entry.words = safe(m.Name) + " " + seat.name
			c.brief = append(c.brief, entry)
		}
		for round := 1; round <= last && len(p.curves) > 0; round++ {
			n := 0
			for _, stands := range [][]Stand{m.Architect, m.Skeptic} {
				if round <= len(stands) {
					n = max(n, stands[round-1].Count)
				}
			}
			p.counts = append(p.counts, count{float64(round), n})
		}
		if len(p.curves) > 0 {
			c.plots = append(c.plots, p)
		}
	}
	if len(c.plots) == 0 {
		c.empty = "No seat has reported a confidence yet."
		return c
	}
	c.keys = []note{
		{words: "architect", role: RoleOrchestrator, shape: 1},
		{words: "skeptic", role: RoleConsultee, shape: 2},
		{sign: "│", words: "standard deviation over hearings", role: RoleFaint},
		{sign: "n", words: "hearings that had the round", role: RoleFaint},
	}
	return c
}
