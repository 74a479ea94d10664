package report_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"moot/agent/script"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
)

// play is a session as a test runs it: the seats say what the script in the folder of its format says,
// code checks and rules, and the user moves after the run has paused.
type play struct {
	script string
	open   func(*state.SessionOpened)
	// seats besides those of openedAs; away cannot be reached.
	away    []state.Seat
	facts   []string
	answers []protocol.UserMove
}

// plays are the sessions of the tests by format and name. In "mixed" and "anchored" everything happens, others wait
// for the user or a seat, were ended or overruled, or came to nothing. The odd proposal has unknown words and ids, and
// citations that are too old.
func plays() map[string]play {
	ended := []protocol.UserMove{protocol.EndSession{Reason: "another time"}}
	config := func(config gates.Config) func(*state.SessionOpened) {
		return func(o *state.SessionOpened) {
			o.Settings.Own = &dialectic.Settings{Playbook: protocoltest.Playbook(config)}
		}
	}
	answers := func(panelists int, settings panel.Settings) func(*state.SessionOpened) {
		return func(o *state.SessionOpened) {
			o.Settings.Own = &settings
			for i := 1; i <= panelists; i++ {
				seat := panel.Panelist
				if i > 1 {
					seat += state.Seat("-" + strconv.Itoa(i))
				}
				o.Seats = append(o.Seats, state.SeatAssignment{Seat: seat, Participant: "openai:gpt-" + strconv.Itoa(i)})
			}
		}
	}
	attended := func(o *state.SessionOpened) {
		answers(3, panel.Settings{Strategy: "tiered"})(o)
		o.Settings.Attended = true
	}
	rounds := func(n int) func(*state.SessionOpened) {
		return func(o *state.SessionOpened) { o.Settings.Own.(*council.Settings).Rounds = n }
	}
	heard := func(settings hearing.Settings) func(*state.SessionOpened) {
		return func(o *state.SessionOpened) {
			settings.Domain = o.Settings.Own.(*hearing.Settings).Domain
			o.Settings.Own = &settings
			if settings.Oracle {
				o.Seats = append(o.Seats, state.SeatAssignment{Seat: hearing.Oracle, Participant: "openai:oracle"})
			}
		}
	}
	audit := heard(hearing.Settings{Form: hearing.FormAudit, Judge: judge.V2, Rounds: 3})
	return map[string]play{
		"dialectic/advance": {script: "advance"},
		"dialectic/hold": {
			script: "hold", open: config(gates.Config{MaxRounds: 2}), facts: []string{"it must be taken back within a minute"},
		},
		"dialectic/waiting": {script: "escalate", open: config(gates.Config{MaxRounds: 1})},
		"dialectic/escalate": {script: "escalate", open: config(gates.Config{MaxRounds: 1}), answers: []protocol.UserMove{
			protocol.AnswerQuestion{Question: "Q1", Answer: "cleared"},
			protocol.AnswerQuestion{Question: "Q2", Answer: "upheld"},
			protocol.AnswerQuestion{Question: "Q3", Answer: "accept"},
		}},
		"dialectic/odd":     {script: "odd", open: config(gates.Config{MaxRounds: 1, Freshness: map[ledger.SourceKind]gates.Age{ledger.LiveAPI: gates.Age(time.Second)}})},
		"dialectic/stopped": {script: "escalate", open: config(gates.Config{MaxRounds: 1}), answers: ended},

		"panel/mixed":   {script: "mixed", open: answers(4, panel.Settings{Strategy: "tiered", Then: panel.ThenConsult})},
		"panel/weighed": {script: "mixed", open: answers(4, panel.Settings{Strategy: "evidence_weight"})},
		"panel/waiting": {script: "split", open: attended},
		"panel/decided": {script: "split", open: attended, answers: []protocol.UserMove{
			protocol.AnswerQuestion{Question: "Q1", Answer: "P1"},
		}},
		"panel/agreed": {script: "agreed", open: answers(3, panel.Settings{Strategy: "tiered"})},
		"panel/missing": {
			script: "mixed", open: answers(5, panel.Settings{Strategy: "tiered"}),
			away: []state.Seat{"panelist-4", "panelist-5"},
		},
		"panel/nobody": {
			script: "split", open: answers(2, panel.Settings{Strategy: "tiered"}),
			away: []state.Seat{"panelist", "panelist-2"},
		},

		"council/mixed": {script: "mixed", open: rounds(2)},
		"council/agreed": {script: "agreed", open: func(o *state.SessionOpened) {
			o.Settings.Own.(*council.Settings).Parallel = true
			expert := state.SeatAssignment{Seat: constitution.Expert, Participant: "openai:expert"}
			o.Seats = slices.Insert(o.Seats, 3, expert)
		}},
		"council/waiting": {script: "mixed", away: []state.Seat{constitution.Adversary}},
		"council/stopped": {script: "mixed", away: []state.Seat{constitution.Adversary}, answers: ended},
		"council/empty":   {script: "empty"},

		"hearing/anchored": {script: "anchored", open: heard(hearing.Settings{
			Form: hearing.FormAnchored, Judge: judge.V2, Rounds: 3, Oracle: true,
		})},
		"hearing/audit": {script: "audit", open: audit},
		"hearing/nothing": {
			script: "nothing", open: heard(hearing.Settings{Form: hearing.FormSingle, Judge: judge.V2Bounded}),
		},
		"hearing/opened": {script: "nothing", open: heard(hearing.Settings{
			Form: hearing.FormSelective, Judge: judge.V1, Rounds: 2, Gate: judge.GateEscalation, Then: hearing.FormMulti,
		})},
		"hearing/waiting": {script: "audit", open: audit, away: []state.Seat{judge.Skeptic}},
		"hearing/stopped": {script: "audit", open: audit, away: []state.Seat{judge.Skeptic}, answers: ended},
	}
}

