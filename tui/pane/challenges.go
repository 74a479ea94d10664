package pane

import (
	"fmt"
	"slices"

	"moot/state"
	"moot/tui/theme"
)

// Challenges shows the challenges, those that are not settled first.
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
func (p *Challenges) Title() string {
	if p.Open > 0 {
		return fmt.Sprintf("%s %d open", ChallengesID, p.Open)
	}
	return ChallengesID.String()
}

// View implements Pane.
func (p *Challenges) View(width, height int) []string {
	return p.RowsOrEmpty(width, height, NoChallenges)
}

func (p *Challenges) drawChallenge(i, width int, mark theme.Span) []string {
	c, l := p.order[i], p.Look
	status := p.status.challenge(c)
	glyph, st, _ := tone(status.Role).signs(l)
	left := []theme.Span{mark, st.Span(" " + glyph), l.Bold.Span(" " + c.ID), l.Faint.Span(" " + status.Kind + " on "), l.Bold.Span(c.Point)}
	rows := []string{l.Row(width, left, []theme.Span{st.Span(status.Outcome + " ")})}
	return append(rows, l.Paragraph(width, []theme.Span{{Text: "    "}}, l.Text.Span(Citing(c.Objection, c.Facts)), nil, textRows)...)
}
