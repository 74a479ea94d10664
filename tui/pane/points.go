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
	state   state.State
	rulings []state.Ruling
	status  *view.Argument
	// order contains the indexes of the rulings in the order of the rows.
	order []int
	By    Column
	// Turned reverses the default order of the column.
	Turned bool
	// confidence is the admitted confidence by point and seat, from the first reports of the
	// state.
	confidence map[string]map[state.Seat]float64
	reports    int
	// widest is the width of the widest word of a column.
	widest [columnCount]int
}

// NewPoints returns an empty pane.
func NewPoints(l *theme.Look) *Points {
	p := &Points{List: List{Look: l, At: -1}, confidence: map[string]map[state.Seat]float64{}}
	p.Draw, p.Key, p.Text = p.drawPoint, p.KeyOf, p.textOf
	return p
}

// SetState shows a state.
func (p *Points) SetState(s state.State, rulings []state.Ruling, status *view.Argument) {
	p.state, p.rulings, p.status = s, rulings, status
	p.readConfidence()
	p.measure()
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
func (p *Points) descends() bool { return p.By.largestFirst() != p.Turned }

// SortBy sorts by a column to the right or left of the current one.
func (p *Points) SortBy(by int) {
	all := allOf()
	p.SortByColumn(all[(max(slices.Index(all, p.By), 0)+by+len(all))%len(all)])
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
	title := PointsID.titled(p.N, "")
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
	return r.Point + " " + view.Ruling(r) + ": " + p.status.Text(r.Point)
}

// head returns how many rows the head takes.
func (p *Points) head(height int) int {
	if height >= 3 && p.N > 0 {
		return 1
	}
	return 0
}

// View implements Pane.
func (p *Points) View(width, height int) []string {
	rows := p.RowsOrEmpty(width, height-p.head(height), NoPoints)
	if p.head(height) == 0 {
		return rows
	}
	return append([]string{p.drawHead(width)}, rows...)
}

// Move implements Pane.
func (p *Points) Move(a Motion, width, height int) { p.List.Move(a, width, height-p.head(height)) }

// Wheel implements Pane.
func (p *Points) Wheel(by, width, height int) { p.List.Wheel(by, width, height-p.head(height)) }

// Find implements Pane.
func (p *Points) Find(query string, forwards, from bool, width, height int) bool {
	return p.List.Find(query, forwards, from, width, height-p.head(height))
}

// Click selects a point or sorts by the column whose head is clicked. A second click there
// reverses the order.
func (p *Points) Click(x, y, width, height int) {
	if y >= p.head(height) {
		p.List.Click(x, y-p.head(height), width, height-p.head(height))
		return
	}
	at := firstCell
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

// String returns the head of the column.
func (c Column) String() string {
	return []string{
		"id", "stands", "tag", "kind", "round", "author", "challenges", "evidence", "confidence", "text", "",
	}[c]
}

// brief returns a shorter head for a narrow table.
func (c Column) brief() string {
	switch c { //nolint:exhaustive // the others are short
	case ColumnChallenges:
		return "chall."
	case ColumnEvidence:
		return "evid."
	}
	return c.String()
}

// numbers reports whether the column is aligned to the right.
func (c Column) numbers() bool { return c == ColumnRound || c.largestFirst() }

// largestFirst reports whether the default order of the column is descending.
func (c Column) largestFirst() bool {
	return c == ColumnChallenges || c == ColumnEvidence || c == ColumnConfidence
}

// allOf lists the columns of the table, from the left.
func allOf() []Column {
	return []Column{
		ColumnID, ColumnBucket, columnTag, ColumnKind, ColumnRound, columnAuthor, ColumnChallenges, ColumnEvidence,
		ColumnConfidence, ColumnText,
	}
}

// cellColumn is a column with its width in cells.
type cellColumn struct {
	Column
	width int
}

// The table shows more than id, bucket, and text from someColumns cells, full column heads
// from allColumns, and full words from roomyColumns.
const someColumns, allColumns, roomyColumns = 66, 116, 150

// columnGap is the space between two columns. Its first cell may show the sign of the order.
const columnGap = 2

// firstCell is the first cell of the first column.
const firstCell = 1

// columns returns the columns that fit. The text comes last and takes the remaining width.
func (p *Points) columns(width int) []cellColumn {
	var list []cellColumn
	for _, c := range allOf() {
		switch {
		case width < someColumns && c == ColumnBucket:
			list = append(list, cellColumn{c, 1})
		case c == ColumnText, width < someColumns && c != ColumnID, c == ColumnConfidence && p.reports == 0:
		default:
			list = append(list, cellColumn{c, p.wide(c, width)})
		}
	}
	// Leave out some columns until the text has two fifths of the width.
	for _, c := range []Column{ColumnRound, columnAuthor, ColumnConfidence, ColumnKind} {
		if p.textRoom(list, width)*5 < width*2 {
			list = slices.DeleteFunc(list, func(other cellColumn) bool { return other.Column == c })
		}
	}
	return append(list, cellColumn{ColumnText, max(p.textRoom(list, width), 1)})
}

// wide returns the width of a column.
func (p *Points) wide(c Column, width int) int {
	most, roomy := width, width >= roomyColumns
	switch c {
	case ColumnID:
		return max(len(fmt.Sprint("P", len(p.rulings))), 2)
	case ColumnKind:
		return 9
	case ColumnChallenges, ColumnEvidence:
		if width < allColumns {
			return len(c.brief())
		}
		return len(c.String())
	case columnTag:
		most = 14
		if roomy {
			most = 21
		}
	case columnAuthor:
		most = 12
		if roomy {
			most = 24
		}
	case ColumnBucket, ColumnRound, ColumnConfidence, ColumnText, columnCount:
	}
	return max(min(p.widest[c], most), len(c.String()))
}

// textRoom returns the width that is left for the text. An empty last cell separates it from
// the border.
func (p *Points) textRoom(list []cellColumn, width int) int {
	room := width - firstCell - 1
	for _, c := range list {
		room -= c.width + columnGap
	}
	return room
}

// measure finds the widest words of the columns of varying width.
func (p *Points) measure() {
	p.widest = [columnCount]int{}
	for i := range p.rulings {
		_, _, name := p.Look.Bucket(p.rulings[i].Bucket)
		p.widest[ColumnBucket] = max(p.widest[ColumnBucket], len(name)+2)
		for _, c := range []Column{columnTag, columnAuthor} {
			p.widest[c] = max(p.widest[c], len(p.shown(c, i)))
		}
	}
}

// drawHead draws the heads of the columns. The sorted column shows the sign of its order.
func (p *Points) drawHead(width int) string {
	spans := []theme.Span{{Text: theme.Blank(firstCell)}}
	shown := p.columns(width)
	named := slices.ContainsFunc(shown, func(c cellColumn) bool { return c.Column == p.By && c.width > 1 })
	for _, c := range shown {
		word, sign, st := c.String(), "", p.Look.Faint
		switch {
		case c.width == 1:
			word = ""
		case len(word) > c.width:
			word = c.brief()
		}
		switch {
		case c.Column == p.By && c.width > 1:
			sign, st = p.direction(), p.Look.Accent
		case c.Column == ColumnText && !named:
			// The sorted column is hidden, so name it here.
			sign = ", by " + p.By.String() + " " + p.direction()
		}
		if c.numbers() {
			word = theme.Blank(c.width-len(word)) + word
		}
		if c.Column != ColumnText {
			sign += theme.Blank(c.width + columnGap - p.Look.Width(word+sign))
		}
		spans = append(spans, st.Span(word+sign))
	}
	return p.Look.Row(width, spans, nil)
}

// cell clips and pads a text to the width of its column.
func (p *Points) cell(c cellColumn, text string) string {
	text = p.Look.Clip(plain.Line(text), c.width)
	space := theme.Blank(c.width - p.Look.Width(text))
	if c.numbers() {
		return space + text
	}
	return text + space
}

func (p *Points) drawPoint(i, width int, mark theme.Span) []string {
	at := p.order[i]
	r := &p.rulings[at]
	glyph, bucket, name := p.Look.Bucket(r.Bucket)
	spans := []theme.Span{mark}
	for _, c := range p.columns(width) {
		text, st := p.shown(c.Column, at), p.Look.Text
		switch c.Column {
		case ColumnID:
			st = idStyle(p.Look, mark)
		case ColumnBucket:
			text, st = glyph, bucket
			if c.width > 1 {
				text += " " + name
			}
		case columnTag:
			st = bucket
			if text == "user" {
				st = p.Look.User
			}
		case ColumnKind, ColumnRound, columnAuthor:
			st = p.Look.Faint
		case ColumnChallenges:
			if strings.HasPrefix(text, "0/") {
				st = p.Look.Faint
			}
		case ColumnEvidence, ColumnConfidence, ColumnText, columnCount:
		}
		spans = append(spans, st.Span(p.cell(c, text)))
		if c.Column != ColumnText {
			spans = append(spans, theme.Span{Text: theme.Blank(columnGap)})
		}
	}
	return []string{p.Look.Row(width, spans, nil)}
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
		return p.status.Tag(r)
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
		return fraction(len(p.status.OpenChallenges(point)), len(point.Challenges))
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
	return mean / float64(max(n, 1)), n > 0
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
		return float64(len(p.status.OpenChallenges(point))) + float64(len(point.Challenges))/1000, ""
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
