package figure

import (
	"math"
	"unicode/utf8"
)

// plot is a small picture of curves.
type plot struct {
	title string
	// The ranges, and where they are labelled.
	left, right, high float64
	xTicks, yTicks    []tick
	xWord             string
	curves            []curve
	marks             []remark
	// spreads are how far values spread; counts stand below the axis, at values of it.
	spreads []spread
	counts  []count
}

// tick is a labelled place of an axis.
type tick struct {
	at    float64
	label string
}

// curve is a line through samples; hollow ones stand beside it.
type curve struct {
	name    string
	role    Role
	shape   int
	samples []sample
	hollow  []sample
	// loose signs have no line between them; a guide is a line without signs.
	loose, guide bool
}

type sample struct{ x, y float64 }

// remark is a sign beside a value of a curve, with its word where there is room.
type remark struct {
	sample
	sign, of, word string
}

// The least room of a plot, in cells, and how wide one is at best for its
// height.
const leastPlotWidth, leastPlotHeight, bestShape = 26, 7, 4.2

// plots draws them in a grid, and reports whether they have room.
func (s *sheet) plots(plots []plot, room Rect) bool {
	columns, fitness := 0, math.Inf(1)
	for n := 1; n <= min(len(plots), max(1, room.W/leastPlotWidth)); n++ {
		w, h := room.W/n, room.H/((len(plots)+n-1)/n)
		if h < leastPlotHeight || w < leastPlotWidth {
			continue
		}
		if f := math.Abs(math.Log(float64(w) / float64(h) / bestShape)); f < fitness {
			columns, fitness = n, f
		}
	}
	if columns == 0 {
		return false
	}
	rows := (len(plots) + columns - 1) / columns
	w, h := room.W/columns, room.H/rows
	for i, p := range plots {
		s.plot(p, Rect{room.X + i%columns*w, room.Y + i/columns*h, w - when(columns > 1, 2, 0), h - when(rows > 1, 1, 0)})
	}
	return true
}

// leastGutter is the least room of a plot's labels at the left.
const leastGutter = 6

// plot draws one: its title, the curves, and the axes with their labels.
func (s *sheet) plot(p plot, r Rect) {
	s.write(r.X, r.Y, s.clip(p.title, r.W), RoleText, r.W)
	gutter := leastGutter
	for _, t := range p.yTicks {
		gutter = max(gutter, s.width(t.label)+2)
	}
	area := Rect{r.X + gutter, r.Y + 1, r.W - gutter, r.H - 3 - min(1, len(p.counts))}
	g := &grid{sheet: s, area: area, plot: p}
	for y := range area.H {
		s.sign(area.X-1, area.Y+y, straightDown(strokeSupport, s.ascii), RoleBorder)
	}
	bottom := area.Y + area.H
	s.sign(area.X-1, bottom, when(s.ascii, "+", "└"), RoleBorder)
	s.fill(area.X, bottom, area.W, straightAcross(strokeSupport, s.ascii), RoleBorder)
	for _, t := range p.yTicks {
		_, y := g.cell(sample{p.left, t.at})
		s.write(area.X-2-s.width(t.label), y, t.label, RoleFaint, gutter)
		s.sign(area.X-1, y, when(s.ascii, "+", "┤"), RoleBorder)
	}
	s.write(r.X, bottom+1, s.clip(p.xWord, gutter-1), RoleFaint, gutter-1)
	free := area.X
	for _, t := range p.xTicks {
		x, _ := g.cell(sample{t.at, 0})
		s.sign(x, bottom, when(s.ascii, "+", "┬"), RoleBorder)
		if wide := s.width(t.label); x >= free && x+wide <= area.X+area.W {
			s.write(x, bottom+1, t.label, RoleFaint, wide)
			free = x + wide + 1
		}
	}
	g.counts(r.X, gutter, bottom+2)
	g.spreads()
	g.curves()
}

// grid draws curves into an area, with several dots to a cell.
type grid struct {
	*sheet
	plot plot
	area Rect
}

