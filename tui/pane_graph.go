package tui

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

// graphPane draws the argument as a map, which is panned and selected in.
type graphPane struct {
	look    *theme.Look
	focused bool
	state   state.State
	rulings []state.Ruling
	// node is the box that is selected, only says that the map is collapsed to
	// what bears on its point.
	node string
	only bool

	// graph is the map that was laid out last, for what and how.
	graph  *figure.Graph
	drawn  graphKey
	wanted graphKey
	// pending says that a map is being laid out outside.
	pending bool
	// left and top locate the cell of the map in the pane's upper left corner.
	left, top     int
	width, height int
	// unseen says that the selected box must come into view.
	unseen bool
}

// graphKey holds the inputs of a layout.
type graphKey struct {
	version, width int
	focus          string
	look           *theme.Look
}

func newGraphPane(l *theme.Look) *graphPane { return &graphPane{look: l} }

// setState takes over what stands now.
func (p *graphPane) setState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.wanted.version++
}

func (p *graphPane) setLook(l *theme.Look) { p.look = l }

func (p *graphPane) setFocused(on bool) { p.focused = on }

func (p *graphPane) title() string {
	if p.only && p.node != "" {
		return PaneGraph.String() + ", only " + p.point()
	}
	return PaneGraph.String()
}

// point is the point that the selected box bears on, or "".
func (p *graphPane) point() string {
	if p.graph != nil {
		if n, found := p.graph.Node(p.node); found {
			return n.Point
		}
	}
	return p.selected()
}

// key returns the inputs for the current size and selection.
func (p *graphPane) key() graphKey {
	k := p.wanted
	k.width, k.look = p.width, p.look
	if p.only {
		k.focus = p.point()
	}
	return k
}

// job returns what lays the map out, a function that touches nothing of the
// pane.
func (p *graphPane) job() func() *figure.Graph {
	s, rulings, k, measure := p.state, p.rulings, p.key(), p.look.Width
	return func() *figure.Graph {
		return figure.Map(&s, rulings, figure.MapOptions{
			Focus: k.focus, Only: k.focus != "", Width: k.width, ASCII: k.look.ASCII, Measure: measure,
		})
	}
}

// large reports whether a map takes too long to lay out while drawing.
func (p *graphPane) large() bool {
	return !p.only && p.state.Points.Len()+p.state.Challenges.Len()+p.state.Evidence.Len() > quickMap
}

// stale reports whether a large map must be laid out outside.
func (p *graphPane) stale() bool { return p.width > 0 && p.large() && !p.pending && p.drawn != p.key() }

// take takes over a map that was laid out.
func (p *graphPane) take(g *figure.Graph, k graphKey) {
	p.graph, p.drawn, p.unseen = g, k, true
}

func (p *graphPane) view(width, height int) []string {
	p.resize(width, height)
	if p.state.Points.Len() == 0 {
		return fit([]string{p.look.Row(width, []theme.Span{p.look.Faint.Span("  " + noPoints)}, nil)}, width, height)
	}
	if k := p.key(); k != p.drawn && !p.large() {
		p.take(p.job()(), k)
	}
	if p.graph == nil {
		return fit([]string{p.look.Row(width, []theme.Span{p.look.Faint.Span("  drawing the map")}, nil)}, width, height)
	}
	// The last rows explain the signs.
	legend := p.legend(width, height/6)
	room := height - len(legend)
	if p.unseen {
		p.reveal(width, room)
	}
	p.bound(width, room)
	rows := p.look.Figure(p.graph.Draw(p.left, p.top, width, room, p.node))
	return append(rows, legend...)
}

// resize takes over the pane's size; the selected box stays in view.
func (p *graphPane) resize(width, height int) {
	if p.width != width || p.height != height {
		p.width, p.height, p.unseen = width, height, true
	}
}

// legend explains the signs in at most so many rows.
func (p *graphPane) legend(width, most int) []string {
	var rows []string
	legend := p.graph.Legend(width - 2)
	for _, row := range legend[:min(most, len(legend))] {
		spans := []theme.Span{{Text: " "}}
		for _, run := range row {
			spans = append(spans, p.look.FigureStyle(run.Role).Span(run.Text))
		}
		rows = append(rows, p.look.Row(width, spans, nil))
	}
	return rows
}

func (p *graphPane) more() bool {
	if p.graph == nil {
		return false
	}
	_, h := p.graph.Size()
	return p.top+p.height < h
}

// bound keeps the window on the map.
func (p *graphPane) bound(width, height int) {
	w, h := p.graph.Size()
	p.left, p.top = max(min(p.left, w-width), 0), max(min(p.top, h-height), 0)
}

// reveal brings the selected box into view.
func (p *graphPane) reveal(width, height int) {
	p.unseen = false
	n, found := p.graph.Node(p.node)
	if !found {
		return
	}
	r := n.Rect
	p.left = max(min(p.left, r.X), r.X+r.W-width)
	if r.Y > p.top && r.Y+r.H <= p.top+height*3/4 {
		return
	}
	// Keep the box in the upper half, so that its children below are visible.
	p.top = r.Y - height/4
}

func (p *graphPane) move(a Motion, width, height int) {
	if p.graph == nil {
		return
	}
	to, selects := map[Motion]figure.Direction{
		MoveUp: figure.Up, MoveDown: figure.Down, MoveLeft: figure.Left, MoveRight: figure.Right,
	}[a]
	if !selects {
		_, h := p.graph.Size()
		p.top += map[Motion]int{MovePageUp: 1 - height, MovePageDown: height - 1, MoveHome: -h, MoveEnd: h}[a]
		p.bound(width, height)
		return
	}
	if next := p.graph.Neighbor(p.node, to); next != "" {
		p.node, p.unseen = next, true
		return
	}
	p.left += map[Motion]int{MoveLeft: -4, MoveRight: 4}[a]
	p.top += map[Motion]int{MoveUp: -1, MoveDown: 1}[a]
	p.bound(width, height)
}

func (p *graphPane) wheel(by, width, height int) {
	if p.graph != nil {
		p.top += by
		p.bound(width, height)
	}
}

func (p *graphPane) click(x, y, _, _ int) {
	if p.graph != nil {
		if id := p.graph.At(p.left+x, p.top+y); id != "" {
			p.node = id
		}
	}
}

// selected is the id of the selected box; that of its challenge for an answer.
func (p *graphPane) selected() string {
	id, _, _ := strings.Cut(p.node, ".")
	return id
}

// choose selects a point, unless a box that bears on it is selected already.
func (p *graphPane) choose(id string) {
	if id == "" || p.point() == id {
		return
	}
	p.node, p.unseen = id, true
}

func (p *graphPane) copied() string {
	if text := itemText(&p.state, p.selected()); text != "" && p.focused {
		return plain.Line(text)
	}
	if p.graph == nil {
		return ""
	}
	w, h := p.graph.Size()
	var lines []string
	for _, row := range p.look.Figure(p.graph.Draw(0, 0, w, h, "")) {
		lines = append(lines, strings.TrimRight(ansi.Strip(row), " "))
	}
	return strings.Join(lines, "\n")
}

// find selects the next box whose text holds the query.
func (p *graphPane) find(query string, forwards, from bool, _, _ int) bool {
	if p.graph == nil {
		return false
	}
	nodes := p.graph.Nodes()
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

// toggleOnly collapses the map to what bears on the selected point, or shows it
// all.
func (p *graphPane) toggleOnly() { p.only, p.unseen = !p.only, true }
