package figure

import (
	"fmt"
	"slices"

	"moot/resolver"
	"moot/state"
)

// Confidence shows the confidence of the seats in a point over the rounds, 0 to 1; for
// the point "" it shows a panel for each point with reports. It marks retreats, drops
// without a cause, and rigid seats, which verified evidence against them did not move
// (ST3).
func Confidence(s *state.State, point string) *Chart {
	of, live := "", func(id string) string {
		if p := s.Live(id); p != nil {
			return p.ID
		}
		return id
	}
	if point != "" {
		point = live(point)
		of = " in " + safe(point)
	}
	chart := &Chart{title: "Confidence" + of + " by round, 0 (none) to 1 (sure)"}
	b := &rounds{s: s, chart: chart, panels: map[string]*plot{}}
	for _, c := range s.Confidence.All() {
		if id := live(c.Point); point == "" || id == point {
			b.report(b.panel(id), c.Seat, c.Round, c.Stated, c.Admitted)
		}
	}
	// The sides of a hearing report how sure they are of the question, its first point.
	for _, a := range s.Hearing.Arguments {
		if id := s.Points.At(0).ID; point == "" || id == point {
			b.report(b.panel(id), a.Seat, a.Round, a.Stated, a.Confidence)
		}
	}
	for _, seat := range slices.Clone(b.seats) {
		found, name := resolver.Calibrate(s, seat), safe(string(seat))
		for _, shift := range found.Shifts {
			id, now := live(shift.Now.Point), shift.Now
			if p := b.panels[id]; p != nil && shift.Uncaused() > 0 {
				b.mark(p, remark{sample{float64(now.Round), now.Stated}, signRetreat, name, "retreat"}, fmt.Sprintf(
					"retreat: %s on %s, round %d: %.2f to %.2f without a cause; %.2f counts",
					name, safe(id), now.Round, shift.Before.Stated, now.Stated, now.Admitted))
			}
		}
		for _, counter := range found.Counter {
			item := counter.Item
			p := b.panels[item.Point]
			if counter.Moved || p == nil {
				continue
			}
			m := remark{sample{float64(item.Round), 0}, signRigid, name, "rigid"}
			samples := b.curve(p, seat).samples
			if i := slices.IndexFunc(samples, func(v sample) bool { return v.round >= m.round }); i >= 0 {
				m.sample = samples[i]
			}
			b.mark(p, m, fmt.Sprintf("rigid: %s on %s, round %d: %s %s it, and moved nothing",
				name, safe(item.Point), item.Round, item.ID, safe(string(item.Relation))))
		}
	}
	return b.finish("No seat has reported a confidence" + of + " yet.")
}

// The signs of what is remarkable about a confidence.
const signRetreat, signRigid = "↓", "="

// rounds builds a chart of confidences by round with a panel for each point.
type rounds struct {
	s      *state.State
	chart  *Chart
	panels map[string]*plot
	// seats come in the order of their first report, which gives them their signs.
	seats  []state.Seat
	hollow bool
}

// panel returns the panel of a point, and adds it if it is new.
func (b *rounds) panel(id string) *plot {
	p := b.panels[id]
	if p == nil {
		title := safe(id)
		if point := b.s.Point(id); point != nil {
			title += " " + safe(point.Text)
		}
		p = &plot{title: title}
		b.panels[id] = p
	}
	return p
}

// curve returns the curve of a seat in a panel.
func (b *rounds) curve(p *plot, seat state.Seat) *curve {
	if !slices.Contains(b.seats, seat) {
		b.seats = append(b.seats, seat)
	}
	return p.curve(seat, slices.Index(b.seats, seat))
}

// report adds a value to its curve. The last report of a round counts.
func (b *rounds) report(p *plot, seat state.Seat, round int, stated, counts float64) {
	line, x := b.curve(p, seat), float64(round)
	same := func(v sample) bool { return v.round == x }
	line.samples = append(slices.DeleteFunc(line.samples, same), sample{x, counts})
	line.hollow = slices.DeleteFunc(line.hollow, same)
	if stated != counts {
		b.hollow = true
		line.hollow = append(line.hollow, sample{x, stated})
	}
}

// mark marks a value and says why in words.
func (b *rounds) mark(p *plot, m remark, words string) {
	p.marks = append(p.marks, m)
	b.chart.notes = append(b.chart.notes, note{m.sign, words, RoleWarn})
}

// finish puts the panels in order and writes the legend.
func (b *rounds) finish(empty string) *Chart {
	c := b.chart
	for _, point := range b.s.Points.All() {
		if p := b.panels[point.ID]; p != nil {
			c.add(p, safe(point.ID))
		}
	}
	if len(c.plots) == 0 {
		c.empty = empty
		return c
	}
	for i, seat := range b.seats {
		c.keys = append(c.keys, note{seatSign(i, false), safe(string(seat)), seatRole(seat)})
	}
	if b.hollow {
		c.keys = append(c.keys, note{seatSign(0, true), "hollow: stated, but not admitted", RoleFaint})
	}
	var seen []string
	for _, p := range c.plots {
		for _, m := range p.marks {
			if !slices.Contains(seen, m.word) {
				seen = append(seen, m.word)
				c.keys = append(c.keys, note{m.sign, m.word, RoleWarn})
			}
		}
	}
	return c
}
