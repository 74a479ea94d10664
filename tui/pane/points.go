package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Points is the table of all points, sorted by one of its columns.
type Points struct {
	List
	state    *state.State
	rulings  []state.Ruling
	argument *view.Argument
	columns  []column
	// order contains the indexes of the rulings in the order of the rows, by the column with the index by.
	order []int
	by    int
}

// column is a column of the table. It is shown in panes of at least the width from; the last one takes the width that
// the others leave.
type column struct {
	name        string
	from, width int
	// number columns are aligned to the right, and sorted by the largest number first.
	number bool
	text   func(r *state.Ruling, point *state.Point) string
	// rank returns the number to sort by. Without it the column is sorted by its text.
	rank func(r *state.Ruling, point *state.Point) float64
}

func (p *Points) newColumns() []column {
	share := func(n, all int) float64 { return float64(n) + float64(all)/1000 }
	open := func(point *state.Point) int { return len(p.argument.OpenChallenges(point)) }
	return []column{
		{
			name: "id", width: 4,
			text: func(r *state.Ruling, _ *state.Point) string { return r.Point },
			rank: func(*state.Ruling, *state.Point) float64 { return 0 },
		},
		{
			name: "bucket", from: 66, width: 15,
			text: func(r *state.Ruling, _ *state.Point) string {
				glyph, _, name := p.Look.Bucket(r.Bucket)
				return glyph + " " + name
			},
			rank: func(r *state.Ruling, _ *state.Point) float64 {
				return float64(slices.Index(state.Buckets(), r.Bucket))
			},
		},
		{
			name: "tag", from: 66, width: 14,
			text: func(r *state.Ruling, _ *state.Point) string { return p.argument.Tag(r) },
		},
		{
			name: "round", from: 110, width: 5, number: true,
			text: func(_ *state.Ruling, point *state.Point) string { return strconv.Itoa(point.Round) },
			rank: func(_ *state.Ruling, point *state.Point) float64 { return float64(point.Round) },
		},
		{
			name: "author", from: 130, width: 12,
			text: func(_ *state.Ruling, point *state.Point) string { return view.Seats(point.Authors) },
		},
		{
			name: "chall.", from: 80, width: 6, number: true,
			text: func(_ *state.Ruling, point *state.Point) string { return fraction(open(point), len(point.Challenges)) },
			rank: func(_ *state.Ruling, point *state.Point) float64 { return share(open(point), len(point.Challenges)) },
		},
		{
			name: "evid.", from: 80, width: 5, number: true,
			text: func(_ *state.Ruling, point *state.Point) string {
				return fraction(p.verified(point), len(point.Evidence))
			},
			rank: func(_ *state.Ruling, point *state.Point) float64 {
				return share(p.verified(point), len(point.Evidence))
			},
		},
		{
			name: "text",
			text: func(_ *state.Ruling, point *state.Point) string {
				return view.PointText(point)
			},
		},
	}
}

// NewPoints returns an empty pane.
func NewPoints(l *theme.Look) *Points {
	p := &Points{List: List{Look: l, id: PointsID, empty: NoPoints, At: -1}}
	p.columns = p.newColumns()
	p.Draw, p.Key = p.drawPoint, p.KeyOf
	p.Text = func(i int) string {
		r := &p.rulings[p.order[i]]
		return r.Point + " " + view.Ruling(r) + ": " + p.argument.Text(r.Point)
	}
	return p
}

// SetState shows a state.
func (p *Points) SetState(s *state.State, rulings []state.Ruling, a *view.Argument) {
	p.state, p.rulings, p.argument = s, rulings, a
	p.sort()
}

// sort sorts the points by the column. Equal ones are in the order of their ids.
func (p *Points) sort() {
	type keyed struct {
		at   int
		rank float64
		word string
	}
	by := &p.columns[p.by]
	rows := make([]keyed, 0, len(p.rulings))
	for i := range p.rulings {
		r := &p.rulings[i]
		row := keyed{at: i}
		switch point := p.state.Point(r.Point); {
		case point == nil:
			continue
		case by.rank != nil:
			row.rank = by.rank(r, point)
		default:
			row.word = strings.ToLower(by.text(r, point))
		}
		rows = append(rows, row)
	}
	sign := 1
	if by.number {
		sign = -1
	}
	slices.SortStableFunc(rows, func(a, b keyed) int {
		return cmp.Or(sign*cmp.Compare(a.rank, b.rank), cmp.Compare(a.word, b.word))
	})
	p.order = p.order[:0]
	for i := range rows {
		p.order = append(p.order, rows[i].at)
	}
	if p.At >= 0 && p.At < len(p.order) && p.KeyOf(p.At) != p.Chosen {
		// SetCount finds the selected point in the new order.
		p.At = -1
	}
	p.SetCount(len(p.order))
}

