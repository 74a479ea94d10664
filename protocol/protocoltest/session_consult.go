package protocoltest

import (
	"testing"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/state"
)

// ConsultOpened opens a consultation.
func ConsultOpened(seats ...state.SeatAssignment) *state.SessionOpened {
	return &state.SessionOpened{
		Rules:   formats.ByName(consult.Name),
		Version: state.Version, ID: "k3f9", Question: "Should the job queue move from Redis lists to Redis streams?",
		Settings: state.Settings{
			Format:   consult.Name,
			Framing:  state.FramingPropose,
			Mode:     state.ModeStandard,
			Attended: true,
		},
		Seats: seats,
	}
}

// replied is a reply with its usage.
func replied(seat state.Seat, stage state.Stage, model string, in, out int) []state.Payload {
	return []state.Payload{
		&state.UsageCounted{
			Seat:             seat,
			Calls:            1,
			PromptTokens:     in,
			CompletionTokens: out,
			Cost:             0.013,
			Attempts:         1,
			TookMillis:       3200,
		},
		&state.ReplyReceived{Seat: seat, Stage: stage, Model: model, Valid: true, Text: "…"},
	}
}

// Consultation is a consultation in its fourth round with something in every pane.
func Consultation(t testing.TB) *Record {
	r := NewRecord(t)
	r.Add(ConsultOpened(
		state.SeatAssignment{Seat: state.Orchestrator, Participant: "claude", Model: "claude-opus"},
		state.SeatAssignment{Seat: state.Consultee, Participant: "openai:gpt-5.2"},
	))
	r.Add(
		&state.FactRecorded{ID: "F1", Tag: ledger.TagUser, Seat: state.User, Text: "writes are idempotent"},
		&state.FactRecorded{
			ID:   "F2",
			Tag:  ledger.TagUser,
			Seat: state.User,
			Text: "two consumers per queue today, at most eight next year",
		},
		&state.RoundStarted{Round: 1},
		&state.PhaseChanged{Phase: state.Constructive},
	)
	r.Add(replied(state.Consultee, state.StagePropose, "gpt-5.2", 1840, 412)...)
	r.Add(
		&state.PointRaised{
			ID:    "P1",
			By:    state.Consultee,
			Text:  "at-least-once delivery needs acknowledgements, which lists do not have",
			Label: "EVIDENCE",
		},
		&state.EvidenceOffered{
			ID:        "E1",
			Point:     "P1",
			Relation:  ledger.Supports,
			Reference: "queue/consumer.go:85",
			Quote:     "acks after the handler returns",
			By:        state.Consultee,
			Label:     "EVIDENCE",
		},
		&state.PointRaised{ID: "P2", By: state.Consultee, Text: "consumer groups replace the hand-written claim logic"},
		&state.PointRaised{ID: "P3", By: state.Consultee, Text: "there is no operational cost", Label: "GUESS"},
		&state.EvidenceOffered{
			ID:        "E2",
			Point:     "P3",
			Relation:  ledger.Supports,
			Reference: "docs/operations.md:12",
			Quote:     "streams cost nothing to run",
			By:        state.Consultee,
		},
		&state.PointRaised{
			ID:   "P4",
			By:   state.Consultee,
			Text: "streams are the more readable interface",
			Kind: state.Value,
		},
		&state.PointRaised{ID: "P5", By: state.Consultee, Text: "throughput doubles"},
		&state.EvidenceVerified{
			ID:         "E1",
			Type:       ledger.Textual,
			SourceKind: ledger.DomainEvidence,
			Confidence: 0.9,
			Reference:  "queue/consumer.go:88",
			Excerpt:    "\t// acks after the handler returns\n\tif err := handler(job); err != nil {",
			Digest:     "sha256:0",
			Admitted:   true,
			Reason:     "moved by 3 lines",
		},
		&state.EvidenceAccepted{ID: "E1", By: state.Orchestrator},
		&state.EvidenceRefused{
			ID:               "E2",
			Reason:           "the passage is not in the file",
			NearestReference: "docs/operations.md:40",
			Similarity:       0.4,
		},
		&state.FactRecorded{
			ID:        "F3",
			Tag:       ledger.TagVerified,
			Seat:      state.Protocol,
			Text:      "the consumer acks after the handler returns",
			Reference: "queue/consumer.go:88",
		},
		&state.FactRecorded{ID: "F4", Tag: ledger.TagUnverified, Seat: state.Consultee, Text: "redis 7 is in use"},
	)
	r.Add(replied(state.Orchestrator, state.StageEvaluate, "claude-opus", 2210, 380)...)
	for _, id := range []string{"P1", "P2", "P3", "P4", "P5"} {
		r.Add(&state.PointTriaged{Point: id, By: state.Orchestrator, Scope: state.InScope})
	}
	r.Add(
		&state.PointClassified{
			Point:  "P1",
			By:     state.Orchestrator,
			Class:  state.Agree,
			Reason: "the consumer shows it",
		},
		&state.PointClassified{
			Point:  "P2",
			By:     state.Orchestrator,
			Class:  state.Skeptical,
			Reason: "a crash between read and claim is not covered",
		},
		&state.ChallengeRaised{
			ID:        "C1",
			Point:     "P2",
			By:        state.Orchestrator,
			Kind:      state.Skeptical,
			Objection: "a crash between read and claim is not covered",
			UpgradeIf: "show what reclaims pending entries",
		},
		&state.PointClassified{
			Point:  "P3",
			By:     state.Orchestrator,
			Class:  state.Reject,
			Reason: "the upgrade of the cluster is a cost",
		},
		&state.ChallengeRaised{
			ID:              "C2",
			Point:           "P3",
			By:              state.Orchestrator,
			Kind:            state.Reject,
			Objection:       "the upgrade of the cluster is a cost",
			FlawKind:        state.Empirical,
			Grounds:         "docs/operations.md names it",
			WhyNotSkeptical: "nothing would upgrade it",
		},
		&state.KindCalled{
			Point: "P4",
			By:    state.Orchestrator,
			Kind:  state.Value,
		},
		&state.PointClassified{
			Point:  "P4",
			By:     state.Orchestrator,
			Class:  state.Agree,
			Reason: "a matter of taste, and shared",
		},
		&state.PointClassified{Point: "P5", By: state.Orchestrator, Class: state.Skeptical, Reason: "no measurement"},
		&state.ChallengeRaised{
			ID:        "C3",
			Point:     "P5",
			By:        state.Orchestrator,
			Kind:      state.Skeptical,
			Objection: "no measurement of writes a second",
			UpgradeIf: "a benchmark",
		},
		&state.RoundStarted{Round: 2},
	)
	r.Add(replied(state.Consultee, state.StageAnswer, "gpt-5.2", 2600, 240)...)
	r.Add(
		&state.ChallengeAnswered{
			Challenge: "C1",
			By:        state.Consultee,
			Text:      "XAUTOCLAIM covers the crash window: pending entries are handed to the next consumer after the idle time",
		},
		&state.ChallengeUndefended{Challenge: "C2", Reason: "REJECT was not answered"},
		&state.ChallengeDropped{Challenge: "C3"},
		&state.ChallengeReminded{Challenge: "C3"},
		&state.ChallengeAnswered{Challenge: "C3", By: state.Consultee, Text: "BLOCKED: write QPS", Blocked: true},
		&state.PointBlocked{
			Point: "P5",
			Blocked: state.Blocked{
				By:          state.Consultee,
				Measurement: "write QPS",
				Threshold:   "1000/s",
				Below:       "agree",
				Above:       "reject",
			},
		},
		&state.ChallengeJudged{
			Challenge: "C3",
			By:        state.Orchestrator,
			Judgment:  state.Accepted,
			Reason:    "it has to be measured",
		},
		&state.QuestionSurfaced{
			ID:      "Q1",
			Point:   "P5",
			What:    state.QuestionBlocked,
			Text:    "How many writes a second does the queue take at its peak?",
			Options: []string{"under 100", "100 to 1000", "over 1000"},
		},
	)
	r.Add(
		&state.RoundStarted{Round: 3},
		&state.PhaseChanged{Phase: state.Development},
		&state.PointRaised{
			ID:   "P6",
			By:   state.Consultee,
			Text: "a migration needs a week of double writes",
			Late: state.TagRaisedLate,
		},
		&state.OverrideMade{What: state.OverrideDismiss, Point: "P6", Reason: ""},
		&state.RoundStarted{Round: 4},
	)
	return r
}

