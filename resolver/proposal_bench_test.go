package resolver

import (
	"fmt"
	"testing"
	"time"

	"moot/ledger"
	"moot/state"
)

// largestProposal is the largest proposal that seats can bring about, in round 2:
// 60 fields, 120 objections, an item of evidence for each second one.
func largestProposal(t testing.TB) *state.State {
	t.Helper()
	var s state.State
	add := func(payloads ...state.Payload) {
		for _, p := range payloads {
			next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, Data: p})
			if err != nil {
				t.Fatal(err)
			}
			s = next
		}
	}
	add(&state.SessionOpened{Version: state.Version, ID: "s", Question: "Set it", Settings: state.Settings{Format: state.FormatDialectic}}, &state.RoundStarted{Round: 1})
	for i := range 60 {
		id := fmt.Sprintf("P%d", i+1)
		add(&state.PointRaised{ID: id, By: state.Proposer, Text: "a = 1"},
			&state.FieldProposed{Point: id, Path: fmt.Sprintf("a.f%d", i), Value: []byte("1"), Category: "Factual", Severity: "HIGH", Grounded: true})
	}
	for i := range 120 {
		id, point := fmt.Sprintf("C%d", i+1), fmt.Sprintf("P%d", i/2+1)
		severity := []string{"BLOCKING", "HIGH", "MEDIUM"}[i%3]
		add(&state.ChallengeRaised{ID: id, Point: point, By: state.PressureTester, What: state.Reject, Objection: "why?"},
			&state.ObjectionFiled{Challenge: id, Category: "Factual", Severity: severity, Predicate: id + " holds"})
		if i%2 == 0 {
			item := fmt.Sprintf("E%d", i/2+1)
			add(&state.EvidenceOffered{ID: item, Point: point, Relation: ledger.Supports, Reference: "a.go:1", By: state.Proposer},
				&state.EvidenceVerified{ID: item, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9, Admitted: true, Excerpt: "it is 1"},
				&state.EvidenceSupplied{Evidence: item, Challenge: id})
		}
	}
	for round := 2; round <= 3; round++ {
		recorded, _, err := Recorded(&s, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		add(&state.RoundResolved{Resolution: recorded})
		if round == 2 {
			add(&state.RoundStarted{Round: 2})
		}
	}
	return &s
}

func BenchmarkProposals(b *testing.B) {
	s := largestProposal(b)
	for _, one := range []struct {
		name string
		do   func()
	}{
		{"resolve", func() { ResolveProposal(s, time.Time{}) }},
		{"rule", func() { Rule(*s) }},
		{"outcome", func() {
			if _, err := OutcomeOf(s); err != nil {
				b.Fatal(err)
			}
		}},
		{"because", func() { r, _ := RuleOne(*s, "P1"); Because(*s, r, nil) }},
		{"explain", func() { r, _ := RuleOne(*s, "P1"); Explain(*s, r) }},
		{"decision", func() { ExplainDecision(*s) }},
	} {
		b.Run(one.name, func(b *testing.B) {
			for b.Loop() {
				one.do()
			}
		})
	}
}
