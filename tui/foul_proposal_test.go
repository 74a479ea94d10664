package tui

import (
	"encoding/json"
	"fmt"
	"testing"

	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// foulProposal is a session of the format dialectic in which every text is nasty:
// two rounds, resolved, with questions.
func foulProposal(t testing.TB, at int) *recorder {
	t.Helper()
	next := turning(at)
	r := &recorder{t: t}
	open := pressedOpened()
	open.Question, open.Settings.Playbook.Name = next(), next()
	r.add(open, &state.FactRecorded{
		ID: "F1", Tag: ledger.TagUser, Seat: state.User, Text: next(), Predicate: &state.Predicate{Path: "0", Op: "=", Value: asJSON(t, next())},
	}, &state.RoundStarted{Round: 1})
	severities := dialectic.Severities()
	for i := range 8 {
		p, c, e := fmt.Sprint("P", i+1), fmt.Sprint("C", i+1), fmt.Sprint("E", i+1)
		r.add(
			&state.PointRaised{ID: p, By: state.Proposer, Text: next()},
			&state.FieldProposed{
				Point: p, Path: fmt.Sprint(i, next()), Value: asJSON(t, next()), Category: next(), Severity: next(), Grounded: i%2 == 0,
				Derived: &state.Derivation{Op: next(), Of: []string{next()}}, Cites: []string{next()},
			},
			&state.EvidenceOffered{ID: e, Point: p, Relation: ledger.Relations()[i%2], Reference: next(), Quote: next(), By: state.Proposer},
			&state.EvidenceVerified{ID: e, Type: ledger.Textual, SourceKind: ledger.SourceKinds()[i%len(ledger.SourceKinds())], Confidence: 0.9, Reference: next(), Excerpt: next(), Admitted: true, Reason: next()},
			&state.ChallengeRaised{ID: c, Point: p, By: state.PressureTester, What: state.Reject, Objection: next(), UpgradeIf: next()},
			&state.ObjectionFiled{Challenge: c, Category: next(), Severity: string(severities[i%len(severities)]), Predicate: next(), Flag: next(), Cites: []string{}},
			&state.EvidenceSupplied{Evidence: e, Challenge: c},
			&state.Requested{Point: p, What: state.RequestEvidence, Of: []state.Seat{state.Proposer}, By: state.PressureTester, Text: next(), About: c},
		)
	}
	for round := range 2 {
		recorded, _, err := resolver.Recorded(&r.state, demoTime)
		if err != nil {
			t.Fatal(err)
		}
		r.add(&state.RoundResolved{Resolution: recorded}, &state.Ruled{Round: round + 1, Rulings: resolver.Rule(r.state)})
		if round == 0 {
			r.add(&state.RoundStarted{Round: 2})
		}
	}
	r.add(
		&state.QuestionSurfaced{ID: "Q1", Point: "P1", What: state.QuestionEscalation, About: "C1", Text: next(), Options: []string{next(), next(), next()}},
		&state.QuestionSurfaced{ID: "Q2", Point: "P2", What: state.QuestionEscalation, About: "P2", Text: next(), Options: []string{next()}},
	)
	return r
}

// asJSON is a text as JSON.
func asJSON(t testing.TB, text string) json.RawMessage {
	t.Helper()
	value, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
