package tui

import (
	"strings"

	"moot/state"
)

// metricsPane shows how good the debate is, in figures.
type metricsPane struct {
	list
	state   state.State
	rulings []state.Ruling
}

func newMetricsPane(l *look) *metricsPane {
	p := &metricsPane{list: list{look: l, at: -1}}
	p.draw = func(_, width int, mark span) []string { return []string{p.look.row(width, []span{mark}, nil)} }
	p.key = func(i int) string { return p.rulings[i].Point }
	p.text = p.key
	return p
}

// setState takes over what stands now.
func (p *metricsPane) setState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.setCount(len(rulings))
}

func (p *metricsPane) title() string { return PaneMetrics.String() }

// View draws the pane.
func (p *metricsPane) View(width, height int) string {
	return strings.Join(p.view(width, height), "\n")
}

func (p *metricsPane) view(width, height int) []string {
	return p.rowsOrEmpty(width, height, noPoints)
}
