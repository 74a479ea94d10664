//go:build unix

package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/protocol/run"
	"moot/state"
)

// speaker is a participant that replies by stage.
type speaker struct {
	mutex   sync.Mutex
	replies map[state.Stage]string
	// stalls are stages whose first call is never answered.
	stalls map[state.Stage]bool
}

func (*speaker) Name() string    { return "script" }
func (*speaker) Modelless() bool { return true }

func (s *speaker) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	s.mutex.Lock()
	stalls := s.stalls[call.Ask.Stage]
	delete(s.stalls, call.Ask.Stage)
	text, known := s.replies[call.Ask.Stage]
	s.mutex.Unlock()
	if stalls {
		watch(protocol.Delta{Text: "I begin to think"})
		<-ctx.Done()
		return protocol.Reply{}, ctx.Err()
	}
	if !known {
		text = `{"moves":[]}`
	}
	watch(protocol.Delta{Text: text})
	return protocol.Reply{Text: text, PromptTokens: 100, CompletionTokens: 10, Attempts: 1}, nil
}

func replies() map[state.Stage]string {
	return map[state.Stage]string{
		state.StageMap:      "SHAPE: a list",
		state.StagePropose:  "1. The default is eight doc/a.md:1 \"default: 8\"\n2. The limit is nine\n",
		state.StageEvaluate: `{"moves":[{"move":"CLASSIFY","point":"P1","class":"AGREE","reason":"E1 says so"},{"move":"CLASSIFY","point":"P2","class":"SKEPTICAL","flaw":"No limit is written anywhere","upgrade_if":"a line that says it"}]}`,
		state.StageAnswer:   `{"moves":[{"move":"DEFEND","challenge":"C1","text":"It is the usual limit"}]}`,
		state.StageJudge:    `{"moves":[{"move":"JUDGE","challenge":"C1","judgment":"rejected","reason":"Usual is not written"}]}`,
	}
}

type memoryLog struct{ events []state.Event }

func (l *memoryLog) Append(events []state.Event) error {
	l.events = append(l.events, events...)
	return nil
}

type findsAll struct{}

func (findsAll) Check(_ context.Context, reference, quote string) ledger.Finding {
	return ledger.Finding{Verified: true, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.95, Reference: reference, Excerpt: quote, Digest: "sha256:0", Reason: "in place"}
}

// sessionOptions are a whole session with scripted seats on the terminal.
func sessionOptions(e *terminal, s protocol.Participant) (Options, *memoryLog) {
	e.t.Helper()
	log := &memoryLog{}
	o, events, err := scripted(s, log)
	if err != nil {
		e.t.Fatal(err)
	}
	log.events = events
	o.Opened.ReportPath = filepath.Join(e.t.TempDir(), "crash.txt")
	o.Environ = []string{"TERM=xterm-256color", "TERM_PROGRAM=test"}
	o.Input, o.Output, o.Signals = e.slave, e.slave, make(chan os.Signal)
	return o, log
}

// scripted is a session with scripted seats, and what it begins with.
func scripted(s protocol.Participant, log protocol.Log) (Options, []state.Event, error) {
	parser, err := protocoltest.Parser()
	if err != nil {
		return Options{}, nil, err
	}
	r := &protocoltest.Record{State: &state.State{}}
	r.Add(protocoltest.ConsultOpened(state.SeatAssignment{Seat: state.Orchestrator, Participant: "script", NoModel: true}, state.SeatAssignment{Seat: state.Consultee, Participant: "script", NoModel: true}))
	o := run.Options{
		State: r.State, Log: log, Researcher: findsAll{}, Parser: parser, Step: true, Attended: true,
		Participants: map[state.Seat]protocol.Participant{state.Orchestrator: s, state.Consultee: s},
		Now:          protocoltest.RecordTime,
	}
	return Options{
		Opened: &Opened{
			Start: func(watch func(protocol.Notice)) (Session, error) {
				o.Watch = watch
				return run.New(o), nil
			},
			State: r.State, Events: r.Events, ResumeCommand: "moot resume k3f9", ShowCommand: "moot show k3f9",
		},
		Now: protocoltest.RecordTime,
	}, r.Events, nil
}

// left is the result of Run.
type left struct {
	Result
	err error
}

func launch(t *testing.T, o Options) <-chan left { return launched(t.Context(), newModel(o)) }

func launched(ctx context.Context, m *Model) <-chan left {
	// A session that ends late still ends.
	m.patience = hangs
	out := make(chan left, 1)
	go func() {
		r, err := m.run(ctx)
		out <- left{r, err}
	}()
	return out
}

// gone waits for Run and checks that the terminal is as it was.
func gone(t *testing.T, e *terminal, out <-chan left) left {
	t.Helper()
	select {
	case l := <-out:
		e.until("the terminal as it was", func(string) bool { return e.restored() == "" })
		return l
	case <-time.After(hangs):
		t.Fatalf("the program does not end:\n%s", e.text())
		panic("unreachable")
	}
}

