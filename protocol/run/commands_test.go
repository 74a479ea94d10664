package run

import (
	"context"
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

// runner is a researcher that notes the commands that it was given, and what was
// on the record by then.
type runner struct {
	sync.Mutex
	log *record
	ran []string
	// If held is set, a command runs until its check ends.
	held    chan struct{}
	allowed bool
	limit   time.Duration
}

func (r *runner) Check(ctx context.Context, reference, expected string) ledger.Finding {
	item := &ledger.Evidence{Reference: reference, Excerpt: expected}
	if !ledger.IsCommand(reference) {
		return protocoltest.Finding(item)
	}
	r.log.Lock()
	leave := slices.ContainsFunc(r.log.events, func(e state.Event) bool {
		p, is := e.Data.(*state.CommandApproved)
		return is && p.Decision.Allows() && "$ "+p.Command == reference
	})
	r.log.Unlock()
	r.Lock()
	r.ran, r.allowed = append(r.ran, reference+" => "+expected), leave
	if deadline, ok := ctx.Deadline(); ok {
		r.limit = time.Until(deadline)
	}
	r.Unlock()
	if r.held != nil {
		r.held <- struct{}{}
		<-ctx.Done()
		return ledger.Finding{Reason: "it was cancelled", Run: &ledger.Run{ExitCode: -1}}
	}
	item.Approval, item.Expect = ledger.ApprovalOnce, expected
	return protocoltest.Finding(item)
}

// proposing are seats of which the consultee proposes a command.
func proposing() map[state.Seat]protocol.Participant {
	seats := agreeable()
	seats[state.Consultee] = says(map[state.Stage]string{
		state.StagePropose: "1. It builds `$ go build ./... => exit 0`", state.StageCoverage: "NOTHING",
	})
	return seats
}

func inWorkspace(o *state.SessionOpened) { o.Settings.Workspace = "/work" }

func attended(o *state.SessionOpened) { o.Settings.Attended = true }

// Whatever a format says, the loop runs nothing that was not approved.
func TestLoopRunsNothingUnapproved(t *testing.T) {
	t.Parallel()
	log := &record{otherRules: true}
	o := options(t, log, protocoltest.Opened(consult.Name, inWorkspace), proposing())
	researcher := &runner{log: log}
	o.Researcher, o.State.Rules = researcher, hasty{}
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := state.Replay(log.events)
	if err != nil {
		t.Fatal(err)
	}
	if item := s.Item("E1"); len(researcher.ran) > 0 || item.Verified ||
		!strings.Contains(item.Reason, "not approved") {
		t.Errorf("it ran %s: %+v", researcher.ran, item)
	}
}

// hasty is a format that has commands run at once.
type hasty struct{ consult.Format }

func (h hasty) Next(s *state.State) protocol.Turn {
	for _, id := range s.Commands {
		if !s.Item(id).Checked {
			return protocol.Turn{Check: []string{id}}
		}
	}
	return h.Format.Next(s)
}

// A command that runs can be cancelled: its evidence is refused, and the session
// waits before it asks again.
func TestCommandIsCancelled(t *testing.T) {
	t.Parallel()
	log := &record{told: make(chan protocol.Notice, 1000)}
	o := options(t, log, protocoltest.Opened(consult.Name, inWorkspace), proposing())
	allowed := state.Event{Seq: 2, At: o.State.At, Data: &state.CommandsAllowed{Patterns: []string{"go build ..."}, By: state.User}}
	next, err := state.Apply(o.State, allowed)
	if err != nil {
		t.Fatal(err)
	}
	o.State, log.events = next, append(log.events, allowed)
	researcher := &runner{log: log, held: make(chan struct{})}
	o.Researcher = researcher
	r := New(o)
	finished := make(chan error, 1)
	go func() { finished <- r.Run(t.Context()) }()
	<-researcher.held
	r.CancelCall(t.Context())
	last := until(t, log, func(n protocol.Advanced) bool {
		return n.State.Item("E1") != nil &&
			n.State.Item("E1").Checked
	})
	if item := last.State.Item("E1"); item.Verified || item.Reason != "it was cancelled" || item.Run == nil {
		t.Errorf("%+v", item)
	}
	until(t, log, always[protocol.TurnReady])
	r.Auto(t.Context(), true)
	if err := <-finished; err != nil {
		t.Fatal(err)
	}
}

// Who leaves ends the command; nothing is recorded of it, and the next run must
// have leave of its own.
func TestLeavingEndsTheCommand(t *testing.T) {
	t.Parallel()
	log := &record{told: make(chan protocol.Notice, 1000)}
	o := options(t, log, protocoltest.Opened(consult.Name, inWorkspace, attended), proposing())
	researcher := &runner{log: log, held: make(chan struct{})}
	o.Researcher = researcher
	r := New(o)
	finished := make(chan error, 1)
	go func() { finished <- r.Run(t.Context()) }()
	until(t, log, always[protocol.Waiting])
	if err := r.Override(t.Context(), protocol.AnswerQuestion{Question: "Q1", Answer: "once"}); err != nil {
		t.Fatal(err)
	}
	<-researcher.held
	r.Leave(t.Context())
	<-finished
	o = again(t, o, log)
	if item := o.State.Item("E1"); item.Checked || item.Approval != ledger.ApprovalOnce {
		t.Fatalf("%+v", item)
	}
	log.told = make(chan protocol.Notice, 1000)
	second := New(o)
	go func() { finished <- second.Run(t.Context()) }()
	asked := until(t, log, always[protocol.Waiting])
	if len(researcher.ran) != 1 || len(asked.Questions) == 0 {
		t.Errorf("after the interruption it ran %s, asked %s", researcher.ran, asked.Questions)
	}
	second.Leave(t.Context())
	<-finished
}

// A fork is another session: commands that were always allowed need a new approval.
func TestForkDropsCommandApprovals(t *testing.T) {
	t.Parallel()
	s := &state.State{
		Fork: state.Fork{From: "other", Seq: 9},
		Claims: state.Claims{CommandRules: []state.CommandRule{
			{Command: "a", Decision: ledger.ApprovalAlways, Seq: 8},
			{Command: "b", Decision: ledger.ApprovalNever, Seq: 8},
		}},
	}
	if s.CommandRule("a") != ledger.ApprovalNone || s.CommandRule("b") != ledger.ApprovalNever {
		t.Errorf("%s %s", s.CommandRule("a"), s.CommandRule("b"))
	}
	s.CommandRules = append(s.CommandRules, state.CommandRule{Command: "a", Decision: ledger.ApprovalAlways, Seq: 12})
	if s.CommandRule("a") != ledger.ApprovalAlways {
		t.Error("what the fork allows does not hold")
	}
}
