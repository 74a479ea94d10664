package figure

import "github.com/charmbracelet/x/ansi"

// Rect is a place in cells; the top left cell of a picture is 0, 0.
type Rect struct{ X, Y, W, H int }

// Contains reports whether the cell lies in the rectangle.
func (r Rect) Contains(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }

// spot is a cell.
type spot struct{ x, y int }

// The directions in which a line leaves a cell.
const (
	north = 1 << iota
	east
	south
	west
)

// stroke is how a line is drawn. A stronger one wins where two meet.
type stroke uint8

const (
	strokeNone stroke = iota
	// strokeBroken is for what failed: a refused item, a defeated attack.
	strokeBroken
	// strokeNote is for what neither attacks nor supports.
	strokeNote
	strokeSupport
	strokeAttack
)

// signs returns the line across a cell and down it.
func (s stroke) signs() (across, down string) {
	switch s {
	case strokeAttack:
		return "═", "║"
	case strokeNote:
		return "╌", "╎"
	case strokeBroken:
		return "┈", "┊"
	case strokeSupport, strokeNone:
	}
	return "─", "│"
}

// cell is one place of a canvas. A character of several cells is stored in the
// first; the others are covered. The mask holds the directions in which lines leave
// the cell, across and down how they are drawn.
type cell struct {
	text         string
	role         Role
	covered      bool
	mask         uint8
	across, down stroke
}

// canvas is a window of a picture. Drawing outside of it has no effect.
type canvas struct {
	ruler
	window Rect
	cells  []cell
	// foreign marks rows with text beyond ASCII, whose width needs a check.
	foreign []bool
}

func newCanvas(r ruler, window Rect) *canvas {
	window.W, window.H = max(window.W, 0), max(window.H, 0)
	return &canvas{r, window, make([]cell, window.W*window.H), make([]bool, window.H)}
}

// at returns the cell, or nil outside the window.
func (c *canvas) at(x, y int) *cell {
	if !c.window.Contains(x, y) {
		return nil
	}
	return &c.cells[(y-c.window.Y)*c.window.W+x-c.window.X]
}

// sign sets one cell to a sign of the picture's own.
func (c *canvas) sign(x, y int, text string, role Role) {
	if at := c.at(x, y); at != nil {
		*at = cell{text: c.own(text), role: role}
	}
}

// fill sets a sign of one cell n times.
func (c *canvas) fill(x, y, n int, text string, role Role) {
	for i := max(x, c.window.X); i < min(x+n, c.window.X+c.window.W); i++ {
		c.sign(i, y, text, role)
	}
}

// write sets a safe text from x on, as far as it fits the room, and returns the
// cells that it took. A character that the window's edge would cut becomes spaces.
func (c *canvas) write(x, y int, text string, role Role, room int) int {
	if y < c.window.Y || y >= c.window.Y+c.window.H {
		return 0
	}
	if !isASCII(text) {
		c.foreign[y-c.window.Y] = true
	}
	used := 0
	for text != "" {
		value, wide := ansi.FirstGraphemeCluster(text, c.method)
		text = text[len(value):]
		if used+wide > room {
			break
		}
		first, last := c.at(x+used, y), c.at(x+used+wide-1, y)
		switch {
		case wide <= 0:
			// A combining mark on its own joins the cell before it.
			if before := c.at(x+used-1, y); before != nil && before.text != "" {
				before.text += value
			}
		case first != nil && last != nil:
			*first = cell{text: value, role: role}
			for i := 1; i < wide; i++ {
				*c.at(x+used+i, y) = cell{covered: true, role: role}
			}
		default:
			c.fill(x+used, y, wide, " ", role)
		}
		used += wide
	}
	return used
}

// row writes runs one after another and returns the cells that they took.
func (c *canvas) row(x, y int, runs Row, room int) int {
	used := 0
	for _, run := range runs {
		used += c.write(x+used, y, run.Text, run.Role, room-used)
	}
	return used
}

// path draws a line through cells; where lines meet they join.
func (c *canvas) path(path []spot, s stroke, role Role) {
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		left, right := min(a.x, b.x), max(a.x, b.x)
		top, bottom := min(a.y, b.y), max(a.y, b.y)
		for y := max(top, c.window.Y); y <= min(bottom, c.window.Y+c.window.H-1); y++ {
			for x := max(left, c.window.X); x <= min(right, c.window.X+c.window.W-1); x++ {
				at := c.at(x, y)
				if s >= max(at.across, at.down) {
					at.role = role
				}
				if a.y == b.y {
					at.across = max(at.across, s)
				} else {
					at.down = max(at.down, s)
				}
				if x > left {
					at.mask |= west
				}
				if x < right {
					at.mask |= east
				}
				if y > top {
					at.mask |= north
				}
				if y < bottom {
					at.mask |= south
				}
			}
		}
	}
}

// rows joins the cells into runs, each row exactly as wide as the window.
func (c *canvas) rows() []Row {
	rows := make([]Row, c.window.H)
	for y := range rows {
		cells := c.cells[y*c.window.W : (y+1)*c.window.W]
		var line string
		rows[y], line = c.runs(cells, false)
		if c.foreign[y] && c.method.StringWidth(line) != c.window.W {
			// Characters that change their width next to others cannot be shown here.
			rows[y], _ = c.runs(cells, true)
		}
	}
	return rows
}

// runs joins cells of one role, and returns their whole text too. If modest is set,
// every foreign character becomes a question mark.
func (c *canvas) runs(cells []cell, modest bool) (Row, string) {
	var row Row
	var buffer []byte
	var starts []int
	for i := range cells {
		at := &cells[i]
		text := at.text
		switch {
		case modest && (at.covered || text != "" && !isASCII(text) && !ownSign(text)):
			text = "?"
		case at.covered:
		case text == "" && at.mask != 0:
			text = c.own(joint(at.mask, at.across, at.down))
		case text == "":
			text = " "
		}
		last := len(row) - 1
		// A blank needs no run of its own.
		blank := text == " " && last >= 0 && row[last].Role != RoleSelected
		if last < 0 || row[last].Role != at.role && !blank {
			row, starts = append(row, Run{Role: at.role}), append(starts, len(buffer))
		}
		buffer = append(buffer, text...)
	}
	line, end := string(buffer), len(buffer)
	for i := len(row) - 1; i >= 0; i-- {
		row[i].Text, end = line[starts[i]:end], starts[i]
	}
	return row, line
}

// joint is the sign of a cell where lines run in the directions of the mask.
func joint(mask uint8, across, down stroke) string {
	horizontal, _ := across.signs()
	_, vertical := down.signs()
	signs := "   ╰  ╭├ ╯ ┴╮┤┬┼"
	switch {
	case mask&(east|west) == 0:
		return vertical
	case mask&(north|south) == 0:
		return horizontal
	case across == strokeAttack && down == strokeAttack:
		signs = "   ╚  ╔╠ ╝ ╩╗╣╦╬"
	case across == strokeAttack:
		signs = "   ╘  ╒╞ ╛ ╧╕╡╤╪"
	case down == strokeAttack:
		signs = "   ╙  ╓╟ ╜ ╨╖╢╥╫"
	}
	return string([]rune(signs)[mask])
}

// ownSign reports whether a sign beyond ASCII is one of the pictures' own, which
// takes one cell everywhere.
func ownSign(s string) bool {
	r := []rune(s)
	return len(r) == 1 && (r[0] >= 0x2500 && r[0] <= 0x25ff || r[0] >= 0x2800 && r[0] <= 0x28ff)
}
