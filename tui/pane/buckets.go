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
	rulings  []state.Ruling
	argument *view.Argument
	lines    []bucketLine
	Counts   map[state.Bucket]int
}

// bucketLine is a line of the pane: the head of a bucket or a point.
type bucketLine struct {
	bucket state.Bucket
	// ruling is the index of the ruling on the point, or -1 for a head.
	ruling int
}

// NewBuckets returns an empty pane.
func NewBuckets(l *theme.Look) *Buckets {
	p := &Buckets{
		List:   List{Look: l, id: BucketsID, empty: NoPoints, At: -1, most: textRows},
		Counts: map[state.Bucket]int{},
	}
	p.Key = p.KeyOf
	p.Item = func(i int) view.Item { return p.argument.Point(&p.rulings[p.lines[i].ruling]) }
	p.Text = func(i int) string {
		if p.lines[i].ruling < 0 {
			return ""
		}
		r := &p.rulings[p.lines[i].ruling]
		return r.Point + " " + view.Ruling(r) + ": " + p.argument.Text(r.Point)
	}
	p.Draw = func(i, width int, mark theme.Span) []string {
		if p.lines[i].ruling < 0 {
			bucket := p.lines[i].bucket
			glyph, st, name := p.Look.Bucket(bucket)
			count := p.Look.Text.Span(fmt.Sprintf(" %d", p.Counts[bucket]))
			return []string{p.Look.Row(width, []theme.Span{st.Span(" " + glyph + " " + name), count}, nil)}
		}
		return p.drawItem(i, width, mark)
	}
	return p
}

// SetState shows a state.
func (p *Buckets) SetState(s *state.State, rulings []state.Ruling, a *view.Argument) {
	p.rulings, p.argument = rulings, a
	groups := map[state.Bucket][]int{}
	points := 0
	for i := range rulings {
		if point := s.Point(rulings[i].Point); point != nil && point.MergedInto != "" {
			continue
		}
		points++
		groups[rulings[i].Bucket] = append(groups[rulings[i].Bucket], i)
	}
	p.lines = p.lines[:0]
	for _, b := range state.Buckets() {
		p.Counts[b] = len(groups[b])
		if len(rulings) == 0 || b == state.BucketOpen && len(groups[b]) == 0 && s.Over() {
			continue
		}
		p.lines = append(p.lines, bucketLine{b, -1})
		for _, i := range groups[b] {
			p.lines = append(p.lines, bucketLine{b, i})
		}
	}
	p.SetCount(len(p.lines))
	p.count = points
}

// KeyOf returns the id of the point in a line, or "".
func (p *Buckets) KeyOf(i int) string {
	if at := p.lines[i].ruling; at >= 0 {
		return p.rulings[at].Point
	}
	return ""
}

// Summary returns the counts: "3 agreed, 1 dismissed, 1 unresolved".
func (p *Buckets) Summary() string {
	if p.count == 0 {
		return "no points"
	}
	return view.BucketCounts(p.Counts)
}

// Challenges shows the challenges, open ones first.
type Challenges struct {
	List
	order []*state.Challenge
}

// NewChallenges returns an empty pane.
func NewChallenges(l *theme.Look) *Challenges {
	p := &Challenges{List: List{
		Look: l, id: ChallengesID, noun: " open", empty: NoChallenges, At: -1, most: textRows + 1,
	}}
	p.Key = func(i int) string { return p.order[i].ID }
	return p
}

// SetState shows a state.
func (p *Challenges) SetState(s *state.State, a *view.Argument) {
	p.order = p.order[:0]
	p.Item = func(i int) view.Item { return a.Challenge(p.order[i]) }
	var settled []*state.Challenge
	open := 0
	for _, c := range s.Challenges.All() {
		switch {
		case a.Map.Hidden[c.ID]:
		case a.Settled(c):
			settled = append(settled, c)
		default:
			p.order = append(p.order, c)
			// An upheld challenge was judged: it still holds the point, but no answer to it is due.
			if a.Status(c).Status != state.StandsUpheld {
				open++
			}
		}
	}
	p.order = slices.Concat(p.order, settled)
	p.SetCount(len(p.order))
	p.count = open
}

// idStyle returns the style of an id: another one if the item is selected.
func idStyle(l *theme.Look, mark theme.Span) theme.Style {
	if strings.TrimSpace(mark.Text) == "" {
		return l.Bold
	}
	return l.Accent
}
