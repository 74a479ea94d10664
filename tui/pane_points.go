package tui

import (
	"fmt"
	"strings"

	"moot/state"
)

// pointsPane is the table of all points.
type pointsPane struct {
	list
	state   state.State
	rulings []state.Ruling
}

func newPointsPane(l *look) *pointsPane {
	p := &pointsPane{list: list{look: l, at: -1}}
	p.draw, p.key, p.text = p.drawPoint, p.keyOf, p.textOf
	return p
}

// setState takes over what stands now.
func (p *pointsPane) setState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.setCount(len(rulings))
}

func (p *pointsPane) title() string {
	if p.n > 0 {
		return fmt.Sprintf("%s %d", PanePoints, p.n)
	}
	return PanePoints.String()
}

// View draws the pane.
func (p *pointsPane) View(width, height int) string { return strings.Join(p.view(width, height), "\n") }

func (p *pointsPane) view(width, height int) []string { return p.rowsOrEmpty(width, height, noPoints) }

func (p *pointsPane) keyOf(i int) string { return p.rulings[i].Point }

func (p *pointsPane) textOf(i int) string { return pointText(&p.state, &p.rulings[i]) }

func (p *pointsPane) drawPoint(i, width int, mark span) []string {
	return []string{p.look.row(width, []span{mark, {p.look.text, " " + p.textOf(i)}}, nil)}
}

// sortBy sorts by the column that stands by so many to the right.
func (p *pointsPane) sortBy(int) {}

// turnAround turns the order around.
func (p *pointsPane) turnAround() {}
