package claims

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/state"
)

// recordVerified puts a verified passage into the ledger, verbatim (LE2,
// LE6). Unverified facts that it covers are superseded: wholly, which is how a
// tag rises (LE3), or in part, which splits them in two (LE4).
func recordVerified(d *protocol.Draft, seat state.Seat, f ledger.Finding) error {
	text := strings.TrimSpace(f.Excerpt)
	const longest = 1000 // bytes
	if f.Run != nil && (f.Type == ledger.Execution || len(text) > longest) {
		// The output may be long, so the fact is how it ended.
		text = f.Reason
	}
	if text == "" {
		return nil
	}
	var covered []*ledger.Fact
	for _, fact := range d.State.Facts.All() {
		if fact.Live && fact.Tag == ledger.TagVerified && fact.Reference == f.Reference && fact.Text == text {
			return nil
		}
		if fact.Live && fact.Tag == ledger.TagUnverified && strings.Contains(fact.Text, text) {
			covered = append(covered, fact)
		}
	}
	verified := d.State.NextFact()
	d.Record(&state.FactRecorded{
		ID: verified, Tag: ledger.TagVerified, Seat: seat, Text: text, Reference: f.Reference,
	})
	for _, old := range covered {
		if rest := strings.TrimSpace(strings.Replace(old.Text, text, "", 1)); rest != "" {
			// The rest of the text stays unverified, and the passage in it is marked (LE6).
			marked := strings.Replace(old.Text, text, fmt.Sprintf("[see %s - excerpt: %q]", f.Reference, text), 1)
			d.Record(&state.FactRecorded{
				ID: d.State.NextFact(), Tag: ledger.TagUnverified, Seat: state.Seat(old.Seat), Text: marked, Supersedes: old.ID,
			})
		}
		d.Record(&state.FactSuperseded{Fact: old.ID, By: verified})
	}
	return nil
}

// maxFacts is how many facts a seat may offer in a round.
const maxFacts = 20

// flag admits a FLAG of a kind that all formats share. Formats handle their own kinds.
func (a *Admitter) flag(m *move.Flag) error {
	text := strings.TrimSpace(m.Text)
	switch m.Flag {
	case move.FlagTrivial:
		if a.State.Round > 2 {
			return protocol.Refuse("late", "a question is found trivial by round 2")
		}
		a.trivial = true
		return a.Add(&state.FoundTrivial{By: a.Seat, Reason: text})
	case move.FlagFact:
		return a.fact(text)
	case move.FlagNothing, move.FlagKey:
		return nil
	case move.FlagShape,
		move.FlagTangents,
		move.FlagDriftSignals,
		move.FlagAmbiguity,
		move.FlagOffTopic,
		move.FlagDoubt:
	}
	return protocol.Refuse("not-allowed", "FLAG %s is not asked for here", m.Flag)
}

// fact records a hypothesis of the seat as an unverified fact (LE2).
func (a *Admitter) fact(text string) error {
	if text == "" {
		return protocol.Refuse("empty", "a fact needs a text")
	}
	mine := 0
	for _, f := range a.State.Facts.All() {
		if f.Live && f.Text == text {
			return protocol.Refuse("repeated", "%s says that already", f.ID)
		}
		if f.Seat == string(a.Seat) && f.Tag == ledger.TagUnverified && f.Round == a.State.Round {
			mine++
		}
	}
	if mine >= maxFacts {
		return protocol.OverLimit(text, "a seat offers at most %d facts a round", maxFacts)
	}
	return a.Add(&state.FactRecorded{ID: a.State.NextFact(), Tag: ledger.TagUnverified, Seat: a.Seat, Text: text})
}

// violates admits a VIOLATES: it names a user fact that a point contradicts, and the user is asked
// to confirm (AC5).
func (a *Admitter) violates(m *move.Violates) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	fact := a.State.Fact(m.Fact)
	if fact == nil || !fact.Live || fact.Tag != ledger.TagUser {
		return protocol.Refuse("unknown-fact", "%q is not a current fact of the user", m.Fact)
	}
	for _, v := range p.Violates {
		if v.Fact == fact.ID {
			return protocol.Refuse("repeated", "%s and %s were named already; the user decides", p.ID, fact.ID)
		}
	}
	a.Record(&state.ViolationNamed{Point: p.ID, Fact: fact.ID, By: a.Seat, Words: plain.Short(m.Words)})
	if needsNoWord(a.State, p) {
		return a.Failed // AC5b does not apply.
	}
	return a.Add(
		&state.QuestionSurfaced{
			ID: a.State.NextQuestion(), Point: p.ID, What: state.QuestionConstraint, Options: []string{"yes", "no"},
			About: fact.ID,
			Text: fmt.Sprintf("%s says that %s contradicts your fact %s (%q). Does it?", a.Seat, p.ID, fact.ID,
				plain.Short(fact.Text)),
		},
	)
}
