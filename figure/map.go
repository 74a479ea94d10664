// Package figure draws the argument map of a session. It is laid out once and drawn as
// rows of terminal cells, whose runs carry a role in place of a color; an SVG document
// holds the same rows. A sign or a word repeats everything that a color says. The package
// is pure: the same session always gives the same picture. Start at Map.
package figure

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/state"
)

// NodeKind says what a box of the map is; each kind has its own shape.
type NodeKind uint8

// The kinds of boxes.
const (
	// NodePoint is a claim, a box with round corners.
	NodePoint NodeKind = iota
	// NodeChallenge is an attack on a point, a box with all corners cut.
	NodeChallenge
	// NodeDefense is an answer to a challenge, a shield.
	NodeDefense
	// NodeEvidence is a cited item, a page with a folded corner.
	NodeEvidence
)

// Node is one box of the map.
type Node struct {
	// ID is the id of the item; the answers to C1 are C1.1, C1.2, ….
	ID   string
	Kind NodeKind
	Rect Rect
	// Of is the id of the parent box, "" for a point of its own. Point is the point
	// that the box bears on.
	Of, Point string
}

// Direction is where the selection moves.
type Direction uint8

// The directions.
const (
	Up Direction = iota
	Down
	Left
	Right
)

// MapOptions say what the map shows, and how.
type MapOptions struct {
	// Width is the room in cells, at least MinimumWidth.
	Width int
	// ASCII draws with ASCII signs alone. The texts are not changed.
	ASCII bool
	// Method is how the terminal counts the cells of a text.
	Method ansi.Method
}

// MinimumWidth is the least width that a map is laid out for, in cells.
const MinimumWidth = 40

// heading is a line of text on the map outside of the boxes.
type heading struct {
	y   int
	row Row
}

// Graph is an argument map. It does not change.
type Graph struct {
	ruler
	width, height int
	boxes         []*box
	index         map[string]int
	headings      []heading
	// title and summary describe the map in words.
	title, summary string
}

// Map lays out the points of a session with what attacks and supports them. A point
// without one of the given rulings is shown by its recorded ruling.
func Map(s *state.State, rulings []state.Ruling, o MapOptions) *Graph {
	r := ruler{o.Method, o.ASCII}
	w := newWriter(s, rulings, r)
	byBucket := map[state.Bucket][]*box{}
	for _, p := range s.Points.All() {
		if p.MergedInto != "" {
			continue
		}
		b := w.point(p)
		w.addChildren(b, p)
		bucket := w.ruling(p).Bucket
		byBucket[bucket] = append(byBucket[bucket], b)
	}
	g := &Graph{
		ruler: r, width: max(o.Width, MinimumWidth), index: map[string]int{},
		title: "Argument map: " + safe(s.Question),
	}
	l := newLayout(g, byBucket)
	y := 0
	if len(byBucket) == 0 {
		y = l.heading(y, Row{{"Nothing is proposed yet.", RoleFaint}}) + 1
	}
	for _, bucket := range state.Buckets() {
		boxes := byBucket[bucket]
		if len(boxes) == 0 {
			continue
		}
		sign, role, word := bucketLook(bucket)
		title := r.own(sign) + " " + strings.ToUpper(word[:1]) + word[1:]
		y = l.heading(y, Row{{title, role}, {fmt.Sprint(" ", len(boxes)), RoleFaint}})
		for _, b := range boxes {
			y = l.place(b, nil, 0, 0, y) + 1
		}
	}
	g.height = max(y-1, 1)
	var counts [NodeEvidence + 1]int
	for _, b := range g.boxes {
		counts[b.Kind]++
	}
	g.summary = plain.Counted(counts[NodePoint], "point") + ", " +
		plain.Counted(counts[NodeChallenge], "challenge") + ", " +
		plain.Counted(counts[NodeDefense], "answer") + " and " +
		plain.Counted(counts[NodeEvidence], "evidence item") + "."
	return g
}

// Size returns the extent of the whole map in cells.
func (g *Graph) Size() (width, height int) { return g.width, g.height }

// Nodes returns the boxes in reading order.
func (g *Graph) Nodes() []Node {
	return lists.Map(g.boxes, func(b *box) Node { return b.Node })
}

// Node returns the box with the id.
func (g *Graph) Node(id string) (Node, bool) {
	i, found := g.index[id]
	if !found {
		return Node{}, false
	}
	return g.boxes[i].Node, true
}

// At returns the id of the box that covers the cell, or "".
func (g *Graph) At(x, y int) string {
	for _, b := range g.boxes {
		if b.Rect.Contains(x, y) {
			return b.ID
		}
	}
	return ""
}

