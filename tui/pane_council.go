package tui

import (
	"strings"

	"moot/state"
)

// councilPane shows how far the claims of a council are tested.
type councilPane struct {
	list
	state   state.State
	rulings []state.Ruling
}

func newCouncilPane(l *look) *councilPane {
	p := &councilPane{list: list{look: l, at: -1}}
	p.draw = func(_, width int, mark span) []string { return []string{p.look.row(width, []span{mark}, nil)} }
	p.key = func(i int) string { return p.rulings[i].Point }
	p.text = p.key
	return p
}

// setState takes over what stands now.
func (p *councilPane) setState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.setCount(len(rulings))
}

func (p *councilPane) title() string { return PaneCouncil.String() }

// View draws the pane.
func (p *councilPane) View(width, height int) string {
	return strings.Join(p.view(width, height), "\n")
}

func (p *councilPane) view(width, height int) []string {
	return p.rowsOrEmpty(width, height, noPoints)
}
