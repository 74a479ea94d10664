package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// breaches are the violations that a claim makes.
func (b *bench) breaches() []state.Breach {
	var found []state.Breach
	for _, c := range b.s.CouncilSettings().Constitution.Constraints {
		if c.Check == state.CheckNone || c.Check == state.CheckMethod || !bound(&c, b.p) {
			continue
		}
		if text := b.breach(&c); text != "" {
			found = append(found, state.Breach{
				Constraint: c.ID, Seat: c.Seat, Point: b.p.ID, Text: text,
				Round: b.p.Round,
			})
		}
	}
	return found
}

// bound reports whether a constraint of a seat is about the claim: the strategist
// answers for all of them, the moderator for those that it worded.
func bound(c *state.Constraint, p *state.Point) bool {
	return c.Seat == state.Strategist || c.Seat == state.Moderator && p.WordedBy == state.Moderator
}

// breach says what of a claim violates a constraint, "" where nothing does.
func (b *bench) breach(c *state.Constraint) string {
	switch c.Check {
	case state.CheckCites:
		if !b.value && len(b.offered(ledger.Supports)) == 0 {
			return "a factual claim without a reference"
		}
	case state.CheckUncertainty:
		if b.acknowledged() == "" {
			return "no limit, no range, and no reason why the confidence is not 1"
		}
	case state.CheckDiverse:
		if b.p.Key && len(distinct(b.offered(ledger.Supports), SourceOf)) < keySources {
			return "a key claim with references of one source only"
		}
	case state.CheckFeasible:
		if proposing(b.said()) && !sayingHow(b.said()) {
			return "a proposal that does not say how it is carried out"
		}
	case state.CheckBias:
		return b.bias()
	case state.CheckNoHarm:
		if phrase := denied(b.said(), c.Deny); phrase != "" {
			return fmt.Sprintf("it says %q, which this rule forbids", phrase)
		}
	case state.CheckMethod, state.CheckNone:
	}
	return ""
}

// offered are the items of a relation on the point that were not refused.
func (b *bench) offered(relation ledger.Relation) []*ledger.Evidence {
	var items []*ledger.Evidence
	for _, id := range b.p.Evidence {
		if item := b.s.Item(id); item != nil && item.Relation == relation && (!item.Checked || item.Verified) {
			items = append(items, item)
		}
	}
	return items
}

func distinct(items []*ledger.Evidence, of func(*ledger.Evidence) string) []string {
	var found []string
	for _, item := range items {
		if what := of(item); !slices.Contains(found, what) {
			found = append(found, what)
		}
	}
	return found
}

// bias says in what all support of a claim is one-sided; "" where it is not, or
// where there is none.
func (b *bench) bias() string {
	support := b.offered(ledger.Supports)
	if len(support) == 0 {
		return ""
	}
	var one []string
	if len(distinct(support, SourceOf)) == 1 {
		one = append(one, "one source")
	}
	if len(distinct(support, func(e *ledger.Evidence) string { return e.OfferedBy })) == 1 {
		one = append(one, "one seat")
	}
	if len(b.offered(ledger.Refutes))+len(b.offered(ledger.Neutral)) == 0 {
		one = append(one, "one polarity")
	}
	if len(one) == 0 {
		return ""
	}
	return "all its support is of " + strings.Join(one, ", of ")
}

// unmethodical are the challenges to the claim whose seat is bound to name method,
// sample, assumption or confounder, and that name none.
func (b *bench) unmethodical() []state.Breach {
	var found []state.Breach
	for _, c := range b.s.CouncilSettings().Constitution.Constraints {
		if c.Check != state.CheckMethod {
			continue
		}
		for _, challenge := range b.challenges {
			if challenge.By == c.Seat && !NamesMethod(challenge.Objection+" "+challenge.Grounds+" "+
				challenge.UpgradeIf) {
				found = append(found, state.Breach{
					Constraint: c.ID, Seat: c.Seat, Point: b.p.ID, Challenge: challenge.ID, Round: challenge.Round,
					Text: "a challenge that names no method, sample, assumption or confounder",
				})
			}
		}
	}
	return found
}

// BreachesOf are the violations that a claim and the challenges to it make.
func BreachesOf(s *state.State, p *state.Point) []state.Breach {
	b := newBench(s, p)
	return append(b.breaches(), b.unmethodical()...)
}

// Breaks reports whether a violation on the record still is one.
func Breaks(s *state.State, p *state.Point, breach *state.Breach) bool {
	return slices.ContainsFunc(BreachesOf(s, p), func(b state.Breach) bool {
		return b.Constraint == breach.Constraint && b.Challenge == breach.Challenge
	})
}
