package person_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"moot/agent/person"
	"moot/protocol"
	"moot/state"
)

func call(stage state.Stage) protocol.Call {
	return protocol.Call{Ask: protocol.Ask{Seat: state.Consultee, Stage: stage}, State: state.State{Question: "Is it \x1b[2Jsafe?", Round: 1}}
}

func TestLines(t *testing.T) {
	t.Parallel()
	out := &strings.Builder{}
	me := person.New(person.Lines(strings.NewReader("1. one\n2. two\r\n\n\nRe C1: no\n.\nlast"), out))
	if me.Name() != "me" || !me.Modelless() {
		t.Error(me.Name())
	}
	for _, want := range []string{"1. one\n2. two", `{"moves":[]}`, "Re C1: no", "last"} {
		reply, err := me.Reply(context.Background(), call(state.StagePropose), nil)
		if err != nil || reply.Text != want {
			t.Errorf("%q %v, not %q", reply.Text, err, want)
		}
	}
	_, err := me.Reply(context.Background(), call(state.StagePropose), nil)
	var gone *protocol.Unreachable
	if !errors.As(err, &gone) || gone.Participant != "me" {
		t.Errorf("at the end of the input: %v", err)
	}
	if text := out.String(); strings.Contains(text, "\x1b") || !strings.Contains(text, "safe?") || !strings.Contains(text, "[EVIDENCE]") {
		t.Errorf("what is shown: %q", text)
	}
}

func TestCancelledAtOnce(t *testing.T) {
	t.Parallel()
	in, typed := io.Pipe()
	defer typed.Close()
	shown := make(chan struct{})
	me := person.New(person.Lines(in, writerFunc(func(b []byte) (int, error) { close(shown); return len(b), nil })))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		_, err := me.Reply(ctx, call(state.StageAnswer), nil)
		done <- err
	}()
	<-shown
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestOutputThatFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("no screen")
	asker := person.Lines(strings.NewReader("x\n"), writerFunc(func([]byte) (int, error) { return 0, broken }))
	if _, err := asker.Ask(context.Background(), call(state.StageAnswer)); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// What is due is shown by id, foreign text escaped, and nobody's name to the
// arbiter.
func TestAsked(t *testing.T) {
	t.Parallel()
	var s state.State
	seq := 0
	for _, p := range []state.Payload{
		&state.SessionOpened{Question: "q", Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Consultee}}},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "one \u202eclaim"},
		&state.PointTriaged{Point: "P1", By: state.Orchestrator, Scope: state.InScope},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: "supports", Reference: "a.go:1", Quote: "x", By: state.Consultee},
		&state.EvidenceRefused{ID: "E1", Reason: "it does not stand there"},
		&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: state.Skeptical},
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Orchestrator, What: state.Skeptical, Objection: "why so", UpgradeIf: "a reason"},
		&state.RoundStarted{Round: 2},
	} {
		seq++
		next, err := state.Apply(s, state.Event{Seq: seq, Data: p})
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	text := person.Asked(protocol.Call{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer, Retry: "too short"}, State: s})
	for _, want := range []string{"P1", `\u202e`, "E1 supports a.go:1, refused: it does not stand there", "To answer: C1 SKEPTICAL on P1: why so", "it falls if: a reason", "too short", "Re C1:"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not shown:\n%s", want, text)
		}
	}
	for _, stage := range state.Stages() {
		if text := person.Asked(protocol.Call{Ask: protocol.Ask{Seat: state.Arbiter, Stage: stage}, State: s}); !strings.Contains(text, "example:\n  ") {
			t.Errorf("%s has no hint", stage)
		} else if stage == state.StageArbiter && strings.Contains(text, fmt.Sprint(state.Consultee)) {
			t.Errorf("the arbiter is told who said it:\n%s", text)
		}
	}
}