// dots are how many a cell holds across and down.
func (g *grid) dots() (across, down int) {
	if g.ascii {
		return 1, 1
	}
	return 2, 4
}

// dot is the place of a value, in dots from the upper left.
func (g *grid) dot(v sample) (x, y int) {
	across, down := g.dots()
	share := func(value, low, high float64) float64 {
		if high <= low {
			return 0
		}
		return max(0, min(1, (value-low)/(high-low)))
	}
	// The last value leaves room for a sign beside it.
	columns := max(g.area.W-2, 1)*across - 1
	rows := g.area.H*down - 1
	return int(math.Round(share(v.x, g.plot.left, g.plot.right) * float64(columns))),
		rows - int(math.Round(share(v.y, 0, g.plot.high)*float64(rows)))
}

// cell is the cell of a value.
func (g *grid) cell(v sample) (x, y int) {
	across, down := g.dots()
	x, y = g.dot(v)
	return g.area.X + x/across, g.area.Y + y/down
}

// curves draws lines first, then the values' signs, then what is remarkable.
func (g *grid) curves() {
	for _, c := range g.plot.curves {
		for i := 1; i < len(c.samples) && !c.loose; i++ {
			g.segment(c.samples[i-1], c.samples[i], c.role, c.guide)
		}
	}
	for _, c := range g.plot.curves {
		for _, v := range c.hollow {
			g.beside(v, seatSign(c.shape, g.ascii, true), c.role)
		}
	}
	for _, c := range g.plot.curves {
		for _, v := range c.samples {
			if !c.guide {
				g.beside(v, seatSign(c.shape, g.ascii, false), c.role)
			}
		}
	}
	for _, m := range g.plot.marks {
		g.beside(m.sample, g.translated(m.sign), RoleWarn)
	}
}

// beside sets a sign at a value, or next to it where another stands there.
func (g *grid) beside(v sample, sign string, role Role) {
	x, y := g.cell(v)
	for _, at := range []int{x, x + 1, x - 1, x + 2, x - 2} {
		c := g.at(at, y)
		if c == nil || !g.area.Contains(at, y) || c.text != "" && !g.line(c.text) {
			continue
		}
		g.sign(at, y, sign, role)
		return
	}
}

// line reports whether a sign is only part of a curve.
func (g *grid) line(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text == " " || g.ascii && text == "." || r >= 0x2800 && r <= 0x28ff
}

// segment draws a straight line in dots (Bresenham's); a broken one leaves out two of
// three.
func (g *grid) segment(from, to sample, role Role, broken bool) {
	x, y := g.dot(from)
	toX, toY := g.dot(to)
	dx, dy := abs(toX-x), -abs(toY-y)
	stepX, stepY := when(x < toX, 1, -1), when(y < toY, 1, -1)
	drawn := 0
	for rest := dx + dy; ; drawn++ {
		if !broken || drawn%3 == 0 {
			g.set(x, y, role)
		}
		if x == toX && y == toY {
			return
		}
		twice := 2 * rest
		if twice >= dy {
			rest += dy
			x += stepX
		}
		if twice <= dx {
			rest += dx
			y += stepY
		}
	}
}

func abs(n int) int { return max(n, -n) }

// set adds a dot to its cell.
func (g *grid) set(x, y int, role Role) {
	across, down := g.dots()
	at := g.at(g.area.X+x/across, g.area.Y+y/down)
	switch {
	case at == nil:
	case g.ascii:
		*at = cell{text: ".", role: role}
	default:
		bits := rune(0x2800)
		if at.text != "" {
			bits, _ = utf8.DecodeRuneInString(at.text)
		}
		if bits < 0x2800 || bits > 0x28ff {
			return
		}
		*at = cell{text: string(bits | brailleDot(x%across, y%down)), role: role}
	}
}

// brailleDot is the bit of a dot in a braille sign: the first three rows count
// down the columns, the fourth came later.
func brailleDot(x, y int) rune {
	if y == 3 {
		return 0x40 << x
	}
	return 1 << (y + 3*x)
}
