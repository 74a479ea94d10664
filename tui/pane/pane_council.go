package pane

import (
	"slices"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// Council is a table of the claims of a council, with the confidence of each seat
// and with CV1 to CV4. Enter opens the receipt of a claim.
type Council struct {
	List
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

func NewCouncil(l *theme.Look) *Council {
	p := &Council{List: List{Look: l, At: -1, single: true}, claimsSeen: map[string]*seenClaim{}}
	p.Draw = func(i, width int, mark theme.Span) []string { return []string{p.rowOf(i, width, mark)} }
	p.Key = func(i int) string { return p.rulings[p.claims[i]].Point }
	p.Text = func(i int) string { return pointText(&p.state, &p.rulings[p.claims[i]]) }
	return p
}

// SetState takes over what stands now. Claims are validated when they are looked
// at.
func (p *Council) SetState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.claims, p.settled, p.table = p.claims[:0], 0, councilTable{}
	if s.Settings.Format != state.FormatCouncil {
		p.SetCount(0)
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
	p.SetCount(len(p.claims))
}

// seen is a claim that is looked at, with how it stands.
func (p *Council) seen(id string) *seenClaim {
	point := p.state.Point(id)
	c := p.claimsSeen[id]
	if c == nil || c.point != point {
		c = &seenClaim{point: point, Validation: resolver.Validate(&p.state, point)}
		p.claimsSeen[id] = c
	}
	return c
}

// rowOf is the row of a claim, drawn anew where it is selected or not as it was.
func (p *Council) rowOf(i, width int, mark theme.Span) string {
	if mark.Text != " " {
		return p.claimRow(i, width, mark)
	}
	r, layout := &p.rulings[p.claims[i]], p.layout(width)
	c := p.seen(r.Point)
	if c.row == "" || c.bucket != r.Bucket || c.layout != layout {
		c.row, c.bucket, c.layout = p.claimRow(i, width, mark), r.Bucket, layout
	}
	return c.row
}

func (p *Council) Title() string { return CouncilID.String() }

// Choose selects a claim in its last form.
func (p *Council) Choose(id string) {
	if current := p.state.Current(id); current != nil {
		p.List.Choose(current.ID)
	}
}

// above is what is drawn above the claims: how far the council is, and the head of the
// table if there is room for it.
func (p *Council) above(width, height int) []string {
	if p.N == 0 || height <= 2 {
		return nil
	}
	rows := p.status(width, (height+1)/4)
	if height-len(rows) >= headed {
		rows = append(rows, p.tableHead(width))
	}
	return rows
}

func (p *Council) View(width, height int) []string {
	if p.N == 0 {
		empty := noPoints
		if p.state.Round == 0 {
			empty = "The council has not begun."
		}
		return p.RowsOrEmpty(width, height, empty)
	}
	above := p.above(width, height)
	return Fit(append(above, p.RowsOrEmpty(width, height-len(above), noPoints)...), width, height)
}

func (p *Council) Move(a Motion, width, height int) {
	p.List.Move(a, width, height-len(p.above(width, height)))
}

func (p *Council) Wheel(by, width, height int) {
	p.List.Wheel(by, width, height-len(p.above(width, height)))
}

// Click selects the claim at the cell.
func (p *Council) Click(x, y, width, height int) {
	if above := len(p.above(width, height)); y >= above {
		p.List.Click(x, y-above, width, height-above)
	}
}

// opens reports whether a second click on the cell opens the claim.
func (p *Council) opens(x, y, width, height int) bool {
	above := len(p.above(width, height))
	return y >= above && p.List.opens(x, y-above, width, height-above)
}

func (p *Council) Find(query string, forwards, from bool, width, height int) bool {
	return p.List.Find(query, forwards, from, width, height-len(p.above(width, height)))
}
