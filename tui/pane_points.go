package tui

import (
	"cmp"
	"fmt"
	"slices"

	"moot/state"
	"moot/tui/theme"
)

// pointsPane is the table of all points, sorted by one of its columns.
type pointsPane struct {
	list
	state   state.State
	rulings []state.Ruling
	told    telling
	// order are the places of the rulings as they are shown.
	order []int
	by    column
	// turned says that the order is the opposite of the column's own.
	turned bool
	// confidence is what counts of each seat on each point; reports is how many
	// of the state's are in it.
	confidence map[string]map[state.Seat]float64
	reports    int
	// widest is how wide the words of a column are.
	widest [columnCount]int
}

func newPointsPane(l *theme.Look) *pointsPane {
	p := &pointsPane{list: list{look: l, at: -1, single: true}, confidence: map[string]map[state.Seat]float64{}}
	p.draw, p.key, p.text = p.drawPoint, p.keyOf, p.textOf
	return p
}

// setState takes over what stands now.
func (p *pointsPane) setState(s state.State, rulings []state.Ruling, told telling) {
	p.state, p.rulings, p.told = s, rulings, told
	p.readConfidence()
	p.measure()
	p.sort()
}

// readConfidence takes over the reports that came since; fewer than before are
// those of an earlier moment.
func (p *pointsPane) readConfidence() {
	if p.state.Confidence.Len() < p.reports {
		p.reports = 0
		clear(p.confidence)
	}
	for ; p.reports < p.state.Confidence.Len(); p.reports++ {
		c := p.state.Confidence.At(p.reports)
		if p.confidence[c.Point] == nil {
			p.confidence[c.Point] = map[state.Seat]float64{}
		}
		p.confidence[c.Point][c.Seat] = c.Admitted
	}
}

// sort puts the points into the order of the column; what is the same there
// stays in the order of the ids.
func (p *pointsPane) sort() {
	type keyed struct {
		at   int
		rank float64
		word string
	}
	rows := make([]keyed, len(p.rulings))
	for i := range rows {
		rows[i].at = i
		rows[i].rank, rows[i].word = p.sortKey(p.by, i)
	}
	sign := when(p.descends(), -1, 1)
	slices.SortStableFunc(rows, func(a, b keyed) int {
		return sign * cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.word, b.word))
	})
	p.order = p.order[:0]
	for i := range rows {
		p.order = append(p.order, rows[i].at)
	}
	if p.at >= 0 && p.at < len(p.order) && p.keyOf(p.at) != p.chosen {
		// setCount looks for the selected point where it stands now.
		p.at = -1
	}
	p.setCount(len(p.order))
}

// descends reports whether the largest stands first.
func (p *pointsPane) descends() bool { return p.by.largestFirst() != p.turned }

// sortBy sorts by the column that stands by so many to the right.
func (p *pointsPane) sortBy(by int) {
	all := p.told.columns().all
	p.sortByColumn(all[(max(slices.Index(all, p.by), 0)+by+len(all))%len(all)])
}

func (p *pointsPane) sortByColumn(c column) {
	p.by, p.turned = c, false
	p.sort()
	p.moved = true
}

// turnAround turns the order around.
func (p *pointsPane) turnAround() {
	p.turned = !p.turned
	p.sort()
	p.moved = true
}

func (p *pointsPane) title() string {
	title := PanePoints.String()
	if p.n > 0 {
		title += fmt.Sprintf(" %d", p.n)
	}
	if p.by != columnID || p.turned {
		title += " by " + p.by.String() + " " + p.direction()
	}
	return title
}

// direction is the sign of the order.
func (p *pointsPane) direction() string {
	return when(p.descends(), p.look.Glyphs.ScrollDown, p.look.Glyphs.ScrollUp)
}

func (p *pointsPane) keyOf(i int) string { return p.rulings[p.order[i]].Point }

func (p *pointsPane) textOf(i int) string { return pointText(&p.state, &p.rulings[p.order[i]]) }

// headed is from how many rows on the table has a head.
const headed = 3

// head is how many rows the head takes.
func (p *pointsPane) head(height int) int { return when(height >= headed && p.n > 0, 1, 0) }

func (p *pointsPane) view(width, height int) []string {
	rows := p.rowsOrEmpty(width, height-p.head(height), noPoints)
	if p.head(height) == 0 {
		return rows
	}
	return append([]string{p.drawHead(width)}, rows...)
}

func (p *pointsPane) move(a Motion, width, height int) { p.list.move(a, width, height-p.head(height)) }

func (p *pointsPane) wheel(by, width, height int) { p.list.wheel(by, width, height-p.head(height)) }

func (p *pointsPane) find(query string, forwards, from bool, width, height int) bool {
	return p.list.find(query, forwards, from, width, height-p.head(height))
}

// click selects a point, or sorts by the column whose head is clicked; a second
// click there turns the order around.
func (p *pointsPane) click(x, y, width, height int) {
	if y >= p.head(height) {
		p.list.click(x, y-p.head(height), width, height-p.head(height))
		return
	}
	at := p.firstCell()
	for _, c := range p.columns(width) {
		if x >= at && x < at+c.width+columnGap {
			if c.column == p.by {
				p.turnAround()
			} else {
				p.sortByColumn(c.column)
			}
			return
		}
		at += c.width + columnGap
	}
}

// opens reports whether a click on the cell can open a point.
func (p *pointsPane) opens(x, y, width, height int) bool {
	return y >= p.head(height) && p.list.opens(x, y-p.head(height), width, height-p.head(height))
}
