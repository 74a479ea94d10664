package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/protocol/council"
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
	council.Validation
	row    string
	bucket state.Bucket
	layout councilTable
}

// NewCouncil returns an empty pane.
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
		c = &seenClaim{point: point, Validation: council.Validate(&p.state, point)}
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

// Title implements Pane.
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

// View implements Pane.
func (p *Council) View(width, height int) []string {
	if p.N == 0 {
		empty := NoPoints
		if p.state.Round == 0 {
			empty = "The council has not begun."
		}
		return p.RowsOrEmpty(width, height, empty)
	}
	above := p.above(width, height)
	return Fit(append(above, p.RowsOrEmpty(width, height-len(above), NoPoints)...), width, height)
}

// Move implements Pane.
func (p *Council) Move(a Motion, width, height int) {
	p.List.Move(a, width, height-len(p.above(width, height)))
}

// Wheel implements Pane.
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

// Find implements Pane.
func (p *Council) Find(query string, forwards, from bool, width, height int) bool {
	return p.List.Find(query, forwards, from, width, height-len(p.above(width, height)))
}

// status says how far the council is, and what the last test for consensus found, in
// at most so many rows: what the moderator said otherwise first.
func (p *Council) status(width, most int) []string {
	l := p.Look
	parts := [][]string{p.contradicted(width), p.tested(width, max(most-1, 1)), {p.stands(width)}}
	// The order in which they stand is another one than that in which they count.
	kept := make([]bool, len(parts))
	left := most
	for i, part := range parts {
		if n := len(part); n > 0 && n <= left {
			kept[i], left = true, left-n
		}
	}
	var rows []string
	for _, i := range []int{2, 1, 0} {
		if kept[i] {
			rows = append(rows, parts[i]...)
		}
	}
	if len(rows) == 0 {
		return []string{l.Row(width, []theme.Span{l.Text.Span(" ")}, nil)}
	}
	return rows
}

// stands is the round and its phase.
func (p *Council) stands(width int) string {
	l := p.Look
	spans := []theme.Span{{Text: " "}, l.Bold.Span(fmt.Sprintf("Round %d of %d", p.state.Round, resolver.LastRound(&p.state)))}
	if _, phase := council.Phase(&p.state); phase != "" && !p.state.Over() {
		spans = append(spans, l.Text.Span(l.Glyphs.Separator+phase))
	}
	return l.Row(width, append(spans, l.Faint.Span(fmt.Sprintf("%s%d of %s settled", l.Glyphs.Separator, p.settled, plain.Counted(p.N, "claim")))), nil)
}

// lastTest is the last test for consensus, nil before the first.
func (p *Council) lastTest() *state.Consensus {
	if n := len(p.state.Council.Tested); n > 0 {
		return &p.state.Council.Tested[n-1]
	}
	return nil
}

// tested is what the last test for consensus found.
func (p *Council) tested(width, most int) []string {
	l := p.Look
	switch c := p.lastTest(); {
	case c == nil:
		return []string{l.Row(width, []theme.Span{l.Faint.Span(" " + l.Glyphs.Open + " not tested for consensus yet: each round ends with that")}, nil)}
	case c.Reached:
		return l.Paragraph(width, []theme.Span{l.Agreed.Span(" " + l.Glyphs.Agreed + " ")}, l.Text.Span(fmt.Sprintf("Consensus in round %d: no live claim is unsettled.", c.Round)), nil, most)
	default:
		text := fmt.Sprintf("No consensus in round %d: %s %s unsettled.", c.Round, counted(c.Unsettled), verb(len(c.Unsettled), c.Round < p.state.Round))
		return l.Paragraph(width, []theme.Span{l.Unresolved.Span(" " + l.Glyphs.Unresolved + " ")}, l.Text.Span(text), nil, most)
	}
}

// mostUnsettled is how many claims are named before they are counted.
const mostUnsettled = 6