// EveryBucket is Consultation with a point in each bucket.
func EveryBucket(t testing.TB) *Record {
	r := Consultation(t)
	r.Add(
		&state.PointRaised{
			ID:   "P7",
			By:   state.Consultee,
			Text: "the dashboards need new queries",
			Late: state.TagRaisedLate,
		},
		&state.PointTriaged{Point: "P7", By: state.Orchestrator, Scope: state.Late},
		&state.ChallengeJudged{
			Challenge: "C1",
			By:        state.Orchestrator,
			Judgment:  state.Rejected,
			Reason:    "the idle time itself is not covered",
			Reopens:   true,
		},
		&state.ConfidenceReported{Seat: state.Consultee, Point: "P1", Stated: 0.9, Admitted: 0.9},
		&state.ConfidenceReported{Seat: state.Orchestrator, Point: "P1", Stated: 0.7, Admitted: 0.7},
		&state.Arbitrated{Flags: []state.Flag{{Point: "P1", Text: "the file may not be the one that runs"}}},
	)
	r.Add(&state.RoundStarted{Round: 5},
		&state.ConfidenceReported{Seat: state.Consultee, Point: "P1", Stated: 0.5, Admitted: 0.9},
		&state.DriftDetected{Seat: state.Consultee, Point: "P1", From: "it holds", To: "it may hold", Kept: true})
	return r
}

