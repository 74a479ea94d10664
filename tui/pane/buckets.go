package pane

import (
	"fmt"
	"strings"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// textRows is how many rows of a text a list shows; a dialog shows it whole.
const textRows = 2

// Buckets shows the points in their buckets.
type Buckets struct {
	List
	state   state.State
	rulings []state.Ruling
	status  *Status
	lines   []bucketLine
	Counts  map[state.Bucket]int
	// points is how many are shown.
	points int
}

// mergedAway reports whether a point was merged into another one.
func mergedAway(s *state.State, r *state.Ruling) bool {
	p := s.Point(r.Point)
	return p != nil && p.MergedInto != ""
}

// bucketLine is a line of the pane: the head of a bucket, or a point.
type bucketLine struct {
	bucket state.Bucket
	// ruling is the place of the point's ruling, -1 for a head.
	ruling int
}

// NewBuckets returns an empty pane.
func NewBuckets(l *theme.Look) *Buckets {
	p := &Buckets{List: List{Look: l, At: -1}, Counts: map[state.Bucket]int{}}
	p.Draw, p.Key, p.Text = p.drawLine, p.KeyOf, p.textOf
	return p
}

// SetState takes over what stands now.
func (p *Buckets) SetState(s state.State, rulings []state.Ruling, status *Status) {
	p.state, p.rulings, p.status = s, rulings, status
	groups := map[state.Bucket][]int{}
	p.points = 0
	for i := range rulings {
		if mergedAway(&s, &rulings[i]) {
			// Answers that say the very same are one claim.
			continue
		}
		p.points++
		groups[rulings[i].Bucket] = append(groups[rulings[i].Bucket], i)
	}
	p.lines = p.lines[:0]
	for _, b := range state.Buckets() {
		p.Counts[b] = len(groups[b])
		if b == state.BucketOpen && len(groups[b]) == 0 && s.Over() {
			continue
		}
		p.lines = append(p.lines, bucketLine{b, -1})
		for _, i := range groups[b] {
			p.lines = append(p.lines, bucketLine{b, i})
		}
	}
	if len(rulings) == 0 {
		p.lines = p.lines[:0]
	}
	p.SetCount(len(p.lines))
}

// Title implements Pane.
func (p *Buckets) Title() string {
	if p.points > 0 {
		return fmt.Sprintf("%s %d", BucketsID, p.points)
	}
	return BucketsID.String()
}

// View implements Pane.
func (p *Buckets) View(width, height int) []string {
	return p.RowsOrEmpty(width, height, NoPoints)
}

// textOf is what a point says, with its bucket.
func (p *Buckets) textOf(i int) string {
	at := p.lines[i].ruling
	if at < 0 {
		return ""
	}
	return pointText(&p.state, &p.rulings[at])
}

// pointText is a point in a line: its id, where it stands, what it says.
func pointText(s *state.State, r *state.Ruling) string {
	text := ""
	if point := s.Point(r.Point); point != nil {
		text = point.Text
	}
	return r.Point + " " + view.Ruling(r) + ": " + text
}

// KeyOf returns the id of an item, or "".
func (p *Buckets) KeyOf(i int) string {
	if at := p.lines[i].ruling; at >= 0 {
		return p.rulings[at].Point
	}
	return ""
}

func (p *Buckets) drawLine(i, width int, mark theme.Span) []string {
	line := p.lines[i]
	if line.ruling < 0 {
		return []string{p.drawHead(line.bucket, width)}
	}
	r := &p.rulings[line.ruling]
	text := ""
	if point := p.state.Point(r.Point); point != nil {
		text = point.Text
		if point.MergedInto != "" {
			text = "same as " + point.MergedInto + ": " + text
		}
	}
	lead := []theme.Span{mark, when(mark.Text == " ", p.Look.Bold, p.Look.Accent).Span(" " + r.Point + "  ")}
	rows := p.Look.Paragraph(width, lead, p.Look.Text.Span(text), p.tag(r), textRows)
	if r.Crux != "" {
		crux := []theme.Span{p.Look.Faint.Span(strings.Repeat(" ", len(r.Point)+4) + "crux  ")}
		rows = append(rows, p.Look.Paragraph(width, crux, p.Look.Faint.Span(r.Crux), nil, textRows)...)
	}
	return rows
}

func (p *Buckets) drawHead(b state.Bucket, width int) string {
	glyph, st, name := p.Look.Bucket(b)
	return p.Look.Row(width, []theme.Span{st.Span(" " + glyph + " " + name), p.Look.Faint.Span(fmt.Sprintf(" %d", p.Counts[b]))}, nil)
}

// tag is the word at the right end: what put the point there, or on an open one
// what is not settled.
func (p *Buckets) tag(r *state.Ruling) []theme.Span {
	point := p.state.Point(r.Point)
	if point == nil {
		return nil
	}
	_, st, _ := p.Look.Bucket(r.Bucket)
	word := p.status.tag(r, point)
	switch {
	case word == "user":
		st = p.Look.User
	case view.AgreementOnly(r):
		st = p.Look.Unresolved
	case word == "" && r.Bucket == state.BucketOpen:
		word, st = p.challenges(point), p.Look.Faint
	}
	if word == "" {
		return nil
	}
	return []theme.Span{st.Span(word + " ")}
}

// challenges names what is not settled on an open point.
func (p *Buckets) challenges(point *state.Point) string {
	var open []string
	for _, id := range point.Challenges {
		if c := p.state.Challenge(id); c != nil && !p.status.settled(c) {
			open = append(open, id)
		}
	}
	return strings.Join(open, " ")
}

// Summary writes the counts: "3 agreed, 1 dismissed, 1 unresolved".
func (p *Buckets) Summary() string {
	var parts []string
	for _, b := range state.Buckets() {
		if p.Counts[b] > 0 {
			_, _, name := p.Look.Bucket(b)
			parts = append(parts, fmt.Sprintf("%d %s", p.Counts[b], strings.ToLower(name)))
		}
	}
	if len(parts) == 0 {
		return "no points"
	}
	return strings.Join(parts, ", ")
}
