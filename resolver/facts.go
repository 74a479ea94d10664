package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// FactPair is two facts of the user that exclude each other.
type FactPair struct{ A, B *ledger.Fact }

// ExcludingFacts returns the live facts of the user that exclude each other, as long as the user has not said which
// holds. They bind nobody and count for nothing.
func ExcludingFacts(s *state.State) []FactPair {
	var pairs []FactPair
	for _, f := range s.Facts.All() {
		for _, id := range f.Conflicts {
			if other := s.Fact(id); other != nil && state.Index(f.ID, 'F') < state.Index(id, 'F') {
				pairs = append(pairs, FactPair{f, other})
			}
		}
	}
	return pairs
}

// LinesAgainst returns the binding facts of the user that verified lines contradict, with the lines.
func LinesAgainst(s *state.State) []state.FactAgainst {
	return slices.DeleteFunc(slices.Clone(s.FactsAgainst), func(a state.FactAgainst) bool {
		return !s.Fact(a.Fact).Binds() || !s.Item(a.Item).Proven()
	})
}

// LineSays describes what a line says against a fact: "store.go:14 says 3".
func LineSays(s *state.State, a state.FactAgainst) string {
	return fmt.Sprintf("%s says %s", s.Item(a.Item).Reference, Clip(a.Says))
}

// lineAgainst adds to a reason what a verified line says against the fact, or is "".
func lineAgainst(s *state.State, fact *ledger.Fact) string {
	for _, a := range LinesAgainst(s) {
		if a.Fact == fact.ID {
			return "; but " + LineSays(s, a)
		}
	}
	return ""
}

// citesUnbinding reports whether an item cites a fact of the user that is no longer live, or that another one excludes.
func citesUnbinding(s *state.State, item *ledger.Evidence) bool {
	if item.SourceKind != ledger.UserOverride || item.OfferedBy == string(state.User) {
		return false
	}
	fact := s.Fact(item.Reference)
	return fact != nil && !fact.Binds()
}

// DeniesLine returns what a verified line says that a sentence with these points would deny (AN2), or "". Such a line
// contradicts a fact of the user, or what the sentence or one of its points states of a value. What must be is no
// denial of what is, and what the user ruled is the user's word.
func DeniesLine(s *state.State, one *state.Sentence) string {
	texts := []string{one.Text}
	for _, id := range one.Points {
		switch p := s.Current(id); {
		case p == nil:
		case KindOf(s, p) != state.Empirical || p.UserRuling != nil:
			texts[0] = ""
		default:
			texts = append(texts, p.Text)
		}
	}
	for _, text := range texts {
		stated := ledger.ParsePredicate(text)
		if stated == nil || strings.Contains(strings.ToLower(text), "must") {
			continue
		}
		for _, item := range s.Evidence.All() {
			if item.Proven() && item.Contested() == nil && item.SourceKind != ledger.UserOverride {
				if says := stated.Against(item.Excerpt); says != "" {
					return fmt.Sprintf("%s says %s", item.Reference, Clip(says))
				}
			}
		}
	}
	for _, id := range one.Denies {
		p := s.Current(id)
		if p == nil || p.UserRuling != nil {
			continue
		}
		fact, _ := violated(s, p)
		for _, a := range LinesAgainst(s) {
			if fact != nil && a.Fact == fact.ID {
				return LineSays(s, a)
			}
		}
	}
	return ""
}
