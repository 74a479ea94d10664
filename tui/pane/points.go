package pane

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Points is the table of all points, sorted by one of its columns.
type Points struct {
	List
	state    state.State
	rulings  []state.Ruling
	argument *view.Argument
	// order contains the indexes of the rulings in the order of the rows.
	order []int
	By    Column
	// Turned reverses the default order of the column.
	Turned bool
	// confidence is the admitted confidence by point and seat, from the first reports of the
	// state.
	confidence map[string]map[state.Seat]float64
	reports    int
}

// NewPoints returns an empty pane.
func NewPoints(l *theme.Look) *Points {
	p := &Points{List: List{Look: l, id: PointsID, empty: NoPoints, At: -1}, confidence: map[string]map[state.Seat]float64{}}
	p.Draw, p.Key, p.Text = p.drawPoint, p.KeyOf, p.textOf
	return p
}

// SetState shows a state.
func (p *Points) SetState(s state.State, rulings []state.Ruling, a *view.Argument) {
	p.state, p.rulings, p.argument = s, rulings, a
	p.readConfidence()
	p.sort()
}

// readConfidence reads the new reports. A replay may have fewer than before.
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

// sort sorts the points by the column, then by id.
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
	sign := 1
	if p.descends() {
		sign = -1
	}
	slices.SortStableFunc(rows, func(a, b keyed) int {
		return sign * cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.word, b.word))
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

// descends reports whether the order is descending.
func (p *Points) descends() bool { return p.By.shape().descending != p.Turned }

// SortBy sorts by a column to the right or left of the current one.
func (p *Points) SortBy(by int) {
	p.SortByColumn((p.By + Column(by) + columnCount) % columnCount)
}

// SortByColumn sorts by a column.
func (p *Points) SortByColumn(c Column) {
	p.By, p.Turned = c, false
	p.sort()
	p.Moved = true
}

// TurnAround reverses the order.
func (p *Points) TurnAround() {
	p.Turned = !p.Turned
	p.sort()
	p.Moved = true
}

// Title implements Pane.
func (p *Points) Title() string {
	title := p.List.Title()
	if p.By != ColumnID || p.Turned {
		title += " by " + p.By.String() + " " + p.direction()
	}
	return title
}

// direction returns the sign of the order.
func (p *Points) direction() string {
	if p.descends() {
		return p.Look.Glyphs.ScrollDown
	}
	return p.Look.Glyphs.ScrollUp
}

// KeyOf returns the id of the point in a row.
func (p *Points) KeyOf(i int) string { return p.rulings[p.order[i]].Point }

func (p *Points) textOf(i int) string {
	r := &p.rulings[p.order[i]]
	return r.Point + " " + view.Ruling(r) + ": " + p.argument.Text(r.Point)
}

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

// Column is a column of the table of points.
type Column int

// The columns.
const (
	ColumnID Column = iota
	ColumnBucket
	columnTag
	ColumnKind
	ColumnRound
	columnAuthor
	ColumnChallenges
	ColumnEvidence
	ColumnConfidence
	ColumnText
	columnCount
)

// columnShape is how a column looks. It is shown in panes of at least the width from.
type columnShape struct {
	name        string
	from, width int
	// number columns are aligned to the right, descending ones start with the largest value.
	number, descending bool
}

// shape returns how the column looks. The text takes the width that the others leave.
func (c Column) shape() columnShape {
	return [columnCount]columnShape{
		ColumnID: {"id", 0, 4, false, false}, ColumnBucket: {"stands", 66, 15, false, false},
		columnTag: {"tag", 66, 14, false, false}, ColumnKind: {"kind", 140, 9, false, false},
		ColumnRound: {"round", 110, 5, true, false}, columnAuthor: {"author", 130, 12, false, false},
		ColumnChallenges: {"chall.", 80, 6, true, true}, ColumnEvidence: {"evid.", 80, 5, true, true},
		ColumnConfidence: {"confidence", 116, 10, true, true}, ColumnText: {"text", 0, 0, false, false},
	}[c]
}

// String returns the head of the column.
func (c Column) String() string { return c.shape().name }

// columnGap is the space between two columns. Its first cell may show the sign of the order.
const columnGap = 2

// drawHead draws the heads of the columns. The sorted column shows the sign of its order.
func (p *Points) drawHead(width int) string {
	hidden := p.By.shape().from > width
	return p.drawRow(width, theme.Span{Text: " "}, func(c Column) (string, theme.Style) {
		switch {
		case c == p.By:
			return c.String() + p.direction(), p.Look.Accent
		case c == ColumnText && hidden:
			return "text, by " + p.By.String() + " " + p.direction(), p.Look.Faint
		}
		return c.String(), p.Look.Faint
	})
}

