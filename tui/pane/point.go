package pane

import (
	"strings"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Point shows everything about one point.
type Point struct {
	Text
	focused    bool
	ID         string
	state      state.State
	argument   *view.Argument
	transcript *Transcript
}

// NewPoint returns an empty pane. The transcript holds the history of the points.
func NewPoint(l *theme.Look, t *Transcript) *Point {
	p := &Point{Text: Text{look: l}, transcript: t}
	p.Blocks = func(l *theme.Look) []Block {
		d, _ := p.argument.Document(p.ID)
		d.Add(p.transcript.history(p.ID, p.state.Seq))
		return DocumentBlocks(l, &d)
	}
	return p
}

// SetState shows a state.
func (p *Point) SetState(s state.State, a *view.Argument) {
	p.state, p.argument = s, a
	p.Refresh()
}

// SetPoint shows another point.
func (p *Point) SetPoint(id string) {
	if p.ID != id {
		p.ID, p.Top, p.marked = id, 0, 0
		p.Refresh()
	}
}

// SetLook implements Pane.
func (p *Point) SetLook(l *theme.Look) {
	p.look = l
	p.Refresh()
}

// SetFocused implements Pane.
func (p *Point) SetFocused(on bool) { p.focused = on }

// Title implements Pane.
func (p *Point) Title() string { return strings.TrimSpace(PointID.String() + " " + p.ID) }

// View implements Pane.
func (p *Point) View(width, height int) []string {
	if p.ID == "" {
		return Fit([]string{p.look.Row(width, []theme.Span{p.look.Faint.Span("  " + NoPoints)}, nil)}, width, height)
	}
	// An empty cell on each side separates the text from the border.
	right := 0
	if width >= airyWidth {
		right = 1
	}
	rows := p.Read(p.look, max(width-1-right, 0), height)
	for i := range rows {
		margin := theme.Blank(min(width, 1))
		if width > 0 && p.focused && p.Top+i+1 == p.marked {
			margin = p.look.Accent.Paint(p.look.Glyphs.Pointer)
		}
		rows[i] = margin + rows[i] + theme.Blank(right)
	}
	return rows
}

// Move scrolls. Left and right show the point before and after.
func (p *Point) Move(a Motion, _, _ int) {
	step := map[Motion]int{MoveLeft: -1, MoveRight: 1}[a]
	if step == 0 {
		p.MoveBy(a)
		return
	}
	for i, point := range p.state.Points.All() {
		if next := p.state.Points.At(i + step); point.ID == p.ID && next != nil {
			p.SetPoint(next.ID)
			return
		}
	}
}

// Wheel implements Pane.
func (p *Point) Wheel(by, _, _ int) {
	p.Top, p.marked = p.Top+by, 0
	p.bound()
}

// Click marks a row, so that the evidence there can be opened.
func (p *Point) Click(_, y, _, _ int) {
	if at := p.Top + y; at < len(p.Drawn) {
		p.marked = at + 1
	}
}

// Citation returns the reference of the evidence item that was clicked or is visible first,
// such as "path:line", or "".
func (p *Point) Citation() string {
	if e := p.state.Item(p.CitedID()); e != nil {
		return e.Reference
	}
	return ""
}

// Selected implements Pane.
func (p *Point) Selected() string { return p.ID }

// Choose implements Pane.
func (p *Point) Choose(string) {}

// Copied returns the whole text.
func (p *Point) Copied() string { return unstyled(p.Drawn) }

// Find implements Pane.
func (p *Point) Find(query string, forwards, from bool, width, height int) bool {
	p.View(width, height)
	return p.findRow(query, forwards, from)
}
