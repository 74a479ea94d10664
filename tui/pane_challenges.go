package tui

import (
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
	p.draw, p.key = p.drawChallenge, p.keyOf
	return p
}

// setState takes over what stands now.
func (p *challengesPane) setState(s state.State) {
	p.state, p.order = s, p.order[:0]
	var settled []int
	for i, c := range s.Challenges.All() {
		if c.Settled() || p.ended(c) != "" {
			settled = append(settled, i)
		} else {
			p.order = append(p.order, i)
		}
	}
	p.open = len(p.order)
	p.order = append(p.order, settled...)
	p.setCount(len(p.order))
}

// ended says what ended a challenge without settling it, or "": its point was
// replaced (RD5), or the user ruled on it (AC1).
func (p *challengesPane) ended(c *state.Challenge) string {
	point := p.state.Point(c.Point)
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

// View draws the pane.
func (p *challengesPane) View(width, height int) string {
	return strings.Join(p.view(width, height, noChallenges), "\n")
}

func (p *challengesPane) keyOf(i int) string { return p.state.Challenges.At(p.order[i]).ID }

// point is the point of the selected challenge, or "".
func (p *challengesPane) point() string {
	if c := p.state.Challenge(p.selected); c != nil {
		return c.Point
	}
	return ""
}

func (p *challengesPane) drawChallenge(i, width int, mark span) []string {
	c := p.state.Challenges.At(p.order[i])
	glyph, st := p.sign(c)
	left := []span{
		mark,
		{st, " " + glyph},
		{p.look.bold, " " + c.ID},
		{p.look.faint, " " + string(c.Kind) + " on "},
		{p.look.bold, c.Point},
	}
	rows := []string{p.look.row(width, left, []span{{st, p.status(c) + " "}})}
	return append(rows, p.look.paragraph(width, []span{{text: "    "}}, span{p.look.text, c.Objection}, nil, textRows)...)
}

func (p *challengesPane) sign(c *state.Challenge) (string, style) {
	g := &p.look.glyphs
	switch {
	case p.ended(c) != "":
		return g.notEvaluated, p.look.faint
	case c.Status == state.StandsUndefended || c.Status == state.StandsConceded:
		return g.dismissed, p.look.dismissed
	case c.Settled():
		return g.agreed, p.look.agreed
	case c.Status == state.StandsDropped || c.Status == state.StandsReminded:
		return g.warn, p.look.warn
	}
	return g.open, p.look.open
}

// status is where the challenge stands, in words.
func (p *challengesPane) status(c *state.Challenge) string {
	if ended := p.ended(c); ended != "" {
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
