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

// ruledOn folds the events of a session with one point, which has verified
// support, and returns the ruling on it.
func ruledOn(t *testing.T, more ...state.Payload) state.Ruling {
	t.Helper()
	payloads := append([]state.Payload{
		&state.SessionOpened{Rules: formats.ByName(consult.Name), Version: state.Version, ID: "s", Question: "q", Settings: state.Settings{Format: consult.Name}},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "Alpha holds"},
		&state.PointTriaged{Point: "P1", Scope: state.InScope},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, By: state.Consultee},
	}, more...)
	d := &protocoltest.Desk{T: t, State: &state.State{}, Quiet: true}
	d.Append(payloads...)
	return resolver.Rule(d.State)[0]
}

func verifiedE1() *state.EvidenceVerified {
	return &state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "a/a.go:1", Admitted: true}
}

func contestedE1() *state.EvidenceContested {
	return &state.EvidenceContested{ID: "E1", By: state.Orchestrator, Reason: "it needs reasoning"}
}

func classifiedP1(class state.Class) *state.PointClassified {
	return &state.PointClassified{Point: "P1", By: state.Orchestrator, Class: class, Reason: "so"}
}

// CH5: a REJECT that was lifted to SKEPTICAL, where no round is left for the
// challenge, is no agreement.
func TestLiftedToSkepticalIsNotAgreed(t *testing.T) {
	r := ruledOn(
		t, verifiedE1(), contestedE1(), classifiedP1(state.Reject),
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Orchestrator, Kind: state.Reject, Objection: "it fails"},
		&state.ChallengeAnswered{Challenge: "C1", By: state.Consultee, Text: "it does not"},
		&state.ChallengeJudged{Challenge: "C1", By: state.Orchestrator, Judgment: state.Accepted, Reason: "mostly"},
		classifiedP1(state.Skeptical),
		&state.ExitReached{Exit: state.ExitCap},
	)
	if r.Rule != "AC18" {
		t.Fatalf("%+v", r)
	}
}

// AC12: a clarification that did not come decides only while a seat still calls
// the point ill-formed.
func TestUnansweredClarification(t *testing.T) {
	asked := []state.Payload{
		verifiedE1(), classifiedP1(state.IllFormed),
		&state.Requested{Point: "P1", Kind: state.RequestClarification, Of: []state.Seat{state.Consultee}, By: state.Orchestrator},
		&state.RequestSettled{Point: "P1", What: state.RequestClarification},
	}
	if r := ruledOn(t, asked...); r.Rule != "AC12" || len(r.Reads) != 2 {
		t.Errorf("%+v", r)
	}
	agreed := append(asked, classifiedP1(state.Agree), &state.EvidenceAccepted{ID: "E1", By: state.Orchestrator})
	if r := ruledOn(t, agreed...); r.Rule != "AC16" {
		t.Errorf("judged anew: %+v", r)
	}
}
