package tui

import (
	"cmp"
	"slices"
	"strings"

	"moot/state"
	"moot/tui/theme"
)

// challengesPane shows the conflicts and the challenges, those that are not
// settled first.
type challengesPane struct {
	list
	state state.State
	told  telling
	order []attack
	open  int
}

// attack is what the pane lists: a conflict between two points, or a challenge.
type attack struct {
	conflict  *state.Conflict
	challenge *state.Challenge
}

func newChallengesPane(l *theme.Look) *challengesPane {
	p := &challengesPane{list: list{look: l, at: -1}}
	p.draw, p.key, p.text = p.drawAttack, p.keyOf, p.textOf
	return p
}

// setState takes over what stands now.
func (p *challengesPane) setState(s state.State, told telling) {
	p.state, p.told, p.order = s, told, p.order[:0]
	var settled []attack
	put := func(a attack, over bool) {
		if over {
			settled = append(settled, a)
		} else {
			p.order = append(p.order, a)
		}
	}
	clashes := told.conflicts()
	for _, c := range clashes.all() {
		put(attack{conflict: c}, clashes.over(c))
	}
	for _, c := range s.Challenges.All() {
		if !clashes.echoed(c) {
			put(attack{challenge: c}, told.settled(c))
		}
	}
	p.open = len(p.order)
	for _, part := range [][]attack{p.order, settled} {
		slices.SortStableFunc(part, func(a, b attack) int { return cmp.Compare(p.gravity(a), p.gravity(b)) })
	}
	p.order = append(p.order, settled...)
	p.setCount(len(p.order))
}

// gravity orders attacks, conflicts first.
func (p *challengesPane) gravity(a attack) int {
	if a.conflict != nil {
		return -1
	}
	return p.told.gravity(a.challenge)
}

func (p *challengesPane) title() string {
	if p.open > 0 {
		return PaneChallenges.String() + " " + p.told.counted(p.open)
	}
	return PaneChallenges.String()
}

func (p *challengesPane) view(width, height int) []string {
	empty := noChallenges
	if clashes := p.told.conflicts(); p.n == 0 && clashes != nil {
		empty = clashes.counts.Words("you")
	}
	return p.rowsOrEmpty(width, height, empty)
}

func (p *challengesPane) textOf(i int) string {
	if c := p.order[i].conflict; c != nil {
		return c.ID + " " + string(c.Kind) + ", " + p.told.conflicts().standing(p.look, c).words + ": " + p.told.conflicts().apart(c)
	}
	c := p.order[i].challenge
	return c.ID + " " + challengeAbout(c) + ", " + p.told.standing(p.look, c).words + ": " + c.Objection
}

func (p *challengesPane) keyOf(i int) string {
	if c := p.order[i].conflict; c != nil {
		return c.ID
	}
	return p.order[i].challenge.ID
}

func (p *challengesPane) drawAttack(i, width int, mark theme.Span) []string {
	if c := p.order[i].conflict; c != nil {
		return p.drawConflict(c, width, mark)
	}
	return p.drawChallenge(p.order[i].challenge, width, mark)
}

// drawConflict draws a conflict with what its two sides say.
func (p *challengesPane) drawConflict(c *state.Conflict, width int, mark theme.Span) []string {
	l, clashes := p.look, p.told.conflicts()
	st := clashes.standing(l, c)
	left := []theme.Span{mark, st.style.Span(" " + st.glyph), l.Bold.Span(" " + c.ID), l.Faint.Span(" " + string(c.Kind))}
	rows := []string{l.Row(width, left, []theme.Span{st.style.Span(st.words + " ")})}
	for _, id := range clashes.sides(c) {
		if point := p.state.Point(id); point != nil {
			rows = append(rows, l.Paragraph(width, []theme.Span{l.Bold.Span("    " + id + " ")}, l.Text.Span(point.Text), nil, 1)...)
		}
	}
	return rows
}

func (p *challengesPane) drawChallenge(c *state.Challenge, width int, mark theme.Span) []string {
	st := p.told.standing(p.look, c)
	left := []theme.Span{
		mark,
		st.style.Span(" " + st.glyph),
		p.look.Bold.Span(" " + c.ID),
		p.look.Faint.Span(" " + strings.TrimSuffix(challengeAbout(c), c.Point)),
		p.look.Bold.Span(c.Point),
	}
	rows := []string{p.look.Row(width, left, []theme.Span{st.style.Span(st.words + " ")})}
	rows = append(rows, p.look.Paragraph(width, []theme.Span{{Text: "    "}}, p.look.Text.Span(c.Objection), nil, textRows)...)
	if owed := p.told.owed(c); owed != "" {
		lead := []theme.Span{{Text: "    "}, p.look.Warn.Span(p.look.Glyphs.Warn + " owed  ")}
		rows = append(rows, p.look.Paragraph(width, lead, p.look.Text.Span(owed), nil, 1)...)
	}
	return rows
}
