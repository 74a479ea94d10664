package figure

import (
	"strings"

	"moot/state"
)

const (
	// At leastColumns cells or more, what bears on a point is placed to its right,
	// otherwise under it.
	leastColumns = 100
	// A box shows mostLines of its text, narrowLines if it has less than narrow cells across.
	mostLines, narrow, narrowLines = 3, 40, 4
	// indent is how far a child under its parent is moved to the right, gutter the room
	// between columns.
	indent, gutter = 7, 10
	// widestBox limits the width of a box: longer lines read badly.
	widestBox = 72
)

// layout places the boxes of a graph.
type layout struct {
	*Graph
	// columns is set if children are placed to the right of their parent. widths holds
	// the width of the boxes by depth.
	columns bool
	widths  [3]int
}

func newLayout(g *Graph, byBucket map[state.Bucket][]*box) *layout {
	l := &layout{Graph: g, columns: g.width >= leastColumns}
	if !l.columns {
		room := min(g.width, widestBox+2*indent)
		l.widths = [3]int{room, room - indent, room - 2*indent}
		return l
	}
	// The third column is only there if a challenge has an answer.
	deep := false
	for _, boxes := range byBucket {
		for _, b := range boxes {
			for _, child := range b.children {
				deep = deep || len(child.children) > 0
			}
		}
	}
	room, parts := g.width-gutter, [3]int{51, 49, 1}
	if deep {
		room, parts = room-gutter, [3]int{35, 34, 31}
	}
	for i, part := range parts {
		l.widths[i] = min(room*part/100, widestBox)
	}
	return l
}

// heading adds a line of text and returns the row below it.
func (l *layout) heading(y int, row Row) int {
	l.headings = append(l.headings, heading{y, l.clipRow(row, l.width)})
	return y + 1
}

// place gives a box and its children their places and returns the row below them.
func (l *layout) place(b, parent *box, depth, x, y int) int {
	b.Rect, b.Point = Rect{X: x, Y: y, W: l.widths[depth]}, b.ID
	if parent != nil {
		b.Of, b.Point = parent.ID, parent.Point
	}
	// Children of one bearing share a trunk.
	group, groups := make([]int, len(b.children)), 1
	for i := 1; i < len(b.children); i++ {
		if b.children[i].bearing != b.children[i-1].bearing {
			groups++
		}
		group[i] = groups - 1
	}
	l.fillIn(b, groups)
	l.index[b.ID] = len(l.boxes)
	l.boxes = append(l.boxes, b)
	childX, childY := x+indent, y+b.Rect.H+1
	if l.columns {
		childX, childY = x+b.Rect.W+gutter, y
	}
	for i, child := range b.children {
		top := childY
		childY = l.place(child, b, depth+1, childX, top)
		// Later groups have their trunk nearer to the box, so that no line crosses
		// another.
		port := spot{x + min(2, indent-2*groups) + 2*(groups-1-group[i]), y + b.Rect.H}
		turn := port
		if l.columns {
			port = spot{x + b.Rect.W, y + 1 + group[i]}
			turn = spot{port.x + 2*(groups-group[i]), port.y}
		}
		child.path = []spot{port, turn, {turn.x, top + 1}, {childX - 1, top + 1}}
	}
	if len(b.children) == 0 {
		return y + b.Rect.H
	}
	return max(childY, y+b.Rect.H)
}

// fillIn breaks the texts of a box into lines and so finds its height. The box has at
// least as many lines as trunks that start at it.
func (l *layout) fillIn(b *box, trunks int) {
	room, most := b.Rect.W-4, mostLines
	if room < narrow {
		most = narrowLines
	}
	if b.lead != "" {
		b.body = append(b.body, Run{l.clip(b.lead, room), RoleText})
	}
	for _, text := range l.wrap(b.text, room, most-len(b.body)) {
		b.body = append(b.body, Run{text, b.textRole})
	}
	if len(b.body) == 0 {
		b.body = []Run{{"(no text)", RoleFaint}}
	}
	for l.columns && len(b.body) < trunks {
		b.body = append(b.body, Run{})
	}
	foot, role := "", RoleFaint
	if b.Of != "" {
		foot = b.word + " " + b.Of
		_, role = b.line()
	}
	also := strings.Join(b.also, l.own(" · "))
	switch joined := foot + l.own(" · ") + also; {
	case also == "":
	case foot == "" && l.ruler.width(also) <= room-2:
		foot = also
	case foot != "" && l.ruler.width(joined) <= room-2:
		foot = joined
	default:
		for _, text := range l.wrap(also, room, mostLines) {
			b.body = append(b.body, Run{text, RoleFaint})
		}
	}
	b.foot = Run{l.clip(foot, room-2), role}
	b.Rect.H = len(b.body) + 2
}
