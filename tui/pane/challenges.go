package pane

import (
	"cmp"
	"slices"
	"strings"

	"moot/state"
	"moot/tui/theme"
)

// Challenges shows the conflicts and the challenges, those that are not
// settled first.
type Challenges struct {
	List
	state state.State
	told  Telling
	order []attack
	Open  int
}

// attack is what the pane lists: a conflict between two points, or a challenge.
type attack struct {
	conflict  *state.Conflict
	challenge *state.Challenge
}

// NewChallenges returns an empty pane.
func NewChallenges(l *theme.Look) *Challenges {
	p := &Challenges{List: List{Look: l, At: -1}}
	p.Draw, p.Key, p.Text = p.drawAttack, p.KeyOf, p.textOf
	return p
}

// SetState takes over what stands now.
func (p *Challenges) SetState(s state.State, told Telling) {
	p.state, p.told, p.order = s, told, p.order[:0]
	var settled []attack
	put := func(a attack, over bool) {
		if over {
			settled = append(settled, a)
		} else {
			p.order = append(p.order, a)
		}
	}
	clashes := told.Conflicts()
	for _, c := range clashes.all() {
		put(attack{conflict: c}, clashes.over(c))
	}
	for _, c := range s.Challenges.All() {
		if !clashes.echoed(c) {
			put(attack{challenge: c}, told.settled(c))
		}
	}
	p.Open = len(p.order)
	for _, part := range [][]attack{p.order, settled} {
		slices.SortStableFunc(part, func(a, b attack) int { return cmp.Compare(p.gravity(a), p.gravity(b)) })
	}
	p.order = append(p.order, settled...)
	p.SetCount(len(p.order))
}

// gravity orders attacks, conflicts first.
func (p *Challenges) gravity(a attack) int {
	if a.conflict != nil {
		return -1
	}
	return p.told.gravity(a.challenge)
}

// Title implements Pane.
func (p *Challenges) Title() string {
	if p.Open > 0 {
		return ChallengesID.String() + " " + p.told.counted(p.Open)
	}
	return ChallengesID.String()
}

// View implements Pane.
func (p *Challenges) View(width, height int) []string {
	empty := NoChallenges
	if clashes := p.told.Conflicts(); p.N == 0 && clashes != nil {
		empty = clashes.counts.Words("you")
	}
	return p.RowsOrEmpty(width, height, empty)
}

func (p *Challenges) textOf(i int) string {
	if c := p.order[i].conflict; c != nil {
		return c.ID + " " + string(c.Kind) + ", " + p.told.Conflicts().standing(p.Look, c).words + ": " + p.told.Conflicts().apart(c)
	}
	c := p.order[i].challenge
	return c.ID + " " + ChallengeAbout(c) + ", " + p.told.standing(p.Look, c).words + ": " + c.Objection
}

// KeyOf returns the id of an item, or "".
func (p *Challenges) KeyOf(i int) string {
	if c := p.order[i].conflict; c != nil {
		return c.ID
	}
	return p.order[i].challenge.ID
}

func (p *Challenges) drawAttack(i, width int, mark theme.Span) []string {
	if c := p.order[i].conflict; c != nil {
		return p.drawConflict(c, width, mark)
	}
	return p.drawChallenge(p.order[i].challenge, width, mark)
}

// drawConflict draws a conflict with what its two sides say.
func (p *Challenges) drawConflict(c *state.Conflict, width int, mark theme.Span) []string {
	l, clashes := p.Look, p.told.Conflicts()
	st := clashes.standing(l, c)
	left := []theme.Span{mark, st.style.Span(" " + st.glyph), l.Bold.Span(" " + c.ID), l.Faint.Span(" " + string(c.Kind))}
	rows := []string{l.Row(width, left, []theme.Span{st.style.Span(st.words + " ")})}
	for _, id := range clashes.Sides(c) {
		if point := p.state.Point(id); point != nil {
			rows = append(rows, l.Paragraph(width, []theme.Span{l.Bold.Span("    " + id + " ")}, l.Text.Span(point.Text), nil, 1)...)
		}
	}
	return rows
}

func (p *Challenges) drawChallenge(c *state.Challenge, width int, mark theme.Span) []string {
	st := p.told.standing(p.Look, c)
	left := []theme.Span{
		mark,
		st.style.Span(" " + st.glyph),
		p.Look.Bold.Span(" " + c.ID),
		p.Look.Faint.Span(" " + strings.TrimSuffix(ChallengeAbout(c), c.Point)),
		p.Look.Bold.Span(c.Point),
	}
	rows := []string{p.Look.Row(width, left, []theme.Span{st.style.Span(st.words + " ")})}
	rows = append(rows, p.Look.Paragraph(width, []theme.Span{{Text: "    "}}, p.Look.Text.Span(c.Objection), nil, textRows)...)
	if owed := p.told.owed(c); owed != "" {
		lead := []theme.Span{{Text: "    "}, p.Look.Warn.Span(p.Look.Glyphs.Warn + " owed  ")}
		rows = append(rows, p.Look.Paragraph(width, lead, p.Look.Text.Span(owed), nil, 1)...)
	}
	return rows
}
