package figure

import "github.com/clipperhouse/displaywidth"

// The directions in which a line leaves a cell.
const (
	north = 1 << iota
	east
	south
	west
)

// cell is one place of a canvas. A sign of several cells stands in the first;
// the others are covered.
type cell struct {
	text    string
	role    Role
	covered bool
	// mask holds the directions in which lines leave the cell, and the strokes
	// are how they are drawn across and down.
	mask         uint8
	across, down stroke
}

// canvas is a window of a picture. What lies outside is not drawn.
type canvas struct {
	ruler
	window Rect
	cells  []cell
	// foreign marks rows that hold texts of others beyond ASCII.
	foreign []bool
}

func newCanvas(r ruler, window Rect) *canvas {
	window.W, window.H = max(window.W, 0), max(window.H, 0)
	return &canvas{
		ruler: r, window: window, cells: make([]cell, window.W*window.H), foreign: make([]bool, window.H),
	}
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
		*at = cell{text: text, role: role}
	}
}

// write sets a safe text from x on, as far as it fits the room, and returns the
// cells that it took. A sign that the window's edge would cut becomes spaces.
func (c *canvas) write(x, y int, text string, role Role, room int) int {
	if y < c.window.Y || y >= c.window.Y+c.window.H {
		return 0
	}
	if isASCII(text) {
		n := min(len(text), max(room, 0))
		for i := max(0, c.window.X-x); i < n && x+i < c.window.X+c.window.W; i++ {
			c.sign(x+i, y, text[i:i+1], role)
		}
		return n
	}
	c.foreign[y-c.window.Y] = true
	used := 0
	for clusters := displaywidth.StringGraphemes(text); clusters.Next(); {
		value := clusters.Value()
		wide := c.measure(value)
		if used+wide > room {
			break
		}
		c.place(x+used, y, value, wide, role)
		used += wide
	}
	return used
}

// place sets a sign of any width.
func (c *canvas) place(x, y int, value string, wide int, role Role) {
	first, last := c.at(x, y), c.at(x+wide-1, y)
	switch {
	case wide <= 0:
		// A mark that stands alone goes with the cell before it.
		if before := c.at(x-1, y); before != nil && before.text != "" {
			before.text += value
		}
	case wide == 1 && first != nil:
		*first = cell{text: value, role: role}
	case first != nil && last != nil:
		*first = cell{text: value, role: role}
		for i := 1; i < wide; i++ {
			*c.at(x+i, y) = cell{covered: true, role: role}
		}
	default:
		for i := range wide {
			c.sign(x+i, y, " ", role)
		}
	}
}

// row writes runs one after another and returns the cells that they took.
func (c *canvas) row(x, y int, runs Row, room int) int {
	used := 0
	for _, run := range runs {
		used += c.write(x+used, y, run.Text, run.Role, room-used)
	}
	return used
}

// fill sets a sign of one cell n times.
func (c *canvas) fill(x, y, n int, text string, role Role) {
	for i := max(x, c.window.X); i < min(x+n, c.window.X+c.window.W); i++ {
		c.sign(i, y, text, role)
	}
}

// line draws a straight line between two cells, both included; where lines meet
// they join.
func (c *canvas) line(l line) {
	if l.y1 == l.y2 {
		from, to := min(l.x1, l.x2), max(l.x1, l.x2)
		for x := max(from, c.window.X); x <= min(to, c.window.X+c.window.W-1); x++ {
			c.link(x, l.y1, mask(x > from, west)|mask(x < to, east), l)
		}
		return
	}
	from, to := min(l.y1, l.y2), max(l.y1, l.y2)
	for y := max(from, c.window.Y); y <= min(to, c.window.Y+c.window.H-1); y++ {
		c.link(l.x1, y, mask(y > from, north)|mask(y < to, south), l)
	}
}

func mask(holds bool, bit uint8) uint8 {
	if holds {
		return bit
	}
	return 0
}

// link adds directions to a cell. The stronger stroke of two stays.
func (c *canvas) link(x, y int, bits uint8, l line) {
	at := c.at(x, y)
	if at == nil {
		return
	}
	if at.mask == 0 || l.stroke >= max(at.across, at.down) {
		at.role = l.role
	}
	at.text, at.covered = "", false
	at.mask |= bits
	if bits&(east|west) != 0 {
		at.across = max(at.across, l.stroke)
	}
	if bits&(north|south) != 0 {
		at.down = max(at.down, l.stroke)
	}
}

// rows joins the cells into runs, each row exactly as wide as the window.
func (c *canvas) rows() []Row {
	rows := make([]Row, c.window.H)
	var buffer []byte
	for y := range rows {
		cells := c.cells[y*c.window.W : (y+1)*c.window.W]
		buffer = c.append(buffer[:0], cells, false)
		line := string(buffer)
		modest := c.foreign[y] && c.measure(line) != c.window.W
		if modest {
			// Signs that change their width beside others cannot be shown here.
			buffer = c.append(buffer[:0], cells, true)
			line = string(buffer)
		}
		rows[y] = c.split(line, cells, modest)
	}
	return rows
}

// append adds the cells' texts.
func (c *canvas) append(buffer []byte, cells []cell, modest bool) []byte {
	for i := range cells {
		buffer = append(buffer, c.shown(&cells[i], modest)...)
	}
	return buffer
}

// split cuts the line of some cells into runs of one role.
func (c *canvas) split(line string, cells []cell, modest bool) Row {
	row := make(Row, 0, 8)
	start, end := 0, 0
	for i := range cells {
		text, role := c.shown(&cells[i], modest), cells[i].role
		n := len(row) - 1
		if text == " " && n >= 0 && row[n].Role != RoleSelected {
			// What is blank needs no run of its own.
			role = row[n].Role
		}
		if n < 0 || row[n].Role != role {
			if n >= 0 {
				row[n].Text = line[start:end]
			}
			row, start = append(row, Run{Role: role}), end
		}
		end += len(text)
	}
	if n := len(row) - 1; n >= 0 {
		row[n].Text = line[start:end]
	}
	return row
}

// shown is the text of a cell; modest replaces every foreign sign.
func (c *canvas) shown(at *cell, modest bool) string {
	text := at.shown(c.ascii)
	if modest && (at.covered || text != "" && !isASCII(text) && !ownSign(text)) {
		return "?"
	}
	return text
}

// shown is the text of a cell.
func (c *cell) shown(ascii bool) string {
	switch {
	case c.covered:
		return ""
	case c.mask != 0:
		return joint(c.mask, c.across, c.down, ascii)
	case c.text == "":
		return " "
	}
	return c.text
}
