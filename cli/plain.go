package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"moot/agent/person"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/run"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// runPlain runs the session without a screen: headless, or with the user's answers from standard input (--plain).
// Progress goes to standard error.
func (s *session) runPlain(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	notices := make(chan protocol.Notice, 64)
	runner, err := s.runner(func(n protocol.Notice) {
		if _, piece := n.(protocol.Streamed); piece {
			return
		}
		select {
		case notices <- n:
		case <-ctx.Done():
		}
	})
	if err != nil {
		return err
	}
	signals, stop := s.console.signals()
	code := protocol.ExitConcluded
	defer func() {
		// After a signal the process is about to end with its code: another one must not kill it first.
		if code == protocol.ExitConcluded {
			stop()
		}
	}()
	background := s.front.background
	if background != nil {
		if err := background.opened(ctx, s); err != nil {
			return err
		}
	}
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		// The error is in the Ended notice.
		_ = runner.Run(ctx)
	}()
	front := newPlainFront(s.console.progress(s.state))
	front.console, front.runner, front.events = s.console, runner, s.events
	front.decider = &decider{say: s.console.Say, state: s.state, send: front.override}
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case command := <-front.commands:
				command(ctx)
			}
		}
	}()
	var typed <-chan typedLine
	if s.front.plain {
		front.keyboard = s.plainKeyboard()
		for _, q := range front.questions() {
			front.progress.question(q, s.state)
		}
		typed = front.keyboard.start(ctx)
	}
	for {
		select {
		case n := <-notices:
			if background != nil {
				background.notice(n)
			}
			if ended, over := n.(protocol.Ended); over {
				<-finished
				return s.conclude(ended, code)
			}
			front.notice(ctx, n)
		case <-front.handled:
		case got := <-signals:
			if code != protocol.ExitConcluded {
				if s.file == nil {
					return s.left(code)
				}
				// All events are on disk already.
				s.console.Say("stopped    %s is saved; %s", s.state.ID, s.next())
				return leaveWith(code)
			}
			code = signalCode(got)
			doing := "saving the session"
			if s.file == nil {
				doing = "ending the session, which is not saved"
			}
			s.console.Say("leaving    %s: %s; repeat to stop at once", got, doing)
			go runner.Leave(ctx)
		case line := <-typed:
			front.handle(line)
		}
		// The notices of an override come before it counts as handled.
		if front.overriding.Load() == 0 && len(notices) == 0 && front.waits && front.inputEnded() && background == nil {
			front.waits = false
			s.console.Say("note       standard input has ended, and the session waits for you")
			front.commands <- runner.Leave
		}
	}
}

// plainFront prints notices as lines, and runs the commands that the user types.
type plainFront struct {
	progress *progress
	// console and runner are only set for a session of this process.
	console *Console
	runner  *run.Session
	// commands run one after the other, without blocking the front end.
	commands chan func(context.Context)
	// keyboard is nil in a headless run.
	keyboard *keyboard
	// waits is set while the session waits for the user, auto after the command auto. steps counts the turns that were
	// requested before they were due: the lines may come from a file.
	waits, auto bool
	steps       int
	// hidden are the notices about the answers of other seats while the user still owes an answer of their own.
	hidden  []protocol.Advanced
	decider *decider
	// events are those that the user has seen.
	events []state.Event
	// early are answers to questions that weren't asked yet.
	early []string
	// overriding counts the overrides that the session hasn't handled yet.
	overriding atomic.Int32
	// failed are the errors of the last calls.
	failed map[state.Seat]error
	// handled wakes the front end when an override was handled.
	handled chan struct{}
	// thinking are the seats whose Thinking notice was printed in this call.
	thinking map[state.Seat]bool
	// calls are those in progress.
	calls map[state.Seat]view.Call
}

func newPlainFront(p *progress) *plainFront {
	return &plainFront{
		progress: p, commands: make(chan func(context.Context), 1024), handled: make(chan struct{}, 1),
		failed: map[state.Seat]error{}, thinking: map[state.Seat]bool{}, calls: map[state.Seat]view.Call{},
	}
}

