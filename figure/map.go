package figure

import "moot/state"

// NodeKind says what a box of the map is; each kind has a shape of its own.
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

// String returns the kind's word.
func (k NodeKind) String() string {
	switch k {
	case NodePoint:
		return "point"
	case NodeChallenge:
		return "challenge"
	case NodeDefense:
		return "answer"
	case NodeEvidence:
		return "evidence"
	}
	return "unknown"
}

// Rect is a place in cells; the top left cell of a picture is 0, 0.
type Rect struct{ X, Y, W, H int }

// Contains reports whether the cell lies in the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
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

// Node is one box of the map.
type Node struct {
	// ID is the id of the item; the answers to C1 are C1.1, C1.2, ….
	ID   string
	Kind NodeKind
	Rect Rect
	// Of is the id of the box that this one hangs on, "" for none; Point is the
	// point that it bears on.
	Of, Point string
}

// MapOptions say what the map shows, and how.
type MapOptions struct {
	// Focus is the id of a box whose text is shown at more length, or "".
	Focus string
	// Only leaves out what does not bear on the focus: shown are its point, the
	// challenges, answers and evidence on it, and the points that oppose or
	// replace it, or were merged into it.
	Only bool
	// Width is the room in cells; fewer than MinimumWidth count as those.
	Width int
	// ASCII draws with ASCII signs alone. The texts stay as they are.
	ASCII bool
	// Measure counts the cells of a text; nil measures grapheme clusters.
	Measure Measure
}

// MinimumWidth is the least width that a map is laid out for, in cells.
const MinimumWidth = 40

// Graph is a map that was laid out. It does not change.
type Graph struct {
	ruler
	signs         signs
	width, height int
	// right is where the boxes end.
	right  int
	nodes  []Node
	placed []*placed
	index  map[string]int
	links  []link
	lines  []line
	marks  []mark
	bands  []band
	hidden Hidden
	// legend are the signs that the map explains.
	legend []entry
	// title and summary say in words what the map shows.
	title, summary string
}

// Map lays out the points of a session with what attacks and supports them.
// The rulings give the buckets; for a point without one the recorded ruling
// counts.
func Map(s *state.State, rulings []state.Ruling, o MapOptions) *Graph {
	r := newRuler(o.Measure, o.ASCII)
	w := newWriter(s, rulings, r.ascii)
	c := w.choose(o)
	l := newLayout(r, w.signs, max(o.Width, MinimumWidth), c)
	l.focus = o.Focus
	l.arrange(c)
	g := l.graph
	g.hidden.add(c.hidden)
	g.legend = legendEntries(w.signs, r.ascii, w.contested != nil)
	g.title = "Argument map: " + safe(s.Question)
	g.summary = c.summary()
	g.placeBands()
	return g
}

// Size returns the extent of the whole map in cells.
func (g *Graph) Size() (width, height int) { return g.width, g.height }

// Nodes returns the boxes in reading order. The slice must not be changed.
func (g *Graph) Nodes() []Node { return g.nodes }

// Node returns the box with the id.
func (g *Graph) Node(id string) (Node, bool) {
	i, found := g.index[id]
	if !found {
		return Node{}, false
	}
	return g.nodes[i], true
}

// At returns the id of the box that covers the cell, or "".
func (g *Graph) At(x, y int) string {
	if y < 0 || y/bandHeight >= len(g.bands) {
		return ""
	}
	for _, i := range g.bands[y/bandHeight].nodes {
		if g.nodes[i].Rect.Contains(x, y) {
			return g.nodes[i].ID
		}
	}
	return ""
}

// Summary says in words what the map shows and what it leaves out.
func (g *Graph) Summary() string { return g.summary }

// Hidden counts what a map does not show.
type Hidden struct {
	// Points, Challenges, Answers and Evidence bear on nothing that is shown.
	Points, Challenges, Answers, Evidence int
	// Lines are relations between points that found no room for a line; the
	// boxes name them in words.
	Lines int
}

func (h *Hidden) add(o Hidden) {
	h.Points += o.Points
	h.Challenges += o.Challenges
	h.Answers += o.Answers
	h.Evidence += o.Evidence
	h.Lines += o.Lines
}

// Hidden returns what the map leaves out; the map says it in words as well.
func (g *Graph) Hidden() Hidden { return g.hidden }
