package picture

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The widths of lines, in pixels.
const (
	thin  = 1.2
	thick = 2.4
)

// stroke is how a line is drawn.
type stroke struct {
	ink   string
	width float64
}

// segment is a straight line, level or upright: from one end to the other at a
// place on the other axis.
type segment struct {
	level        bool
	at, from, to float64
}

// lines are straight lines and curves of one stroke.
type lines struct {
	straight []segment
	curves   []string
}

// strokes are all lines of a picture.
type strokes map[stroke]*lines

func (s strokes) of(k stroke) *lines {
	if s[k] == nil {
		s[k] = &lines{}
	}
	return s[k]
}

// arms says which lines lead from the middle of a cell: left, right, up, down;
// 0 is none, 1 thin, 2 thick.
type arms [4]int

func boxes() map[string]arms {
	return map[string]arms{
		"─": {1, 1, 0, 0}, "━": {2, 2, 0, 0}, "│": {0, 0, 1, 1}, "┃": {0, 0, 2, 2},
		"┌": {0, 1, 0, 1}, "┐": {1, 0, 0, 1}, "└": {0, 1, 1, 0}, "┘": {1, 0, 1, 0},
		"├": {0, 1, 1, 1}, "┤": {1, 0, 1, 1}, "┬": {1, 1, 0, 1}, "┴": {1, 1, 1, 0}, "┼": {1, 1, 1, 1},
		"╴": {1, 0, 0, 0}, "╵": {0, 0, 1, 0}, "╶": {0, 1, 0, 0}, "╷": {0, 0, 0, 1},
		"╸": {2, 0, 0, 0}, "╹": {0, 0, 2, 0}, "╺": {0, 2, 0, 0}, "╻": {0, 0, 0, 2},
		"┏": {0, 2, 0, 2}, "┓": {2, 0, 0, 2}, "┗": {0, 2, 2, 0}, "┛": {2, 0, 2, 0},
		"┣": {0, 2, 2, 2}, "┫": {2, 0, 2, 2}, "┳": {2, 2, 0, 2}, "┻": {2, 2, 2, 0}, "╋": {2, 2, 2, 2},
		"╼": {1, 2, 0, 0}, "╾": {2, 1, 0, 0}, "╽": {0, 0, 1, 2}, "╿": {0, 0, 2, 1},
	}
}

// rounds are the round corners: to which side and to which end they lead.
func rounds() map[string][2]int {
	return map[string][2]int{"╭": {1, 1}, "╮": {-1, 1}, "╰": {1, -1}, "╯": {-1, -1}}
}

// box draws a character that is a line or a corner, and reports whether it is.
func (s strokes) box(content, ink string, x, y int) bool {
	left, top := float64(x)*cellWidth, float64(y)*cellHeight
	middle, center := left+cellWidth/2, top+cellHeight/2
	if to, found := rounds()[content]; found {
		l := s.of(stroke{ink, thin})
		radius := cellWidth / 2
		right, down := float64(to[0]), float64(to[1])
		l.curves = append(l.curves, fmt.Sprintf("M%s %sV%sQ%s %s %s %s",
			number(middle), number(center+down*cellHeight/2), number(center+down*radius),
			number(middle), number(center), number(middle+right*radius), number(center)))
		return true
	}
	a, found := boxes()[content]
	if !found {
		return false
	}
	for i, reach := range []segment{
		{true, center, left, middle},
		{true, center, middle, left + cellWidth},
		{false, middle, top, center},
		{false, middle, center, top + cellHeight},
	} {
		switch a[i] {
		case 1:
			s.add(stroke{ink, thin}, reach)
		case 2:
			s.add(stroke{ink, thick}, reach)
		}
	}
	return true
}

// across draws a line through cells, some way below their top.
func (s strokes) across(ink string, x, y, width int, below float64) {
	left := float64(x) * cellWidth
	s.add(stroke{ink, thin}, segment{true, float64(y)*cellHeight + below, left, left + float64(width)*cellWidth})
}

func (s strokes) add(k stroke, line segment) {
	l := s.of(k)
	l.straight = append(l.straight, line)
}

// write draws a path for each stroke; lines that touch are one.
func (s strokes) write(b *bytes.Buffer) {
	var order []stroke
	for k := range s {
		order = append(order, k)
	}
	slices.SortFunc(order, func(a, b stroke) int { return cmp.Or(cmp.Compare(a.ink, b.ink), cmp.Compare(a.width, b.width)) })
	for _, k := range order {
		l := s[k]
		var path strings.Builder
		for _, line := range joined(l.straight) {
			if line.level {
				fmt.Fprintf(&path, "M%s %sH%s", number(line.from), number(line.at), number(line.to))
			} else {
				fmt.Fprintf(&path, "M%s %sV%s", number(line.at), number(line.from), number(line.to))
			}
		}
		for _, curve := range l.curves {
			path.WriteString(curve)
		}
		fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="%s"/>`+"\n", path.String(), k.ink, number(k.width))
	}
}

// joined sorts segments and joins those that go on from one another.
func joined(all []segment) []segment {
	slices.SortFunc(all, func(a, b segment) int {
		if a.level != b.level {
			if a.level {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.from, b.from))
	})
	var out []segment
	for _, line := range all {
		if n := len(out); n > 0 {
			// Half a hundredth of a pixel is an error of arithmetic.
			if before := &out[n-1]; before.level == line.level && before.at == line.at && line.from-before.to < 0.005 {
				before.to = max(before.to, line.to)
				continue
			}
		}
		out = append(out, line)
	}
	return out
}
