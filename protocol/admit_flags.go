package protocol

import (
	"fmt"
	"strings"

	"moot/ledger"
	"moot/state"
)

// maxFacts is how many facts a seat may offer in a round.
const maxFacts = 20

// flag admits a FLAG of a kind that all formats share. Formats handle their own kinds.
func (a *Admitter) flag(m *FlagMove) error {
	text := strings.TrimSpace(m.Text)
	switch m.Flag {
	case FlagTrivial:
		if a.State.Round > 2 {
			return Refuse("late", "a question is found trivial by round 2")
		}
		a.trivial = true
		return a.Add(&state.FoundTrivial{By: a.Seat, Reason: text})
	case FlagFact:
		return a.fact(text)
	case FlagNothing, FlagKey:
		return nil
	case FlagShape, FlagTangents, FlagDriftSignals, FlagAmbiguity, FlagOffTopic, FlagDoubt:
	}
	return Refuse("not-allowed", "FLAG %s is not asked for here", m.Flag)
}

// fact records a hypothesis of the seat as an unverified fact (LE2).
func (a *Admitter) fact(text string) error {
	if text == "" {
		return Refuse("empty", "a fact needs a text")
	}
	mine := 0
	for _, f := range a.State.Facts.All() {
		if f.Live && f.Text == text {
			return Refuse("repeated", "%s says that already", f.ID)
		}
		if f.Seat == string(a.Seat) && f.Tag == ledger.TagUnverified && f.Round == a.State.Round {
			mine++
		}
	}
	if mine >= maxFacts {
		return OverLimit(text, "a seat offers at most %d facts a round", maxFacts)
	}
	return a.Add(&state.FactRecorded{ID: a.State.NextFact(), Tag: ledger.TagUnverified, Seat: a.Seat, Text: text})
}

// violates admits a VIOLATES: it names a user fact that a point contradicts, and the user is asked
// to confirm (AC5).
func (a *Admitter) violates(m *Violates) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	fact := a.State.Fact(m.Fact)
	if fact == nil || !fact.Live || fact.Tag != ledger.TagUser {
		return Refuse("unknown-fact", "%q is not a current fact of the user", m.Fact)
	}
	for _, v := range p.Violates {
		if v.Fact == fact.ID {
			return Refuse("repeated", "%s and %s were named already; the user decides", p.ID, fact.ID)
		}
	}
	a.Record(&state.ViolationNamed{Point: p.ID, Fact: fact.ID, By: a.Seat, Words: Clip(m.Words)})
	if needsNoWord(a.State, p) {
		return a.failed // AC5b does not apply.
	}
	return a.Add(
		&state.QuestionSurfaced{
			ID: a.State.NextQuestion(), Point: p.ID, What: state.QuestionConstraint, Options: []string{"yes", "no"},
			About: fact.ID,
			Text: fmt.Sprintf("%s says that %s contradicts your fact %s (%q). Does it?", a.Seat, p.ID, fact.ID,
				Clip(fact.Text)),
		},
	)
}
