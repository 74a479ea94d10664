package figure

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/dialectic"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// The map shows an objection as code resolved it, not by the status of its challenge:
// a cleared one no longer attacks, an upheld one does.
func TestTheMapShowsHowObjectionsCameOut(t *testing.T) {
	t.Parallel()
	r := &recorder{t: t}
	r.add(&state.SessionOpened{Rules: formats.ByName(state.FormatDialectic), Version: state.Version, ID: "x", Question: "How?", Settings: state.Settings{Format: state.FormatDialectic}},
		&state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: state.Proposer, Text: "a = 1"},
		&state.FieldProposed{Point: "P1", Path: "a", Value: json.RawMessage("1"), Category: "Taste", Severity: "HIGH"})
	for _, id := range []string{"1", "2", "3"} {
		r.add(&state.ChallengeRaised{ID: "C" + id, Point: "P1", By: state.PressureTester, What: state.Reject, Objection: "why?"},
			&state.ObjectionFiled{Challenge: "C" + id, Category: "Factual", Severity: "HIGH", Predicate: "predicate " + id})
	}
	for i, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
		id := state.NextID('E', i)
		r.add(&state.EvidenceOffered{ID: id, Point: "P1", Relation: relation, Reference: "a.md:1", By: state.Proposer},
			&state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9, Reference: "a.md:1", Admitted: true},
			&state.EvidenceSupplied{Evidence: id, Challenge: state.NextID('C', i)})
	}
	r.add(&state.ChallengeAnswered{Challenge: "C3", By: state.Proposer, Text: "because"})
	recorded, err := dialectic.Recorded(&r.state, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	r.add(&state.RoundResolved{Resolution: recorded})
	g := Map(&r.state, resolver.Rule(r.state), MapOptions{Width: 120})
	drawn := whole(g, "")
	for _, want := range []string{
		"P1 ✗ dismissed · HIGH, R2", "C1 HIGH · ✓ cleared by E1", "attacked P1 · R1", "C2 HIGH · ✗ upheld by E2", "attacks P1 · R2",
		"C3 HIGH · ? unresolved", "C3.1 answer", "E1 ✓ domain-evidence 0.90",
	} {
		if !strings.Contains(drawn, want) {
			t.Errorf("the map does not say %q:\n%s", want, drawn)
		}
	}
	for _, wrong := range []string{"not judged", "REJECT", "○"} {
		if strings.Contains(drawn, wrong) {
			t.Errorf("the map says %q:\n%s", wrong, drawn)
		}
	}
}
