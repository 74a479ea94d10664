package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// seat is a participant that a test drives.
type seat struct {
	name  string
	reply func(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error)
}

func (s *seat) Name() string { return s.name }

func (s *seat) Modelless() bool { return true }

func (s *seat) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	return s.reply(ctx, call, watch)
}

// says returns a participant that replies by stage; a stage that it does not
// know gets a silent reply.
func says(byStage map[state.Stage]string) *seat {
	return &seat{name: "script", reply: func(_ context.Context, call protocol.Call,
		_ func(protocol.Delta),
	) (protocol.Reply, error) {
		text, ok := byStage[call.Ask.Stage]
		if !ok {
			text = `{"moves":[]}`
		}
		return protocol.Reply{Text: text, PromptTokens: 100, CompletionTokens: 10, Attempts: 1}, nil
	}}
}

// record is a log in memory with the notices that the front end received.
type record struct {
	sync.Mutex
	// otherRules says that the session ran by rules of the test, so that it does not recompute.
	otherRules bool

	events  []state.Event
	fail    error
	notices []protocol.Notice
	told    chan protocol.Notice
}

func (r *record) Append(events []state.Event) error {
	r.Lock()
	defer r.Unlock()
	if r.fail != nil {
		return r.fail
	}
	r.events = append(r.events, events...)
	return nil
}

func (r *record) watch(n protocol.Notice) {
	r.Lock()
	r.notices = append(r.notices, n)
	r.Unlock()
	if r.told != nil {
		r.told <- n
	}
}

// until waits for a notice that fits.
func until[N protocol.Notice](t *testing.T, r *record, fits func(N) bool) N {
	t.Helper()
	for n := range r.told {
		if found, ok := n.(N); ok && fits(found) {
			return found
		}
	}
	t.Fatal("the run ended first")
	panic("unreachable")
}

func always[N protocol.Notice](N) bool { return true }

// checks is a researcher that verifies what does not begin with "bad".
type checks struct{}

func (checks) Check(_ context.Context, reference, quote string) ledger.Finding {
	return protocoltest.Finding(&ledger.Evidence{Reference: reference, Excerpt: quote})
}

func options(t testing.TB, log *record, o *state.SessionOpened,
	seats map[state.Seat]protocol.Participant,
) Options {
	t.Helper()
	parser, err := protocoltest.Parser()
	if err != nil {
		t.Fatal(err)
	}
	for i := range o.Seats {
		o.Seats[i].Looks = protocol.NeedsLookups(seats[o.Seats[i].Seat])
	}
	first := state.Event{Seq: 1, Data: o}
	s, err := state.Apply(&state.State{}, first)
	if err != nil {
		t.Fatal(err)
	}
	log.events = append(log.events, first)
	t.Cleanup(func() {
		if testing.Short() {
			return // Each run is parsed a second time.
		}
		if err := recomputes(t, log.events); err != nil && !log.otherRules {
			t.Errorf("verify: %v", err)
		}
	})
	clock := time.Unix(0, 0)
	return Options{
		State: s, Log: log, Participants: seats, Researcher: checks{}, Parser: parser,
		Now: func() time.Time { clock = clock.Add(time.Second); return clock }, Watch: log.watch,
		Attended: o.Settings.Attended,
	}
}

// again returns the options that resume what the log holds.
func again(t testing.TB, o Options, log *record) Options {
	t.Helper()
	s, err := state.Replay(log.events)
	if err != nil {
		t.Fatal(err)
	}
	o.State = s
	return o
}

func agreeable() map[state.Seat]protocol.Participant {
	return map[state.Seat]protocol.Participant{
		state.Orchestrator: says(map[state.Stage]string{
			state.StageEvaluate: "SHAPE: yes or no\nAGREE: P1 because E1 shows it",
		}),
		state.Consultee: says(map[state.Stage]string{
			state.StagePropose: `1. Alpha holds a/a.go:1 "alpha"`, state.StageCoverage: "NOTHING",
			state.StageStress: "STEELMAN P1 mitigable: it may change",
		}),
	}
}

func TestRunToTheEnd(t *testing.T) {
	log := &record{}
	if err := New(options(t, log, protocoltest.Opened(consult.Name), agreeable())).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := state.Replay(log.events)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Closed || s.Exit != state.ExitConverged || s.Inconclusive {
		t.Fatalf("closed=%v exit=%q inconclusive=%v", s.Closed, s.Exit, s.Inconclusive)
	}
	told := 0
	for _, n := range log.notices {
		if a, ok := n.(protocol.Advanced); ok {
			for _, e := range a.Events {
				if told++; e.Seq != told+1 {
					t.Fatalf("event %d was told out of order", e.Seq)
				}
			}
		}
	}
	if told != len(log.events)-1 {
		t.Fatalf("%d events in the log, %d told", len(log.events)-1, told)
	}
}