// Dispute is a consultation in its fourth round with every kind of box and line of the map.
func Dispute(t testing.TB) *Record {
	r := NewRecord(t)
	r.Add(
		&state.SessionOpened{
			Rules:   formats.ByName(consult.Name),
			Version: state.Version, ID: "k3f9", Question: "Should the job queue move from Redis lists to Redis streams?",
			Settings: state.Settings{Format: consult.Name, Framing: state.FramingParallel, Mode: state.ModeStandard},
			Seats: []state.SeatAssignment{
				{
					Seat:        state.Orchestrator,
					Participant: "claude",
				}, {Seat: state.Consultee, Participant: "openai:gpt-5.2"},
			},
		},
		&state.FactRecorded{ID: "F1", Tag: ledger.TagUser, Seat: state.User, Text: "writes are idempotent"},
		&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive},
	)
	disputeOpening(r)
	disputeDefense(r)
	disputeEnd(r)
	return r
}

// disputeOpening is the first round.
func disputeOpening(r *Record) {
	r.Call(state.Consultee, 1840, 412, 0.013)
	r.Add(
		&state.PointRaised{
			ID:    "P1",
			By:    state.Consultee,
			Text:  "at-least-once delivery needs acknowledgements, which lists do not have",
			Label: "EVIDENCE",
		},
		&state.EvidenceOffered{
			ID:        "E1",
			Point:     "P1",
			Relation:  ledger.Supports,
			Reference: "queue/consumer.go:85",
			Quote:     "acks after the handler returns",
			By:        state.Consultee,
		},
		&state.PointRaised{
			ID:   "P2",
			By:   state.Consultee,
			Text: "consumer groups replace the hand-written claim logic, which is 400 lines that nobody wants to own",
		},
		&state.PointRaised{ID: "P3", By: state.Consultee, Text: "there is no operational cost", Label: "GUESS"},
		&state.EvidenceOffered{
			ID:        "E2",
			Point:     "P3",
			Relation:  ledger.Supports,
			Reference: "docs/operations.md:12",
			Quote:     "streams cost nothing to run",
			By:        state.Consultee,
		},
		&state.PointRaised{
			ID:   "P4",
			By:   state.Consultee,
			Text: "streams are the more readable interface",
			Kind: state.Value,
		},
		&state.PointRaised{ID: "P5", By: state.Consultee, Text: "throughput doubles"},
		&state.PointRaised{
			ID:   "P6",
			By:   state.Orchestrator,
			Text: "lists are enough: with LMOVE and a reaper nothing is lost",
		},
		&state.PointRaised{
			ID:   "P7",
			By:   state.Orchestrator,
			Text: "acknowledgements are needed for at-least-once delivery",
		},
		&state.EvidenceVerified{
			ID:         "E1",
			Type:       ledger.Textual,
			SourceKind: ledger.DomainEvidence,
			Confidence: 0.9,
			Reference:  "queue/consumer.go:88",
			Excerpt:    "\t// acks after the handler returns\n\tif err := handler(job); err != nil {",
			Digest:     "sha256:0",
			Admitted:   true,
			Reason:     "moved by 3 lines",
		},
		&state.EvidenceAccepted{ID: "E1", By: state.Orchestrator},
		&state.EvidenceRefused{
			ID:               "E2",
			Reason:           "the passage is not in the file",
			NearestReference: "docs/operations.md:40",
			Similarity:       0.4,
		},
		&state.PointsMerged{Into: "P1", From: []string{"P7"}, By: state.Orchestrator},
		&state.PointsPaired{A: "P2", B: "P6", Same: true, Opposed: true, By: state.Orchestrator},
	)
	r.Call(state.Orchestrator, 2210, 380, 0.031)
	for _, id := range []string{"P1", "P2", "P3", "P4", "P5", "P6"} {
		r.Add(&state.PointTriaged{Point: id, By: state.Orchestrator, Scope: state.InScope})
	}
	r.Add(
		&state.PointClassified{
			Point:  "P1",
			By:     state.Orchestrator,
			Class:  state.Agree,
			Reason: "the consumer shows it",
		},
		&state.PointClassified{
			Point:  "P2",
			By:     state.Orchestrator,
			Class:  state.Skeptical,
			Reason: "a crash between read and claim is not covered",
		},
		&state.ChallengeRaised{
			ID:        "C1",
			Point:     "P2",
			By:        state.Orchestrator,
			Kind:      state.Skeptical,
			Objection: "a crash between read and claim is not covered",
			UpgradeIf: "show what reclaims pending entries",
		},
		&state.PointClassified{
			Point:  "P3",
			By:     state.Orchestrator,
			Class:  state.Reject,
			Reason: "the upgrade of the cluster is a cost",
		},
		&state.ChallengeRaised{
			ID:              "C2",
			Point:           "P3",
			By:              state.Orchestrator,
			Kind:            state.Reject,
			Objection:       "the upgrade of the cluster is a cost",
			FlawKind:        state.Empirical,
			Grounds:         "docs/operations.md names it",
			WhyNotSkeptical: "nothing would upgrade it",
		},
		&state.KindCalled{
			Point: "P4",
			By:    state.Orchestrator,
			Kind:  state.Value,
		},
		&state.PointClassified{
			Point:  "P4",
			By:     state.Orchestrator,
			Class:  state.Agree,
			Reason: "a matter of taste, and shared",
		},
		&state.PointClassified{Point: "P5", By: state.Orchestrator, Class: state.Skeptical, Reason: "no measurement"},
		&state.ChallengeRaised{
			ID:        "C3",
			Point:     "P5",
			By:        state.Orchestrator,
			Kind:      state.Skeptical,
			Objection: "no measurement of writes a second",
			UpgradeIf: "a benchmark",
		},
		&state.PointClassified{
			Point:  "P6",
			By:     state.Consultee,
			Class:  state.Skeptical,
			Reason: "the reaper races with a slow worker",
		},
		&state.ChallengeRaised{
			ID:        "C4",
			Point:     "P6",
			By:        state.Consultee,
			Kind:      state.Skeptical,
			Objection: "the reaper races with a slow worker and hands its job out twice",
			UpgradeIf: "a lease that the worker renews",
		},
		&state.EvidenceOffered{
			ID:        "E3",
			Point:     "P6",
			Relation:  ledger.Refutes,
			Reference: "queue/reaper_test.go:31",
			Quote:     "t.Skip(\"flaky: two workers get the job\")",
			By:        state.Consultee,
		},
		&state.EvidenceVerified{
			ID:         "E3",
			Type:       ledger.Textual,
			SourceKind: ledger.DomainEvidence,
			Confidence: 0.95,
			Reference:  "queue/reaper_test.go:31",
			Excerpt:    "t.Skip(\"flaky: two workers get the job\")",
			Digest:     "sha256:0",
			Admitted:   true,
		},
		&state.EvidenceAccepted{ID: "E3", By: state.Orchestrator},
		&state.EvidenceOffered{
			ID:        "E4",
			Point:     "P6",
			Relation:  ledger.Supports,
			Reference: "queue/reaper.go:12",
			Quote:     "reap moves jobs back after visibilityTimeout",
			By:        state.Orchestrator,
		},
	)
	for _, c := range []struct {
		seat  state.Seat
		point string
		value float64
	}{
		{state.Consultee, "P1", 0.9},
		{state.Consultee, "P2", 0.7},
		{state.Consultee, "P5", 0.6},
		{state.Orchestrator, "P1", 0.8},
		{state.Orchestrator, "P2", 0.4},
		{state.Orchestrator, "P6", 0.7},
		{state.Consultee, "P6", 0.3},
	} {
		r.Sure(c.seat, c.point, c.value, c.value)
	}
	r.Rule()
}