// counted names claims, and counts the rest where they are many.
func counted(ids []string) string {
	if len(ids) > mostUnsettled {
		return fmt.Sprintf("%s and %d more", strings.Join(ids[:mostUnsettled], ", "), len(ids)-mostUnsettled)
	}
	return listed(ids)
}

// verb says that so many are something, or were.
func verb(n int, past bool) string {
	if past {
		return when(n == 1, "was", "were")
	}
	return when(n == 1, "is", "are")
}

// contradictedWidth is from how many cells on a contradiction is told whole.
const contradictedWidth = 60

// contradicted says in plain words that the moderator spoke of agreement otherwise
// than the rules find.
func (p *Council) contradicted(width int) []string {
	c := p.lastTest()
	if c == nil || !c.Contradicted() {
		return nil
	}
	said, found := "agreement", "none"
	if c.Reached {
		said, found = "no agreement", "it"
	}
	text := fmt.Sprintf("The moderator reports %s, but the rules find %s: the rules decide.", said, found)
	if width < contradictedWidth {
		text = fmt.Sprintf("Moderator: %s. Rules: %s.", said, when(c.Reached, "agreement", "none"))
	}
	return p.Look.Paragraph(width, []theme.Span{p.Look.Warn.Span(" " + p.Look.Glyphs.Warn + " ")}, p.Look.Warn.Span(text), nil, 0)
}

// councilTable is how the rows of claims are laid out: the cells of the columns,
// each with the gap before it; 0 where there is no room for one.
type councilTable struct {
	// ID and text are the cells of those; score is that of a seat, aggregate that of
	// all, rule that of one of CV1 to CV4, confidence that of the validation, ends
	// that of the ruling.
	ID, text, score, aggregate, rule, confidence, ends int
	// width and look are those that it is for.
	width int
	look  *theme.Look
}

// The cells of columns with their gaps.
const (
	scoreWidth, aggregateWidth = 5, 6
	// A rule takes its sign and a word, its sign, or its sign without a gap.
	wholeRule, shortRule, leastRule = 9, 4, 1
	wholeEnd, shortEnd              = 18, 3
)

// layout lays the rows out, once for a width.
func (p *Council) layout(width int) councilTable {
	if p.table.width == width && p.table.look == p.Look {
		return p.table
	}
	id := 2
	for _, at := range p.claims {
		id = max(id, len(p.rulings[at].Point))
	}
	seats := len(p.seats)
	// From the widest to the least: what a narrow table leaves out is told of the
	// selected claim.
	for _, t := range []councilTable{
		{score: scoreWidth, aggregate: aggregateWidth, rule: wholeRule, confidence: aggregateWidth, ends: wholeEnd},
		{score: scoreWidth, aggregate: aggregateWidth, rule: shortRule, confidence: aggregateWidth, ends: wholeEnd},
		{score: scoreWidth, aggregate: aggregateWidth, rule: shortRule, confidence: aggregateWidth, ends: shortEnd},
		{aggregate: aggregateWidth, rule: shortRule, confidence: aggregateWidth, ends: shortEnd},
		{aggregate: scoreWidth, rule: leastRule, ends: shortEnd},
	} {
		t.ID, t.width, t.look = id, width, p.Look
		t.text = width - 1 - id - 2 - seats*t.score - t.aggregate - 4*t.rule - when(t.rule == leastRule, 1, 0) - t.confidence - t.ends
		p.table = t
		if t.text >= max(leastClaim, min(width/3, 60)) {
			break
		}
	}
	p.table.text = max(p.table.text, 0)
	return p.table
}

