package figure

// bandHeight is how many rows of the map share one index.
const bandHeight = 16

// band lists what lies in some rows, by its place in the graph.
type band struct{ nodes, lines, marks []int32 }

// placeBands builds the index of the rows.
func (g *Graph) placeBands() {
	g.bands = make([]band, g.height/bandHeight+1)
	each := func(first, last int, add func(*band)) {
		for i := first / bandHeight; i <= last/bandHeight && i < len(g.bands); i++ {
			add(&g.bands[i])
		}
	}
	for i := range g.placed {
		r := g.placed[i].Rect
		g.nodes[i].Rect = r
		each(r.Y, r.Y+r.H-1, func(b *band) { b.nodes = append(b.nodes, int32(i)) }) //nolint:gosec // a session has no 2^31 items
	}
	for i, l := range g.lines {
		each(min(l.y1, l.y2), max(l.y1, l.y2), func(b *band) { b.lines = append(b.lines, int32(i)) }) //nolint:gosec // as above
	}
	for i, m := range g.marks {
		each(m.y, m.y, func(b *band) { b.marks = append(b.marks, int32(i)) }) //nolint:gosec // as above
	}
}

// Draw draws the window of w by h cells whose top left cell is x, y of the map:
// h rows of w cells. The box with the id selected is marked. The effort grows
// with the window and not with the map.
func (g *Graph) Draw(x, y, w, h int, selected string) []Row {
	c := newCanvas(g.ruler, Rect{x, y, w, h})
	first, last := max(0, y/bandHeight), min(len(g.bands)-1, (y+h-1)/bandHeight)
	for i := first; i <= last; i++ {
		for _, at := range g.bands[i].lines {
			// A line of several bands is drawn with the first of them that is seen.
			if l := g.lines[at]; i == max(first, min(l.y1, l.y2)/bandHeight) {
				c.line(l)
			}
		}
	}
	for i := first; i <= last; i++ {
		for _, at := range g.bands[i].marks {
			m := g.marks[at]
			c.row(m.x, m.y, m.row, g.width-m.x)
		}
		for _, at := range g.bands[i].nodes {
			if p := g.placed[at]; i == max(first, p.Y/bandHeight) {
				g.box(c, p, p.id == selected)
			}
		}
	}
	return c.rows()
}

// box draws one box: its id and standing in the upper border, what it relates to
// in the lower one.
func (g *Graph) box(c *canvas, p *placed, selected bool) {
	f, role := frameOf(p.kind, g.ascii), when(selected, RoleSelected, RoleBorder)
	right, bottom := p.X+p.W-1, p.Y+p.H-1
	c.fill(p.X, p.Y, p.W, f.across, role)
	c.fill(p.X, bottom, p.W, f.across, role)
	c.sign(p.X, p.Y, f.topLeft, role)
	c.sign(right, p.Y, f.topRight, role)
	c.sign(p.X, bottom, f.bottomLeft, role)
	c.sign(right, bottom, f.bottomRight, role)
	for i, run := range p.body {
		y := p.Y + 1 + i
		c.fill(p.X+1, y, p.W-2, " ", RoleText)
		c.sign(p.X, y, f.down, role)
		c.sign(right, y, f.down, role)
		c.write(p.X+2, y, run.Text, run.Role, p.W-4)
	}
	if p.bearing != relationNone {
		c.sign(p.X, p.Y+1, g.attached(p), role)
	}
	g.titleOf(c, p, selected)
	if p.foot != "" {
		c.sign(p.X+2, bottom, " ", role)
		n := c.write(p.X+3, bottom, p.foot, footRole(p), p.W-6)
		c.sign(p.X+3+n, bottom, " ", role)
	}
}

// footRole is the role of the words that say how a box bears on another.
func footRole(p *placed) Role {
	if p.target == "" || p.word {
		return RoleFaint
	}
	_, role := lineOf(p.bearing, p.broken)
	return when(role == RoleBorder, RoleFaint, role)
}

// attached is the sign where a line meets the left side of a box.
func (g *Graph) attached(p *placed) string {
	s, _ := lineOf(p.bearing, p.broken)
	if g.ascii {
		return "+"
	}
	return when(s == strokeAttack, "╡", "┤")
}

// titleOf writes the upper border's words. The seat stands at the right where
// there is room for both.
func (g *Graph) titleOf(c *canvas, p *placed, selected bool) {
	room := p.W - 4
	title := g.clipRow(p.title, room-2)
	if selected {
		marked := append(Row(nil), title...)
		for i := range marked {
			marked[i].Role = when(i == 0, RoleSelected, marked[i].Role)
		}
		title = marked
	}
	c.sign(p.X+1, p.Y, when(selected, g.signs.pointer, " "), when(selected, RoleSelected, RoleBorder))
	used := c.row(p.X+2, p.Y, title, room)
	c.sign(p.X+2+used, p.Y, " ", RoleBorder)
	if wide := g.ruler.width(p.by.Text); wide > 0 && used+wide+4 <= room {
		c.sign(p.X+p.W-wide-4, p.Y, " ", RoleBorder)
		c.write(p.X+p.W-wide-3, p.Y, p.by.Text, p.by.Role, wide)
		c.sign(p.X+p.W-3, p.Y, " ", RoleBorder)
	}
}