// openedAs opens a session of a format on its defaults.
func openedAs(t *testing.T, format state.Format) *state.SessionOpened {
	t.Helper()
	o := &state.SessionOpened{
		Rules: formats.ByName(format), Version: state.Version, ID: "20261121-153045-k3f9", Question: "Is the queue safe?",
		Settings: state.Settings{
			Format: format, Nonce: "5eed", Workspace: "work", Input: state.Input{Options: []string{}, Views: []state.View{}},
		},
	}
	seat := func(seats ...state.Seat) {
		for _, s := range seats {
			o.Seats = append(o.Seats, state.SeatAssignment{Seat: s, Participant: "openai:" + string(s)})
		}
	}
	switch format {
	case dialectic.Name:
		o.Question = "Roll out the new queue to some of our users?"
		o.Settings.Own = &dialectic.Settings{Playbook: protocoltest.Playbook(gates.Config{})}
		o.Seats = []state.SeatAssignment{
			{Seat: dialectic.Proposer, Participant: "openai:gpt-5.2", Model: "gpt-5.2-2026-01"},
			{Seat: dialectic.PressureTester, Participant: "ollama:qwen3"},
		}
	case panel.Name:
		o.Seats = []state.SeatAssignment{{Seat: state.Orchestrator, Participant: "rules", NoModel: true}}
	case council.Name:
		seat(constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator)
		o.Settings.Own = &council.Settings{
			Rounds: 3, Weights: council.DefaultWeights(), Decision: council.DefaultDecision, Constitution: smallConstitution(),
		}
	case hearing.Name:
		seat(judge.Architect, judge.Skeptic)
		o.Question, o.Settings.Workspace = "Is this a threat?", ""
		text, err := os.ReadFile(filepath.Join("testdata", "hearing", "domain.toml"))
		if err != nil {
			t.Fatal(err)
		}
		small, err := domain.Read(text, "small")
		if err != nil {
			t.Fatal(err)
		}
		o.Settings.Own = &hearing.Settings{Domain: small}
	case consult.Name:
		seat(state.Orchestrator, state.Consultee)
	}
	return o
}

// played runs a session and returns its end as it recomputes.
func played(t *testing.T, name string) (*state.State, []state.Ruling) {
	t.Helper()
	p, ok := plays()[name]
	if !ok {
		t.Fatalf("there is no session %q", name)
	}
	format, _, _ := strings.Cut(name, "/")
	lines, err := script.Open(filepath.Join("testdata", format, p.script+".script"))
	if err != nil {
		t.Fatal(err)
	}
	o := openedAs(t, state.Format(format))
	if p.open != nil {
		p.open(o)
	}
	d := &table{t: t, state: &state.State{}, clock: time.Date(2026, 11, 21, 15, 30, 45, 0, time.UTC)}
	d.add(o)
	if o.Settings.Format == hearing.Name {
		d.add(state.PacketEvents(packetOfTest(t))...)
	}
	for i, text := range p.facts {
		d.add(&state.FactRecorded{ID: state.NextID('F', i), Tag: ledger.TagUser, Seat: state.User, Text: text})
	}
	participants := map[state.Seat]protocol.Participant{}
	for _, a := range o.Seats {
		participants[a.Seat] = lines
		if slices.Contains(p.away, a.Seat) {
			participants[a.Seat] = away{lines}
		}
	}
	d.run(participants)
	for _, move := range p.answers {
		payloads, err := protocol.AdmitUser(d.state, move)
		if err != nil {
			t.Fatal(err)
		}
		d.add(payloads...)
	}
	if len(p.answers) > 0 {
		d.run(participants)
	}
	s, err := state.Replay(d.events)
	if err != nil {
		t.Fatal(err)
	}
	return s, resolver.Rule(s)
}