// disputeDefense is the second round.
func disputeDefense(r *Record) {
	r.Add(&state.RoundStarted{Round: 2})
	r.Call(state.Consultee, 2600, 240, 0.016)
	r.Add(
		&state.ChallengeAnswered{
			Challenge: "C1",
			By:        state.Consultee,
			Text:      "pending entries show up in XPENDING, an operator can claim them",
		},
		&state.ChallengeJudged{
			Challenge: "C1",
			By:        state.Orchestrator,
			Judgment:  state.Rejected,
			Reason:    "nobody watches at night",
			Reopens:   true,
		},
		&state.ChallengeUndefended{Challenge: "C2", Reason: "REJECT was not answered"},
		&state.ChallengeDropped{Challenge: "C3"},
		&state.ChallengeReminded{Challenge: "C3"},
		&state.ChallengeAnswered{Challenge: "C3", By: state.Consultee, Text: "BLOCKED: write QPS", Blocked: true},
		&state.PointBlocked{
			Point: "P5",
			Blocked: state.Blocked{
				By:          state.Consultee,
				Measurement: "write QPS",
				Threshold:   "1000/s",
				Below:       "agree",
				Above:       "reject",
			},
		},
		&state.ChallengeJudged{
			Challenge: "C3",
			By:        state.Orchestrator,
			Judgment:  state.Accepted,
			Reason:    "it has to be measured",
		},
		&state.QuestionSurfaced{
			ID:    "Q1",
			Point: "P5",
			What:  state.QuestionBlocked,
			Text:  "How many writes a second does the queue take at its peak?",
		},
	)
	r.Sure(state.Consultee, "P2", 0.35, 0.7)
	r.Sure(state.Orchestrator, "P2", 0.5, 0.4)
	r.Sure(state.Orchestrator, "P6", 0.7, 0.7)
	r.Sure(state.Consultee, "P1", 0.95, 0.95)
	r.Rule()
	r.Add(&state.RoundStarted{Round: 3}, &state.PhaseChanged{Phase: state.Development})
	r.Call(state.Orchestrator, 2900, 510, 0.044)
	r.Add(
		&state.ChallengeAnswered{
			Challenge: "C1",
			By:        state.Consultee,
			Text:      "XAUTOCLAIM covers the crash window: pending entries are handed to the next consumer after the idle time",
		},
		&state.PointRaised{
			ID:      "P8",
			By:      state.Consultee,
			Text:    "throughput rises by a third under a write-heavy load",
			Revises: "P5",
		},
		&state.PointRevised{Point: "P5", New: "P8", By: state.Consultee},
		&state.PointTriaged{Point: "P8", By: state.Orchestrator, Scope: state.InScope},
	)
	r.Sure(state.Consultee, "P2", 0.75, 0.7)
	r.Sure(state.Consultee, "P8", 0.55, 0.55)
	r.Rule()
}

// disputeEnd adds the fourth round.
func disputeEnd(r *Record) {
	r.Add(&state.RoundStarted{Round: 4})
	r.Call(state.Consultee, 3100, 260, 0.019)
	r.Add(
		&state.ChallengeJudged{
			Challenge: "C1",
			By:        state.Orchestrator,
			Judgment:  state.Accepted,
			Reason:    "that closes the window",
		},
		&state.PointRaised{
			ID:   "P9",
			By:   state.Consultee,
			Text: "a migration needs a week of double writes",
			Late: state.TagRaisedLate,
		},
		&state.PointRaised{ID: "P10", By: state.Orchestrator, Text: "the team knows lists", Kind: state.Value},
		&state.OverrideMade{What: state.OverrideDismiss, Point: "P10", Reason: "that is no reason"},
	)
	r.Sure(state.Consultee, "P2", 0.85, 0.85)
	r.Sure(state.Orchestrator, "P2", 0.75, 0.75)
}
