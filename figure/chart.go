package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"moot/internal/plain"
	"moot/state"
)

// Chart is a picture of numbers that draws itself at any size. It does not change.
type Chart struct {
	// empty says that there is nothing to draw.
	title, empty string
	plots        []plot
	// keys explain the signs, notes name what is remarkable.
	keys, notes []note
	// lines give the values in words, for a place that is too small and for screen
	// readers.
	lines []string
}

// plot is one panel of curves over the rounds of a session.
type plot struct {
	title  string
	curves []curve
	marks  []remark
}

// levels are the labelled values of a plot.
func levels() []float64 { return []float64{1, 0.5, 0} }

// curve is a line through samples; hollow ones are signs next to it.
type curve struct {
	name    string
	role    Role
	shape   int
	samples []sample
	hollow  []sample
}

// sample is a value, 0 to 1, in a round.
type sample struct{ round, value float64 }

// across is the place of the sample from left to right, 0 to 1.
func (v sample) across() float64 { return (v.round - 1) / (state.MaxRounds - 1) }

// remark is a sign next to a value of a curve, with its word if there is room.
type remark struct {
	sample
	sign, of, word string
}

// curve returns the seat's curve, and adds it if it is new.
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

// add adds a plot and puts its curves into words.
func (c *Chart) add(p *plot, about string) {
	c.plots = append(c.plots, *p)
	for _, line := range p.curves {
		if len(line.samples) == 0 {
			continue
		}
		first, last := line.samples[0].value, line.samples[len(line.samples)-1].value
		words := strings.TrimSpace(about+" "+line.name) + fmt.Sprintf(" %.2f", first)
		if len(line.samples) > 1 {
			words += fmt.Sprintf(" to %.2f", last)
		}
		for _, m := range p.marks {
			if m.of == line.name {
				words += ", " + m.word
			}
		}
		c.lines = append(c.lines, words)
	}
}

// seatSign is the sign of a seat's values; hollow ones were stated only. The seventh
// seat has the sign of the first again.
func seatSign(shape int, hollow bool) string {
	signs := []rune("●◆■▲▼◉")
	if hollow {
		signs = []rune("○◇□△▽◎")
	}
	return string(signs[shape%len(signs)])
}

// Empty says in a sentence that there is nothing to draw, or is "".
func (c *Chart) Empty() string { return c.empty }

// draw draws the lines first, then the signs, then what is remarkable.
func (g *grid) draw(p *plot) {
	for _, c := range p.curves {
		for k := 1; k < len(c.samples); k++ {
			g.segment(c.samples[k-1], c.samples[k], c.role)
		}
	}
	for _, hollow := range []bool{true, false} {
		for _, c := range p.curves {
			samples := c.samples
			if hollow {
				samples = c.hollow
			}
			for _, v := range samples {
				g.beside(v, seatSign(c.shape, hollow), c.role)
			}
		}
	}
	for _, m := range p.marks {
		g.beside(m.sample, m.sign, RoleWarn)
	}
}

// The least room of a chart and of a panel, in cells, and how wide a panel is at best
// for its height.
const (
	leastChartWidth, leastChartHeight          = 36, 9
	leastPlotWidth, leastPlotHeight, bestShape = 26, 7, 4.2
)

// Draw draws the chart into height rows of width cells. If there is not enough room
// for the panels, it lists the values in words. With ascii it uses ASCII signs alone;
// a nil measure measures grapheme clusters.
func (c *Chart) Draw(width, height int, ascii bool, measure Measure) []Row {
	s := newCanvas(newRuler(measure, ascii), Rect{W: width, H: height})
	if width <= 0 || height <= 0 {
		return s.rows()
	}
	s.write(0, 0, s.clip(c.title, width), RoleBold, width)
	if c.empty != "" {
		top := min(2, height-1)
		s.fill(0, top, width, " ", RoleText)
		for i, text := range s.wrap(c.empty, width, height-top) {
			s.write(0, top+i, text, RoleFaint, width)
		}
		return s.rows()
	}
	keys, notes := s.flow(c.keys, width), c.notes
	keys = keys[:min(len(keys), max(1, height/6))]
	if most := height / 4; len(notes) > most {
		more := plain.Counted(len(notes)-most+1, "more remark")
		notes = append(notes[:max(most-1, 0):max(most-1, 0)], note{"", more, RoleFaint})
	}
	area := Rect{0, 1 + len(keys), width, height - 1 - len(keys) - len(notes)}
	columns, fit := 0, math.Inf(1)
	for n := 1; n <= len(c.plots) && width >= leastChartWidth && height >= leastChartHeight; n++ {
		w, h := area.W/n, area.H/((len(c.plots)+n-1)/n)
		f := math.Abs(math.Log(float64(w) / float64(max(h, 1)) / bestShape))
		if h >= leastPlotHeight && w >= leastPlotWidth && f < fit {
			columns, fit = n, f
		}
	}
	if columns == 0 {
		lines := slices.Clone(c.lines)
		for _, n := range c.notes {
			lines = append(lines, n.words)
		}
		s.list(lines)
		return s.rows()
	}
	for i, row := range keys {
		s.row(0, 1+i, row, width)
	}
	rows := (len(c.plots) + columns - 1) / columns
	w, h := area.W/columns, area.H/rows
	for i := range c.plots {
		s.plot(&c.plots[i], Rect{area.X + i%columns*w, area.Y + i/columns*h, w - 2, h - 1})
	}
	for i, n := range notes {
		row := s.clipRow(Row{{s.own(n.sign), n.role}, {" " + n.words, RoleText}}, width)
		s.row(0, height-len(notes)+i, row, width)
	}
	return s.rows()
}

