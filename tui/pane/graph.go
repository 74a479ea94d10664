package pane

import (
	"strings"

	"moot/figure"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Graph shows the argument map.
type Graph struct {
	List
	state    *state.State
	rulings  []state.Ruling
	argument *view.Argument
	drawing  *figure.Map
	// stale means that the state is newer than the drawing.
	stale bool
}

// NewGraph returns an empty pane.
func NewGraph(l *theme.Look) *Graph {
	p := &Graph{List: List{Look: l, id: GraphID, empty: NoPoints, At: -1}}
	p.Key = func(i int) string { return p.drawing.Nodes[i].ID }
	p.Text = func(i int) string {
		id := p.drawing.Nodes[i].ID
		return view.Join(" ", id, p.argument.Text(id))
	}
	p.Draw = func(i, width int, mark theme.Span) []string {
		var rows []string
		for _, row := range p.drawing.Draw(i, width, mark.Text != " ") {
			spans := make([]theme.Span, len(row))
			for k, run := range row {
				spans[k] = p.Look.Role(string(run.Role)).Span(run.Text)
			}
			rows = append(rows, p.Look.Row(width, spans, nil))
		}
		return rows
	}
	return p
}

// SetState shows a state.
func (p *Graph) SetState(s *state.State, rulings []state.Ruling, a *view.Argument) {
	p.state, p.rulings, p.argument, p.stale = s, rulings, a, true
	p.Changed()
}

// SetLook implements Pane.
func (p *Graph) SetLook(l *theme.Look) {
	p.List.SetLook(l)
	p.stale = true
}

// View implements Pane.
func (p *Graph) View(width, height int) []string {
	if p.stale {
		p.stale, p.drawing = false, figure.New(p.state, p.rulings, p.Look.Method, p.Look.ASCII)
		p.SetCount(len(p.drawing.Nodes))
		p.count = 0
	}
	return p.List.View(width, height)
}

// Choose selects a point, unless a box that bears on it is selected already.
func (p *Graph) Choose(id string) {
	if p.At >= 0 && p.At < p.N && p.drawing.Nodes[p.At].Point == id {
		return
	}
	p.Chosen, p.At, p.stale = id, -1, true
	p.Changed()
}

// Selected implements Pane. For an answer it is the challenge.
func (p *Graph) Selected() string {
	id, _, _ := strings.Cut(p.Chosen, ".")
	return id
}