func (f *plainFront) notice(ctx context.Context, n protocol.Notice) {
	switch n := n.(type) {
	case protocol.Advanced:
		if protocol.Unseen(n.State, person.Name) {
			f.hidden = append(f.hidden, n)
			return
		}
		f.showHidden()
		f.advanced(n)
	case protocol.CallStarted:
		delete(f.failed, n.Ask.Seat)
		call := view.Call{
			Seat: n.Ask.Seat, Participant: n.Participant, Stage: n.Ask.Stage, Again: n.Ask.Retry != "", Since: n.At,
		}
		f.calls[n.Ask.Seat] = call
		f.progress.say("ask", "%s", call.String())
	case protocol.Reported:
		if n.Lookup {
			f.progress.say("lookup", "%s: %s", n.Seat, n.Text)
			return
		}
		call := f.calls[n.Seat]
		// No timer runs in plain mode, so the line has the wait as the participant reported it.
		call.Seat, call.Note = n.Seat, n.Text
		f.progress.say("wire", "%s", call.Line(time.Now()))
	case protocol.CallEnded:
		delete(f.thinking, n.Seat)
		delete(f.calls, n.Seat)
		// The pause event reports that the session's time is up.
		canceled := errors.Is(n.Err, context.Canceled) || errors.Is(n.Err, context.DeadlineExceeded)
		if n.Err != nil && ctx.Err() == nil && !canceled {
			f.failed[n.Seat] = n.Err
		}
	case protocol.TurnReady:
		f.turnReady(n)
	case protocol.Waiting:
		// The user can't answer a hidden question.
		f.showHidden()
		f.waits = true
		if f.inputEnded() || f.overriding.Load() != 0 {
			return
		}
		how := "type the number, or the ID and your answer"
		if open := f.questions(); len(open) > 1 {
			how = fmt.Sprintf("type the ID and your answer, as in \"%s 1\"; a number alone answers %s", open[1].ID,
				open[0].ID)
		}
		f.console.Say("wait       the session continues when you answer; %s", how)
	case protocol.Forecast:
		f.progress.say("forecast", "round %d takes at least %s, about %d tokens, %s", n.Round,
			plain.Counted(n.Calls, "call"), n.Tokens, view.Price(n.Cost, n.Unpriced))
	case protocol.Thinking:
		if !f.thinking[n.Seat] {
			f.thinking[n.Seat] = true
			f.progress.say("thinks", "%s", n.Seat)
		}
	case protocol.Ended, protocol.Streamed:
	}
}

// advanced prints new events.
func (f *plainFront) advanced(n protocol.Advanced) {
	f.waits = false
	f.progress.advanced(n)
	for _, e := range n.Events {
		if p, is := e.Data.(*state.SessionPaused); is {
			// The pause names one failed call, but calls run in parallel.
			for _, seat := range slices.Sorted(maps.Keys(f.failed)) {
				if p.Failure == nil || p.Failure.Seat != seat {
					f.progress.say("call", "%s: %s", seat, f.failed[seat])
				}
			}
			clear(f.failed)
		}
	}
	if f.keyboard == nil {
		return
	}
	f.events = append(f.events, n.Events...)
	f.decider.state = n.State
	early := f.early
	f.early = nil
	for _, line := range early {
		answer, ok := f.answerOf(line)
		switch q := n.State.QuestionByID(answer.Question); {
		case !ok:
			f.early = append(f.early, line)
		case claims.NeedsReading(q, answer.Answer):
			f.console.Say("note       %s was answered before its command was shown: read it, and answer again", q.ID)
		default:
			f.override(answer)
		}
	}
}

func (f *plainFront) showHidden() {
	for _, n := range f.hidden {
		f.advanced(n)
	}
	f.hidden = nil
}

func (f *plainFront) turnReady(n protocol.TurnReady) {
	paused := len(n.Asks) == 0
	if f.keyboard == nil || f.auto && !paused {
		return
	}
	f.waits = true
	if f.step() || f.keyboard.hasEnded() {
		return
	}
	next := "the session is paused"
	for i, ask := range n.Asks {
		if i == 0 {
			next = "next"
		}
		next += " " + string(ask.Seat) + " to " + view.StageName(ask.Stage)
	}
	f.console.Say("wait       %s; press enter to continue, or type auto, quit or help", next)
}

// step runs the next turn if it was requested and is due.
func (f *plainFront) step() bool {
	if !f.waits || f.steps == 0 {
		return false
	}
	f.waits = false
	f.steps--
	f.commands <- f.runner.Step
	return true
}

// inputEnded reports whether the user can't answer anymore.
func (f *plainFront) inputEnded() bool { return f.keyboard == nil || f.keyboard.hasEnded() }

const keyboardHelp = `enter                 run the next turn, or continue after a pause
round                 run the rest of this round
auto, step            run without waiting, or wait before each turn
cancel                cancel the current call, and repeat it later
quit                  leave; the session is saved
Read:
  show                the result so far
  points              the points, one line each
  P1, why P1          a point and why it was ruled that way; also K1, decision
  ledger, receipts    the facts and evidence; the rulings with their reasons
  record [N]          the last N events (default 30)
Decide:
  Q1 ANSWER, or 2     answer a question, or choose by number
  do, do P1           list all decisions that you can make now, or about P1; do 3 makes the third
  agree P1 [REASON]   the same in one line; also dismiss, unresolved, reopen, challenge, evidence,
                      concede, kind, withdraw, object, rule, answer C1 TEXT, argue K1, decide K1 P2,
                      replace F1 TEXT, term, priorities, budget
  fact TEXT           record a fact that binds everyone
  end [REASON]        close the session now`

