package pane

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/figure"
	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
)

// quickMap is the number of boxes up to which a map is laid out while it is
// drawn; a larger one is laid out outside, and the old one stays until it is
// there.
const quickMap = 150

// Graph draws the argument as a map, which is panned and selected in.
type Graph struct {
	look    *theme.Look
	focused bool
	state   state.State
	rulings []state.Ruling
	// node is the box that is selected, only says that the map is collapsed to
	// what bears on its point.
	node string
	only bool

	// Graph is the map that was laid out last, for what and how.
	Graph  *figure.Graph
	drawn  MapKey
	wanted MapKey
	// Pending says that a map is being laid out outside.
	Pending bool
	// left and top locate the cell of the map in the pane's upper left corner.
	left, Top     int
	width, height int
	// unseen says that the selected box must come into view.
	unseen bool
}

// MapKey holds the inputs of a layout.
type MapKey struct {
	version, width int
	focus          string
	look           *theme.Look
}

// NewGraph returns an empty pane.
func NewGraph(l *theme.Look) *Graph { return &Graph{look: l} }

// SetState takes over what stands now.
func (p *Graph) SetState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.wanted.version++
}

// SetLook implements Pane.
func (p *Graph) SetLook(l *theme.Look) { p.look = l }

// SetFocused implements Pane.
func (p *Graph) SetFocused(on bool) { p.focused = on }

// Title implements Pane.
func (p *Graph) Title() string {
	if p.only && p.node != "" {
		return GraphID.String() + ", only " + p.point()
	}
	return GraphID.String()
}

// point is the point that the selected box bears on, or "".
func (p *Graph) point() string {
	if p.Graph != nil {
		if n, found := p.Graph.Node(p.node); found {
			return n.Point
		}
	}
	return p.Selected()
}

// Key returns the inputs for the current size and selection.
func (p *Graph) Key() MapKey {
	k := p.wanted
	k.width, k.look = p.width, p.look
	if p.only {
		k.focus = p.point()
	}
	return k
}

// Job returns what lays the map out, a function that touches nothing of the
// pane.
func (p *Graph) Job() func() *figure.Graph {
	s, rulings, k, measure := p.state, p.rulings, p.Key(), p.look.Width
	return func() *figure.Graph {
		return figure.Map(&s, rulings, figure.MapOptions{
			Focus: k.focus, Only: k.focus != "", Width: k.width, ASCII: k.look.ASCII, Measure: measure,
		})
	}
}

// Large reports whether a map takes too long to lay out while drawing.
func (p *Graph) Large() bool {
	return !p.only && p.state.Points.Len()+p.state.Challenges.Len()+p.state.Evidence.Len() > quickMap
}

// Stale reports whether a large map must be laid out outside.
func (p *Graph) Stale() bool { return p.width > 0 && p.Large() && !p.Pending && p.drawn != p.Key() }

// Take takes over a map that was laid out.
func (p *Graph) Take(g *figure.Graph, k MapKey) {
	p.Graph, p.drawn, p.unseen = g, k, true
}

// View implements Pane.
func (p *Graph) View(width, height int) []string {
	p.Resize(width, height)
	if p.state.Points.Len() == 0 {
		return Fit([]string{p.look.Row(width, []theme.Span{p.look.Faint.Span("  " + noPoints)}, nil)}, width, height)
	}
	if k := p.Key(); k != p.drawn && !p.Large() {
		p.Take(p.Job()(), k)
	}
	if p.Graph == nil {
		return Fit([]string{p.look.Row(width, []theme.Span{p.look.Faint.Span("  drawing the map")}, nil)}, width, height)
	}
	// The last rows explain the signs.
	legend := p.legend(width, height/6)
	room := height - len(legend)
	if p.unseen {
		p.reveal(width, room)
	}
	p.bound(width, room)
	rows := p.look.Figure(p.Graph.Draw(p.left, p.Top, width, room, p.node))
	return append(rows, legend...)
}

// Resize takes over the pane's size; the selected box stays in view.
func (p *Graph) Resize(width, height int) {
	if p.width != width || p.height != height {
		p.width, p.height, p.unseen = width, height, true
	}
}