// list writes lines below the title, or instead of it if there is no room for both,
// and counts those that do not fit.
func (c *canvas) list(lines []string) {
	width, height := c.window.W, c.window.H
	top := 1
	if height < 4 {
		top = 0
		c.fill(0, 0, width, " ", RoleText)
	}
	room := height - top
	if len(lines) > room {
		more := plain.Counted(len(lines)-room+1, "more line") + "; more room shows them"
		lines = append(lines[:room-1:room-1], more)
	}
	for i, line := range lines {
		c.write(0, top+i, c.clip(line, width), RoleText, width)
	}
}

// plot draws one panel: its title, the axes with their labels, the curves.
func (c *canvas) plot(p *plot, r Rect) {
	const gutter = 6
	c.write(r.X, r.Y, c.clip(p.title, r.W), RoleText, r.W)
	area := Rect{r.X + gutter, r.Y + 1, r.W - gutter, r.H - 3}
	g := &grid{canvas: c, area: area}
	bottom := area.Y + area.H
	for y := area.Y; y < bottom; y++ {
		c.sign(area.X-1, y, "│", RoleBorder)
	}
	c.sign(area.X-1, bottom, "└", RoleBorder)
	c.fill(area.X, bottom, area.W, "─", RoleBorder)
	for _, level := range levels() {
		_, y := g.cell(sample{1, level})
		c.write(area.X-5, y, fmt.Sprintf("%.1f", level), RoleFaint, gutter)
		c.sign(area.X-1, y, "┤", RoleBorder)
	}
	c.write(r.X, bottom+1, "round", RoleFaint, gutter-1)
	free := area.X
	for round := 1; round <= state.MaxRounds; round++ {
		x, _ := g.cell(sample{float64(round), 0})
		c.sign(x, bottom, "┬", RoleBorder)
		if x >= free && x < area.X+area.W {
			c.write(x, bottom+1, strconv.Itoa(round), RoleFaint, 1)
			free = x + 2
		}
	}
	g.draw(p)
}

// grid draws curves into an area of cells, with several dots to a cell.
type grid struct {
	*canvas
	area Rect
}

// dots is the number of dots in a cell across and down: those of braille characters.
func (g *grid) dots() (across, down int) {
	if g.ascii {
		return 1, 1
	}
	return 2, 4
}

// dot is the place of a value, in dots from the upper left.
func (g *grid) dot(v sample) (x, y int) {
	across, down := g.dots()
	// The last value leaves room for a sign next to it.
	columns, rows := max(g.area.W-2, 1)*across-1, g.area.H*down-1
	return int(math.Round(max(0, min(1, v.across())) * float64(columns))),
		rows - int(math.Round(max(0, min(1, v.value))*float64(rows)))
}

// cell is the cell of a value.
func (g *grid) cell(v sample) (x, y int) {
	across, down := g.dots()
	x, y = g.dot(v)
	return g.area.X + x/across, g.area.Y + y/down
}

// beside sets a sign at a value, or next to it if another sign is there.
func (g *grid) beside(v sample, sign string, role Role) {
	x, y := g.cell(v)
	for _, at := range []int{x, x + 1, x - 1, x + 2, x - 2} {
		c := g.at(at, y)
		if c == nil || !g.area.Contains(at, y) || c.text != "" && c.text != "." && !isDots(c.text) {
			continue
		}
		g.canvas.sign(at, y, sign, role)
		return
	}
}

// isDots reports whether a text is a braille character.
func isDots(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return r >= 0x2800 && r <= 0x28ff
}

// segment draws a straight line in dots.
func (g *grid) segment(from, to sample, role Role) {
	x1, y1 := g.dot(from)
	x2, y2 := g.dot(to)
	across, down := g.dots()
	steps := max(x2-x1, x1-x2, y2-y1, y1-y2, 1)
	for i := 0; i <= steps; i++ {
		share := float64(i) / float64(steps)
		x, y := x1+int(math.Round(share*float64(x2-x1))), y1+int(math.Round(share*float64(y2-y1)))
		at := g.at(g.area.X+x/across, g.area.Y+y/down)
		switch {
		case at == nil:
		case g.ascii:
			*at = cell{text: ".", role: role}
		default:
			// The first three rows of dots count down the columns, the fourth came later.
			bits, dot := rune(0x2800), rune(1)<<(y%down+3*(x%across))
			if y%down == 3 {
				dot = 0x40 << (x % across)
			}
			if at.text != "" {
				bits, _ = utf8.DecodeRuneInString(at.text)
			}
			*at = cell{text: string(bits | dot), role: role}
		}
	}
}