// handle runs the command of a line.
func (f *plainFront) handle(line typedLine) {
	if line.ended {
		f.keyboard.end()
		return
	}
	if f.keyboard.reply(line.text) {
		return
	}
	text := strings.TrimSpace(line.text)
	if f.decider.open == nil {
		if answer, ok := f.answerOf(text); ok {
			f.override(answer)
			return
		}
	}
	word, rest, _ := strings.Cut(text, " ")
	if rest = strings.TrimSpace(rest); rest != "" && isID(word, "Qq") && f.decider.open == nil {
		f.early = append(f.early, text)
		return
	}
	switch word := strings.ToLower(word); {
	case f.decider.open != nil && word != "quit":
		f.decider.line(text)
	case word == "" || word == "next":
		f.steps++
		f.step()
	case word == "round":
		f.waits = false
		f.commands <- f.runner.StepRound
	case word == "auto":
		f.auto, f.waits = true, false
		f.commands <- func(ctx context.Context) { f.runner.Auto(ctx, true) }
	case word == "step":
		f.auto = false
		f.commands <- func(ctx context.Context) { f.runner.Auto(ctx, false) }
	case word == "cancel":
		// The session waits before it repeats the call.
		f.auto = false
		f.commands <- f.runner.CancelCall
	case word == "quit" || word == "q":
		f.commands <- f.runner.Leave
	case word == "help" || word == "?":
		f.console.Say("%s", keyboardHelp)
	case f.read(word, rest), f.decider.line(text):
	default:
		f.console.Say("note       %q is not a command; help lists the commands", clip(word))
	}
}

// maxRead is the maximum number of lines that a command prints.
const maxRead = 200

// read prints what the user asks to read, and reports whether the command is one of reading. While the user owes an
// answer that others must not influence, it prints only what the user may know.
func (f *plainFront) read(word, rest string) bool {
	s, width := f.decider.state, f.console.Width
	var text string
	var err error
	switch word {
	case "show":
		text = documentText(view.Session(s, resolver.Rule(s)), width)
	case "points":
		text = documentText(view.Points(s, resolver.Rule(s)), width)
	case "ledger":
		text = documentText(view.Ledger(s), width)
	case "receipts":
		text = documentText(view.Receipts(resolver.Rule(s)), width)
	case "record":
		last := 30
		if n, err := strconv.Atoi(rest); err == nil && n > 0 {
			last = min(n, maxRead)
		}
		text, err = transcript(f.events)
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		text = strings.Join(lines[max(0, len(lines)-last):], "\n")
	default:
		if word == "why" {
			word = rest
		}
		if strings.ContainsAny(rest, " ") || rest != "" && word != rest || !isID(word, "PCEKpcek") {
			return false
		}
		text, err = explain(s, word, width)
	}
	if protocol.Unseen(s, person.Name) {
		err = errors.New("answer first: the answers of other seats are hidden until yours is there")
	}
	if err != nil {
		f.console.Say("note       %s", err)
		return true
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	f.console.Say("%s", strings.Join(lines[:min(len(lines), maxRead)], "\n"))
	if more := len(lines) - maxRead; more > 0 {
		f.console.Say("note       %d more lines; moot show and moot replay print everything", more)
	}
	return true
}

// isID reports whether a word is one of some letters and a number, such as Q3.
func isID(word, letters string) bool {
	return len(word) > 1 && strings.Contains(letters, word[:1]) && strings.Trim(word[1:], "0123456789") == ""
}

func documentText(d view.Document, width int) string { return report.Text(&d, width) }

func (f *plainFront) override(move protocol.UserMove) {
	f.overriding.Add(1)
	f.commands <- func(ctx context.Context) {
		if err := f.runner.Override(ctx, move); err != nil {
			f.console.Say("note       %s", err)
		}
		f.overriding.Add(-1)
		select {
		case f.handled <- struct{}{}:
		default:
		}
	}
}

// questions returns the unanswered questions, the oldest first.
func (f *plainFront) questions() []*state.Question {
	var open []*state.Question
	for _, q := range f.decider.state.Questions.All() {
		if !q.Answered {
			open = append(open, q)
		}
	}
	return open
}

// answerOf parses a line as an answer: a number for the oldest question with choices, or an ID and a number or text.
func (f *plainFront) answerOf(line string) (protocol.AnswerQuestion, bool) {
	id, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	choice := func(options []string, number string) (string, bool) {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(options) {
			return "", false
		}
		return options[n-1], true
	}
	for _, q := range f.questions() {
		if strings.EqualFold(q.ID, id) && rest != "" {
			if option, ok := choice(q.Options, rest); ok {
				rest = option
			}
			return protocol.AnswerQuestion{Question: q.ID, Answer: rest}, true
		}
		if option, ok := choice(q.Options, id); ok && rest == "" {
			return protocol.AnswerQuestion{Question: q.ID, Answer: option}, true
		}
	}
	return protocol.AnswerQuestion{}, false
}
