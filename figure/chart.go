package figure

import (
	"strings"

	"moot/plain"
)

// Chart is a picture of figures that draws itself at any size. It does not
// change: after more events a new one is made.
type Chart struct {
	// name keeps the ids of the SVG document apart from those of others.
	name, title, empty string
	// wide plots stand two in a row in SVG, not three.
	wide  bool
	plots []plot
	// keys say which sign is what, notes what is remarkable, each in words.
	keys  []note
	notes []note
	// brief is the chart as single lines, for a place that is too small.
	brief []brief
}

// note is a sign with its words.
type note struct {
	sign, words string
	role        Role
	// shape is the number of the seat whose sign it is, from 1, hollow or not; 0 if
	// the sign is given.
	shape  int
	hollow bool
}

// brief is one line about some values: what, the values as a small picture, and
// what they come to.
type brief struct {
	words, end string
	values     []float64
	high       float64
	role       Role
}

// Title says what the chart shows.
func (c *Chart) Title() string { return c.title }

// Empty says in a sentence that there is nothing to draw, "" where there is.
func (c *Chart) Empty() string { return c.empty }

// Plots is how many plots stand beside and below each other.
func (c *Chart) Plots() int { return len(c.plots) }

// The least room for more than single lines, in cells.
const leastChartWidth, leastChartHeight = 36, 9

// Draw draws the chart into height rows of width cells. With ascii it uses
// ASCII signs alone; a nil measure measures grapheme clusters. Where there is
// too little room it draws less, and says what it leaves out.
func (c *Chart) Draw(width, height int, ascii bool, measure Measure) []Row {
	r := newRuler(measure, ascii)
	s := &sheet{canvas: newCanvas(r, Rect{W: width, H: height}), signs: signsOf(r.ascii)}
	switch {
	case width <= 0 || height <= 0:
	case c.empty != "":
		y := 0
		if height > 2 {
			s.write(0, 0, s.clip(c.title, width), RoleBold, width)
			y = 2
		}
		for i, text := range r.wrap(c.empty, width, height-y) {
			s.write(0, y+i, text, RoleFaint, width)
		}
	case width < leastChartWidth || height < leastChartHeight:
		s.briefly(c, 0)
	default:
		s.chart(c)
	}
	return s.rows()
}

// sheet is a canvas that a chart fills from the top.
type sheet struct {
	*canvas
	signs signs
}

// chart draws the whole chart: title, legend, pictures, notes.
func (s *sheet) chart(c *Chart) {
	width, height := s.window.W, s.window.H
	s.write(0, 0, s.clip(c.title, width), RoleBold, width)
	top := 1
	for _, row := range s.flow(c.keys, width, max(1, height/6)) {
		s.row(0, top, row, width)
		top++
	}
	notes := s.remarks(c, height-top-7)
	below := len(notes)
	if below > 0 {
		below++
	}
	if room := (Rect{0, top, width, height - top - below}); len(c.plots) > 0 && !s.plots(c.plots, room) {
		s.canvas = newCanvas(s.ruler, s.window)
		s.write(0, 0, s.clip(c.title, width), RoleBold, width)
		s.briefly(c, 1)
		return
	}
	for i, row := range notes {
		s.row(0, height-len(notes)+i, s.clipRow(row, width), width)
	}
}

// remarks are the notes that have room, the rest counted.
func (s *sheet) remarks(c *Chart, room int) []Row {
	room = max(min(room, s.window.H/4), min(1, len(c.notes)))
	var rows []Row
	for i, n := range c.notes {
		if len(rows) == room-1 && len(c.notes)-i > 1 {
			return append(rows, Row{{plain.Counted(len(c.notes)-i, "more remark") + " not shown here", RoleFaint}})
		}
		rows = append(rows, Row{{s.signOf(n), n.role}, {" " + n.words, RoleText}})
	}
	return rows
}

// flow sets the keys beside each other, over as many rows as there may be.
func (s *sheet) flow(keys []note, width, most int) []Row {
	var rows []Row
	used := 0
	for _, k := range keys {
		part := Row{{s.signOf(k), k.role}, {" " + k.words, RoleText}}
		wide := s.runsWidth(part)
		if len(rows) == 0 || used+3+wide > width {
			if len(rows) == most {
				return rows
			}
			rows, used = append(rows, nil), 0
		} else {
			part, wide = append(Row{{"   ", RoleText}}, part...), wide+3
		}
		last := len(rows) - 1
		rows[last], used = append(rows[last], part...), used+wide
	}
	return rows
}

// briefly draws single lines from a row on: what there is no room for is
// counted in the last one.
func (s *sheet) briefly(c *Chart, from int) {
	room, words := s.window.H-from, 0
	for _, b := range c.brief {
		words = max(words, s.width(b.words))
	}
	for i, b := range c.brief {
		if i == room-1 && len(c.brief)-i > 1 && room > 1 {
			text := plain.Counted(len(c.brief)-i, "more line") + "; more room shows them"
			s.write(0, from+i, s.clip(text, s.window.W), RoleFaint, s.window.W)
			return
		}
		if i < room {
			s.brief(b, words, from+i)
		}
	}
}

// brief draws one line, its words in a column of the given width where there is
// room for it; the words give way first.
func (s *sheet) brief(b brief, words, y int) {
	width := s.window.W
	spark := s.spark(b)
	end := s.clip(b.end, max(0, width-s.width(spark)-1))
	rest := width - s.width(spark) - s.width(end) - 2
	x := 0
	if rest >= 2 {
		x = s.write(0, y, s.clip(b.words, rest), RoleText, rest) + 1
		x = max(x, min(words+1, rest))
	}
	x += s.write(x, y, spark, b.role, width-x)
	s.write(x+1, y, end, RoleFaint, width-x-1)
}

// spark draws values as one sign each: a column, or tenths in ASCII.
func (s *sheet) spark(b brief) string {
	steps := []rune(when(s.ascii, "0123456789", "▁▂▃▄▅▆▇█"))
	var out strings.Builder
	for _, v := range b.values {
		at := 0
		if b.high > 0 {
			at = int(v / b.high * float64(len(steps)))
		}
		out.WriteRune(steps[max(0, min(at, len(steps)-1))])
	}
	return out.String()
}

// signOf is the sign of a note in the alphabet of the sheet.
func (s *sheet) signOf(n note) string {
	if n.shape > 0 {
		return seatSign(n.shape-1, s.ascii, n.hollow)
	}
	return s.translated(n.sign)
}

// translated is the sign of what is remarkable in the alphabet of the sheet.
func (s *sheet) translated(sign string) string {
	if !s.ascii {
		return sign
	}
	switch sign {
	case signRetreat:
		return "v"
	case "│":
		return "|"
	case "·":
		return "."
	}
	return sign
}

// The signs of what is remarkable about a confidence.
const signRetreat, signRigid = "↓", "="

// seatSign is the sign of a seat's values; hollow ones were stated only. Seats
// beyond the sixth begin anew.
func seatSign(i int, ascii, hollow bool) string {
	signs := []rune(when(ascii, "*+#@%&", "●◆■▲▼◉"))
	if hollow {
		signs = []rune(when(ascii, "oooooo", "○◇□△▽◎"))
	}
	return string(signs[i%len(signs)])
}
