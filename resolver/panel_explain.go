package resolver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver/conflict"
	"moot/state"
)

// ruleNames are those of the table that the point is ruled by.
func (b *bench) ruleNames() []string {
	if b.table != nil {
		return panelRuleNames()
	}
	return RuleNames()
}

// panelRuleSays is RuleSays of the rules of a panel.
func panelRuleSays(rule string) string {
	switch rule {
	case "PN1":
		return "What loses a conflict falls when you chose the other side, when it is a value judgment, or when the other side's evidence outranks its own."
	case "PN2":
		return "A point in a conflict that nothing settled is not decided."
	case "PN3":
		return "Where verified evidence for the other side of a contradiction ranks as high, neither side stands."
	case "PN4":
		return "What only one panelist says by the end, and nobody else stands for, is unresolved."
	}
	return councilRuleSays(rule)
}

// becausePanel is what a rule of a panel says of this very point.
func (b *bench) becausePanel(r *state.Ruling) string {
	if len(r.Reads) == 0 {
		return sentence(r.Reason)
	}
	switch r.Rule {
	case "PN1":
		return b.becauseOutvoted(r)
	case "PN2":
		return b.becauseContested(r)
	case "PN3":
		return b.becauseOutweighed(r)
	}
	return sentence(r.Reason)
}

func (b *bench) becauseOutvoted(r *state.Ruling) string {
	c, claim := b.s.Conflict(r.Reads[0]), b.claim()
	if c == nil || claim == nil {
		return sentence(r.Reason)
	}
	other := b.table.opposite(c, claim)
	if agreed := b.table.agreedByUser(other); agreed != "" {
		return fmt.Sprintf("You agreed with %s, and %s says that the two do not go together.", agreed, c.ID)
	}
	head := fmt.Sprintf("%s says that it and %s do not go together, and that was settled for %s %s", c.ID, other.Points[0], other.Points[0], settledBy(c))
	switch {
	case r.Bucket == state.BucketUnresolved && b.value:
		return head + fmt.Sprintf("; but %s lost in turn, and so on round to this point, so none of them falls.", other.Points[0])
	case r.Bucket == state.BucketUnresolved:
		return head + "; but it is an empirical claim, and no verified evidence of the other side outranks its own."
	case b.value:
		return head + "; a value judgment falls by that."
	case len(r.Reads) > 1 && b.s.Item(r.Reads[1]) != nil:
		item := b.s.Item(r.Reads[1])
		if len(b.table.grounds(claim, other)) == 0 {
			return head + fmt.Sprintf("; and %s (%s) speaks for that, while nothing verified speaks for this one.", item.ID, ranked(item))
		}
		return head + fmt.Sprintf("; and %s (%s) outranks what speaks for this one.", item.ID, ranked(item))
	}
	return head + "."
}

// settledBy says how a conflict was settled: "by 3 of 4", "by evidence".
func settledBy(c *state.Conflict) string {
	if c.Settlement.Method != string(conflict.Vote) {
		return "by " + orElse(c.Settlement.Measure, c.Settlement.Method) + " (" + c.Settlement.Reasoning + ")"
	}
	held := 0
	for _, p := range c.Settlement.Positions {
		if p.Point == c.Settlement.Winner {
			held++
		}
	}
	return fmt.Sprintf("by %d of %d", held, len(c.Settlement.Positions))
}

func (b *bench) becauseContested(r *state.Ruling) string {
	c, claim := b.s.Conflict(r.Reads[0]), b.claim()
	if c == nil || claim == nil {
		return sentence(r.Reason)
	}
	how := "say different things on one subject"
	if c.Kind == state.Contradiction {
		how = "contradict each other"
	}
	return fmt.Sprintf("It and %s %s (%s), and that is not settled: %s.", b.table.opposite(c, claim).Points[0], how, c.ID, clip(cmp.Or(b.table.unclear(c), "nobody decided it")))
}

