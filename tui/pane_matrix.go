package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/plain"
	"moot/state"
)

// matrixPane shows how far the answers of a panel agree: each participant with
// each, and below who holds which claim.
type matrixPane struct {
	list
	state   state.State
	rulings []state.Ruling
	told    telling
	// stale says that the state is newer than what is listed: it is compared when
	// it is looked at.
	stale    bool
	compared *comparison
	items    []matrixItem
	// table is how the rows of claims are laid out for a width.
	table claimTable
	// column is the place of the participant whom the selected one is compared
	// with.
	column int
	// topic is the point that the views of one point were turned to last; turned
	// says that it is to be selected once the answers are compared.
	topic  string
	turned bool
	// live are the calls under way.
	live  []*call
	clock clockReading
}

// matrixItem is one thing that the matrix lists.
type matrixItem struct {
	// id is what can be selected: a seat, a conflict, a point; or "".
	id string
	// rows draws it behind the mark, text says it in a line.
	rows func(width int, mark span) []string
	text func() string
	// kept says that it takes one row, which stays as it is while nothing else is
	// compared; drawn is that row where it is not selected, in a look and a width.
	kept       bool
	drawn      []string
	drawnLook  *look
	drawnWidth int
}

// unmarked is the item where it is not selected, drawn once.
func (i *matrixItem) unmarked(l *look, width int, mark span) []string {
	if i.drawn == nil || i.drawnWidth != width || i.drawnLook != l {
		i.drawn, i.drawnWidth, i.drawnLook = i.rows(width, mark), width, l
	}
	return i.drawn
}

func newMatrixPane(l *look) *matrixPane {
	p := &matrixPane{list: list{look: l, at: -1}, column: 1, compared: &comparison{}}
	p.draw = func(i, width int, mark span) []string {
		item := &p.items[i]
		if item.kept && mark.text == " " {
			return item.unmarked(p.look, width, mark)
		}
		return item.rows(width, mark)
	}
	p.rowsOf = func(i int) int { return when(p.items[i].kept, 1, 0) }
	p.key = func(i int) string { return p.items[i].id }
	p.text = func(i int) string { return p.items[i].text() }
	return p
}

// setState takes over what stands now. It is compared when it is looked at: most
// of the time another view is.
func (p *matrixPane) setState(s state.State, rulings []state.Ruling, told telling) {
	p.state, p.rulings, p.told, p.stale = s, rulings, told, true
	p.changed()
}

// setLive takes over the calls under way and the time to show them at.
func (p *matrixPane) setLive(calls []*call, clock clockReading) {
	if len(calls)+len(p.live) > 0 {
		p.changed()
	}
	p.live, p.clock = calls, clock
}

// fresh compares what stands now, unless that was done.
func (p *matrixPane) fresh() {
	if !p.stale || p.told.conflicts() == nil {
		return
	}
	p.stale = false
	p.compared, p.table = compare(&p.state, p.told.conflicts().table, p.rulings), claimTable{}
	p.items = p.listed()
	p.setCount(len(p.items))
	if p.turned {
		p.list.choose(p.claimOf(p.topic))
		p.turned = false
	}
}

// claimOf is the first point of the claim that a point says, or "".
func (p *matrixPane) claimOf(id string) string {
	if current := p.state.Current(id); current != nil {
		if at, known := p.compared.lead[current.ID]; known {
			return p.compared.claims[at].id
		}
	}
	return ""
}

func (p *matrixPane) title() string {
	if n := p.state.Panel.Conflicts.Len(); n > 0 {
		return fmt.Sprintf("%s, %s", PaneMatrix, plain.Counted(n, "conflict"))
	}
	return PaneMatrix.String()
}

// View draws the pane.
func (p *matrixPane) View(width, height int) string { return strings.Join(p.view(width, height), "\n") }

func (p *matrixPane) view(width, height int) []string {
	p.fresh()
	return p.rowsOrEmpty(width, height, "No panel yet.")
}

// choose turns to a point, where another one was looked at before: what is
// selected beside the points stays selected.
func (p *matrixPane) choose(id string) {
	if id == p.topic {
		return
	}
	// The first point of a session is turned to by nobody.
	p.turned = p.topic != ""
	p.topic = id
	if p.turned && !p.stale {
		p.list.choose(p.claimOf(id))
		p.turned = false
	}
}

// pair are the places of the two participants that are selected; ok is false
// where something else is.
func (p *matrixPane) pair() (a, b int, ok bool) {
	a = slices.Index(p.compared.seats, state.Seat(p.chosen))
	if a < 0 || len(p.compared.seats) < 2 {
		return 0, 0, false
	}
	return a, p.columnFor(a), true
}

// columnFor is the column that is selected in the row of a participant: nobody is
// compared with itself.
func (p *matrixPane) columnFor(row int) int {
	n := len(p.compared.seats)
	at := min(max(p.column, 0), n-1)
	if at == row {
		at = when(row+1 < n, row+1, row-1)
	}
	return at
}

func (p *matrixPane) move(a Action, width, height int) {
	p.fresh()
	row, column, ok := p.pair()
	if !ok || a != ActionLeft && a != ActionRight {
		p.list.move(a, width, height)
		return
	}
	by := when(a == ActionLeft, -1, 1)
	if column+by == row {
		by *= 2
	}
	if to := column + by; to >= 0 && to < len(p.compared.seats) {
		p.column = to
	}
	p.changed()
}

// click selects what stands at the cell: of two participants also the other one.
func (p *matrixPane) click(x, y, width, height int) {
	p.fresh()
	p.list.click(x, y, width, height)
	if row, _, ok := p.pair(); ok {
		if at := p.square(width).columnAt(x); at >= 0 && at < len(p.compared.seats) && at != row {
			p.column = at
			p.changed()
		}
	}
}

// opens reports whether a second click on the cell opens what is selected: not
// where it selects another pair of the row.
func (p *matrixPane) opens(x, y, width, height int) bool {
	p.fresh()
	if row, column, ok := p.pair(); ok {
		at := p.square(width).columnAt(x)
		if at >= 0 && at < len(p.compared.seats) && at != row && at != column {
			return false
		}
	}
	return p.list.opens(x, y, width, height)
}

func (p *matrixPane) find(query string, forwards, from bool, width, height int) bool {
	p.fresh()
	return p.list.find(query, forwards, from, width, height)
}

func (p *matrixPane) copied() string {
	p.fresh()
	return p.list.copied()
}
