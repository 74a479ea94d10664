package tui

import (
	"strings"

	"moot/state"
)

// pointPane shows one point whole.
type pointPane struct {
	scrolled
	focused bool
	id      string
	state   state.State
	rulings []state.Ruling
}

func newPointPane(l *look) *pointPane {
	p := &pointPane{scrolled: scrolled{look: l}}
	p.blocks = p.pointBlocks
	return p
}

// setState takes over what stands now.
func (p *pointPane) setState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.refresh()
}

// setPoint turns the pane to a point.
func (p *pointPane) setPoint(id string) {
	if p.id != id {
		p.id, p.top = id, 0
		p.refresh()
	}
}

func (p *pointPane) setLook(l *look) {
	p.look = l
	p.refresh()
}

func (p *pointPane) setFocused(on bool) { p.focused = on }

func (p *pointPane) title() string { return strings.TrimSpace(PanePoint.String() + " " + p.id) }

// View draws the pane.
func (p *pointPane) View(width, height int) string { return strings.Join(p.view(width, height), "\n") }

func (p *pointPane) view(width, height int) []string {
	if p.id == "" {
		return fit([]string{p.look.row(width, []span{{p.look.faint, "  " + noPoints}}, nil)}, width, height)
	}
	return p.read(p.look, width, height)
}

func (p *pointPane) move(a Action, _, _ int) { p.moveBy(a) }

func (p *pointPane) wheel(by, _, _ int) {
	p.top += by
	p.bound()
}

func (p *pointPane) click(_, _, _, _ int) {}

func (p *pointPane) selected() string { return p.id }

func (p *pointPane) choose(string) {}

func (p *pointPane) copied() string { return p.plainText() }

func (p *pointPane) find(query string, forwards, from bool, _, _ int) bool {
	return p.findRow(query, forwards, from)
}

func (p *pointPane) pointBlocks(l *look) []block {
	d := details{&p.state, p.rulings}
	return d.pointBlocks(l, p.id)
}
