package figure

import (
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
)

// tied is how two points are tied by a line of their own.
type tied uint8

const (
	// tiedReplaces leads from a point to the one that it replaces.
	tiedReplaces tied = iota
	// tiedOpposes is between two points that say the opposite of each other.
	tiedOpposes
	// tiedContradicts and tiedDiffers are conflicts of a panel.
	tiedContradicts
	tiedDiffers
)

// look is how a tie is drawn.
func (k tied) look() (stroke, Role) {
	switch k {
	case tiedOpposes, tiedContradicts:
		return strokeAttack, RoleAttack
	case tiedDiffers:
		return strokeNote, RoleAttack
	case tiedReplaces:
	}
	return strokeNote, RoleBorder
}

// contested are the conflicts of a panel as the map tells them.
type contested struct {
	table *resolver.Table
	// ties are the lines, of keeps the conflicts by each side's point.
	ties []tie
	of   map[string][]tie
	// counts are what the panel came to.
	counts resolver.PanelCounts
}

// newContested finds the conflicts that stand; it is nil where the session is no
// panel.
func newContested(s *state.State) *contested {
	if s.Settings.Format != state.FormatPanel {
		return nil
	}
	c := &contested{table: resolver.NewTable(s), of: map[string][]tie{}}
	c.counts = c.table.Counts()
	for _, k := range c.table.Conflicts() {
		one, other := c.table.Sides(k)
		t := tie{from: one.Points[0], to: other.Points[0], kind: tiedContradicts, conflict: k.ID, word: "contradicts", both: true}
		if k.Kind == state.Disagreement {
			t.kind, t.word = tiedDiffers, "differs from"
		}
		e := c.table.Ending(k)
		// Of a conflict that came to an end the line leads to the side that fell.
		switch e.Winner {
		case "":
		case t.to:
			t.from, t.to, t.both = t.to, t.from, false
		default:
			t.both = false
		}
		t.came, t.ended = e.Short("the user"), outcomeWords(&e)
		c.ties = append(c.ties, t)
		c.of[t.from] = append(c.of[t.from], t)
		c.of[t.to] = append(c.of[t.to], t)
	}
	return c
}

// ofPanel says how the box of a point relates to others: who says the same, and
// what contests it.
func (w *writer) ofPanel(b *box, p *state.Point) {
	if w.contested == nil {
		return
	}
	claim := w.contested.table.Claim(p.ID)
	if claim == nil {
		return
	}
	for i := range w.contested.of[p.ID] {
		b.also = append(b.also, safe(w.contested.of[p.ID][i].seenFrom(p.ID)))
	}
	if same := slices.DeleteFunc(slices.Clone(claim.Points), func(id string) bool { return id == p.ID }); len(same) > 0 {
		b.also = append(b.also, "the same as "+strings.Join(same, ", "))
	}
	if n := w.contested.counts.Answered; n > 1 && len(claim.Holders) == n {
		b.also = append(b.also, "everyone says so")
	}
}

// seenFrom says in few words what became of a conflict for one of its sides.
func (t *tie) seenFrom(id string) string {
	switch {
	case t.both && t.from == id:
		return t.conflict + " with " + t.to + " " + t.ended
	case t.both:
		return t.conflict + " with " + t.from + " " + t.ended
	case t.from == id:
		return "won " + t.conflict + " from " + t.to + " " + t.ended
	}
	return "lost " + t.conflict + " to " + t.from + " " + t.ended
}

// outcomeWords are by what a conflict was won, or where it stands.
func outcomeWords(e *resolver.Ending) string {
	if e.By != resolver.EndedByNothing && e.Winner == "" {
		return "won by neither"
	}
	switch e.By {
	case resolver.EndedByVote:
		return "by vote"
	case resolver.EndedByWeight:
		return "by " + e.Measure
	case resolver.EndedByDebate:
		return "by debate"
	case resolver.EndedByUser:
		return "by the user"
	case resolver.EndedByNothing:
	}
	return when(e.Arguing, "is argued", "is open")
}

// idle reports whether a challenge only says that there is a conflict: a line
// between the points says so.
func (w *writer) idle(c *state.Challenge) bool {
	if w.contested == nil || len(c.Defenses) > 0 || c.Status == state.StandsUndefended {
		return false
	}
	for _, k := range w.s.Panel.Conflicts.All() {
		if slices.Contains(k.Challenges, c.ID) {
			return true
		}
	}
	return false
}

// challenged are the challenges to a point that the map shows.
func (w *writer) challenged(p *state.Point) []*state.Challenge {
	var shown []*state.Challenge
	for _, id := range p.Challenges {
		if c := w.s.Challenge(id); c != nil && !w.idle(c) {
			shown = append(shown, c)
		}
	}
	return shown
}
