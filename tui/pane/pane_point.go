package pane

import (
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
)

// Point shows one point whole.
type Point struct {
	Text
	focused bool
	ID      string
	state   state.State
	rulings []state.Ruling
	told    Telling
	history history
}

func NewPoint(l *theme.Look) *Point {
	p := &Point{Text: Text{look: l}}
	p.Blocks = p.pointBlocks
	return p
}

// SetState takes over what stands now, and the events that led to it.
func (p *Point) SetState(s state.State, rulings []state.Ruling, told Telling, events []state.Event) {
	p.state, p.rulings, p.told = s, rulings, told
	p.history.Add(events)
	p.Refresh()
}

// SetPoint turns the pane to a point.
func (p *Point) SetPoint(id string) {
	if p.ID != id {
		p.ID, p.Top, p.marked = id, 0, 0
		p.Refresh()
	}
}

func (p *Point) SetLook(l *theme.Look) {
	p.look = l
	p.Refresh()
}

func (p *Point) SetFocused(on bool) { p.focused = on }

func (p *Point) Title() string { return strings.TrimSpace(PointID.String() + " " + p.ID) }

func (p *Point) View(width, height int) []string {
	if p.ID == "" {
		return Fit([]string{p.look.Row(width, []theme.Span{p.look.Faint.Span("  " + noPoints)}, nil)}, width, height)
	}
	// A cell on each side stays free, so that no text touches a border.
	right := when(width >= airyWidth, 1, 0)
	rows := p.Read(p.look, max(width-1-right, 0), height)
	for i := range rows {
		margin := " "
		if p.focused && p.Top+i+1 == p.marked {
			margin = p.look.Accent.Paint(p.look.Glyphs.Pointer)
		}
		rows[i] = when(width > 0, margin, "") + rows[i] + theme.Blank(right)
	}
	return rows
}

// Move scrolls, or goes to the point before or after.
func (p *Point) Move(a Motion, _, _ int) {
	if a != MoveLeft && a != MoveRight {
		p.MoveBy(a)
		return
	}
	step := when(a == MoveLeft, -1, 1)
	for i, point := range p.state.Points.All() {
		if next := p.state.Points.At(i + step); point.ID == p.ID && next != nil {
			p.SetPoint(next.ID)
			return
		}
	}
}

func (p *Point) Wheel(by, _, _ int) {
	p.Top, p.marked = p.Top+by, 0
	p.bound()
}

// Click marks a row; what is cited there can be opened.
func (p *Point) Click(_, y, _, _ int) {
	if at := p.Top + y; at < len(p.Drawn) {
		p.marked = at + 1
	}
}

// opens says that a click never opens the point, which is open.
func (p *Point) opens(_, _, _, _ int) bool { return false }

// Citation is the reference of the evidence item that was clicked or is seen
// first: "path:line", or "" where the point has none.
func (p *Point) Citation() string {
	if e := p.state.Item(p.CitedID()); e != nil {
		return e.Reference
	}
	return ""
}

func (p *Point) Selected() string { return p.ID }

func (p *Point) Choose(string) {}

// Copied is the evidence item that was clicked, with its place; else the point
// whole.
func (p *Point) Copied() string {
	e := p.state.Item(p.CitedID())
	if p.marked == 0 || e == nil {
		return p.plainText()
	}
	return strings.TrimSpace(plain.Line(e.Reference) + "\n" + plain.Text(e.Excerpt))
}

func (p *Point) Find(query string, forwards, from bool, width, height int) bool {
	p.View(width, height)
	return p.findRow(query, forwards, from)
}

func (p *Point) pointBlocks(l *theme.Look) []Block {
	d := Details{&p.state, p.rulings, p.told}
	return d.pointBlocks(l, p.ID, p.history.Of(p.ID, p.state.Seq), &p.history.rounds)
}