// SortBy sorts by a column to the right or left of the current one.
func (p *Points) SortBy(by int) {
	p.by = (p.by + by + len(p.columns)) % len(p.columns)
	p.sort()
	p.Moved = true
}

// Sorted returns the name of the column by which the table is sorted, with the sign of its order.
func (p *Points) Sorted() string {
	if by := &p.columns[p.by]; by.number {
		return by.name + " " + p.Look.Glyphs.ScrollDown
	}
	return p.columns[p.by].name + " " + p.Look.Glyphs.ScrollUp
}

// Title implements Pane.
func (p *Points) Title() string {
	if p.by == 0 {
		return p.List.Title()
	}
	return p.List.Title() + " by " + p.Sorted()
}

// KeyOf returns the id of the point in a row.
func (p *Points) KeyOf(i int) string { return p.rulings[p.order[i]].Point }

// View implements Pane.
func (p *Points) View(width, height int) []string {
	if height < 3 || p.N == 0 {
		return p.List.View(width, height)
	}
	return append([]string{p.drawHead(width)}, p.List.View(width, height-1)...)
}

// Move implements Pane.
func (p *Points) Move(a Motion, width, height int) { p.List.Move(a, width, height-1) }

// Find implements Pane.
func (p *Points) Find(query string, forwards, from bool, width, height int) bool {
	return p.List.Find(query, forwards, from, width, height-1)
}

// Click selects a point below the head of the table.
func (p *Points) Click(x, y, width, height int) { p.List.Click(x, y-1, width, height-1) }

// columnGap is the space between two columns. Its first cell may show the sign of the order.
const columnGap = 2

// drawHead draws the heads of the columns. The sorted column shows the sign of its order.
func (p *Points) drawHead(width int) string {
	return p.drawRow(width, theme.Span{Text: " "}, func(i int) (string, theme.Style) {
		switch last := i == len(p.columns)-1; {
		case i == p.by:
			return strings.ReplaceAll(p.Sorted(), " ", ""), p.Look.Accent
		case last && p.columns[p.by].from > width:
			return p.columns[i].name + ", by " + p.Sorted(), p.Look.Faint
		}
		return p.columns[i].name, p.Look.Faint
	})
}

func (p *Points) drawPoint(i, width int, mark theme.Span) []string {
	r := &p.rulings[p.order[i]]
	point := p.state.Point(r.Point)
	glyph, bucket, _ := p.Look.Bucket(r.Bucket)
	return []string{p.drawRow(width, mark, func(i int) (string, theme.Style) {
		c := &p.columns[i]
		text := c.text(r, point)
		switch c.name {
		case "id":
			return text, idStyle(p.Look, mark)
		case "bucket", "tag":
			return text, bucket
		case "round", "author":
			return text, p.Look.Faint
		case "text":
			if p.columns[1].from > width {
				// The sign of the bucket has no column.
				text = glyph + "  " + text
			}
		}
		return text, p.Look.Text
	})}
}

// drawRow draws the columns that fit.
func (p *Points) drawRow(width int, mark theme.Span, cell func(i int) (string, theme.Style)) string {
	spans := []theme.Span{mark}
	for i := range p.columns {
		c := &p.columns[i]
		if c.from > width {
			continue
		}
		text, st := cell(i)
		if i < len(p.columns)-1 {
			text = p.Look.Clip(plain.Line(text), c.width+1)
			space := theme.Blank(c.width - p.Look.Width(text))
			if c.number {
				text = space + text
			} else {
				text += space
			}
			text += theme.Blank(c.width + columnGap - p.Look.Width(text))
		}
		spans = append(spans, st.Span(text))
	}
	// An empty last cell separates the text from the border.
	return p.Look.Row(width-1, spans, nil) + theme.Blank(min(width, 1))
}

// fraction formats n of all, or returns "" for none.
func fraction(n, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", n, all)
}

func (p *Points) verified(point *state.Point) int {
	n := 0
	for _, id := range point.Evidence {
		if e := p.state.Item(id); e != nil && e.Verified {
			n++
		}
	}
	return n
}
