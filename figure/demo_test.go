package figure

import (
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// recorder folds payloads into a state, as a session does.
type recorder struct {
	t      testing.TB
	state  *state.State
	events []state.Event
}

func (r *recorder) add(payloads ...state.Payload) {
	r.t.Helper()
	for _, p := range payloads {
		e := state.Event{Seq: r.state.Seq + 1, At: time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC), Data: p}
		next, err := state.Apply(r.state, e)
		if err != nil {
			r.t.Fatal(err)
		}
		r.state = next
		r.events = append(r.events, e)
	}
}

// rule records the rulings as the end of a round does.
func (r *recorder) rule() {
	r.add(&state.Ruled{Round: r.state.Round, Rulings: resolver.Rule(r.state)})
}

func (r *recorder) call(seat state.Seat, in, out int, cost float64) {
	r.add(&state.UsageCounted{Seat: seat, Calls: 1, PromptTokens: in, CompletionTokens: out, Cost: cost, Attempts: 1})
}

func (r *recorder) sure(seat state.Seat, point string, stated, admitted float64) {
	r.add(&state.ConfidenceReported{Seat: seat, Point: point, Stated: stated, Admitted: admitted})
}

// demo is a session in its fourth round, with every kind of box and line.
func demo(t testing.TB) *recorder {
	r := &recorder{t: t, state: &state.State{}}
	r.add(
		&state.SessionOpened{
			Rules:   formats.ByName(consult.Name),
			Version: state.Version, ID: "k3f9", Question: "Should the job queue move from Redis lists to Redis streams?",
			Settings: state.Settings{Format: consult.Name, Framing: state.FramingParallel, Mode: state.ModeStandard},
			Seats: []state.SeatAssignment{
				{Seat: state.Orchestrator, Participant: "claude"}, {Seat: state.Consultee, Participant: "openai:gpt-5.2"},
			},
		},
		&state.FactRecorded{ID: "F1", Tag: ledger.TagUser, Seat: state.User, Text: "writes are idempotent"},
		&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive},
	)
	demoOpening(r)
	demoDispute(r)
	demoEnd(r)
	return r
}

// demoOpening is the first round.
func demoOpening(r *recorder) {
	r.call(state.Consultee, 1840, 412, 0.013)
	r.add(
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "at-least-once delivery needs acknowledgements, which lists do not have", Label: "EVIDENCE"},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "queue/consumer.go:85", Quote: "acks after the handler returns", By: state.Consultee},
		&state.PointRaised{ID: "P2", By: state.Consultee, Text: "consumer groups replace the hand-written claim logic, which is 400 lines that nobody wants to own"},
		&state.PointRaised{ID: "P3", By: state.Consultee, Text: "there is no operational cost", Label: "GUESS"},
		&state.EvidenceOffered{ID: "E2", Point: "P3", Relation: ledger.Supports, Reference: "docs/operations.md:12", Quote: "streams cost nothing to run", By: state.Consultee},
		&state.PointRaised{ID: "P4", By: state.Consultee, Text: "streams are the more readable interface", Kind: state.Value},
		&state.PointRaised{ID: "P5", By: state.Consultee, Text: "throughput doubles"},
		&state.PointRaised{ID: "P6", By: state.Orchestrator, Text: "lists are enough: with LMOVE and a reaper nothing is lost"},
		&state.PointRaised{ID: "P7", By: state.Orchestrator, Text: "acknowledgements are needed for at-least-once delivery"},
		&state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9, Reference: "queue/consumer.go:88", Excerpt: "\t// acks after the handler returns\n\tif err := handler(job); err != nil {", Digest: "sha256:0", Admitted: true, Reason: "moved by 3 lines"},
		&state.EvidenceAccepted{ID: "E1", By: state.Orchestrator},
		&state.EvidenceRefused{ID: "E2", Reason: "the passage is not in the file", NearestReference: "docs/operations.md:40", Similarity: 0.4},
		&state.PointsMerged{Into: "P1", From: []string{"P7"}, By: state.Orchestrator},
		&state.PointsPaired{A: "P2", B: "P6", Same: true, Opposed: true, By: state.Orchestrator},
	)
	r.call(state.Orchestrator, 2210, 380, 0.031)
	for _, id := range []string{"P1", "P2", "P3", "P4", "P5", "P6"} {
		r.add(&state.PointTriaged{Point: id, By: state.Orchestrator, Scope: state.InScope})
	}
	r.add(
		&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: state.Agree, Reason: "the consumer shows it"},
		&state.PointClassified{Point: "P2", By: state.Orchestrator, Class: state.Skeptical, Reason: "a crash between read and claim is not covered"},
		&state.ChallengeRaised{ID: "C1", Point: "P2", By: state.Orchestrator, Kind: state.Skeptical, Objection: "a crash between read and claim is not covered", UpgradeIf: "show what reclaims pending entries"},
		&state.PointClassified{Point: "P3", By: state.Orchestrator, Class: state.Reject, Reason: "the upgrade of the cluster is a cost"},
		&state.ChallengeRaised{ID: "C2", Point: "P3", By: state.Orchestrator, Kind: state.Reject, Objection: "the upgrade of the cluster is a cost", FlawKind: state.Empirical, Grounds: "docs/operations.md names it", WhyNotSkeptical: "nothing would upgrade it"},
		&state.KindCalled{Point: "P4", By: state.Orchestrator, Kind: state.Value}, &state.PointClassified{Point: "P4", By: state.Orchestrator, Class: state.Agree, Reason: "a matter of taste, and shared"},
		&state.PointClassified{Point: "P5", By: state.Orchestrator, Class: state.Skeptical, Reason: "no measurement"},
		&state.ChallengeRaised{ID: "C3", Point: "P5", By: state.Orchestrator, Kind: state.Skeptical, Objection: "no measurement of writes a second", UpgradeIf: "a benchmark"},
		&state.PointClassified{Point: "P6", By: state.Consultee, Class: state.Skeptical, Reason: "the reaper races with a slow worker"},
		&state.ChallengeRaised{ID: "C4", Point: "P6", By: state.Consultee, Kind: state.Skeptical, Objection: "the reaper races with a slow worker and hands its job out twice", UpgradeIf: "a lease that the worker renews"},
		&state.EvidenceOffered{ID: "E3", Point: "P6", Relation: ledger.Refutes, Reference: "queue/reaper_test.go:31", Quote: "t.Skip(\"flaky: two workers get the job\")", By: state.Consultee},
		&state.EvidenceVerified{ID: "E3", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.95, Reference: "queue/reaper_test.go:31", Excerpt: "t.Skip(\"flaky: two workers get the job\")", Digest: "sha256:0", Admitted: true},
		&state.EvidenceAccepted{ID: "E3", By: state.Orchestrator},
		&state.EvidenceOffered{ID: "E4", Point: "P6", Relation: ledger.Supports, Reference: "queue/reaper.go:12", Quote: "reap moves jobs back after visibilityTimeout", By: state.Orchestrator},
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
		r.sure(c.seat, c.point, c.value, c.value)
	}
	r.rule()
}

