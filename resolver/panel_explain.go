package resolver

import (
	"fmt"
	"slices"

	"moot/state"
)

// panelRuleSays is RuleSays of the rules of a panel.
func panelRuleSays(rule string) string {
	switch rule {
	case "PN1":
		return "What loses a conflict falls when you chose the other side, when it is a value judgment, or when the " +
			"other side's evidence outranks its own."
	case "PN2":
		return "A point in a conflict that nothing settled is not decided."
	case "PN3":
		return "Where verified evidence for the other side of a contradiction ranks as high, neither side stands."
	case "PN4":
		return "What only one panelist says by the end, and nobody else stands for, is unresolved."
	}
	return councilRuleSays(rule)
}

// conflictWords is a conflict with its sides and how it came out.
func (b *bench) conflictWords(c *state.Conflict) string {
	t := b.table
	if t == nil {
		t = newTable(b.s)
	}
	words := fmt.Sprintf("the %s between %s and %s", c.Kind, t.sideWords(c.A), t.sideWords(c.B))
	if claim := t.stance[b.p.ID]; claim != nil && t.stands(c) && slices.Contains(claim.Conflicts, c.ID) {
		words = fmt.Sprintf("the %s with %s", c.Kind, t.sideWords(t.opposite(c, claim).Points[0]))
	}
	ending := t.Ending(c)
	return words + ", " + clip(ending.Words("you"))
}

// eventOfRecord is said of an event that the point shows nothing of.
const eventOfRecord = "an event of the record"

// claimHere is the claim of the point in a panel, nil in other formats.
func (b *bench) claimHere() *Claim {
	if b.table == nil {
		return nil
	}
	return b.claim()
}

// sideWords is the point by which a side of a conflict is known, with its text.
func (t *Table) sideWords(id string) string {
	if c := t.Claim(id); c != nil {
		id = c.Points[0]
	}
	if p := t.s.Point(id); p != nil {
		return id + " " + quote(p.Text)
	}
	return id
}
