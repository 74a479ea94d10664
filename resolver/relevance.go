package resolver

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// Counts reports whether an item counts for rulings: it is verified, somebody other than the seat
// that offered it judged that it bears on the point, and nobody contests that (RV).
func Counts(s *state.State, p *state.Point, item *ledger.Evidence) bool {
	return item.Proven() && item.Contested() == nil && !citesUnbinding(s, item) && relevance(s, p, item) != ""
}

// relevance describes in a clause who judged that an item bears on the point (RV2), or returns "".
func relevance(s *state.State, p *state.Point, item *ledger.Evidence) string {
	if item.OfferedBy == string(state.User) {
		return "you gave it"
	}
	for _, a := range item.Accepted {
		if seat := state.Seat(a.Seat); !a.ByRules && otherSide(s, p, item, seat) {
			return SeatName(seat) + " accepted it"
		}
	}
	if other := citedAlike(s, p, item); other != nil {
		return SeatName(state.Seat(other.OfferedBy)) + " cited the same lines for it on its own"
	}
	if readByCode(p, item) {
		return "code found the value in it"
	}
	if item.Relation == ledger.Refutes && item.Heard {
		return "its author did not contest it"
	}
	return ""
}

// citedAlike returns another verified item that cites the same lines, for a point that was merged with this one or
// marked as saying the same, or nil. Both points were raised in round 1 by seats that had not seen each other, so each
// accepts the item of the other (RV2).
func citedAlike(s *state.State, p *state.Point, item *ledger.Evidence) *ledger.Evidence {
	if !unseenBy(s, item) {
		return nil
	}
	items := p.Evidence
	for _, pair := range s.Pairs.All() {
		a, b := s.Live(pair.A), s.Live(pair.B)
		switch {
		case !pair.Alike || pair.Opposed || a == nil || b == nil:
		case a == p:
			items = slices.Concat(items, b.Evidence)
		case b == p:
			items = slices.Concat(items, a.Evidence)
		}
	}
	for _, id := range items {
		other := s.Item(id)
		if other.OfferedBy != item.OfferedBy && other.Relation == item.Relation &&
			other.Proven() && other.Contested() == nil && unseenBy(s, other) &&
			sameLines(item.Reference, other.Reference) {
			return other
		}
	}
	return nil
}

// unseenBy reports whether an item was offered by the author of its point with the first answer, which no other seat
// had seen. An item moves with a merge, so its point may be an alias of the one that it is at now. The orchestrator
// of a consultation sees the others' answers before its own, save in the framing parallel.
func unseenBy(s *state.State, item *ledger.Evidence) bool {
	at, seat := s.Point(item.Point), state.Seat(item.OfferedBy)
	blind := seat != state.User && (seat != state.Orchestrator || s.Settings.Framing == state.FramingParallel)
	if !blind || at == nil || item.Round != 1 {
		return false
	}
	return slices.ContainsFunc(append([]string{at.ID}, at.Aliases...), func(id string) bool {
		p := s.Point(id)
		return p.Round == 1 && p.Revises == "" && p.Authors[0] == seat && slices.Contains(p.Evidence, item.ID)
	})
}

// sameLines reports whether two references name overlapping lines of one file.
func sameLines(a, b string) bool {
	one, err := ledger.ParseReference(a)
	if err != nil {
		return false
	}
	other, err := ledger.ParseReference(b)
	if err != nil || one.Path != other.Path {
		return false
	}
	return slices.ContainsFunc(one.Spans, func(x ledger.Span) bool {
		return slices.ContainsFunc(other.Spans, func(y ledger.Span) bool {
			return x.First <= y.Last &&
				y.First <= x.Last
		})
	})
}

// MayAccept reports whether a seat's acceptance of the item counts: it can judge, and is on another
// side than the seat that offered it. The authors of a point are one side, unless all seats are
// authors.
func MayAccept(s *state.State, p *state.Point, item *ledger.Evidence, seat state.Seat) bool {
	return !s.ByRules(seat) && otherSide(s, p, item, seat)
}

// otherSide is MayAccept without the question of who fills the seat now.
func otherSide(s *state.State, p *state.Point, item *ledger.Evidence, seat state.Seat) bool {
	ownSide := p.IsAuthor(seat) && p.IsAuthor(state.Seat(item.OfferedBy)) && !AllAuthors(s, p)
	return seat == state.User || seat != state.Arbiter && string(seat) != item.OfferedBy && !ownSide
}

// AllAuthors reports whether every seat that argues is an author of the point.
func AllAuthors(s *state.State, p *state.Point) bool {
	if len(p.Authors) < 2 {
		return false
	}
	return !slices.ContainsFunc(s.Seats, func(a state.SeatAssignment) bool {
		return a.Seat != state.Arbiter && !p.Holds(a.Seat)
	})
}

// readByCode reports whether code can judge the item by a predicate of the point (RV2): the item contains the
// compared name and a value, and that value agrees with the item's relation. A predicate that a seat gave counts if
// the text of the point contains its name and its value.
func readByCode(p *state.Point, item *ledger.Evidence) bool {
	if item.Relation == ledger.Neutral {
		return false
	}
	for _, predicate := range p.Predicates() {
		name := predicate.Path[strings.LastIndexByte(predicate.Path, '.')+1:]
		value := strings.Trim(string(predicate.Value), `"`)
		if len(p.Stated) == 0 && (!hasWord(p.Text, name) || !hasWord(p.Text, value)) {
			continue
		}
		if holds, found := predicate.Test(item.Excerpt); found && holds == (item.Relation == ledger.Supports) {
			return true
		}
	}
	return false
}

// hasWord reports whether a word stands alone in a text, in any case.
func hasWord(text, word string) bool {
	return word != "" && slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool {
		return !ledger.InName(r)
	}), func(field string) bool { return strings.EqualFold(strings.Trim(field, "."), word) })
}
