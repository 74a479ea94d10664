package figure

import "moot/plain"

// From leastColumns cells on, what bears on a point stands to its right; below
// that it stands under it.
const leastColumns = 100

const (
	// mostLines is how many lines of a text a box shows, narrowLines how many
	// where it has less than narrow cells across, focusLines how many where it is
	// in focus.
	mostLines, narrow, narrowLines, focusLines = 3, 40, 4, 12
	// indent is how far a box stands to the right of the one that it hangs
	// under.
	indent = 7
	// widestBox is the most that a box takes across: longer lines read badly.
	widestBox = 72
	// mostPorts is how many ties between points one box has room for.
	mostPorts = 3
)

// placed is a box with a place.
type placed struct {
	*box
	Rect
	body []Run
	foot string
	// word says that the line to the parent carries the word.
	word bool
	// ports counts the ties that end at the left side.
	ports int
}

// mark is a short text on the map that is no part of a box.
type mark struct {
	x, y int
	row  Row
	// heading says that the mark stands for itself and is no part of a line.
	heading bool
}

// spot is a cell.
type spot struct{ x, y int }

// link is a line from one box to another, for the pictures that draw it whole.
// The path begins at the box that is attacked or supported.
type link struct {
	from, to int
	bearing  relation
	// both draws a head at both ends, dashed a line between two points that differ.
	both, dashed, broken bool
	// between says that the line ties two points.
	between     bool
	word, title string
	path        []spot
}

// layout finds the places.
type layout struct {
	ruler
	signs signs
	graph *Graph
	focus string
	// columns says that boxes stand beside each other; widths are those of the
	// boxes by their depth, gutters the room between.
	columns bool
	widths  [3]int
	gutters [2]int
	// left is where the points begin, lanes how many ties fit beside them.
	left, lanes int
	ties        map[string]int
}

func newLayout(r ruler, signs signs, width int, c *choice) *layout {
	l := &layout{ruler: r, signs: signs, columns: width >= leastColumns, ties: map[string]int{}}
	for _, t := range c.ties {
		l.ties[t.from]++
		l.ties[t.to]++
	}
	l.lanes = min(len(c.ties), 2+width/40)
	if l.lanes > 0 {
		l.left = 2*l.lanes + 1
	}
	room := width - l.left
	l.share(room, width, c)
	l.graph = &Graph{ruler: r, signs: signs, index: map[string]int{}, width: width}
	return l
}

// share divides the room among the columns that the map needs; without columns
// each box that hangs on another is a little narrower.
func (l *layout) share(room, width int, c *choice) {
	if !l.columns {
		room = min(room, widestBox+2*indent)
		l.widths = [3]int{room, room - indent, room - 2*indent}
		return
	}
	wider := max(0, min(10, (width-120)/8))
	l.gutters = [2]int{10 + wider, 8 + wider}
	boxes := room - l.gutters[0] - l.gutters[1]
	parts := [3]int{35, 34, 31}
	if c.counts[NodeDefense] == 0 {
		boxes, parts = room-l.gutters[0], [3]int{51, 49, 1}
	}
	for i, part := range parts {
		l.widths[i] = min(boxes*part/100, widestBox)
	}
}

// arrange places the sections one below another.
func (l *layout) arrange(c *choice) {
	g, y := l.graph, 0
	if left := c.hidden.words(); left != "" {
		y = l.say(y, Row{{"Only what bears on " + safe(l.focus), RoleBold}, {"; not shown: " + left + ".", RoleFaint}})
	}
	if len(c.sections) == 0 {
		y = l.say(y, Row{{"Nothing is proposed yet.", RoleFaint}})
	}
	for i, s := range c.sections {
		if i > 0 {
			y++
		}
		g.marks = append(g.marks, mark{l.left, y, l.clipRow(s.heading, g.width-l.left), true})
		y++
		for j, b := range s.boxes {
			if j > 0 {
				y++
			}
			y = l.place(b, -1, 0, l.left, y)
		}
	}
	l.bind(c.ties)
	if n := g.hidden.Lines; n > 0 {
		l.say(y+1, Row{{plain.Counted(n, "relation") + " between points found no room for a line; the boxes name them.", RoleFaint}})
		y += 3
	}
	g.height = max(y, 1)
}