// A pause that was staged with the last reply is in the log when the user leaves before it is written.
func TestAStagedPauseIsKeptOnLeaving(t *testing.T) {
	log := &record{otherRules: true}
	r := New(options(t, log, protocoltest.Opened(consult.Name), agreeable()))
	if err := r.stage(&state.SessionPaused{Why: state.PauseBudget, Reason: "the format paused it"}); err != nil {
		t.Fatal(err)
	}
	if err := r.recordLeave(protocol.ErrStopped); !errors.Is(err, protocol.ErrStopped) {
		t.Error(err)
	}
	if n := len(log.events); n != 2 || log.events[1].Seq != r.State.Seq {
		t.Errorf("%d events are in the log, the state is at event %d", n, r.State.Seq)
	}
}

// EX7: an unreachable participant pauses the session without loss; it resumes from the last event.
func TestUnreachablePausesAndResumes(t *testing.T) {
	log, down := &record{}, true
	seats := agreeable()
	good := seats[state.Consultee]
	seats[state.Consultee] = &seat{name: "flaky", reply: func(ctx context.Context, call protocol.Call,
		watch func(protocol.Delta),
	) (protocol.Reply, error) {
		if down {
			return protocol.Reply{}, &protocol.Unreachable{
				Participant: "flaky", What: "connection refused",
				Fix: "start it",
			}
		}
		return good.Reply(ctx, call, watch)
	}}
	o := options(t, log, protocoltest.Opened(consult.Name), seats)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := again(t, o, log).State
	if s.Paused != state.PauseUnreachable || !strings.Contains(s.PauseReason, "connection refused") {
		t.Fatalf("paused %q: %s", s.Paused, s.PauseReason)
	}
	down = false
	if err := New(again(t, o, log)).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s = again(t, o, log).State; s.Exit != state.ExitConverged || s.Points.Len() != 1 {
		t.Fatalf("exit %q with %d points", s.Exit, s.Points.Len())
	}
}

// EX7: if several seats that were asked together cannot be reached, the pause names each of them.
func TestPauseNamesEachUnreachableSeat(t *testing.T) {
	log := &record{}
	seats := agreeable()
	for seat, what := range map[state.Seat]string{state.Consultee: "connection refused", "consultee-2": "no such host"} {
		seats[seat] = failing(&protocol.Unreachable{Participant: "down", What: what, Fix: "start it"})
	}
	o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: "consultee-2", Participant: "script"})
	}), seats)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := again(t, o, log).State
	const want = "the consultee (script) gave no answer: connection refused; start it; " +
		"the consultee-2 (script) gave no answer: no such host; start it"
	if s.Paused != state.PauseUnreachable || s.PauseReason != want || s.PauseFailure.Seat != state.Consultee {
		t.Fatalf("paused %q by %s: %s", s.Paused, s.PauseFailure.Seat, s.PauseReason)
	}
	if _, err := Verify(o.Parser, log.events); err != nil {
		t.Fatal(err)
	}
}

// PH3, CH6: a broken reply costs no round. EX4: two invalid replies in a row end the session. EX7: two truncated
// replies pause it, and it can resume.
func TestBrokenReplies(t *testing.T) {
	for _, c := range brokenReplies() {
		log, left := &record{}, c.times
		seats := agreeable()
		good := seats[state.Consultee]
		seats[state.Consultee] = &seat{reply: func(ctx context.Context, call protocol.Call,
			watch func(protocol.Delta),
		) (protocol.Reply, error) {
			if left--; left >= 0 {
				return protocol.Reply{}, c.why()
			}
			return good.Reply(ctx, call, watch)
		}}
		s, pauses := runs(t, options(t, log, protocoltest.Opened(consult.Name), seats), log, func(s *state.State) {
			want := "broke off again: the stream broke off; check whether it still runs"
			if !strings.Contains(s.PauseReason, want) {
				t.Errorf("paused: %s", s.PauseReason)
			}
		})
		if s.Exit != c.exit || !slices.Equal(pauses, c.pauses) {
			t.Errorf("%d %s replies: exit %q, pauses %v", c.times, c.code, s.Exit, pauses)
		}
	}
}