// tableHead names the columns.
func (p *Council) tableHead(width int) string {
	t, l := p.layout(width), p.Look
	spans := []theme.Span{l.Faint.Span(" " + l.Padded("id", t.ID) + "  " + l.Padded("claim", t.text))}
	if t.score > 0 {
		for _, seat := range p.seats {
			spans = append(spans, l.SeatStyle(seat).Span(rightly(fmt.Sprintf("%.4s", seat), t.score)))
		}
	}
	spans = append(spans, l.Faint.Span(rightly(when(t.aggregate >= aggregateWidth, "aggr.", "agg"), t.aggregate)))
	if t.rule == leastRule {
		spans = append(spans, l.Faint.Span(" "+l.Padded("1234", 4*leastRule)))
	} else {
		for i := range 4 {
			spans = append(spans, l.Faint.Span(l.Padded(fmt.Sprintf(" CV%d", i+1), t.rule)))
		}
	}
	if t.confidence > 0 {
		spans = append(spans, l.Faint.Span(rightly("valid", t.confidence)))
	}
	if t.ends == wholeEnd {
		spans = append(spans, l.Faint.Span("  ruling"))
	}
	return l.Row(width, spans, nil)
}

// rightly pads a text on the left, where it is short enough.
func rightly(text string, width int) string { return fmt.Sprintf("%*s", width, text) }

// claimRow is a claim: what each seat gives it, which rules hold, where it stands.
func (p *Council) claimRow(i, width int, mark theme.Span) string {
	t, l, r := p.layout(width), p.Look, &p.rulings[p.claims[i]]
	point, v := p.state.Point(r.Point), p.seen(r.Point)
	spans := []theme.Span{
		mark, when(mark.Text == " ", l.Bold, l.Accent).Span(l.Padded(r.Point, t.ID) + "  "), l.Text.Span(l.Padded(point.Text, t.text)),
	}
	if t.score > 0 {
		for _, seat := range p.seats {
			spans = append(spans, p.scoreSpan(point.Score(seat), t.score))
		}
	}
	aggregate := l.Glyphs.NotEvaluated
	if v.Aggregate != nil {
		aggregate = hundredths(*v.Aggregate)
	}
	spans = append(spans, when(v.Aggregate == nil, l.Faint, l.Bold).Span(rightly(aggregate, t.aggregate)), theme.Span{Text: when(t.rule == leastRule, " ", "")})
	for k := range v.Rules {
		spans = append(spans, ruleSpan(l, v.Rules[k].Passed, t.rule))
	}
	if t.confidence > 0 {
		spans = append(spans, l.Text.Span(rightly(hundredths(v.Confidence), t.confidence)))
	}
	glyph, st, name := l.Bucket(r.Bucket)
	if t.ends != wholeEnd {
		return l.Row(width, append(spans, st.Span(l.Padded("  "+glyph, t.ends))), nil)
	}
	spans = append(spans, st.Span("  "+glyph+" "+name))
	if point.UserRuling != nil {
		spans = append(spans, l.User.Span(" user"))
	}
	return l.Row(width, spans, nil)
}

// scoreSpan is the confidence of a seat that counts; who reported nothing is shown
// as that.
func (p *Council) scoreSpan(score *state.Score, width int) theme.Span {
	if score == nil {
		return p.Look.Faint.Span(rightly(p.Look.Glyphs.NotEvaluated, width))
	}
	return p.Look.Text.Span(rightly(hundredths(score.Admitted), width))
}

// hundredths is a share in two digits behind the point.
func hundredths(share float64) string { return fmt.Sprintf("%.2f", share) }

// ruleSpan is whether a rule holds, in so many cells.
func ruleSpan(l *theme.Look, passed bool, width int) theme.Span {
	sign, st, word := ruleSign(l, passed)
	switch width {
	case leastRule:
		return st.Span(sign)
	case wholeRule:
		return st.Span(l.Padded(" "+sign+" "+word, width))
	}
	return st.Span(l.Padded("  "+sign, width))
}

// ruleSign is the sign, the style and the word of whether a rule holds.
func ruleSign(l *theme.Look, passed bool) (sign string, st theme.Style, word string) {
	if passed {
		return l.Glyphs.Agreed, l.Agreed, "holds"
	}
	return l.Glyphs.Refused, l.Dismissed, "fails"
}

// thousandths is a share in at most three digits behind the point, at least two.
func thousandths(share float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.3f", share), "0")
}
