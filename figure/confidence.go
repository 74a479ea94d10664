package figure

import (
	"fmt"
	"slices"
	"strconv"

	"moot/resolver"
	"moot/state"
)

// Confidence shows what the seats' confidence in a point was over the rounds,
// 0 to 1; the point "" shows every point that has reports, a panel for each.
// Marked are retreats, drops without a cause, and rigid seats, which verified
// evidence against them did not move (ST3). Of a hearing it shows both sides of the
// question as well, as Hearing does.
func Confidence(s *state.State, point string) *Chart {
	if s.Settings.Format == state.FormatHearing && point == "" {
		return Hearing(s)
	}
	if p := s.Live(point); p != nil {
		point = p.ID
	}
	of := when(point == "", "", " in "+safe(point))
	b := &confidences{
		s: s, only: point, plots: map[string]*plot{}, shapes: map[state.Seat]int{},
		chart: &Chart{name: "confidence", title: "Confidence" + of + " by round, 0 (none) to 1 (sure)"},
	}
	for _, report := range s.Confidence.All() {
		b.report(report)
	}
	if len(b.plots) == 0 {
		b.chart.empty = "No seat has reported a confidence" + of + " yet."
		return b.chart
	}
	for _, seat := range b.seats {
		b.calibrate(seat)
	}
	b.finish()
	return b.chart
}

// confidences builds the chart.
type confidences struct {
	s     *state.State
	only  string
	chart *Chart
	plots map[string]*plot
	// seats come in the order of their first report; the shape of a seat's signs
	// is its place.
	seats  []state.Seat
	shapes map[state.Seat]int
	held   bool
}

// report adds a report to its curve. Of two in a round the later one counts.
func (b *confidences) report(c *state.Confidence) {
	point := c.Point
	if p := b.s.Live(point); p != nil {
		point = p.ID
	}
	if b.only != "" && point != b.only {
		return
	}
	p := b.plots[point]
	if p == nil {
		p = &plot{
			title: safe(point), xWord: "round", left: 1, right: state.MaxRounds, high: 1,
			yTicks: []tick{{1, "1.0"}, {0.5, "0.5"}, {0, "0.0"}},
		}
		if known := b.s.Point(point); known != nil {
			p.title += " " + safe(known.Text)
		}
		for round := 1; round <= state.MaxRounds; round++ {
			p.xTicks = append(p.xTicks, tick{float64(round), strconv.Itoa(round)})
		}
		b.plots[point] = p
	}
	at := p.curve(c.Seat, b.shape(c.Seat))
	x := float64(c.Round)
	if n := len(at.samples); n > 0 && at.samples[n-1].x == x {
		at.samples = at.samples[:n-1]
		if m := len(at.hollow); m > 0 && at.hollow[m-1].x == x {
			at.hollow = at.hollow[:m-1]
		}
	}
	at.samples = append(at.samples, sample{x, c.Admitted})
	if c.Stated != c.Admitted {
		at.hollow = append(at.hollow, sample{x, c.Stated})
		b.held = true
	}
}

// shape numbers the seats.
func (b *confidences) shape(seat state.Seat) int {
	n, known := b.shapes[seat]
	if !known {
		n = len(b.seats)
		b.shapes[seat], b.seats = n, append(b.seats, seat)
	}
	return n
}

// curve is the seat's curve, a new one where it has none.
func (p *plot) curve(seat state.Seat, shape int) *curve {
	name := safe(string(seat))
	for i := range p.curves {
		if p.curves[i].name == name {
			return &p.curves[i]
		}
	}
	p.curves = append(p.curves, curve{name: name, role: seatRole(seat), shape: shape})
	return &p.curves[len(p.curves)-1]
}

// calibrate marks where the seat retreated, and where it was rigid.
func (b *confidences) calibrate(seat state.Seat) {
	found := resolver.Calibrate(b.s, seat)
	for _, shift := range found.Shifts {
		point := shift.Now.Point
		if p := b.s.Live(point); p != nil {
			point = p.ID
		}
		if p := b.plots[point]; p != nil && shift.Uncaused() > 0 {
			p.marks = append(p.marks, remark{sample{float64(shift.Now.Round), shift.Now.Stated}, signRetreat, safe(string(seat)), "retreat"})
			b.chart.notes = append(b.chart.notes, note{sign: signRetreat, role: RoleWarn, words: fmt.Sprintf(
				"retreat: %s on %s, round %d: %.2f to %.2f without a cause; %.2f counts",
				safe(string(seat)), safe(point), shift.Now.Round, shift.Before.Stated, shift.Now.Stated, shift.Now.Admitted)})
		}
	}
	for _, counter := range found.Counter {
		p := b.plots[counter.Item.Point]
		if counter.Moved || p == nil {
			continue
		}
		round := float64(counter.Item.Round)
		for _, v := range p.curve(seat, b.shape(seat)).samples {
			if v.x >= round {
				p.marks = append(p.marks, remark{v, signRigid, safe(string(seat)), "rigid"})
				break
			}
		}
		b.chart.notes = append(b.chart.notes, note{sign: signRigid, role: RoleWarn, words: fmt.Sprintf(
			"rigid: %s on %s, round %d: %s %s it, and moved nothing",
			safe(string(seat)), safe(counter.Item.Point), counter.Item.Round, counter.Item.ID, safe(string(counter.Item.Relation)))})
	}
}

// finish writes the legend, the panels in their order, and the single lines.
func (b *confidences) finish() {
	c := b.chart
	for i, seat := range b.seats {
		c.keys = append(c.keys, note{words: safe(string(seat)), role: seatRole(seat), shape: i + 1})
	}
	if b.held {
		c.keys = append(c.keys, note{words: "hollow: stated, but not admitted", role: RoleFaint, shape: 1, hollow: true})
	}
	for _, k := range []note{{sign: signRetreat, words: "retreat", role: RoleWarn}, {sign: signRigid, words: "rigid", role: RoleWarn}} {
		if slices.ContainsFunc(c.notes, func(n note) bool { return n.sign == k.sign }) {
			c.keys = append(c.keys, k)
		}
	}
	for _, known := range b.s.Points.All() {
		id, p := known.ID, b.plots[known.ID]
		if p == nil {
			continue
		}
		c.plots = append(c.plots, *p)
		for _, line := range p.curves {
			if len(line.samples) == 0 {
				continue
			}
			entry := briefly(&line)
			entry.words = safe(id) + " " + line.name
			for _, m := range p.marks {
				if m.of == line.name {
					entry.end += ", " + m.word
				}
			}
			c.brief = append(c.brief, entry)
		}
	}
}
