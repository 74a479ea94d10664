package pane

import (
	"slices"
	"strings"

	"moot/protocol/panel"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// conflicts are those between the answers of a panel, as they stand. The methods
// are those of a session without any where it is nil: so are all of other formats.
type conflicts struct {
	state *state.State
	table *panel.Table
	// raised are the conflicts that challenges say, by the ids of these.
	raised map[string]*state.Conflict
	// endings are how they came out, by their ids.
	endings map[string]panel.Ending
	counts  panel.PanelCounts
}

func newConflicts(s *state.State) *conflicts {
	k := &conflicts{state: s, table: panel.NewTable(s), raised: map[string]*state.Conflict{}, endings: map[string]panel.Ending{}}
	k.counts = k.table.Counts()
	for _, c := range s.Panel.Conflicts.All() {
		k.endings[c.ID] = k.table.Ending(c)
		for _, id := range c.Challenges {
			k.raised[id] = c
		}
	}
	return k
}

// all are the conflicts, those that did not end first; dropped ones are last.
func (k *conflicts) all() []*state.Conflict {
	if k == nil {
		return nil
	}
	var list []*state.Conflict
	for _, c := range k.state.Panel.Conflicts.All() {
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b *state.Conflict) int { return k.rank(a) - k.rank(b) })
	return list
}

func (k *conflicts) rank(c *state.Conflict) int {
	switch {
	case k.endings[c.ID].Dropped:
		return 2
	case k.over(c):
		return 1
	}
	return 0
}

// over reports whether nothing is open about a conflict.
func (k *conflicts) over(c *state.Conflict) bool {
	e := k.endings[c.ID]
	return e.Dropped || e.By != panel.EndedByNothing
}

// Of are the conflicts that stand which a point is in.
func (k *conflicts) Of(point string) []*state.Conflict {
	if k == nil {
		return nil
	}
	claim := k.table.Claim(point)
	if claim == nil {
		return nil
	}
	list := make([]*state.Conflict, len(claim.Conflicts))
	for i, id := range claim.Conflicts {
		list[i] = k.state.Conflict(id)
	}
	return list
}

// echoed reports whether a challenge only says that there is a conflict which
// nobody is asked to answer: it is told as that.
func (k *conflicts) echoed(c *state.Challenge) bool {
	if k == nil {
		return false
	}
	of := k.raised[c.ID]
	return of != nil && !of.Argued && len(c.Defenses) == 0 && !c.Settled()
}

// standing is how a conflict came out, as it is shown.
func (k *conflicts) standing(l *theme.Look, c *state.Conflict) challengeStanding {
	e := k.endings[c.ID]
	e.Why = ""
	st := challengeStanding{words: e.Words("you"), settled: k.over(c)}
	g := &l.Glyphs
	switch {
	case e.Dropped:
		st.glyph, st.style = g.NotEvaluated, l.Faint
	case e.By == panel.EndedByUser:
		st.glyph, st.style = g.User, l.User
	case st.settled:
		st.glyph, st.style = g.Agreed, l.Agreed
	case e.Question != "":
		st.glyph, st.style = g.Warn, l.Warn
	case k.state.Over():
		st.glyph, st.style = g.Unresolved, l.Unresolved
	default:
		st.glyph, st.style = g.Open, l.Open
	}
	return st
}

// Sides are the points by which the two sides of a conflict are known.
func (k *conflicts) Sides(c *state.Conflict) [2]string {
	sides := [2]string{c.A, c.B}
	for i, id := range sides {
		if claim := k.table.Claim(id); claim != nil {
			sides[i] = claim.Points[0]
		}
	}
	return sides
}

// holders are the panelists whose answers say a point.
func (k *conflicts) holders(point string) []state.Seat {
	if k == nil {
		return nil
	}
	if claim := k.table.Claim(point); claim != nil {
		return claim.Holders
	}
	return nil
}

// apart is what the two sides of a conflict say, in a line.
func (k *conflicts) apart(c *state.Conflict) string {
	var said []string
	for _, id := range k.Sides(c) {
		if p := k.state.Point(id); p != nil {
			said = append(said, id+" "+p.Text)
		}
	}
	return strings.Join(said, " against ")
}

// blocks are a conflict whole: its two sides with who holds them, who took a side
// when asked, and how it came out.
func (k *conflicts) blocks(l *theme.Look, c *state.Conflict) []Block {
	st := k.standing(l, c)
	list := []Block{{
		Indent: 2, Lead: st.style.Span(st.glyph + " " + c.ID + " " + string(c.Kind) + "  "),
		Body: l.Faint.Span("found by " + string(c.By)), Right: st.style.Span(st.words), Hang: 4,
	}}
	positions := k.table.Positions(c)
	for _, id := range k.Sides(c) {
		p := k.state.Point(id)
		if p == nil {
			continue
		}
		list = append(list, Block{Indent: 4, Lead: l.Bold.Span(id + "  "), Body: l.Text.Span(p.Text)})
		var asked []state.Seat
		for _, position := range positions {
			if position.Point == id && !position.Answered {
				asked = append(asked, position.Seat)
			}
		}
		said := when(len(k.holders(id)) == 0, "nobody says it any more", "said by "+view.Seats(k.holders(id)))
		if len(asked) > 0 {
			said += "; sides with it: " + view.Seats(asked)
		}
		list = append(list, Block{Indent: 6 + len(id), Body: l.Faint.Span(said)})
	}
	if why := k.endings[c.ID].Why; why != "" {
		list = append(list, Block{Indent: 4, Lead: st.style.Span(st.glyph + " "), Body: l.Text.Span(why)})
	}
	return list
}
