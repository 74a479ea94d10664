package tui

import (
	"cmp"
	"slices"
	"sync"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// demoTime is when everything in the demo happens.
var demoTime = time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)

// recorder folds payloads into a state, as a session does.
type recorder struct {
	t      testing.TB
	state  *state.State
	events []state.Event
}

func (r *recorder) add(payloads ...state.Payload) []state.Event {
	first := len(r.events)
	for _, p := range payloads {
		if open, first := p.(*state.SessionOpened); first && open.Rules == nil {
			// A session that was read from JSON has only the name of its format.
			open.Rules = formats.ByName(cmp.Or(open.Settings.Format, consult.Name))
		}
		e := state.Event{Seq: r.state.Seq + 1, At: demoTime, Data: p}
		next, err := state.Apply(r.state, e)
		if err != nil {
			r.t.Fatal(err)
		}
		r.state = next
		r.events = append(r.events, e)
	}
	return r.events[first:]
}

// kept makes a record that takes long to make once, under its name, for all tests
// together. Each gets one of its own to add to.
func kept(name string, of func(t testing.TB) *recorder) func(t testing.TB) *recorder {
	return func(t testing.TB) *recorder {
		t.Helper()
		made, _ := keptRecords.LoadOrStore(name, &keptRecord{})
		k := made.(*keptRecord)
		k.once.Do(func() { k.made = of(t) })
		if k.made == nil {
			t.Fatalf("another test failed to make the record %q", name)
		}
		return &recorder{t: t, state: k.made.state, events: slices.Clip(k.made.events)}
	}
}

type keptRecord struct {
	once sync.Once
	made *recorder
}

var keptRecords sync.Map

// advanced adds payloads and tells them as a session does.
func (r *recorder) advanced(payloads ...state.Payload) protocol.Advanced {
	events := r.add(payloads...)
	return run.Advanced(events, r.state)
}

func opened(seats ...state.SeatAssignment) *state.SessionOpened {
	return &state.SessionOpened{
		Rules:   formats.ByName(consult.Name),
		Version: state.Version, ID: "k3f9", Question: "Should the job queue move from Redis lists to Redis streams?",
		Settings: state.Settings{Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeStandard, Attended: true},
		Seats:    seats,
	}
}

func replied(seat state.Seat, stage state.Stage, model string, in, out int) []state.Payload {
	return []state.Payload{
		&state.UsageCounted{Seat: seat, Calls: 1, PromptTokens: in, CompletionTokens: out, Cost: 0.013, Attempts: 1, TookMillis: 3200},
		&state.ReplyReceived{Seat: seat, Stage: stage, Model: model, Valid: true, Text: "…"},
	}
}

