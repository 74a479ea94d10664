package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"moot/agent/person"
	"moot/protocol"
	"moot/state"
)

// lines runs a session with append-only lines on standard error: headless, or
// with the person's answers from standard input (--plain).
func (s *sitting) lines(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	box := newInbox()
	runner, err := s.runner(box.push)
	if err != nil {
		return err
	}
	signals, stop := s.console.signals()
	defer stop()
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		// Its error comes with Ended.
		_ = runner.Run(ctx)
	}()
	front := &lineFront{console: s.console, runner: runner, progress: &progress{line: s.console.Say}, orders: newOrders(), wake: box.wake}
	go front.orders.run(ctx)
	var typed <-chan typedLine
	if s.front.plain {
		front.keyboard = s.person()
		for _, q := range front.keyboard.standing(&s.state) {
			front.progress.question(&q, &s.state)
		}
		typed = front.keyboard.start(ctx)
	}
	code := 0
	for {
		select {
		case <-box.ready:
			settled := front.settled()
			for _, n := range box.take() {
				if ended, over := n.(protocol.Ended); over {
					<-finished
					return s.conclude(ended, code)
				}
				front.notice(ctx, n)
			}
			if settled && front.settled() {
				front.leaveForLack()
			}
		case got := <-signals:
			if code != 0 {
				// The second time nothing is waited for: all events are on disk.
				s.console.Say("stopped    %s is saved; go on with: %s", s.state.ID, s.resumeLine())
				return leaveWith(code)
			}
			code = signalCode(got)
			s.leave(ctx, runner, got)
		case line := <-typed:
			front.typed(line)
		}
	}
}

// leave asks the session to end after a signal, without waiting for it.
func (s *sitting) leave(ctx context.Context, runner *protocol.Runner, got os.Signal) {
	s.console.Say("leaving    %s: the session is being saved; once more to stop at once", got)
	go runner.Leave(ctx)
}

// lineFront shows notices as lines, and obeys typed ones.
type lineFront struct {
	console  *Console
	runner   *protocol.Runner
	progress *progress
	orders   *orders
	// keyboard is nil in a headless run.
	keyboard *keyboard
	// waits says that the session waits for the person, auto that it was told
	// to go on by itself, ahead how many turns were called for before they were
	// due: lines may come from a file.
	waits, auto bool
	ahead       int
	// veiled is what came of the other answers of a panel, or of the other side of a
	// hearing, while the person still owes one.
	veiled []protocol.Advanced
	// failed are the calls that failed and were not told of: most often the event
	// that comes of it says the same.
	failed []protocol.CallEnded
	// held are answers to questions that were not asked yet.
	held []string
	// deciding counts the decisions of the person that are on their way to the
	// session; wake has the front look again once one arrived.
	deciding atomic.Int32
	wake     func()
}

// settled reports whether no decision is on its way. What came of the earlier
// ones is in the inbox then.
func (f *lineFront) settled() bool { return f.deciding.Load() == 0 }

func (f *lineFront) notice(ctx context.Context, n protocol.Notice) {
	switch n := n.(type) {
	case protocol.Advanced:
		if protocol.Unseen(&n.State, person.Name) {
			f.veiled = append(f.veiled, n)
			return
		}
		f.unveil()
		f.advanced(n)
	case protocol.CallStarted:
		f.failures()
		f.progress.called(n)
	case protocol.Reported:
		f.console.Say("wire       %s: %s", n.Seat, n.Text)
	case protocol.CallEnded:
		// That the session's time was up is said by its pause.
		if n.Err != nil && ctx.Err() == nil && !errors.Is(n.Err, context.Canceled) && !errors.Is(n.Err, context.DeadlineExceeded) {
			f.failed = append(f.failed, n)
		}
	case protocol.TurnReady:
		f.failures()
		f.turnReady(n)
	case protocol.Waiting:
		f.failures()
		// What is asked is told, or nothing would ever go on.
		f.unveil()
		f.waiting()
	case protocol.Forecast:
		f.progress.forecast(n)
	case protocol.Thinking:
		f.console.Say("thinks     %s", n.Seat)
	case protocol.Ended:
		f.failures()
	case protocol.Streamed:
	}
}

// failures tells of the calls that failed and that no event told of.
func (f *lineFront) failures() {
	for _, n := range f.failed {
		f.console.Say("call       %s: %s", n.Seat, n.Err)
	}
	f.failed = nil
}

// told forgets the failed calls of which an event tells, after it was told of one
// that is asked again with less in its prompt (LE7).
func (f *lineFront) told(events []state.Event) {
	for _, e := range events {
		f.failed = slices.DeleteFunc(f.failed, func(n protocol.CallEnded) bool {
			switch e := e.Data.(type) {
			case *state.ReplyRefused:
				return e.Seat == n.Seat
			case *state.SeatMissed:
				return e.Seat == n.Seat
			case *state.SessionPaused:
				return strings.Contains(e.Reason, n.Err.Error())
			case *state.PromptShrunk:
				if e.Seat == n.Seat {
					f.console.Say("call       %s: %s", n.Seat, n.Err)
				}
				return e.Seat == n.Seat
			}
			return false
		})
	}
}

// advanced tells what happened.
func (f *lineFront) advanced(n protocol.Advanced) {
	f.waits = false
	f.told(n.Events)
	f.progress.advanced(n)
	if f.keyboard != nil {
		f.keyboard.questions(&n)
		f.answerHeld()
	}
}

// unveil tells what was kept back.
func (f *lineFront) unveil() {
	for _, n := range f.veiled {
		f.advanced(n)
	}
	f.veiled = nil
}

func (f *lineFront) turnReady(n protocol.TurnReady) {
	paused := len(n.Asks) == 0
	if f.keyboard == nil || f.auto && !paused {
		return
	}
	f.waits = true
	if f.stepAhead() {
		return
	}
	if f.keyboard.over() {
		return
	}
	next := "the session is paused"
	for i, ask := range n.Asks {
		if i == 0 {
			next = "next"
		}
		next += " " + string(ask.Seat) + " to " + toDo(ask.Stage)
	}
	f.console.Say("wait       %s; type enter to go on, auto, quit, or help", next)
}

// stepAhead runs a turn that was called for, where one waits.
func (f *lineFront) stepAhead() bool {
	if !f.waits || f.ahead == 0 {
		return false
	}
	f.waits = false
	f.ahead--
	f.orders.add(f.runner.Step)
	return true
}

func (f *lineFront) waiting() {
	f.waits = true
	if f.over() || !f.settled() {
		return
	}
	how := "type the number, or the id and your answer"
	if open := f.keyboard.waiting(); len(open) > 1 {
		how = fmt.Sprintf("type the id and your answer, as in \"%s 1\"; a number alone answers %s", open[1], open[0])
	}
	f.console.Say("wait       the session goes on when you answer; %s", how)
}

// over reports whether nobody answers any more.
func (f *lineFront) over() bool { return f.keyboard == nil || f.keyboard.over() }

// leaveForLack ends a run that waits for answers which cannot come.
func (f *lineFront) leaveForLack() {
	if !f.waits || !f.over() {
		return
	}
	f.waits = false
	f.console.Say("note       standard input has ended, and the session waits for you")
	f.orders.add(f.runner.Leave)
}

// answerHeld gives the answers whose questions have come.
func (f *lineFront) answerHeld() {
	var left []string
	for _, line := range f.held {
		if answer, ok := f.keyboard.answer(line); ok {
			f.override(answer)
			continue
		}
		left = append(left, line)
	}
	f.held = left
}
