package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol/panel"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// panelTelling tells of the claims of several answers, of who holds them, and of
// where they conflict. What is argued is told as in a consultation.
type panelTelling struct {
	consultTelling
	clashes *conflicts
}

func newPanelTelling(s *state.State) panelTelling {
	return panelTelling{consultTelling{s}, newConflicts(s)}
}

func (t panelTelling) Conflicts() *conflicts { return t.clashes }

func (t panelTelling) columns() tableColumns {
	return tableColumns{
		all: []Column{
			ColumnID, ColumnBucket, columnTag, columnHeld, columnConflicts, ColumnKind, ColumnRound, ColumnEvidence, ColumnText,
		},
		spare: []Column{ColumnRound, ColumnKind, columnTag, ColumnEvidence}, share: 40, whole: allColumns,
	}
}

// tag names the conflict that put a point where it is.
func (t panelTelling) tag(r *state.Ruling, p *state.Point) string {
	if r.Tag != state.TagUser && p.UserRuling == nil && len(r.Reads) > 0 {
		switch r.Rule {
		case "PN1":
			return r.Reads[0] + " lost"
		case "PN2":
			return r.Reads[0] + " not settled"
		}
	}
	if r.Rule == "PN4" {
		return "said by one"
	}
	return t.consultTelling.tag(r, p)
}

// facts are who says the point, in which wordings, and what kind it is.
func (t panelTelling) facts(p *state.Point) []string {
	parts := []string{"by " + view.Seats(p.Authors)}
	if claim := t.clashes.table.Claim(p.ID); claim != nil {
		parts = []string{t.saidBy(claim)}
		others := slices.DeleteFunc(slices.Clone(claim.Points), func(id string) bool { return id == p.ID })
		if len(others) > 0 {
			parts = append(parts, "in other words "+strings.Join(others, ", "))
		}
	}
	own := t.consultTelling.facts(p)
	return append(parts, own[1:]...)
}

// saidBy names who holds a claim, of how many.
func (t panelTelling) saidBy(claim *panel.Claim) string {
	switch n := len(claim.Holders); {
	case n == 0:
		return "nobody says it any more"
	case n == t.clashes.counts.Answered && n > 1:
		return fmt.Sprintf("said by all %d", n)
	default:
		return fmt.Sprintf("said by %s, %d of %d", view.Seats(claim.Holders), n, t.clashes.counts.Answered)
	}
}

// holding are the conflicts that a point is in, with their other sides.
func (t panelTelling) holding(l *theme.Look, p *state.Point) []Block {
	of := t.clashes.Of(p.ID)
	if len(of) == 0 {
		return nil
	}
	open := 0
	list := []Block{{Section: "Conflicts"}}
	for i, c := range of {
		if !t.clashes.over(c) {
			open++
		}
		list = append(list, spaced(i > 0)...)
		list = append(list, t.clashes.blocks(l, c)...)
	}
	list[0].Right = l.Faint.Span(fmt.Sprintf("%d of %d open", open, len(of)))
	return list
}

// settled reports whether nothing is owed on a challenge: one that says that there
// is a conflict ends with that.
func (t panelTelling) settled(c *state.Challenge) bool {
	return t.conflictOver(c) || t.consultTelling.settled(c)
}

func (t panelTelling) conflictOver(c *state.Challenge) bool {
	of := t.clashes.raised[c.ID]
	return of != nil && t.clashes.over(of)
}

func (t panelTelling) standing(l *theme.Look, c *state.Challenge) challengeStanding {
	of := t.clashes.raised[c.ID]
	switch {
	case of == nil, c.Settled():
		return t.consultTelling.standing(l, c)
	case t.clashes.echoed(c):
		st := t.clashes.standing(l, of)
		st.words = of.ID + " " + st.words
		return st
	case t.clashes.over(of):
		return challengeStanding{l.Glyphs.NotEvaluated, l.Faint, "ended with " + of.ID, true}
	}
	return t.consultTelling.standing(l, c)
}

func (t panelTelling) about(c *state.Challenge) []string {
	parts := t.consultTelling.about(c)
	if of := t.clashes.raised[c.ID]; of != nil {
		parts = append(parts, "for "+of.ID)
	}
	return parts
}