// demo is a session in its fourth round with something in every pane.
func demo(t testing.TB) *recorder {
	r := &recorder{t: t, state: &state.State{}}
	r.add(opened(
		state.SeatAssignment{Seat: state.Orchestrator, Participant: "claude", Model: "claude-opus"},
		state.SeatAssignment{Seat: state.Consultee, Participant: "openai:gpt-5.2"},
	))
	r.add(&state.FactRecorded{ID: "F1", Tag: ledger.TagUser, Seat: state.User, Text: "writes are idempotent"},
		&state.FactRecorded{ID: "F2", Tag: ledger.TagUser, Seat: state.User, Text: "two consumers per queue today, at most eight next year"},
		&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive})
	r.add(replied(state.Consultee, state.StagePropose, "gpt-5.2", 1840, 412)...)
	r.add(
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "at-least-once delivery needs acknowledgements, which lists do not have", Label: "EVIDENCE"},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "queue/consumer.go:85", Quote: "acks after the handler returns", By: state.Consultee, Label: "EVIDENCE"},
		&state.PointRaised{ID: "P2", By: state.Consultee, Text: "consumer groups replace the hand-written claim logic"},
		&state.PointRaised{ID: "P3", By: state.Consultee, Text: "there is no operational cost", Label: "GUESS"},
		&state.EvidenceOffered{ID: "E2", Point: "P3", Relation: ledger.Supports, Reference: "docs/operations.md:12", Quote: "streams cost nothing to run", By: state.Consultee},
		&state.PointRaised{ID: "P4", By: state.Consultee, Text: "streams are the more readable interface", Kind: state.Value},
		&state.PointRaised{ID: "P5", By: state.Consultee, Text: "throughput doubles"},
		&state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9, Reference: "queue/consumer.go:88", Excerpt: "\t// acks after the handler returns\n\tif err := handler(job); err != nil {", Digest: "sha256:0", Admitted: true, Reason: "moved by 3 lines"},
		&state.EvidenceAccepted{ID: "E1", By: state.Orchestrator},
		&state.EvidenceRefused{ID: "E2", Reason: "the passage is not in the file", NearestReference: "docs/operations.md:40", Similarity: 0.4},
		&state.FactRecorded{ID: "F3", Tag: ledger.TagVerified, Seat: state.Protocol, Text: "the consumer acks after the handler returns", Reference: "queue/consumer.go:88"},
		&state.FactRecorded{ID: "F4", Tag: ledger.TagUnverified, Seat: state.Consultee, Text: "redis 7 is in use"},
	)
	r.add(replied(state.Orchestrator, state.StageEvaluate, "claude-opus", 2210, 380)...)
	for _, id := range []string{"P1", "P2", "P3", "P4", "P5"} {
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
		&state.RoundStarted{Round: 2})
	r.add(replied(state.Consultee, state.StageAnswer, "gpt-5.2", 2600, 240)...)
	r.add(
		&state.ChallengeAnswered{Challenge: "C1", By: state.Consultee, Text: "XAUTOCLAIM covers the crash window: pending entries are handed to the next consumer after the idle time"},
		&state.ChallengeUndefended{Challenge: "C2", Reason: "REJECT was not answered"},
		&state.ChallengeDropped{Challenge: "C3"}, &state.ChallengeReminded{Challenge: "C3"},
		&state.ChallengeAnswered{Challenge: "C3", By: state.Consultee, Text: "BLOCKED: write QPS", Blocked: true},
		&state.PointBlocked{Point: "P5", Blocked: state.Blocked{By: state.Consultee, Measurement: "write QPS", Threshold: "1000/s", Below: "agree", Above: "reject"}},
		&state.ChallengeJudged{Challenge: "C3", By: state.Orchestrator, Judgment: state.Accepted, Reason: "it has to be measured"},
		&state.QuestionSurfaced{ID: "Q1", Point: "P5", What: state.QuestionBlocked, Text: "How many writes a second does the queue take at its peak?", Options: []string{"under 100", "100 to 1000", "over 1000"}},
	)
	r.add(&state.RoundStarted{Round: 3}, &state.PhaseChanged{Phase: state.Development},
		&state.PointRaised{ID: "P6", By: state.Consultee, Text: "a migration needs a week of double writes", Late: state.TagRaisedLate},
		&state.OverrideMade{What: state.OverrideDismiss, Point: "P6", Reason: ""}, &state.RoundStarted{Round: 4})
	return r
}

// ownThemes are moot's own, which nothing changes, read once for all tests.
var ownThemes = sync.OnceValue(theme.BuiltIn)

// screenOf is the model of a screen that shows the record as a session that
// runs.
func screenOf(t testing.TB, r *recorder, o Options, width, height int) *Model {
	t.Helper()
	opened := Opened{
		Start:         func(func(protocol.Notice)) (Session, error) { return &noting{}, nil },
		ResumeCommand: "moot resume k3f9",
	}
	if o.Opened != nil {
		opened = *o.Opened
	}
	opened.State, opened.Rulings, opened.Events = r.state, resolver.Rule(r.state), r.events
	o.Opened = &opened
	if o.Environ == nil {
		o.Environ = []string{"TERM=xterm-256color"}
	}
	if o.Now == nil {
		o.Now = func() time.Time { return demoTime.Add(time.Hour) }
	}
	if o.Themes == nil {
		o.Themes = ownThemes()
	}
	m := newModel(o)
	// Nothing runs: the test tells what happens.
	m.start.Do(func() {})
	m.width, m.height = width, height
	m.rearrange()
	return m
}

// speak puts a reply under way on the screen.
func speak(m *Model) {
	tell(m,
		protocol.CallStarted{Ask: protocol.Ask{Seat: state.Orchestrator, Stage: state.StageJudge}, Participant: "claude", At: m.options.Now().Add(-12 * time.Second)},
		protocol.Streamed{Seat: state.Orchestrator, Text: `{"moves":[{"kind":"JUDGE","challenge":"C1","judgment":"accepted","reason":"XAUTOCLAIM does cover the window, with `},
	)
}

// tell delivers what happens: notices are the session's.
func tell(m *Model, items ...any) {
	var all delivery
	for _, item := range items {
		switch item.(type) {
		case notice, sessionOver, requested, withdrawn, previewed, signalled, expired, crashed, answer:
		default:
			item = notice{m.session, item}
		}
		all = append(all, item)
	}
	m.deliver(all)
}
