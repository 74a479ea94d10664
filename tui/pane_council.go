package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/plain"
	"moot/resolver"
	"moot/state"
)

// councilPane shows how the claims of a council are tested: a table of them with
// the confidence of each seat and with CV1 to CV4, and the selected one beside it
// or below.
type councilPane struct {
	list
	state state.State
	// seats are those of the council in the order in which they speak.
	seats []state.Seat
	// claims are the places in the rulings of those that are in their last form.
	rulings []state.Ruling
	claims  []int
	settled int
	// claimsSeen are those that were looked at, by their ids: how one stands is kept
	// while its point is the same. Constraints are the user's facts that they were
	// found with.
	claimsSeen  map[string]*seenClaim
	constraints int
	// table is how the rows are laid out for a width.
	table councilTable
	// shown is the selected claim as it was drawn last.
	shown councilClaim
	parts councilParts
}

// seenClaim is how a claim stands, the point that it was found for, and its row as
// it was drawn where it is not selected: for this bucket and this layout.
type seenClaim struct {
	point *state.Point
	resolver.Validation
	row    string
	bucket state.Bucket
	layout councilTable
}

func newCouncilPane(l *look) *councilPane {
	p := &councilPane{list: list{look: l, at: -1, single: true}, claimsSeen: map[string]*seenClaim{}}
	p.draw = func(i, width int, mark span) []string { return []string{p.rowOf(i, width, mark)} }
	p.key = func(i int) string { return p.rulings[p.claims[i]].Point }
	p.text = func(i int) string { return pointText(&p.state, &p.rulings[p.claims[i]]) }
	return p
}

// setState takes over what stands now. Claims are validated when they are looked
// at.
func (p *councilPane) setState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.claims, p.settled, p.table = p.claims[:0], 0, councilTable{}
	if s.Settings.Format != state.FormatCouncil {
		p.setCount(0)
		return
	}
	seats := slices.DeleteFunc(state.CouncilSeats(), func(seat state.Seat) bool {
		_, seated := s.Assignment(seat)
		return !seated
	})
	if s.Constraints != p.constraints || !slices.Equal(seats, p.seats) {
		clear(p.claimsSeen)
		p.constraints, p.seats = s.Constraints, seats
	}
	for i := range rulings {
		if point := s.Point(rulings[i].Point); point == nil || point.MergedInto != "" || point.RevisedBy != "" {
			continue
		}
		p.claims = append(p.claims, i)
		p.settled += when(rulings[i].Bucket == state.BucketOpen || rulings[i].Bucket == state.BucketUnresolved, 0, 1)
	}
	p.setCount(len(p.claims))
}

// seen is a claim that is looked at, with how it stands.
func (p *councilPane) seen(id string) *seenClaim {
	point := p.state.Point(id)
	c := p.claimsSeen[id]
	if c == nil || c.point != point {
		c = &seenClaim{point: point, Validation: resolver.Validate(&p.state, point)}
		p.claimsSeen[id] = c
	}
	return c
}

// rowOf is the row of a claim, drawn anew where it is selected or not as it was.
func (p *councilPane) rowOf(i, width int, mark span) string {
	if mark.text != " " {
		return p.claimRow(i, width, mark)
	}
	r, layout := &p.rulings[p.claims[i]], p.layout(width)
	c := p.seen(r.Point)
	if c.row == "" || c.bucket != r.Bucket || c.layout != layout {
		c.row, c.bucket, c.layout = p.claimRow(i, width, mark), r.Bucket, layout
	}
	return c.row
}

func (p *councilPane) title() string { return PaneCouncil.String() }

// choose selects a claim in its last form.
func (p *councilPane) choose(id string) {
	if current := p.state.Current(id); current != nil {
		p.list.choose(current.ID)
	}
}

// councilParts are how the pane is divided: the rows above the table, whether the
// table has a head, the rows of claims, and the room of the selected one.
type councilParts struct {
	width, height, version int
	above                  []string
	head                   int
	table                  int
	rows                   int
	claim                  Rect
}

// The least room in which the selected claim is told of beside the table and below
// it.
const (
	claimBeside    = 150
	leastClaimRows = 6
	leastTableRows = 4
)

