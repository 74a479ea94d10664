package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// textRows limits the rows of a text in a list. A dialog shows all of it.
const textRows = 2

// Buckets shows the points in their buckets.
type Buckets struct {
	List
	state   state.State
	rulings []state.Ruling
	status  *Status
	lines   []bucketLine
	Counts  map[state.Bucket]int
	// points is the number of points that are shown.
	points int
}

// bucketLine is a line of the pane: the head of a bucket or a point.
type bucketLine struct {
	bucket state.Bucket
	// ruling is the index of the ruling on the point, or -1 for a head.
	ruling int
}

// NewBuckets returns an empty pane.
func NewBuckets(l *theme.Look) *Buckets {
	p := &Buckets{List: List{Look: l, At: -1}, Counts: map[state.Bucket]int{}}
	p.Draw, p.Key, p.Text = p.drawLine, p.KeyOf, p.textOf
	return p
}

// SetState shows a state.
func (p *Buckets) SetState(s state.State, rulings []state.Ruling, status *Status) {
	p.state, p.rulings, p.status = s, rulings, status
	groups := map[state.Bucket][]int{}
	p.points = 0
	for i := range rulings {
		if point := s.Point(rulings[i].Point); point != nil && point.MergedInto != "" {
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
func (p *Buckets) Title() string { return BucketsID.titled(p.points, "") }

// View implements Pane.
func (p *Buckets) View(width, height int) []string { return p.RowsOrEmpty(width, height, NoPoints) }

func (p *Buckets) textOf(i int) string {
	at := p.lines[i].ruling
	if at < 0 {
		return ""
	}
	return pointText(&p.state, &p.rulings[at])
}

// pointText returns the id, the ruling, and the text of a point in one line.
func pointText(s *state.State, r *state.Ruling) string {
	text := ""
	if point := s.Point(r.Point); point != nil {
		text = point.Text
	}
	return r.Point + " " + view.Ruling(r) + ": " + text
}

// KeyOf returns the id of the point in a line, or "".
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
	}
	lead := []theme.Span{mark, idStyle(p.Look, mark).Span(" " + r.Point + "  ")}
	rows := p.Look.Paragraph(width, lead, p.Look.Text.Span(text), p.tag(r), textRows)
	if r.Crux != "" {
		crux := []theme.Span{p.Look.Faint.Span(strings.Repeat(" ", len(r.Point)+4) + "crux  ")}
		rows = append(rows, p.Look.Paragraph(width, crux, p.Look.Faint.Span(r.Crux), nil, textRows)...)
	}
	return rows
}

func (p *Buckets) drawHead(b state.Bucket, width int) string {
	glyph, st, name := p.Look.Bucket(b)
	count := p.Look.Faint.Span(fmt.Sprintf(" %d", p.Counts[b]))
	return p.Look.Row(width, []theme.Span{st.Span(" " + glyph + " " + name), count}, nil)
}

// idStyle returns the style of an id: another one if the item is selected.
func idStyle(l *theme.Look, mark theme.Span) theme.Style {
	if mark.Text == " " {
		return l.Bold
	}
	return l.Accent
}

// tag is shown at the right end: the reason for the bucket, or for an open point its open
// challenges.
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
		var open []string
		for _, id := range point.Challenges {
			if c := p.state.Challenge(id); c != nil && !p.status.settled(c) {
				open = append(open, id)
			}
		}
		word, st = strings.Join(open, " "), p.Look.Faint
	}
	if word == "" {
		return nil
	}
	return []theme.Span{st.Span(word + " ")}
}

// Summary returns the counts: "3 agreed, 1 dismissed, 1 unresolved".
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

// Challenges shows the challenges, open ones first.
type Challenges struct {
	List
	status *Status
	order  []*state.Challenge
	Open   int
}

// NewChallenges returns an empty pane.
func NewChallenges(l *theme.Look) *Challenges {
	p := &Challenges{List: List{Look: l, At: -1}}
	p.Draw, p.Key = p.drawChallenge, func(i int) string { return p.order[i].ID }
	p.Text = func(i int) string {
		c := p.order[i]
		return c.ID + " " + p.status.about(c) + ", " + p.status.challenge(c).Outcome + ": " + c.Objection
	}
	return p
}

// SetState shows a state.
func (p *Challenges) SetState(s state.State, status *Status) {
	p.status, p.order = status, p.order[:0]
	var settled []*state.Challenge
	for _, c := range s.Challenges.All() {
		switch {
		case status.shown.Hidden[c.ID]:
		case status.settled(c):
			settled = append(settled, c)
		default:
			p.order = append(p.order, c)
		}
	}
	p.Open = len(p.order)
	p.order = slices.Concat(p.order, settled)
	p.SetCount(len(p.order))
}

// Title implements Pane.
func (p *Challenges) Title() string { return ChallengesID.titled(p.Open, " open") }

// View implements Pane.
func (p *Challenges) View(width, height int) []string {
	return p.RowsOrEmpty(width, height, NoChallenges)
}

func (p *Challenges) drawChallenge(i, width int, mark theme.Span) []string {
	c, l := p.order[i], p.Look
	status := p.status.challenge(c)
	glyph, st, _ := tone(status.Role).signs(l)
	left := []theme.Span{
		mark, st.Span(" " + glyph), l.Bold.Span(" " + c.ID),
		l.Faint.Span(" " + status.Kind + " on "), l.Bold.Span(c.Point),
	}
	rows := []string{l.Row(width, left, []theme.Span{st.Span(status.Outcome + " ")})}
	objection := l.Text.Span(Citing(c.Objection, c.Facts))
	return append(rows, l.Paragraph(width, []theme.Span{{Text: "    "}}, objection, nil, textRows)...)
}
