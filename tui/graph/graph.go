// Package graph is the pane with the argument map: the points, challenges and
// evidence of a session as connected boxes. It pans, selects boxes and follows the
// selection. Package figure lays the map out; large maps are laid out in the
// background.
package graph

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/figure"
	"moot/internal/plain"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// Pane is the pane with the argument map.
type Pane struct {
	look     *theme.Look
	focused  bool
	state    state.State
	rulings  []state.Ruling
	argument *view.Argument
	// node is the box that is selected.
	node string

	// Graph is the map that was laid out last, for what and how.
	Graph  *figure.Graph
	drawn  mapKey
	wanted mapKey
	// left and top locate the cell of the map in the pane's upper left corner.
	left, Top     int
	width, height int
	// unseen says that the selected box must come into view.
	unseen bool
}

// mapKey holds the inputs of a layout.
type mapKey struct {
	version, width int
	look           *theme.Look
}

// New returns an empty pane.
func New(l *theme.Look) *Pane { return &Pane{look: l} }

// SetState takes over what stands now.
func (p *Pane) SetState(s state.State, rulings []state.Ruling, a *view.Argument) {
	p.state, p.rulings, p.argument = s, rulings, a
	p.wanted.version++
}

// SetLook implements pane.Pane.
func (p *Pane) SetLook(l *theme.Look) { p.look = l }

// SetFocused implements pane.Pane.
func (p *Pane) SetFocused(on bool) { p.focused = on }

// Title implements pane.Pane.
func (p *Pane) Title() string {
	return pane.GraphID.String()
}

// point is the point that the selected box bears on, or "".
func (p *Pane) point() string {
	if p.Graph != nil {
		if n, found := p.Graph.Node(p.node); found {
			return n.Point
		}
	}
	return p.Selected()
}

// key returns the inputs for the current size and selection.
func (p *Pane) key() mapKey {
	k := p.wanted
	k.width, k.look = p.width, p.look
	return k
}

// View implements pane.Pane.
func (p *Pane) View(width, height int) []string {
	p.resize(width, height)
	if p.state.Points.Len() == 0 {
		return p.message(pane.NoPoints, width, height)
	}
	if k := p.key(); k != p.drawn {
		p.Graph = figure.Map(&p.state, p.rulings, figure.MapOptions{
			Width: width, ASCII: p.look.ASCII, Method: p.look.Method,
		})
		p.drawn, p.unseen = k, true
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

// message fills the pane with a text.
func (p *Pane) message(text string, width, height int) []string {
	return pane.Fit([]string{p.look.Row(width, []theme.Span{p.look.Faint.Span("  " + text)}, nil)}, width, height)
}

// resize takes over the pane's size; the selected box stays in view.
func (p *Pane) resize(width, height int) {
	if p.width != width || p.height != height {
		p.width, p.height, p.unseen = width, height, true
	}
}

// legend explains the signs in at most so many rows.
func (p *Pane) legend(width, most int) []string {
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

// More implements pane.Pane.
func (p *Pane) More() bool {
	if p.Graph == nil {
		return false
	}
	_, h := p.Graph.Size()
	return p.Top+p.height < h
}

// bound keeps the window on the map.
func (p *Pane) bound(width, height int) {
	w, h := p.Graph.Size()
	p.left, p.Top = max(min(p.left, w-width), 0), max(min(p.Top, h-height), 0)
}

// reveal brings the selected box into view.
func (p *Pane) reveal(width, height int) {
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

// Move implements pane.Pane.
func (p *Pane) Move(a pane.Motion, width, height int) {
	if p.Graph == nil {
		return
	}
	to, selects := map[pane.Motion]figure.Direction{
		pane.MoveUp: figure.Up, pane.MoveDown: figure.Down, pane.MoveLeft: figure.Left, pane.MoveRight: figure.Right,
	}[a]
	if !selects {
		_, h := p.Graph.Size()
		p.Top += map[pane.Motion]int{
			pane.MovePageUp: 1 - height, pane.MovePageDown: height - 1, pane.MoveHome: -h, pane.MoveEnd: h,
		}[a]
		p.bound(width, height)
		return
	}
	if next := p.Graph.Neighbor(p.node, to); next != "" {
		p.node, p.unseen = next, true
		return
	}
	p.left += map[pane.Motion]int{pane.MoveLeft: -4, pane.MoveRight: 4}[a]
	p.Top += map[pane.Motion]int{pane.MoveUp: -1, pane.MoveDown: 1}[a]
	p.bound(width, height)
}

// Wheel implements pane.Pane.
func (p *Pane) Wheel(by, width, height int) {
	if p.Graph != nil {
		p.Top += by
		p.bound(width, height)
	}
}

// Click implements pane.Pane.
func (p *Pane) Click(x, y, _, _ int) {
	if p.Graph != nil {
		if id := p.Graph.At(p.left+x, p.Top+y); id != "" {
			p.node = id
		}
	}
}

// Selected is the id of the selected box; that of its challenge for an answer.
func (p *Pane) Selected() string {
	id, _, _ := strings.Cut(p.node, ".")
	return id
}

// Choose selects a point, unless a box that bears on it is selected already.
func (p *Pane) Choose(id string) {
	if id == "" || p.point() == id {
		return
	}
	p.node, p.unseen = id, true
}

// Copied implements pane.Pane.
func (p *Pane) Copied() string {
	if text := p.argument.Text(p.Selected()); text != "" && p.focused {
		return p.Selected() + " " + plain.Line(text)
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
func (p *Pane) Find(query string, forwards, from bool, _, _ int) bool {
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
	i := pane.NextMatch(query, len(nodes), at, forwards, from, func(i int) string {
		if nodes[i].Kind == figure.NodeDefense {
			return ""
		}
		return nodes[i].ID + " " + p.argument.Text(nodes[i].ID)
	})
	if i < 0 {
		return false
	}
	p.node, p.unseen = nodes[i].ID, true
	return true
}
