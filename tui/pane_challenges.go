package tui

import (
	"fmt"
	"strings"

	"moot/state"
)

// challengesPane shows the challenges, those that are not settled first.
type challengesPane struct {
	list
	state state.State
	order []int
	open  int
}

func newChallengesPane(l *look) *challengesPane {
	p := &challengesPane{list: list{look: l, at: -1}}
	p.draw, p.key, p.text = p.drawChallenge, p.keyOf, p.textOf
	return p
}

// setState takes over what stands now.
func (p *challengesPane) setState(s state.State) {
	p.state, p.order = s, p.order[:0]
	var settled []int
	for i, c := range s.Challenges.All() {
		if c.Settled() || challengeEnded(&p.state, c) != "" {
			settled = append(settled, i)
		} else {
			p.order = append(p.order, i)
		}
	}
	p.open = len(p.order)
	p.order = append(p.order, settled...)
	p.setCount(len(p.order))
}

// challengeEnded says what ended a challenge without settling it, or "": its
// point was replaced (RD5), or the user ruled on it (AC1).
func challengeEnded(s *state.State, c *state.Challenge) string {
	point := s.Point(c.Point)
	switch {
	case point == nil || c.Settled():
		return ""
	case point.RevisedBy != "":
		return "ended, revised"
	case point.UserRuling != nil:
		return "ended, ruled by you"
	}
	return ""
}

func (p *challengesPane) title() string {
	if p.open > 0 {
		return fmt.Sprintf("%s %d open", PaneChallenges, p.open)
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
	return c.ID + " " + string(c.Kind) + " on " + c.Point + ", " + challengeStatus(&p.state, c) + ": " + c.Objection
}

func (p *challengesPane) keyOf(i int) string { return p.state.Challenges.At(p.order[i]).ID }

func (p *challengesPane) drawChallenge(i, width int, mark span) []string {
	c := p.state.Challenges.At(p.order[i])
	glyph, st := challengeSign(p.look, &p.state, c)
	left := []span{
		mark,
		{st, " " + glyph},
		{p.look.bold, " " + c.ID},
		{p.look.faint, " " + string(c.Kind) + " on "},
		{p.look.bold, c.Point},
	}
	rows := []string{p.look.row(width, left, []span{{st, challengeStatus(&p.state, c) + " "}})}
	return append(rows, p.look.paragraph(width, []span{{text: "    "}}, span{p.look.text, c.Objection}, nil, textRows)...)
}

// challengeSign says by a sign where the challenge stands.
func challengeSign(l *look, s *state.State, c *state.Challenge) (string, style) {
	g := &l.glyphs
	switch {
	case challengeEnded(s, c) != "":
		return g.notEvaluated, l.faint
	case c.Status == state.StandsUndefended || c.Status == state.StandsConceded:
		return g.dismissed, l.dismissed
	case c.Settled():
		return g.agreed, l.agreed
	case c.Status == state.StandsDropped || c.Status == state.StandsReminded:
		return g.warn, l.warn
	}
	return g.open, l.open
}

// challengeStatus is where the challenge stands, in words.
func challengeStatus(s *state.State, c *state.Challenge) string {
	if ended := challengeEnded(s, c); ended != "" {
		return ended
	}
	words := string(c.Status)
	switch {
	case c.Status == state.StandsDefended:
		if last := c.Last(); last != nil && last.Judgment != state.Unjudged {
			words += ", " + string(last.Judgment)
		} else {
			words += ", not judged"
		}
	case c.ReminderSent && c.Status != state.StandsReminded:
		words += ", reminded"
	case c.Confirm:
		words += ", to confirm"
	}
	return words
}
