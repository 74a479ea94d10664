package resolver_test

import (
	"testing"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

// doubted is a session in which the orchestrator doubts the consultee's P1, and
// verified evidence of the consultee supports it.
func doubted(t *testing.T, more ...state.Payload) *state.State {
	t.Helper()
	payloads := append([]state.Payload{
		&state.SessionOpened{Rules: formats.ByName(consult.Name), Version: state.Version, ID: "x", Question: "?", Settings: state.Settings{Format: consult.Name}},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "a claim"},
		&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: state.Skeptical, Reason: "a flaw"},
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Orchestrator, Kind: state.Skeptical, Objection: "a flaw"},
		&state.ConfidenceReported{Seat: state.Orchestrator, Point: "P1", Stated: 0.4, Admitted: 0.4},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", Quote: "a", By: state.Consultee},
		&state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "a.go:1", Excerpt: "a", Admitted: true},
		&state.RoundStarted{Round: 2},
	}, more...)
	d := &protocoltest.Desk{T: t, State: &state.State{}, Quiet: true}
	d.Append(payloads...)
	return d.State
}

func TestEvidenceThatMovesNothingIsCounted(t *testing.T) {
	for name, c := range map[string]struct {
		more  []state.Payload
		moved bool
	}{
		"nothing came": {nil, false},
		"only what was stated rose": {
			[]state.Payload{&state.ConfidenceReported{Seat: state.Orchestrator, Point: "P1", Stated: 0.9, Admitted: 0.4}}, false,
		},
		"the admitted number rose": {
			[]state.Payload{&state.ConfidenceReported{Seat: state.Orchestrator, Point: "P1", Stated: 0.6, Admitted: 0.6}}, true,
		},
		"the admitted number fell": {
			[]state.Payload{&state.ConfidenceReported{Seat: state.Orchestrator, Point: "P1", Stated: 0.3, Admitted: 0.3}}, false,
		},
		"it agreed": {
			[]state.Payload{&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: state.Agree}}, true,
		},
		"it accepted the answer": {
			[]state.Payload{
				&state.ChallengeAnswered{Challenge: "C1", By: state.Consultee, Text: "because"},
				&state.ChallengeJudged{Challenge: "C1", By: state.Orchestrator, Judgment: state.Accepted},
			}, true,
		},
	} {
		got := resolver.Calibrate(doubted(t, c.more...), state.Orchestrator)
		if len(got.Counter) != 1 || got.Counter[0].Item.ID != "E1" || got.Counter[0].Moved != c.moved {
			t.Errorf("%s: %+v", name, got.Counter)
		}
	}
	if got := resolver.Calibrate(doubted(t), state.Consultee); len(got.Counter) != 0 {
		t.Errorf("a seat's own evidence speaks against it: %+v", got.Counter)
	}
}