// EX6: a used-up budget pauses the session; a higher one lets it continue.
func TestBudget(t *testing.T) {
	log := &record{}
	o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) { o.Settings.MaxTokens = 150 }), agreeable())
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	o = again(t, o, log)
	if o.State.Paused != state.PauseBudget || o.State.Usage.Calls != 2 {
		t.Fatalf("paused %q after %d calls", o.State.Paused, o.State.Usage.Calls)
	}
	if got := CapReached(o.State); got != "--max-tokens" {
		t.Errorf("the cap that is reached: %q", got)
	}
	log.does(t, o.State, protocol.SetBudget{MaxTokens: 10000})
	if err := New(again(t, o, log)).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := again(t, o, log).State; s.Exit != state.ExitConverged {
		t.Fatalf("exit %q", s.Exit)
	}
}

// If the disk is full, no event of the batch counts, subscribers see none of it, and the session resumes from the
// stored events.
func TestFullDisk(t *testing.T) {
	log := &record{}
	o := options(t, log, protocoltest.Opened(consult.Name), agreeable())
	full := errors.New("no space left on device")
	calls := 0
	o.Watch = func(n protocol.Notice) {
		if _, ok := n.(protocol.CallEnded); ok {
			if calls++; calls == 1 {
				log.Lock()
				log.fail = full
				log.Unlock()
			}
		}
		log.watch(n)
	}
	if err := New(o).Run(t.Context()); !errors.Is(err, full) {
		t.Fatalf("got %v", err)
	}
	o = again(t, o, log)
	if o.State.Points.Len() != 0 {
		t.Fatal("a point counts that was not stored")
	}
	log.fail = nil
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := again(t, o, log).State; s.Exit != state.ExitConverged {
		t.Fatalf("exit %q", s.Exit)
	}
}

// A participant that panics ends the run with an error; the session is whole.
func TestPanicInAParticipant(t *testing.T) {
	log := &record{}
	seats := agreeable()
	seats[state.Consultee] = &seat{reply: func(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply,
		error,
	) {
		panic("a defect")
	}}
	o := options(t, log, protocoltest.Opened(consult.Name), seats)
	err := New(o).Run(t.Context())
	var panicked *PanicError
	if !errors.As(err, &panicked) || !strings.Contains(err.Error(), "saved") {
		t.Fatalf("got %v", err)
	}
	again(t, o, log)
}

// Cancelled calls, overrides and leaving in the middle of a call.
func TestControlDuringACall(t *testing.T) {
	log := &record{told: make(chan protocol.Notice, 1000)}
	seats := agreeable()
	good := seats[state.Consultee]
	held, ctx := true, t.Context()
	seats[state.Consultee] = &seat{reply: func(ctx context.Context, call protocol.Call,
		watch func(protocol.Delta),
	) (protocol.Reply, error) {
		watch(protocol.Delta{Text: "1. Al"})
		if held {
			<-ctx.Done()
			return protocol.Reply{}, ctx.Err()
		}
		return good.Reply(ctx, call, watch)
	}}
	o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) { o.Settings.Attended = true }), seats)
	r := New(o)
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()

	until(t, log, func(n protocol.Streamed) bool { return n.Seat == state.Consultee })
	if err := r.Override(ctx, protocol.RecordFact{Text: "writes are idempotent"}); err != nil {
		t.Fatal(err)
	}
	r.CancelCall(ctx)
	ready := until(t, log, func(n protocol.TurnReady) bool { return len(n.Asks) == 1 })
	if ready.Asks[0].Stage != state.StagePropose {
		t.Fatalf("waits for %s", ready.Asks[0].Stage)
	}
	if p := r.Preview(ctx)[state.Consultee]; !strings.Contains(p.Text, "writes are idempotent") {
		t.Fatalf("the next prompt does not show the user's fact: %q", p.Text)
	}
	r.EditPrompt(ctx, state.Consultee, "Say nothing.")
	if p := r.Preview(ctx)[state.Consultee]; p.Text != "Say nothing." {
		t.Fatalf("the preview does not show the edit: %q", p.Text)
	}
	r.EditPrompt(ctx, state.Consultee, "")
	if p := r.Preview(ctx)[state.Consultee]; !strings.Contains(p.Text, "writes are idempotent") {
		t.Fatalf("an empty text does not take the edit back: %q", p.Text)
	}
	there := Attached{r}
	there.EditPrompt(ctx, state.Consultee, "Say it in one line.")
	if err := there.Override(ctx, protocol.RecordFact{Text: "reads are not"}); err != nil {
		t.Fatal(err)
	}
	if err := there.Replace(ctx, state.Consultee, r.Participants[state.Consultee]); err != nil {
		t.Fatal(err)
	}
	r.Step(ctx)
	until(t, log, func(n protocol.Streamed) bool { return n.Seat == state.Consultee })
	r.Leave(ctx)
	if err := <-done; !errors.Is(err, protocol.ErrStopped) {
		t.Fatalf("got %v", err)
	}
	edited, attached := false, []string{}
	for _, e := range log.events {
		if e.Channel == state.ChannelAttach {
			attached = append(attached, state.KindOf(e.Data))
		}
		if p, ok := e.Data.(*state.PromptSent); ok && p.Text == "Say it in one line." {
			edited = true
		}
	}
	if !edited {
		t.Fatal("the edited prompt is not on the record")
	}
	if got := strings.Join(attached, " "); got != "fact-recorded seat-taken prompt-edited" {
		t.Errorf("through moot attach came %s", got)
	}
	if err := r.Override(ctx, protocol.RecordFact{Text: "late"}); !errors.Is(err, ErrOver) {
		t.Fatalf("an override after the end: %v", err)
	}

	held, log.told = false, nil
	o = again(t, o, log)
	o.Attended = false
	if err := New(o).Run(ctx); err != nil {
		t.Fatal(err)
	}
	if s := again(t, o, log).State; s.Exit != state.ExitConverged {
		t.Fatalf("exit %q", s.Exit)
	}
}