// Neighbor returns the id of the box next to the one with the id: the nearest above or
// below, its parent to the left, its first child to the right. It returns "" if there
// is no such box, and the first box of the map if the id is unknown.
func (g *Graph) Neighbor(id string, to Direction) string {
	at, found := g.index[id]
	if !found {
		if len(g.boxes) == 0 {
			return ""
		}
		return g.boxes[0].ID
	}
	from := g.boxes[at]
	switch to {
	case Left:
		return from.Of
	case Right:
		if len(from.children) > 0 {
			return from.children[0].ID
		}
		return ""
	case Up, Down:
	}
	best, distance := "", 0
	for _, b := range g.boxes {
		gap := b.Rect.Y - from.Rect.Y
		if to == Up {
			gap = -gap
		}
		apart := b.Rect.X >= from.Rect.X+from.Rect.W || from.Rect.X >= b.Rect.X+b.Rect.W
		if gap > 0 && !apart && (best == "" || gap < distance) {
			best, distance = b.ID, gap
		}
	}
	return best
}

// Draw draws the window of w by h cells whose top left cell is x, y of the map, as h
// rows of w cells. The box with the selected id is marked.
func (g *Graph) Draw(x, y, w, h int, selected string) []Row {
	c := newCanvas(g.ruler, Rect{x, y, w, h})
	for _, b := range g.boxes {
		if n := len(b.path); n > 0 && b.path[0].y < y+h && b.path[n-1].y >= y {
			s, role := b.line()
			c.path(b.path, s, role)
		}
	}
	for _, m := range g.headings {
		c.row(0, m.y, m.row, g.width)
	}
	for _, b := range g.boxes {
		if len(b.path) > 0 {
			_, role := b.line()
			c.sign(b.path[0].x, b.path[0].y, b.head(), role)
		}
		if b.Rect.Y < y+h && b.Rect.Y+b.Rect.H > y {
			c.box(b, b.ID == selected)
		}
	}
	return c.rows()
}

// frame lists the signs of a kind of box: the corners clockwise from the top left.
func (k NodeKind) frame() []string {
	return [...][]string{
		NodePoint:     {"╭", "╮", "╯", "╰"},
		NodeChallenge: {"╱", "╲", "╱", "╲"},
		NodeDefense:   {"┌", "┐", "╱", "╲"},
		NodeEvidence:  {"┌", "╲", "┘", "└"},
	}[k]
}

// box draws one box: its id and status in the upper border, how it relates to others
// in the lower one.
func (c *canvas) box(b *box, selected bool) {
	role, titleRole, pointer := RoleBorder, RoleBold, " "
	if selected {
		role, titleRole, pointer = RoleSelected, RoleSelected, "▸"
	}
	p, corners := b.Rect, b.Kind.frame()
	right, bottom := p.X+p.W-1, p.Y+p.H-1
	c.fill(p.X, p.Y, p.W, "─", role)
	c.fill(p.X, bottom, p.W, "─", role)
	c.sign(p.X, p.Y, corners[0], role)
	c.sign(right, p.Y, corners[1], role)
	c.sign(right, bottom, corners[2], role)
	c.sign(p.X, bottom, corners[3], role)
	for i, run := range b.body {
		y := p.Y + 1 + i
		c.fill(p.X+1, y, p.W-2, " ", RoleText)
		c.sign(p.X, y, "│", role)
		c.sign(right, y, "│", role)
		c.write(p.X+2, y, run.Text, run.Role, p.W-4)
	}
	if len(b.path) > 0 {
		sign := "┤"
		if s, _ := b.line(); s == strokeAttack {
			sign = "╡"
		}
		c.sign(p.X, p.Y+1, sign, role)
	}
	room := p.W - 4
	title := c.clipRow(b.title, room-2)
	title[0].Role = titleRole
	c.sign(p.X+1, p.Y, pointer, role)
	used := c.row(p.X+2, p.Y, title, room)
	c.sign(p.X+2+used, p.Y, " ", role)
	if wide := c.width(b.by.Text); wide > 0 && used+wide+4 <= room {
		c.row(right-wide-3, p.Y, Row{{" ", role}, b.by, {" ", role}}, wide+2)
	}
	if b.foot.Text != "" {
		c.row(p.X+2, bottom, Row{{" ", role}, b.foot, {" ", role}}, p.W-4)
	}
}

// legend explains the lines and shapes of the map, most important first.
func legend() []note {
	entries := []note{{"╳══", "attacks", RoleAttack}, {"◄──", "supports", RoleSupport}}
	for kind, word := range []string{"point", "challenge", "answer", "evidence"} {
		f := NodeKind(kind).frame()
		entries = append(entries, note{f[0] + "─" + f[1], word, RoleBorder})
	}
	return append(entries,
		note{"╳┈┈", "failed attack", RoleFaint}, note{"◁┈┈", "failed support", RoleFaint},
		note{"○╌╌", "same as, bears on", RoleBorder})
}

// Legend explains the lines and shapes of the map in rows of at most width cells.
func (g *Graph) Legend(width int) []Row { return g.flow(legend(), width) }
