package pane

import (
	"cmp"
	"fmt"
	"slices"

	"moot/state"
	"moot/tui/theme"
)

// Points is the table of all points, sorted by one of its columns.
type Points struct {
	List
	state   state.State
	rulings []state.Ruling
	told    Telling
	// order are the places of the rulings as they are shown.
	order []int
	By    Column
	// Turned says that the order is the opposite of the column's own.
	Turned bool
	// confidence is what counts of each seat on each point; reports is how many
	// of the state's are in it.
	confidence map[string]map[state.Seat]float64
	reports    int
	// widest is how wide the words of a column are.
	widest [columnCount]int
}

func NewPoints(l *theme.Look) *Points {
	p := &Points{List: List{Look: l, At: -1, single: true}, confidence: map[string]map[state.Seat]float64{}}
	p.Draw, p.Key, p.Text = p.drawPoint, p.KeyOf, p.textOf
	return p
}

// SetState takes over what stands now.
func (p *Points) SetState(s state.State, rulings []state.Ruling, told Telling) {
	p.state, p.rulings, p.told = s, rulings, told
	p.readConfidence()
	p.measure()
	p.sort()
}

// readConfidence takes over the reports that came since; fewer than before are
// those of an earlier moment.
func (p *Points) readConfidence() {
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
func (p *Points) sort() {
	type keyed struct {
		at   int
		rank float64
		word string
	}
	rows := make([]keyed, len(p.rulings))
	for i := range rows {
		rows[i].at = i
		rows[i].rank, rows[i].word = p.sortKey(p.By, i)
	}
	sign := when(p.descends(), -1, 1)
	slices.SortStableFunc(rows, func(a, b keyed) int {
		return sign * cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.word, b.word))
	})
	p.order = p.order[:0]
	for i := range rows {
		p.order = append(p.order, rows[i].at)
	}
	if p.At >= 0 && p.At < len(p.order) && p.KeyOf(p.At) != p.Chosen {
		// setCount looks for the selected point where it stands now.
		p.At = -1
	}
	p.SetCount(len(p.order))
}

// descends reports whether the largest stands first.
func (p *Points) descends() bool { return p.By.largestFirst() != p.Turned }

// SortBy sorts by the column that stands by so many to the right.
func (p *Points) SortBy(by int) {
	all := p.told.columns().all
	p.SortByColumn(all[(max(slices.Index(all, p.By), 0)+by+len(all))%len(all)])
}

func (p *Points) SortByColumn(c Column) {
	p.By, p.Turned = c, false
	p.sort()
	p.Moved = true
}

// TurnAround turns the order around.
func (p *Points) TurnAround() {
	p.Turned = !p.Turned
	p.sort()
	p.Moved = true
}

func (p *Points) Title() string {
	title := PointsID.String()
	if p.N > 0 {
		title += fmt.Sprintf(" %d", p.N)
	}
	if p.By != ColumnID || p.Turned {
		title += " by " + p.By.String() + " " + p.direction()
	}
	return title
}

// direction is the sign of the order.
func (p *Points) direction() string {
	return when(p.descends(), p.Look.Glyphs.ScrollDown, p.Look.Glyphs.ScrollUp)
}

func (p *Points) KeyOf(i int) string { return p.rulings[p.order[i]].Point }

func (p *Points) textOf(i int) string { return pointText(&p.state, &p.rulings[p.order[i]]) }

// headed is from how many rows on the table has a head.
const headed = 3

// head is how many rows the head takes.
func (p *Points) head(height int) int { return when(height >= headed && p.N > 0, 1, 0) }

func (p *Points) View(width, height int) []string {
	rows := p.RowsOrEmpty(width, height-p.head(height), noPoints)
	if p.head(height) == 0 {
		return rows
	}
	return append([]string{p.drawHead(width)}, rows...)
}

func (p *Points) Move(a Motion, width, height int) { p.List.Move(a, width, height-p.head(height)) }

func (p *Points) Wheel(by, width, height int) { p.List.Wheel(by, width, height-p.head(height)) }

func (p *Points) Find(query string, forwards, from bool, width, height int) bool {
	return p.List.Find(query, forwards, from, width, height-p.head(height))
}

// Click selects a point, or sorts by the column whose head is clicked; a second
// click there turns the order around.
func (p *Points) Click(x, y, width, height int) {
	if y >= p.head(height) {
		p.List.Click(x, y-p.head(height), width, height-p.head(height))
		return
	}
	at := p.firstCell()
	for _, c := range p.columns(width) {
		if x >= at && x < at+c.width+columnGap {
			if c.Column == p.By {
				p.TurnAround()
			} else {
				p.SortByColumn(c.Column)
			}
			return
		}
		at += c.width + columnGap
	}
}

// opens reports whether a click on the cell can open a point.
func (p *Points) opens(x, y, width, height int) bool {
	return y >= p.head(height) && p.List.opens(x, y-p.head(height), width, height-p.head(height))
}