// demoDispute is the second round.
func demoDispute(r *recorder) {
	r.add(&state.RoundStarted{Round: 2})
	r.call(state.Consultee, 2600, 240, 0.016)
	r.add(
		&state.ChallengeAnswered{Challenge: "C1", By: state.Consultee, Text: "pending entries show up in XPENDING, an operator can claim them"},
		&state.ChallengeJudged{Challenge: "C1", By: state.Orchestrator, Judgment: state.Rejected, Reason: "nobody watches at night", Reopens: true},
		&state.ChallengeUndefended{Challenge: "C2", Reason: "REJECT was not answered"},
		&state.ChallengeDropped{Challenge: "C3"}, &state.ChallengeReminded{Challenge: "C3"},
		&state.ChallengeAnswered{Challenge: "C3", By: state.Consultee, Text: "BLOCKED: write QPS", Blocked: true},
		&state.PointBlocked{Point: "P5", Blocked: state.Blocked{By: state.Consultee, Measurement: "write QPS", Threshold: "1000/s", Below: "agree", Above: "reject"}},
		&state.ChallengeJudged{Challenge: "C3", By: state.Orchestrator, Judgment: state.Accepted, Reason: "it has to be measured"},
		&state.QuestionSurfaced{ID: "Q1", Point: "P5", What: state.QuestionBlocked, Text: "How many writes a second does the queue take at its peak?"},
	)
	r.sure(state.Consultee, "P2", 0.35, 0.7)
	r.sure(state.Orchestrator, "P2", 0.5, 0.4)
	r.sure(state.Orchestrator, "P6", 0.7, 0.7)
	r.sure(state.Consultee, "P1", 0.95, 0.95)
	r.rule()
	r.add(&state.RoundStarted{Round: 3}, &state.PhaseChanged{Phase: state.Development})
	r.call(state.Orchestrator, 2900, 510, 0.044)
	r.add(
		&state.ChallengeAnswered{Challenge: "C1", By: state.Consultee, Text: "XAUTOCLAIM covers the crash window: pending entries are handed to the next consumer after the idle time"},
		&state.PointRaised{ID: "P8", By: state.Consultee, Text: "throughput rises by a third under a write-heavy load", Revises: "P5"},
		&state.PointRevised{Point: "P5", New: "P8", By: state.Consultee},
		&state.PointTriaged{Point: "P8", By: state.Orchestrator, Scope: state.InScope},
	)
	r.sure(state.Consultee, "P2", 0.75, 0.7)
	r.sure(state.Consultee, "P8", 0.55, 0.55)
	r.rule()
}

// demoEnd adds the fourth round.
func demoEnd(r *recorder) {
	r.add(&state.RoundStarted{Round: 4})
	r.call(state.Consultee, 3100, 260, 0.019)
	r.add(
		&state.ChallengeJudged{Challenge: "C1", By: state.Orchestrator, Judgment: state.Accepted, Reason: "that closes the window"},
		&state.PointRaised{ID: "P9", By: state.Consultee, Text: "a migration needs a week of double writes", Late: state.TagRaisedLate},
		&state.PointRaised{ID: "P10", By: state.Orchestrator, Text: "the team knows lists", Kind: state.Value},
		&state.OverrideMade{What: state.OverrideDismiss, Point: "P10", Reason: "that is no reason"},
	)
	r.sure(state.Consultee, "P2", 0.85, 0.85)
	r.sure(state.Orchestrator, "P2", 0.75, 0.75)
}