// away cannot be reached.
type away struct{ protocol.Participant }

func (away) Reply(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply, error) {
	return protocol.Reply{}, &protocol.Unreachable{Participant: "openai:\x1b[2Jgpt", What: "connection refused", Fix: "start it"}
}

// sources checks citations: run/ is the output of a command, gone/ does not exist, everything else is a passage of a
// file.
type sources struct{}

func (sources) Check(_ context.Context, reference, quote string) ledger.Finding {
	f := ledger.Finding{
		Verified: true, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
		Reference: reference, Excerpt: quote, Digest: "sha256:0", Reason: "verbatim at the cited lines",
	}
	switch {
	case strings.HasPrefix(reference, "run/"):
		f.Type, f.SourceKind, f.Confidence = ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution
	case strings.HasPrefix(reference, "gone/"):
		return ledger.Finding{Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord, Reason: "there is no such file"}
	}
	return f
}

// table is a session while it runs.
type table struct {
	t      *testing.T
	state  *state.State
	clock  time.Time
	events []state.Event
}

// Append implements protocol.Log.
func (d *table) Append(events []state.Event) error {
	d.events = append(d.events, events...)
	return nil
}

func (d *table) now() time.Time {
	d.clock = d.clock.Add(time.Second)
	return d.clock
}

// add records what nobody of the table said.
func (d *table) add(payloads ...state.Payload) {
	d.t.Helper()
	for _, p := range payloads {
		e := state.Event{Seq: d.state.Seq + 1, At: d.now(), Data: p}
		next, err := state.Apply(d.state, e)
		if err != nil {
			d.t.Fatal(err)
		}
		d.state, d.events = next, append(d.events, e)
	}
}

// run drives the session until it ends or waits.
func (d *table) run(participants map[state.Seat]protocol.Participant) {
	d.t.Helper()
	parser, err := protocoltest.Parser()
	if err != nil {
		d.t.Fatal(err)
	}
	ctx, leave := context.WithCancel(d.t.Context())
	defer leave()
	err = run.New(run.Options{
		State: d.state, Log: d, Researcher: sources{}, Parser: parser, Now: d.now, Attended: d.state.Settings.Attended,
		Participants: participants,
		Watch: func(n protocol.Notice) {
			if _, waits := n.(protocol.Waiting); waits {
				leave()
			}
		},
	}).Run(ctx)
	if err != nil && !errors.Is(err, protocol.ErrStopped) {
		d.t.Fatal(err)
	}
	if d.state, err = state.Replay(d.events); err != nil {
		d.t.Fatal(err)
	}
}

// smallConstitution has one constraint for each check that the sessions meet.
func smallConstitution() constitution.Constitution {
	return constitution.Constitution{Name: "small", Constraints: []constitution.Constraint{
		{ID: "cite-facts", Seat: constitution.Strategist, Text: "Cite evidence for each fact.", Check: constitution.CheckCites},
		{ID: "admit-limits", Seat: constitution.Strategist, Text: "Say where your data end.", Check: constitution.CheckUncertainty},
		{ID: "be-feasible", Seat: constitution.Strategist, Text: "Say how a proposal is carried out.", Check: constitution.CheckFeasible},
		{ID: "no-harm", Seat: constitution.Strategist, Text: "Nobody is to lose data.", Check: constitution.CheckNoHarm, Deny: []string{"drop the log"}},
		{ID: "two-sides", Seat: constitution.Strategist, Text: "Look at both sides.", Check: constitution.CheckBias},
		{ID: "attack-method", Seat: constitution.Critic, Text: "Attack how a claim is known.", Check: constitution.CheckMethod},
		{ID: "doubt-hopes", Seat: constitution.Adversary, Text: "Doubt what is hoped."},
	}}
}

// packetOfTest is the closed world of the sessions.
func packetOfTest(t *testing.T) *ledger.Packet {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "hearing", "packet.json"))
	if err != nil {
		t.Fatal(err)
	}
	var form struct {
		ID     string          `json:"packet_id"`
		Window [2]time.Time    `json:"window"`
		Facts  json.RawMessage `json:"facts"`
	}
	if err := json.Unmarshal(text, &form); err != nil {
		t.Fatal(err)
	}
	packet, err := ledger.NewPacket(form.ID, form.Window[0], form.Window[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := packet.AddJSON(form.Facts); err != nil {
		t.Fatal(err)
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	return packet
}

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
