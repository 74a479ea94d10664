package pane

import (
	"strings"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Point shows everything about one point.
type Point struct {
	*Document
	ID         string
	state      *state.State
	argument   *view.Argument
	transcript *Transcript
}

// NewPoint returns an empty pane. The transcript holds the history of the points.
func NewPoint(l *theme.Look, t *Transcript) *Point {
	p := &Point{transcript: t}
	p.Document = NewDocument(l, func(l *theme.Look) []Part {
		if p.ID == "" {
			return nil
		}
		d, _ := p.argument.Document(p.ID)
		d.Add(p.transcript.history(p.ID, p.state.Seq))
		return DocumentParts(l, &d)
	})
	p.id, p.empty = PointID, NoPoints
	return p
}

// SetState shows a state.
func (p *Point) SetState(s *state.State, a *view.Argument) {
	p.state, p.argument = s, a
	p.Refresh()
}

// SetPoint shows another point.
func (p *Point) SetPoint(id string) {
	if p.ID != id {
		p.ID, p.At, p.Chosen, p.Win = id, -1, "", Window{}
		p.Refresh()
	}
}

// Title implements Pane.
func (p *Point) Title() string { return strings.TrimSpace(PointID.String() + " " + p.ID) }

// Move scrolls. Left and right show the point before and after.
func (p *Point) Move(a Motion, width, height int) {
	step := map[Motion]int{MoveLeft: -1, MoveRight: 1}[a]
	if step == 0 {
		p.Document.Move(a, width, height)
		return
	}
	for i, point := range p.state.Points.All() {
		if next := p.state.Points.At(i + step); point.ID == p.ID && next != nil {
			p.SetPoint(next.ID)
			return
		}
	}
}

// Selected implements Pane. It is the point unless a challenge or an evidence item is selected.
func (p *Point) Selected() string {
	if id := p.Document.Selected(); id != "" && p.state.Point(id) == nil {
		return id
	}
	return p.ID
}
