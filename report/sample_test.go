package report_test

import (
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// sample is a session with a point in every bucket, hostile text among them.
func sample(t *testing.T) (*state.State, []state.Ruling) {
	t.Helper()
	payloads := []state.Payload{
		&state.SessionOpened{
			Rules:   formats.ByName(consult.Name),
			Version: state.Version, ID: "20261121-153045-k3f9", Question: "Should the *job queue*\x1b[2J move to streams?",
			Settings: state.Settings{
				Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "n",
				Context: []state.Document{{Path: "notes.md", Text: "key [REDACTED: model API key]"}},
			},
			Seats: []state.SeatAssignment{
				{Seat: state.Orchestrator, Participant: "rules", NoModel: true},
				{Seat: state.Consultee, Participant: "openai:gpt-5.2", Model: "gpt-5.2-2026-01"},
			},
		},
		&state.FactRecorded{ID: "F1", Tag: ledger.TagUser, Seat: state.User, Text: "writes are idempotent"},
		&state.RoundStarted{Round: 1},
		&state.PhaseChanged{Phase: state.Constructive, Reason: "round 1"},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "Acks come after the handler `consumer.go`"},
		&state.PointRaised{ID: "P2", By: state.Consultee, Text: "There is <b>no</b> ops cost"},
		&state.PointRaised{ID: "P3", By: state.Consultee, Text: "The write rate is low"},
		&state.PointRaised{ID: "P4", By: state.Consultee, Text: "acks come after the handler"},
		&state.PointRaised{ID: "P5", By: state.Consultee, Text: "Simple code is nicer", Kind: state.Value},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "queue/consumer.go:88", Quote: "msg.Ack()", By: state.Consultee},
		&state.EvidenceVerified{
			ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
			Reference: "queue/consumer.go:88", Excerpt: "\tmsg.Ack() // ```\u202e", Digest: "sha256:0", Admitted: true, Reason: "verbatim at the cited lines",
		},
		&state.PointsMerged{Into: "P1", From: []string{"P4"}, By: state.Protocol},
		&state.PointTriaged{Point: "P1", By: state.Orchestrator, Scope: state.InScope},
		&state.PointTriaged{Point: "P2", By: state.Orchestrator, Scope: state.InScope},
		&state.PointTriaged{Point: "P3", By: state.Orchestrator, Scope: state.InScope},
		&state.PointTriaged{Point: "P5", By: state.Orchestrator, Scope: state.InScope},
		&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: state.Agree, Reason: "the line says so"},
		&state.KindCalled{Point: "P5", By: state.Orchestrator, Kind: state.Value}, &state.PointClassified{Point: "P5", By: state.Orchestrator, Class: state.Agree, Reason: "taste"},
		&state.PointClassified{Point: "P3", By: state.Orchestrator, Class: state.Agree, Reason: "likely"},
		&state.PointClassified{Point: "P2", By: state.Orchestrator, Class: state.Reject, Reason: "somebody runs it"},
		&state.ChallengeRaised{ID: "C1", Point: "P2", By: state.Orchestrator, Kind: state.Reject, Objection: "somebody runs it", FlawKind: state.Empirical},
		&state.ConfidenceReported{Seat: state.Consultee, Point: "P1", Stated: 0.9, Admitted: 0.9},
		&state.Requested{Point: "P3", Kind: state.RequestEvidence, Of: []state.Seat{state.Consultee}, By: state.Protocol, Text: "which evidence?"},
		&state.RoundStarted{Round: 2},
		&state.ConfidenceReported{Seat: state.Consultee, Point: "P1", Stated: 0.4, Admitted: 0.9},
		&state.DriftDetected{Seat: state.Consultee, Point: "P1", From: "AGREE", To: "REJECT", Kept: true},
		&state.ChallengeUndefended{Challenge: "C1", Reason: "not referenced in its one defense round (CH3)"},
		&state.QuestionSurfaced{ID: "Q1", Point: "P3", What: state.QuestionBlocked, Text: "Which evidence would settle P3?", Options: []string{}},
		&state.RoundStarted{Round: 3},
		&state.PhaseChanged{Phase: state.Development, Reason: "round 3"},
		&state.PointRaised{ID: "P6", By: state.Consultee, Text: "Also, change the language", Late: state.TagRaisedLate},
		&state.FactRecorded{ID: "F2", Tag: ledger.TagUnverified, Seat: state.Consultee, Text: "the broker is version 7"},
		&state.UsageCounted{Seat: state.Consultee, Calls: 3, PromptTokens: 1200, CompletionTokens: 340, Cost: 0.0123, Attempts: 3},
		&state.ExitReached{Exit: state.ExitConverged, Reason: "no challenge waits"},
		&state.FactEvaluated{Fact: "F2", Outcome: "not evaluated"},
	}
	return replay(t, payloads)
}

// barren is a session that came to nothing.
func barren(t *testing.T) (*state.State, []state.Ruling) {
	t.Helper()
	return replay(t, []state.Payload{
		&state.SessionOpened{
			Rules:   formats.ByName(consult.Name),
			Version: state.Version, ID: "barren", Question: "Is it fast?",
			Settings: state.Settings{Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeQuick},
			Seats:    []state.SeatAssignment{{Seat: state.Orchestrator, Participant: "rules", NoModel: true}},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "It is fast"},
		&state.PointTriaged{Point: "P1", By: state.Orchestrator, Scope: state.InScope},
		&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: state.Agree, Reason: "feels so"},
		&state.ExitReached{Exit: state.ExitCap, Reason: "round 2 is the last"},
	})
}

func replay(t *testing.T, payloads []state.Payload) (*state.State, []state.Ruling) {
	t.Helper()
	s := &state.State{}
	at := time.Date(2026, 11, 21, 15, 30, 45, 0, time.UTC)
	add := func(p state.Payload) {
		next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, At: at.Add(time.Duration(s.Seq) * time.Second), Data: p})
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	for _, p := range payloads {
		add(p)
	}
	rulings := resolver.Rule(s)
	add(&state.Ruled{Rulings: rulings})
	add(&state.SessionClosed{Exit: s.Exit, Inconclusive: resolver.Inconclusive(s, rulings), Digest: resolver.Digest(rulings)})
	return s, rulings
}
