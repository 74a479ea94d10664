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
	// name keeps the ids of the SVG document apart from those of others. empty says
	// that there is nothing to draw.
	name, title, empty string
	plots              []plot
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

// pen draws the contents of a panel: in cells or as SVG.
type pen interface {
	segment(from, to sample, role Role)
	sign(v sample, c *curve, hollow bool)
	remark(m remark)
}

// draw draws the lines first, then the signs, then what is remarkable.
func (p *plot) draw(to pen) {
	for i := range p.curves {
		c := &p.curves[i]
		for k := 1; k < len(c.samples); k++ {
			to.segment(c.samples[k-1], c.samples[k], c.role)
		}
	}
	for i := range p.curves {
		c := &p.curves[i]
		for _, v := range c.hollow {
			to.sign(v, c, true)
		}
	}
	for i := range p.curves {
		c := &p.curves[i]
		for _, v := range c.samples {
			to.sign(v, c, false)
		}
	}
	for _, m := range p.marks {
		to.remark(m)
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
	p.draw(g)
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

func (g *grid) sign(v sample, c *curve, hollow bool) { g.beside(v, seatSign(c.shape, hollow), c.role) }

func (g *grid) remark(m remark) { g.beside(m.sample, m.sign, RoleWarn) }

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

// The measures of a chart in an SVG document.
const chartWidth, plotHeight = 960.0, 260.0

// SVG draws the chart as an SVG document.
func (c *Chart) SVG(style SVGStyle) string {
	const inside = chartWidth - 2*margin
	const cells = int(inside / cellWidth)
	r := newRuler(nil, false)
	keys := r.flow(c.keys, cells)
	columns := max(min(len(c.plots), 2), 1)
	top := margin + 44 + float64(len(keys))*cellHeight
	bottom := top + float64((len(c.plots)+columns-1)/columns)*plotHeight
	description := strings.Join(c.lines, "; ")
	for _, n := range c.notes {
		description += "; " + n.words
	}
	height := bottom + float64(len(c.notes))*cellHeight + margin
	d := newDocument(style, c.name, c.title, description+c.empty, chartWidth, height)
	if c.empty != "" {
		d.label(margin, margin+40, "start", Run{c.empty, RoleFaint})
	}
	d.rows(margin+44, keys)
	wide := inside / float64(columns)
	for i := range c.plots {
		d.plot(&c.plots[i], margin+float64(i%columns)*wide, top+float64(i/columns)*plotHeight, wide-16, plotHeight-20)
	}
	for i, n := range c.notes {
		row := r.clipRow(Row{{n.sign, n.role}, {" " + n.words, RoleText}}, cells)
		d.label(margin, bottom+float64(i+1)*cellHeight, "start", row...)
	}
	return d.close()
}

// plot draws one panel into a place.
func (d *document) plot(p *plot, x, y, wide, high float64) {
	d.label(x, y+14, "start", Run{d.clip(p.title, int(wide/cellWidth)), RoleText})
	s := &svgPlot{d, x + 58, y + 32, x + wide - 22, y + high - 34}
	axis := d.roles[RoleBorder]
	for _, level := range levels() {
		y := s.at(sample{1, level}).y
		d.add(`<path d="M%s %s H%s" stroke="%s" stroke-opacity="0.35"/>`, number(s.left-6), number(y), number(s.right+8),
			axis)
		d.label(s.left-12, y+4, "end", Run{fmt.Sprintf("%.1f", level), RoleFaint})
	}
	d.add(`<path d="M%s %s V%s H%s" fill="none" stroke="%s"/>`,
		number(s.left-6), number(s.top), number(s.bottom), number(s.right+8), axis)
	for round := 1; round <= state.MaxRounds; round++ {
		at := s.at(sample{float64(round), 0}).x
		d.add(`<path d="M%s %s v5" stroke="%s"/>`, number(at), number(s.bottom), axis)
		d.label(at, s.bottom+19, "middle", Run{strconv.Itoa(round), RoleFaint})
	}
	d.label(s.left-12, s.bottom+19, "end", Run{"round", RoleFaint})
	p.draw(s)
}

// svgPlot draws curves between the four sides.
type svgPlot struct {
	*document
	left, top, right, bottom float64
}

func (s *svgPlot) at(v sample) place {
	return place{s.left + v.across()*(s.right-s.left), s.bottom - v.value*(s.bottom-s.top)}
}

func (s *svgPlot) segment(from, to sample, role Role) {
	a, b := s.at(from), s.at(to)
	s.add(`<path d="M%s %s L%s %s" stroke="%s" stroke-linecap="round" stroke-width="2"/>`,
		number(a.x), number(a.y), number(b.x), number(b.y), s.roles[role])
}

func (s *svgPlot) sign(v sample, c *curve, hollow bool) {
	at, fill := s.at(v), s.roles[c.role]
	if hollow {
		fill = s.back
	}
	shapes := []string{
		"m-4 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0", "m0 -5 l5 5 l-5 5 l-5 -5 z", "m-4 -4 h8 v8 h-8 z",
		"m0 -5 l5 9 h-10 z", "m0 5 l5 -9 h-10 z",
		"m-2 0 a2 2 0 1 0 4 0 a2 2 0 1 0 -4 0 m-3 0 a5 5 0 1 0 10 0 a5 5 0 1 0 -10 0",
	}
	s.add(`<path d="M%s %s %s" fill="%s" fill-rule="evenodd" stroke="%s" stroke-width="1.6"><title>%s</title></path>`,
		number(at.x), number(at.y), shapes[c.shape%len(shapes)], fill, s.roles[c.role], escaped(c.name))
}

func (s *svgPlot) remark(m remark) {
	at := s.at(m.sample)
	s.label(at.x+9, at.y+16, "start", Run{m.sign + " " + m.word, RoleWarn})
}