// A session from its question to its record: steps, an override, auto, leave.
func TestWholeSession(t *testing.T) {
	e := newTerminal(t, 120, 36)
	o, log := sessionOptions(e, &speaker{replies: replies()})
	out := launch(t, o)
	e.shows("Should the job queue move from Redis lists to Redis streams?")
	e.shows("next: orchestrator to map")
	e.shows("no language model takes part")
	e.press(" ")
	e.shows("next: consultee to propose")
	e.press(" ")
	e.shows("next: orchestrator to evaluate")
	e.shows("The limit is nine")
	e.shows("✓ E1  supports P1")
	e.press(" ")
	e.shows("C1 SKEPTICAL on P2")
	e.shows("next: consultee to answer")
	e.press("8")
	e.shows("▸ 8 Buckets 2")
	e.press("\x1b[F")
	e.press("A\r")
	e.shows("P2 is Agreed, by you")
	e.press("Fqueues are short\r")
	e.shows("queues are short")
	e.press("a")
	e.shows("moot show k3f9")
	e.shows("closed: 2 agreed")
	e.press("q")
	l := gone(t, e, out)
	if l.err != nil || l.ExitCode != 0 || l.Left || !l.State.Closed {
		t.Errorf("%v, exit code %d, left %v, closed %v", l.err, l.ExitCode, l.Left, l.State.Closed)
	}
	if _, closes := log.events[len(log.events)-1].Data.(*state.SessionClosed); !closes {
		t.Error("the record does not end with session-closed")
	}
}

// Cancelling a call keeps all and asks again; a resize keeps place and focus.
func TestCancelResizeAndLeave(t *testing.T) {
	e := newTerminal(t, 120, 36)
	o, _ := sessionOptions(e, &speaker{replies: replies(), stalls: map[state.Stage]bool{state.StagePropose: true}})
	out := launch(t, o)
	e.shows("next: orchestrator to map")
	e.press(" ")
	e.shows("next: consultee to propose")
	e.press(" ")
	e.shows("I begin to think")
	e.press("\x1b")
	e.until("the cancelled call", func(s string) bool {
		return strings.Contains(s, "cancelled; its reply is dropped") && strings.Contains(s, "space next turn") && !strings.Contains(s, "I begin")
	})
	e.press("p")
	e.shows("The next prompt")
	e.press("q4")
	e.shows("▸ 4 Ledger")
	e.mutex.Lock()
	e.screen.Resize(50, 14)
	e.mutex.Unlock()
	e.size(50, 14)
	if err := syscall.Kill(os.Getpid(), syscall.SIGWINCH); err != nil {
		t.Fatal(err)
	}
	e.shows("3 ▸ Ledger 5")
	e.press("\x03")
	l := gone(t, e, out)
	if l.err != nil || l.ExitCode != exitInterrupted || !l.Left || l.Resume != "moot resume k3f9" {
		t.Errorf("%v, exit code %d, left %v, resume %q", l.err, l.ExitCode, l.Left, l.Resume)
	}
}

func TestSignalsLeaveInOrder(t *testing.T) {
	for signal, code := range map[os.Signal]int{syscall.SIGTERM: exitTerminated, syscall.SIGHUP: exitHangup} {
		t.Run(fmt.Sprint(signal), func(t *testing.T) {
			e := newTerminal(t, 80, 24)
			o, log := sessionOptions(e, &speaker{replies: replies(), stalls: map[state.Stage]bool{state.StageMap: true}})
			signals := make(chan os.Signal, 1)
			o.Signals = signals
			out := launch(t, o)
			e.shows("next: orchestrator to map")
			e.press(" ")
			e.shows("I begin to think")
			signals <- signal
			l := gone(t, e, out)
			if l.err != nil || l.ExitCode != code || !l.Left {
				t.Errorf("%v, exit code %d, left %v", l.err, l.ExitCode, l.Left)
			}
			paused, ok := log.events[len(log.events)-1].Data.(*state.SessionPaused)
			if !ok || paused.Why != state.PauseUser {
				t.Error("the record does not say that the user left")
			}
		})
	}
}

// If a session can't be opened, the screen shows why and stays open.
func TestStartFails(t *testing.T) {
	e := newTerminal(t, 100, 24)
	o, _ := sessionOptions(e, &speaker{})
	o.Opened.Start = func(func(protocol.Notice)) (Session, error) {
		return nil, errors.New("the session k3f9 is open in another moot")
	}
	out := launch(t, o)
	e.shows("is open in another moot")
	e.press("q")
	if l := gone(t, e, out); l.err == nil {
		t.Error("the error is lost")
	}
}