// say writes a sentence across the map and returns the row below it.
func (l *layout) say(y int, row Row) int {
	text := ""
	for _, run := range row {
		text += run.Text
	}
	if l.width(text) <= l.graph.width {
		l.graph.marks = append(l.graph.marks, mark{0, y, row, true})
		return y + 2
	}
	for _, part := range l.wrap(text, l.graph.width, 4) {
		l.graph.marks = append(l.graph.marks, mark{0, y, Row{{part, RoleFaint}}, true})
		y++
	}
	return y + 1
}

// place gives a box its place and then those that hang on it, and returns the
// row below all of them.
func (l *layout) place(b *box, parent, depth, x, y int) int {
	at := min(depth, len(l.widths)-1)
	p := &placed{box: b, Rect: Rect{X: x, Y: y, W: l.widths[at]}}
	groups := grouped(b.children)
	if l.columns && parent >= 0 {
		p.word = l.width(b.word)+2 <= l.gutters[at-1]-2*len(grouped(l.graph.placed[parent].children))-3
	}
	l.fillIn(p, when(l.columns, len(groups), 1))
	self := len(l.graph.placed)
	l.add(p, parent)
	if len(b.children) == 0 {
		return y + p.H
	}
	childX, childY := x+indent, y+p.H+1
	if l.columns {
		childX, childY = x+p.W+l.gutters[min(at, 1)], y
	}
	for k, group := range groups {
		first := len(l.graph.placed)
		var members []int
		for _, child := range group {
			members = append(members, len(l.graph.placed))
			childY = l.place(child, self, depth+1, childX, childY)
		}
		if first < len(l.graph.placed) {
			l.join(self, members, k, len(groups))
		}
	}
	return max(childY, y+p.H)
}

// add registers a box under its id.
func (l *layout) add(p *placed, parent int) {
	g := l.graph
	n := Node{ID: p.id, Kind: p.kind, Rect: p.Rect, Point: p.id}
	if parent >= 0 {
		n.Of, n.Point = g.nodes[parent].ID, g.nodes[parent].Point
	}
	g.index[p.id] = len(g.nodes)
	g.placed, g.nodes = append(g.placed, p), append(g.nodes, n)
	g.right = max(g.right, p.X+p.W)
	g.width = max(g.width, g.right)
}

// grouped splits the children by how they bear on their box; they come in that
// order.
func grouped(children []*box) [][]*box {
	var groups [][]*box
	for i, b := range children {
		if i == 0 || children[i-1].bearing != b.bearing {
			groups = append(groups, nil)
		}
		last := len(groups) - 1
		groups[last] = append(groups[last], b)
	}
	return groups
}

// fillIn breaks the texts into lines, and so finds the height. A box has at
// least as many lines as lines end at it.
func (l *layout) fillIn(p *placed, least int) {
	room := p.W - 4
	most := when(room < narrow, narrowLines, mostLines)
	if p.id == l.focus {
		most = focusLines
	}
	if p.lead != "" {
		p.body = append(p.body, Run{l.clip(p.lead, room), RoleText})
	}
	for _, text := range l.wrap(p.text, room, most-len(p.body)) {
		p.body = append(p.body, Run{text, p.textRole})
	}
	if len(p.body) == 0 {
		p.body = []Run{{l.clip("(no text)", room), RoleFaint}}
	}
	p.ports = min(l.ties[p.id], mostPorts)
	for len(p.body) < max(least, p.ports) {
		p.body = append(p.body, Run{})
	}
	parts := p.also
	if p.target != "" && !p.word {
		parts = append([]string{p.box.word + " " + p.target}, parts...)
	}
	for i, part := range parts {
		p.foot += when(i > 0, l.signs.separator, "") + part
	}
	p.foot = l.clip(p.foot, room-2)
	p.H = len(p.body) + 2
	p.ports = 0
}
