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
	status  *Status
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

// NewPoints returns an empty pane.
func NewPoints(l *theme.Look) *Points {
	p := &Points{List: List{Look: l, At: -1, single: true}, confidence: map[string]map[state.Seat]float64{}}
	p.Draw, p.Key, p.Text = p.drawPoint, p.KeyOf, p.textOf
	return p
}

// SetState takes over what stands now.
func (p *Points) SetState(s state.State, rulings []state.Ruling, status *Status) {
	p.state, p.rulings, p.status = s, rulings, status
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
	all := allOf()
	p.SortByColumn(all[(max(slices.Index(all, p.By), 0)+by+len(all))%len(all)])
}

// SortByColumn sorts by a column.
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

// Title implements Pane.
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

// KeyOf returns the id of an item, or "".
func (p *Points) KeyOf(i int) string { return p.rulings[p.order[i]].Point }

func (p *Points) textOf(i int) string { return pointText(&p.state, &p.rulings[p.order[i]]) }

// headed is from how many rows on the table has a head.
const headed = 3

// head is how many rows the head takes.
func (p *Points) head(height int) int { return when(height >= headed && p.N > 0, 1, 0) }

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

// Column is one of the table of points.
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

// String is the column's head.
func (c Column) String() string {
	return []string{"id", "stands", "tag", "kind", "round", "author", "challenges", "evidence", "confidence", "text", ""}[c]
}

// brief is a shorter head, for a narrow table.
func (c Column) brief() string {
	switch c { //nolint:exhaustive // the others are short
	case ColumnChallenges:
		return "chall."
	case ColumnEvidence:
		return "evid."
	}
	return c.String()
}

// numbers reports whether the column is set to the right.
func (c Column) numbers() bool { return c == ColumnRound || c.largestFirst() }

// largestFirst reports whether one looks for the largest in the column.
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

// The widths from which the table has more columns than the id and the text, and
// from which their heads are whole words, and words have all their room.
const someColumns, allColumns, roomyColumns = 66, 116, 150

// columnGap is what stands between two columns; the sign of the order takes its
// first cell.
const columnGap = 2

// columns are those that there is room for, the text last with all that is
// left.
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
	// These are left out first, until the text has two fifths of the width.
	for _, c := range []Column{ColumnRound, columnAuthor, ColumnConfidence, ColumnKind} {
		if p.textRoom(list, width)*5 < width*2 {
			list = slices.DeleteFunc(list, func(other cellColumn) bool { return other.Column == c })
		}
	}
	return append(list, cellColumn{ColumnText, max(p.textRoom(list, width), 1)})
}

// wide is how wide a column is.
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

// textRoom is what the columns leave for the text. The last cell stays free, so
// that no text touches a border.
func (p *Points) textRoom(list []cellColumn, width int) int {
	room := width - p.firstCell() - 1
	for _, c := range list {
		room -= c.width + columnGap
	}
	return room
}

// measure finds how wide the words of some columns are.
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

// firstCell is where the first column begins.
func (p *Points) firstCell() int { return 1 }

// drawHead names the columns; the one that sorts has the sign of its order.
func (p *Points) drawHead(width int) string {
	spans := []theme.Span{{Text: theme.Blank(p.firstCell())}}
	shown := p.columns(width)
	named := slices.ContainsFunc(shown, func(c cellColumn) bool { return c.Column == p.By && c.width > 1 })
	for _, c := range shown {
		word, sign, st := c.String(), "", p.Look.Faint
		if len(word) > c.width {
			word = when(c.width > 1, c.brief(), "")
		}
		switch {
		case c.Column == p.By && c.width > 1:
			sign, st = p.direction(), p.Look.Accent
		case c.Column == ColumnText && !named:
			// The column that sorts is not on the screen; its name is.
			sign = ", by " + p.By.String() + " " + p.direction()
		}
		if c.numbers() {
			word = theme.Blank(c.width-len(word)) + word
		}
		gap := when(c.Column == ColumnText, 0, c.width+columnGap-p.Look.Width(word+sign))
		spans = append(spans, st.Span(word+sign+theme.Blank(gap)))
	}
	return p.Look.Row(width, spans, nil)
}

// cell cuts and pads a text to the width of its column.
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
			st = when(mark.Text == " ", p.Look.Bold, p.Look.Accent)
		case ColumnBucket:
			text, st = when(c.width == 1, glyph, glyph+" "+name), bucket
		case columnTag:
			st = when(text == "user", p.Look.User, bucket)
		case ColumnKind, ColumnRound, columnAuthor:
			st = p.Look.Faint
		case ColumnChallenges:
			st = when(strings.HasPrefix(text, "0/"), p.Look.Faint, p.Look.Text)
		case ColumnEvidence, ColumnConfidence, ColumnText, columnCount:
		}
		spans = append(spans, st.Span(p.cell(c, text)), theme.Span{Text: when(c.Column == ColumnText, "", theme.Blank(columnGap))})
	}
	return []string{p.Look.Row(width, spans, nil)}
}

// shown is what stands in a column for the ruling at a place.
func (p *Points) shown(c Column, at int) string {
	r := &p.rulings[at]
	point := p.state.Point(r.Point)
	if point == nil {
		return when(c == ColumnID, r.Point, "")
	}
	switch c {
	case ColumnID:
		return r.Point
	case columnTag:
		return p.status.tag(r, point)
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
		return when(len(point.Challenges) == 0, "", fmt.Sprintf("%d/%d", p.status.open(point), len(point.Challenges)))
	case ColumnEvidence:
		return when(len(point.Evidence) == 0, "", fmt.Sprintf("%d/%d", p.verified(point), len(point.Evidence)))
	case ColumnConfidence:
		mean, known := p.meanConfidence(point.ID)
		return when(known, fmt.Sprintf("%.2f", mean), "")
	case ColumnText:
		return pointSays(point)
	case ColumnBucket, columnCount:
	}
	return ""
}

// pointSays is the text of a point, and where it is merged, with which one.
func pointSays(point *state.Point) string {
	return when(point.MergedInto == "", "", "same as "+point.MergedInto+": ") + point.Text
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

// meanConfidence is the mean of what counts of each seat now, 0 to 1.
func (p *Points) meanConfidence(id string) (mean float64, known bool) {
	for _, v := range p.confidence[id] {
		mean += v
	}
	n := len(p.confidence[id])
	return mean / float64(max(n, 1)), n > 0
}

// sortKey is what a ruling is sorted by: a number, and a word where the numbers
// are the same.
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
		return float64(p.status.open(point)) + float64(len(point.Challenges))/1000, ""
	case ColumnEvidence:
		return float64(p.verified(point)) + float64(len(point.Evidence))/1000, ""
	case ColumnConfidence:
		mean, known := p.meanConfidence(r.Point)
		return when(known, mean, -1), ""
	case columnTag, ColumnKind, columnAuthor, ColumnText, columnCount:
	}
	return 0, strings.ToLower(p.shown(c, at))
}