func (b *bench) becauseOutweighed(r *state.Ruling) string {
	if len(r.Reads) < 3 || b.s.Item(r.Reads[0]) == nil || b.s.Item(r.Reads[1]) == nil {
		return sentence(r.Reason)
	}
	mine, theirs := b.s.Item(r.Reads[0]), b.s.Item(r.Reads[1])
	ranks := "ranks the same"
	if ledger.CompareRank(theirs, mine) < 0 {
		ranks = "ranks higher"
	}
	return fmt.Sprintf("%s (%s) speaks for it, and %s (%s), for the other side of %s, %s.", mine.ID, ranked(mine), theirs.ID, ranked(theirs), r.Reads[2], ranks)
}

// backed says who or what upholds the point, without a full stop.
func (b *bench) backed() string {
	f := b.backing()
	if f == nil {
		return "Nothing is left against it"
	}
	var parts []string
	if len(f.holders) > 1 {
		parts = append(parts, seatNames(f.holders)+" say it unasked")
	}
	if len(f.agreeing) > 0 {
		seats := make([]state.Seat, len(f.agreeing))
		for i, c := range f.agreeing {
			seats[i] = c.Seat
		}
		parts = append(parts, seatNames(seats)+" said AGREE when asked")
	}
	for _, c := range f.settled {
		parts = append(parts, c.ID+" was settled for it "+settledBy(c))
	}
	if len(f.yielded) > 0 {
		var seats []state.Seat
		for _, given := range f.yielded {
			if !slices.Contains(seats, given.Seat) {
				seats = append(seats, given.Seat)
			}
		}
		parts = append(parts, seatNames(seats)+" gave up the other side")
	}
	return capital(strings.Join(parts, "; "))
}

// pendingPanel says what a point waits for that nobody argues about.
func (b *bench) pendingPanel() string {
	claim := b.claim()
	switch f := b.backing(); {
	case b.underRefuted():
		return best(b.refutes).ID + " refutes it, and no support ranks as high."
	case f != nil && f.backs(b):
		return b.backed() + ", but it is an empirical claim and nothing verified supports it yet."
	case b.lastDoubt() != nil:
		class := b.lastDoubt()
		return fmt.Sprintf("The last word of %s on it is %s (round %d)%s", seatName(class.Seat), class.Class, class.Round, colon(class.Reason))
	case claim != nil && len(claim.Holders) == 1:
		return fmt.Sprintf("Only %s says it, and nobody else stands for it.", claim.Holders[0])
	}
	return "The panel has not finished with it."
}

// lacksPanel is lacks of the rules of a panel.
func (b *bench) lacksPanel(rule string) string {
	t, claim := b.table, b.claim()
	for _, c := range t.about[claim] {
		other := t.opposite(c, claim)
		switch winner := t.winner(c); rule {
		case "PN1":
			if winner == other && t.fallen(other) {
				return fmt.Sprintf("%s was settled for %s, but that fell for reasons of its own.", c.ID, other.Points[0])
			}
		case "PN2":
			switch {
			case winner == nil && t.gone(other):
				return fmt.Sprintf("%s was not settled, but nothing is left of its other side.", c.ID)
			case b.arguing(c):
				return fmt.Sprintf("%s is not settled, but it is argued: what its two sides make of it decides.", c.ID)
			}
		case "PN3":
			mine, theirs := best(firm(t.grounds(claim, other))), best(firm(t.grounds(other, claim)))
			if c.Kind == state.Contradiction && theirs != nil && mine != nil && !b.value && ledger.CompareRank(theirs, mine) > 0 {
				return fmt.Sprintf("%s speaks for the other side of %s, but %s ranks higher.", theirs.ID, c.ID, mine.ID)
			}
		}
	}
	if rule == "PN4" && claim != nil && len(claim.Holders) == 1 && !b.s.Over() {
		return fmt.Sprintf("only %s says it, but the session is not over.", claim.Holders[0])
	}
	return ""
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