// Step mode waits before each turn; a cancelled context ends the run, and what
// was stored resumes.
func TestStepsAndInterrupts(t *testing.T) {
	log := &record{told: make(chan protocol.Notice, 1000)}
	o := options(t, log, protocoltest.Opened(consult.Name), agreeable())
	o.Step = true
	ctx, cancel := context.WithCancel(t.Context())
	r := New(o)
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	for range 3 {
		until(t, log, always[protocol.TurnReady])
		r.Step(ctx)
		until(t, log, always[protocol.CallEnded])
	}
	cancel()
	if err := <-done; !errors.Is(err, protocol.ErrStopped) {
		t.Fatalf("got %v", err)
	}
	log.told = nil
	o = again(t, o, log)
	o.Step = false
	if o.State.Paused != state.PauseUser {
		t.Fatalf("paused %q", o.State.Paused)
	}
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := again(t, o, log).State; s.Exit != state.ExitConverged {
		t.Fatalf("exit %q", s.Exit)
	}
}

// The rest of a round runs without waiting, and the first turn of the next one waits.
func TestTheRestOfARoundRuns(t *testing.T) {
	log := &record{told: make(chan protocol.Notice, 1000)}
	o := options(t, log, protocoltest.Opened(consult.Name), agreeable())
	o.Step = true
	r := New(o)
	done := make(chan error, 1)
	go func() { done <- r.Run(t.Context()) }()
	until(t, log, always[protocol.TurnReady])
	r.StepRound(t.Context())
	calls, round := 0, 0
	for waits := false; !waits; {
		switch n := (<-log.told).(type) {
		case protocol.CallEnded:
			calls++
		case protocol.Advanced:
			round = n.State.Round
		case protocol.TurnReady:
			waits = true
		}
	}
	if calls < 2 || round != 2 {
		t.Errorf("%d calls, and it waits in round %d", calls, round)
	}
	r.Leave(t.Context())
	if err := <-done; !errors.Is(err, protocol.ErrStopped) {
		t.Fatal(err)
	}
}

// runs continues the session after every pause that the given function resolves and returns the pauses.
func runs(t *testing.T, o Options, log *record, mend func(s *state.State)) (s *state.State,
	pauses []state.PauseKind,
) {
	t.Helper()
	for range 100 {
		if err := New(o).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		o = again(t, o, log)
		if o.State.Closed {
			if err := recomputes(t, log.events); err != nil {
				t.Fatal(err)
			}
			return o.State, pauses
		}
		pauses = append(pauses, o.State.Paused)
		mend(o.State)
		o = again(t, o, log)
	}
	t.Fatal("it pauses for ever")
	return s, nil
}

// does makes a user move while the session is paused.
func (r *record) does(t *testing.T, s *state.State, move protocol.UserMove) {
	t.Helper()
	events, err := protocol.AdmitUser(s, move)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range events {
		r.events = append(r.events, state.Event{Seq: len(r.events) + 1, At: s.At, Data: p})
	}
}

// brokenCase is a number of broken replies and the expected result.
type brokenCase struct {
	code   string
	times  int
	exit   state.Exit
	pauses []state.PauseKind
}

func (c brokenCase) why() error {
	return &protocol.Broken{Code: c.code, What: "the stream broke off", Partial: `{"mov`}
}

// brokenReplies returns truncated and malformed replies.
func brokenReplies() []brokenCase {
	return []brokenCase{
		{"broken", 1, state.ExitConverged, nil},
		{"broken", 2, state.ExitConverged, []state.PauseKind{state.PauseUnreachable}},
		{"empty", 1, state.ExitConverged, nil},
		{"empty", 2, state.ExitQuality, nil},
	}
}
