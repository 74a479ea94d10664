package tui

import (
	"cmp"
	"slices"
	"strings"

	"moot/state"
)

// challengesPane shows the challenges, those that are not settled first.
type challengesPane struct {
	list
	state state.State
	told  telling
	order []int
	open  int
}

func newChallengesPane(l *look) *challengesPane {
	p := &challengesPane{list: list{look: l, at: -1}}
	p.draw, p.key, p.text = p.drawChallenge, p.keyOf, p.textOf
	return p
}

// setState takes over what stands now.
func (p *challengesPane) setState(s state.State, told telling) {
	p.state, p.told, p.order = s, told, p.order[:0]
	var settled []int
	for i, c := range s.Challenges.All() {
		if told.settled(c) {
			settled = append(settled, i)
		} else {
			p.order = append(p.order, i)
		}
	}
	p.open = len(p.order)
	for _, part := range [][]int{p.order, settled} {
		slices.SortStableFunc(part, func(a, b int) int {
			return cmp.Compare(told.gravity(s.Challenges.At(a)), told.gravity(s.Challenges.At(b)))
		})
	}
	p.order = append(p.order, settled...)
	p.setCount(len(p.order))
}

func (p *challengesPane) title() string {
	if p.open > 0 {
		return PaneChallenges.String() + " " + p.told.counted(p.open)
	}
	return PaneChallenges.String()
}

// View draws the pane.
func (p *challengesPane) View(width, height int) string {
	return strings.Join(p.view(width, height), "\n")
}

func (p *challengesPane) view(width, height int) []string {
	return p.rowsOrEmpty(width, height, noChallenges)
}

func (p *challengesPane) textOf(i int) string {
	c := p.state.Challenges.At(p.order[i])
	return c.ID + " " + challengeKind(c) + " on " + c.Point + ", " + p.told.standing(p.look, c).words + ": " + c.Objection
}

func (p *challengesPane) keyOf(i int) string { return p.state.Challenges.At(p.order[i]).ID }

func (p *challengesPane) drawChallenge(i, width int, mark span) []string {
	c := p.state.Challenges.At(p.order[i])
	st := p.told.standing(p.look, c)
	left := []span{
		mark,
		{st.style, " " + st.glyph},
		{p.look.bold, " " + c.ID},
		{p.look.faint, " " + challengeKind(c) + " on "},
		{p.look.bold, c.Point},
	}
	rows := []string{p.look.row(width, left, []span{{st.style, st.words + " "}})}
	rows = append(rows, p.look.paragraph(width, []span{{text: "    "}}, span{p.look.text, c.Objection}, nil, textRows)...)
	if owed := p.told.owed(c); owed != "" {
		lead := []span{{text: "    "}, {p.look.warn, p.look.glyphs.warn + " owed  "}}
		rows = append(rows, p.look.paragraph(width, lead, span{p.look.text, owed}, nil, 1)...)
	}
	return rows
}