// divide says where everything stands.
func (p *councilPane) divide(width, height int) *councilParts {
	if c := &p.parts; c.above != nil && c.width == width && c.height == height && c.version == p.version {
		return c
	}
	d := councilParts{width: width, height: height, version: p.version, table: width, above: []string{}}
	if p.n > 0 {
		d.above = p.above(width, max((height+1)/4, when(height > 2, 1, 0)))
	}
	d.head = when(height-len(d.above) >= headed && p.n > 0, 1, 0)
	d.rows = max(height-len(d.above)-d.head, 0)
	switch {
	case p.n == 0:
	case width >= claimBeside:
		d.table = width * 58 / 100
		d.claim = Rect{d.table + 1, len(d.above), width - d.table - 1, height - len(d.above)}
	case d.rows >= leastTableRows+leastClaimRows:
		rows := min(p.n, max(d.rows*2/5, leastTableRows))
		d.claim = Rect{0, len(d.above) + d.head + rows, width, d.rows - rows}
		d.rows = rows
	}
	p.parts = d
	return &p.parts
}

// View draws the pane.
func (p *councilPane) View(width, height int) string {
	return strings.Join(p.view(width, height), "\n")
}

func (p *councilPane) view(width, height int) []string {
	if p.n == 0 {
		return p.rowsOrEmpty(width, height, when(p.state.Round == 0, "The council has not begun.", noPoints))
	}
	d := p.divide(width, height)
	rows := slices.Clone(d.above)
	table := p.rowsOrEmpty(d.table, d.rows, noPoints)
	if d.head > 0 {
		table = append([]string{p.tableHead(d.table)}, table...)
	}
	rows = append(rows, table...)
	if d.claim.Empty() {
		return fit(rows, width, height)
	}
	claim := p.claimRows(d.claim.W, d.claim.H)
	if d.claim.X == 0 {
		return fit(append(rows, claim...), width, height)
	}
	line := p.look.border.paint(p.look.glyphs.vertical)
	for i := range claim {
		rows[d.claim.Y+i] += line + claim[i]
	}
	return fit(rows, width, height)
}

// more reports whether the claims, or what is told of the selected one, go on below.
func (p *councilPane) more() bool { return p.list.more() || p.shown.more() }

// move selects a claim; left and right scroll what is told of it.
func (p *councilPane) move(a Action, width, height int) {
	if a == ActionLeft || a == ActionRight {
		page := max(p.divide(width, height).claim.H-2, 1)
		p.shown.top = max(p.shown.top+when(a == ActionLeft, -page, page), 0)
		p.changed()
		return
	}
	d := p.divide(width, height)
	p.list.move(a, d.table, d.rows)
}

func (p *councilPane) wheel(by, width, height int) {
	d := p.divide(width, height)
	p.list.wheel(by, d.table, d.rows)
}

// click selects the claim at the cell.
func (p *councilPane) click(x, y, width, height int) {
	if d := p.divide(width, height); p.onTable(d, x, y) {
		p.list.click(x, y-len(d.above)-d.head, d.table, d.rows)
	}
}

// opens reports whether a second click on the cell opens the claim: also what is
// told of it.
func (p *councilPane) opens(x, y, width, height int) bool {
	d := p.divide(width, height)
	return d.claim.Contains(x, y) || p.onTable(d, x, y) && p.list.opens(x, y-len(d.above)-d.head, d.table, d.rows)
}

// onTable reports whether a cell is one of the rows of claims.
func (p *councilPane) onTable(d *councilParts, x, y int) bool {
	first := len(d.above) + d.head
	return x < d.table && y >= first && y < first+d.rows
}

func (p *councilPane) find(query string, forwards, from bool, width, height int) bool {
	d := p.divide(width, height)
	return p.list.find(query, forwards, from, d.table, d.rows)
}

// copied is the selected claim with all that is told of it.
func (p *councilPane) copied() string {
	if p.at < 0 || p.at >= p.n {
		return ""
	}
	text := scrolled{}
	text.blocks = func(l *look) []block { return p.claimBlocks(l, p.chosen) }
	text.lay(p.look, widestCopy)
	return plain.Text(strings.TrimSpace(ansi.Strip(text.plainText())))
}