// legend explains the signs in at most so many rows.
func (p *Graph) legend(width, most int) []string {
	var rows []string
	legend := p.Graph.Legend(width - 2)
	for _, row := range legend[:min(most, len(legend))] {
		spans := []theme.Span{{Text: " "}}
		for _, run := range row {
			spans = append(spans, p.look.FigureStyle(run.Role).Span(run.Text))
		}
		rows = append(rows, p.look.Row(width, spans, nil))
	}
	return rows
}

// More implements Pane.
func (p *Graph) More() bool {
	if p.Graph == nil {
		return false
	}
	_, h := p.Graph.Size()
	return p.Top+p.height < h
}

// bound keeps the window on the map.
func (p *Graph) bound(width, height int) {
	w, h := p.Graph.Size()
	p.left, p.Top = max(min(p.left, w-width), 0), max(min(p.Top, h-height), 0)
}

// reveal brings the selected box into view.
func (p *Graph) reveal(width, height int) {
	p.unseen = false
	n, found := p.Graph.Node(p.node)
	if !found {
		return
	}
	r := n.Rect
	p.left = max(min(p.left, r.X), r.X+r.W-width)
	if r.Y > p.Top && r.Y+r.H <= p.Top+height*3/4 {
		return
	}
	// Keep the box in the upper half, so that its children below are visible.
	p.Top = r.Y - height/4
}

// Move implements Pane.
func (p *Graph) Move(a Motion, width, height int) {
	if p.Graph == nil {
		return
	}
	to, selects := map[Motion]figure.Direction{
		MoveUp: figure.Up, MoveDown: figure.Down, MoveLeft: figure.Left, MoveRight: figure.Right,
	}[a]
	if !selects {
		_, h := p.Graph.Size()
		p.Top += map[Motion]int{MovePageUp: 1 - height, MovePageDown: height - 1, MoveHome: -h, MoveEnd: h}[a]
		p.bound(width, height)
		return
	}
	if next := p.Graph.Neighbor(p.node, to); next != "" {
		p.node, p.unseen = next, true
		return
	}
	p.left += map[Motion]int{MoveLeft: -4, MoveRight: 4}[a]
	p.Top += map[Motion]int{MoveUp: -1, MoveDown: 1}[a]
	p.bound(width, height)
}

// Wheel implements Pane.
func (p *Graph) Wheel(by, width, height int) {
	if p.Graph != nil {
		p.Top += by
		p.bound(width, height)
	}
}

// Click implements Pane.
func (p *Graph) Click(x, y, _, _ int) {
	if p.Graph != nil {
		if id := p.Graph.At(p.left+x, p.Top+y); id != "" {
			p.node = id
		}
	}
}

// Selected is the id of the selected box; that of its challenge for an answer.
func (p *Graph) Selected() string {
	id, _, _ := strings.Cut(p.node, ".")
	return id
}

// Choose selects a point, unless a box that bears on it is selected already.
func (p *Graph) Choose(id string) {
	if id == "" || p.point() == id {
		return
	}
	p.node, p.unseen = id, true
}

// Copied implements Pane.
func (p *Graph) Copied() string {
	if text := itemText(&p.state, p.Selected()); text != "" && p.focused {
		return plain.Line(text)
	}
	if p.Graph == nil {
		return ""
	}
	w, h := p.Graph.Size()
	var lines []string
	for _, row := range p.look.Figure(p.Graph.Draw(0, 0, w, h, "")) {
		lines = append(lines, strings.TrimRight(ansi.Strip(row), " "))
	}
	return strings.Join(lines, "\n")
}

// Find selects the next box whose text holds the query.
func (p *Graph) Find(query string, forwards, from bool, _, _ int) bool {
	if p.Graph == nil {
		return false
	}
	nodes := p.Graph.Nodes()
	at := -1
	for i := range nodes {
		if nodes[i].ID == p.node {
			at = i
		}
	}
	i := nextMatch(query, len(nodes), at, forwards, from, func(i int) string {
		if nodes[i].Kind == figure.NodeDefense {
			return ""
		}
		return itemText(&p.state, nodes[i].ID)
	})
	if i < 0 {
		return false
	}
	p.node, p.unseen = nodes[i].ID, true
	return true
}

// ToggleOnly collapses the map to what bears on the selected point, or shows it
// all.
func (p *Graph) ToggleOnly() { p.only, p.unseen = !p.only, true }