func (p *Points) drawPoint(i, width int, mark theme.Span) []string {
	r := &p.rulings[p.order[i]]
	glyph, bucket, name := p.Look.Bucket(r.Bucket)
	return []string{p.drawRow(width, mark, func(c Column) (string, theme.Style) {
		text := p.shown(c, p.order[i])
		switch c { //nolint:exhaustive // the others are plain
		case ColumnID:
			return text, idStyle(p.Look, mark)
		case ColumnBucket:
			return glyph + " " + name, bucket
		case columnTag:
			return text, bucket
		case ColumnText:
			if ColumnBucket.shape().from > width {
				text = glyph + "  " + text
			}
		case ColumnKind, ColumnRound, columnAuthor:
			return text, p.Look.Faint
		}
		return text, p.Look.Text
	})}
}

// drawRow draws the columns that fit.
func (p *Points) drawRow(width int, mark theme.Span, cell func(c Column) (string, theme.Style)) string {
	spans := []theme.Span{mark}
	for c := range columnCount {
		shape := c.shape()
		if shape.from > width || c == ColumnConfidence && p.reports == 0 {
			continue
		}
		text, st := cell(c)
		if c != ColumnText {
			text = p.Look.Clip(plain.Line(text), shape.width+1)
			space := theme.Blank(shape.width - p.Look.Width(text))
			if shape.number {
				text = space + text
			} else {
				text += space
			}
			text += theme.Blank(shape.width + columnGap - p.Look.Width(text))
		}
		spans = append(spans, st.Span(text))
	}
	// An empty last cell separates the text from the border.
	return p.Look.Row(width-1, spans, nil) + theme.Blank(min(width, 1))
}

// shown returns the text of a column for a ruling.
func (p *Points) shown(c Column, at int) string {
	r := &p.rulings[at]
	point := p.state.Point(r.Point)
	if c == ColumnID {
		return r.Point
	}
	if point == nil {
		return ""
	}
	switch c {
	case columnTag:
		return p.argument.Tag(r)
	case ColumnKind:
		if resolver.IsValue(&p.state, point) {
			return string(state.Value)
		}
		return string(state.Empirical)
	case ColumnRound:
		return strconv.Itoa(point.Round)
	case columnAuthor:
		return view.Seats(point.Authors)
	case ColumnChallenges:
		return fraction(len(p.argument.OpenChallenges(point)), len(point.Challenges))
	case ColumnEvidence:
		return fraction(p.verified(point), len(point.Evidence))
	case ColumnConfidence:
		if mean, known := p.meanConfidence(point.ID); known {
			return fmt.Sprintf("%.2f", mean)
		}
	case ColumnText:
		if point.MergedInto != "" {
			return "same as " + point.MergedInto + ": " + point.Text
		}
		return point.Text
	case ColumnID, ColumnBucket, columnCount:
	}
	return ""
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

// meanConfidence returns the mean of the admitted confidence of all seats, from 0 to 1.
func (p *Points) meanConfidence(id string) (mean float64, known bool) {
	for _, v := range p.confidence[id] {
		mean += v
	}
	n := len(p.confidence[id])
	return resolver.Shown(&p.state, id, mean/float64(max(n, 1))), n > 0
}

// sortKey returns the sort key of a ruling: a number, then a word for equal numbers.
func (p *Points) sortKey(c Column, at int) (float64, string) {
	r := &p.rulings[at]
	point := p.state.Point(r.Point)
	if point == nil {
		return 0, ""
	}
	switch c {
	case ColumnID:
		return float64(at), ""
	case ColumnBucket:
		return float64(slices.Index(state.Buckets(), r.Bucket)), ""
	case ColumnRound:
		return float64(point.Round), ""
	case ColumnChallenges:
		return float64(len(p.argument.OpenChallenges(point))) + float64(len(point.Challenges))/1000, ""
	case ColumnEvidence:
		return float64(p.verified(point)) + float64(len(point.Evidence))/1000, ""
	case ColumnConfidence:
		if mean, known := p.meanConfidence(r.Point); known {
			return mean, ""
		}
		return -1, ""
	case columnTag, ColumnKind, columnAuthor, ColumnText, columnCount:
	}
	return 0, strings.ToLower(p.shown(c, at))
}
