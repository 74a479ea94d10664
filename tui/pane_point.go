package tui

import (
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
)

// pointPane shows one point whole.
type pointPane struct {
	scrolled
	focused bool
	id      string
	state   state.State
	rulings []state.Ruling
	told    telling
	history history
}

func newPointPane(l *theme.Look) *pointPane {
	p := &pointPane{scrolled: scrolled{look: l}}
	p.blocks = p.pointBlocks
	return p
}

// setState takes over what stands now, and the events that led to it.
func (p *pointPane) setState(s state.State, rulings []state.Ruling, told telling, events []state.Event) {
	p.state, p.rulings, p.told = s, rulings, told
	p.history.add(events)
	p.refresh()
}

// setPoint turns the pane to a point.
func (p *pointPane) setPoint(id string) {
	if p.id != id {
		p.id, p.top, p.marked = id, 0, 0
		p.refresh()
	}
}

func (p *pointPane) setLook(l *theme.Look) {
	p.look = l
	p.refresh()
}

func (p *pointPane) setFocused(on bool) { p.focused = on }

func (p *pointPane) title() string { return strings.TrimSpace(PanePoint.String() + " " + p.id) }

func (p *pointPane) view(width, height int) []string {
	if p.id == "" {
		return fit([]string{p.look.Row(width, []theme.Span{p.look.Faint.Span("  " + noPoints)}, nil)}, width, height)
	}
	// A cell on each side stays free, so that no text touches a border.
	right := when(width >= airyWidth, 1, 0)
	rows := p.read(p.look, max(width-1-right, 0), height)
	for i := range rows {
		margin := " "
		if p.focused && p.top+i+1 == p.marked {
			margin = p.look.Accent.Paint(p.look.Glyphs.Pointer)
		}
		rows[i] = when(width > 0, margin, "") + rows[i] + theme.Blank(right)
	}
	return rows
}

// move scrolls, or goes to the point before or after.
func (p *pointPane) move(a Motion, _, _ int) {
	if a != MoveLeft && a != MoveRight {
		p.moveBy(a)
		return
	}
	step := when(a == MoveLeft, -1, 1)
	for i, point := range p.state.Points.All() {
		if next := p.state.Points.At(i + step); point.ID == p.id && next != nil {
			p.setPoint(next.ID)
			return
		}
	}
}

func (p *pointPane) wheel(by, _, _ int) {
	p.top, p.marked = p.top+by, 0
	p.bound()
}

// click marks a row; what is cited there can be opened.
func (p *pointPane) click(_, y, _, _ int) {
	if at := p.top + y; at < len(p.drawn) {
		p.marked = at + 1
	}
}

// opens says that a click never opens the point, which is open.
func (p *pointPane) opens(_, _, _, _ int) bool { return false }

// citation is the reference of the evidence item that was clicked or is seen
// first: "path:line", or "" where the point has none.
func (p *pointPane) citation() string {
	if e := p.state.Item(p.citedID()); e != nil {
		return e.Reference
	}
	return ""
}

func (p *pointPane) selected() string { return p.id }

func (p *pointPane) choose(string) {}

// copied is the evidence item that was clicked, with its place; else the point
// whole.
func (p *pointPane) copied() string {
	e := p.state.Item(p.citedID())
	if p.marked == 0 || e == nil {
		return p.plainText()
	}
	return strings.TrimSpace(plain.Line(e.Reference) + "\n" + plain.Text(e.Excerpt))
}

func (p *pointPane) find(query string, forwards, from bool, width, height int) bool {
	p.view(width, height)
	return p.findRow(query, forwards, from)
}

func (p *pointPane) pointBlocks(l *theme.Look) []block {
	d := details{&p.state, p.rulings, p.told}
	return d.pointBlocks(l, p.id, p.history.of(p.id, p.state.Seq), &p.history.rounds)
}
