package figure

import (
	"fmt"
	"strconv"
)

// spread is how far the values at a place spread.
type spread struct {
	x, low, high float64
	role         Role
}

// count is how many values there are at a place.
type count struct {
	x float64
	n int
}

// spreads draws upright lines, which the curves then cross.
func (g *grid) spreads() {
	for _, s := range g.plot.spreads {
		g.segment(sample{s.x, s.low}, sample{s.x, s.high}, s.role, false)
	}
}

// counts writes how many there are below the axis: in figures where all have room,
// else as columns, which say it roughly.
func (g *grid) counts(left, gutter, y int) {
	all := g.plot.counts
	if len(all) == 0 {
		return
	}
	g.write(left, y, g.clip("n", gutter-1), RoleFaint, gutter-1)
	fits, free, most := true, g.area.X, 0
	for _, c := range all {
		wide := len(brieflyCounted(c.n))
		x := g.under(c, wide)
		fits = fits && x >= free
		free, most = x+wide+1, max(most, c.n)
	}
	for _, c := range all {
		switch {
		case fits:
			words := brieflyCounted(c.n)
			g.write(g.under(c, len(words)), y, words, RoleFaint, len(words))
		case c.n > 0:
			g.write(g.under(c, 1), y, g.column(c.n, most), RoleFaint, 1)
		}
	}
}

// column is a sign that grows with a count.
func (g *grid) column(n, most int) string {
	if g.ascii {
		// Digits would be taken for the count.
		steps := ".:+#"
		at := int(float64(n) / float64(max(most, 1)) * float64(len(steps)))
		at = max(0, min(at, len(steps)-1))
		return steps[at : at+1]
	}
	return g.spark(brief{values: []float64{float64(n)}, high: float64(most)})
}

// under is where words begin that stand below a place, within the plot.
func (g *grid) under(c count, wide int) int {
	x, _ := g.cell(sample{c.x, 0})
	return max(g.area.X, min(x-wide/2, g.area.X+g.area.W-wide))
}

// brieflyCounted is a count in four signs at most.
func brieflyCounted(n int) string {
	for _, unit := range []struct {
		of   int
		word string
	}{{1_000_000, "M"}, {1000, "k"}} {
		switch {
		case n >= 1000*unit.of:
			return "lots"
		case n >= 10*unit.of:
			return strconv.Itoa(n/unit.of) + unit.word
		case n >= unit.of:
			return fmt.Sprintf("%d.%d%s", n/unit.of, n%unit.of/(unit.of/10), unit.word)
		}
	}
	return strconv.Itoa(max(n, 0))
}

// spreads draws upright lines with their ends.
func (d *document) spreads(p plot, at func(sample) place) {
	for _, s := range p.spreads {
		low, high := at(sample{s.x, s.low}), at(sample{s.x, s.high})
		d.add(`<path d="M%s %s h6 m-3 0 V%s m-3 0 h6" fill="none" stroke="%s" stroke-width="1.2" stroke-opacity="0.8"/>`,
			number(low.x-3), number(low.y), number(high.y), d.colors.of(s.role))
	}
}

// counts writes how many there are below the axis.
func (d *document) counts(p plot, left, y float64, at func(sample) place) {
	for i, c := range p.counts {
		if i == 0 {
			d.label(left-12, y, "end", Run{"n", RoleFaint})
		}
		d.label(at(sample{c.x, 0}).x, y, "middle", Run{brieflyCounted(c.n), RoleFaint})
	}
}
