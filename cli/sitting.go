package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"moot/agent/record"
	"moot/protocol"
	"moot/research"
	"moot/state"
	"moot/state/store"
	"moot/tui"
	"moot/view"
)

// sitting is one run of a session, new or resumed, with all that it holds open.
type sitting struct {
	console *Console
	front   frontOptions
	calls   callOptions
	// holding is what the configuration says; nil is nothing.
	holding *holding
	// notes are what is to be said of who sits, before the session runs.
	notes []string
	// commandTime is how long one command may run; 0 is the usual time.
	commandTime time.Duration

	// demo holds the participants of a demo by their names; nil in any other session.
	demo map[string]protocol.Participant

	// file is nil in mode quick and in a demo, which keep no file; then memory is the log.
	file   *store.File
	memory *store.Memory

	state        state.State
	events       []state.Event
	participants map[state.Seat]protocol.Participant
	// programs are the participants that may have something running.
	programs []io.Closer
	citation *research.Citation
	// recorder is nil where nothing is recorded.
	recorder *record.Recorder
	asker    *keyboard
	// atScreen is the person where one fills a seat and a screen is shown.
	atScreen *tui.Person
	closing  sync.Once
}

// open makes a new session.
func (s *sitting) open(ctx context.Context, op *opening) (err error) {
	id := store.NewID(s.console.Now(), s.console.Random)
	if err := s.record(id); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			s.recorder.Discard()
		}
	}()
	s.prepare(&op.settings)
	places, err := s.fill(ctx, op.places, &op.settings)
	if err != nil {
		return err
	}
	if s.citation, err = openCitation(&op.settings); err != nil {
		return err
	}
	if op.settings.Mode == state.ModeQuick || s.demo != nil {
		s.memory = &store.Memory{}
	} else {
		dir, err := store.Dir()
		if err != nil {
			return err
		}
		if s.file, err = store.Create(dir, id); err != nil {
			return err
		}
	}
	return s.append(append(op.events(id, places), s.allow(op.allowed)...)...)
}

// append records events outside of a run.
func (s *sitting) append(payloads ...state.Payload) error {
	next, at := s.state, s.console.Now().UTC()
	var events []state.Event
	for _, p := range payloads {
		e := state.Event{Seq: next.Seq + 1, At: at, Data: p}
		applied, err := state.Apply(next, e)
		if err != nil {
			return fmt.Errorf("record what was decided: %w", err)
		}
		next, events = applied, append(events, e)
	}
	if err := s.log().Append(events); err != nil {
		return err
	}
	s.state, s.events = next, append(s.events, events...)
	return nil
}

func (s *sitting) log() protocol.Log {
	if s.file != nil {
		return s.file
	}
	return s.memory
}

// head is the end of the chain now.
func (s *sitting) head() string {
	switch {
	case s.file != nil:
		return s.file.Head()
	case s.memory != nil:
		return s.memory.Head()
	}
	return ""
}

// close lets go of what the session held, once.
func (s *sitting) close() { s.closing.Do(s.release) }

func (s *sitting) release() {
	s.endPrograms()
	if err := s.recorder.Close(); err != nil {
		s.console.Say("moot: %s", err)
	}
	if s.citation != nil {
		if err := s.citation.Close(); err != nil {
			s.console.Say("moot: %s", err)
		}
	}
	if s.file != nil {
		if err := s.file.Close(); err != nil {
			s.console.Say("moot: %s", err)
		}
	}
}

// endPrograms ends what participants have running, side by side, and waits for it.
func (s *sitting) endPrograms() {
	var group sync.WaitGroup
	for _, program := range s.programs {
		group.Go(func() {
			if err := program.Close(); err != nil {
				s.console.Say("moot: %s", err)
			}
		})
	}
	group.Wait()
	s.programs = nil
}

// runner prepares the loop.
func (s *sitting) runner(watch func(protocol.Notice)) (*protocol.Runner, error) {
	parser, err := protocol.NewParser()
	if err != nil {
		return nil, err
	}
	o := protocol.Options{
		Format: protocol.FormatOf(s.state.Settings.Format), State: s.state, Log: s.log(), Participants: s.participants,
		Parser: parser, Now: s.console.Now, Watch: watch,
		Recorder: s.recorder, Step: s.front.step, Attended: !s.front.headless, CommandTime: s.commandTime,
	}
	if o.Researcher, err = s.researcher(); err != nil {
		return nil, err
	}
	return protocol.NewRunner(o), nil
}

// run drives the session in the front end that was chosen, and gives the
// result.
func (s *sitting) run(ctx context.Context) error {
	s.introduce()
	switch {
	case s.front.headless, s.front.plain:
		return s.lines(ctx)
	}
	return s.screen(ctx)
}

// introduce says who sits at the table, and where no language model is at work.
func (s *sitting) introduce() {
	modelless := true
	for _, a := range s.state.Seats {
		modelless = modelless && a.NoModel
	}
	if !s.front.headless && !s.front.plain {
		return
	}
	p := &progress{line: s.console.Say}
	for _, a := range s.state.Seats {
		p.seated(a)
	}
	if allowed := s.state.AllowedCommands; len(allowed) > 0 {
		p.say("commands", "%s", (&state.CommandsAllowed{Patterns: allowed}).Words())
	}
	if said := doubles(&s.state); said != "" {
		p.say("note", "%s", said)
	}
	if said := view.SameParticipant(&s.state); said != "" {
		p.say("note", "%s", said)
	}
	if modelless && s.demo == nil {
		do := "quote files"
		if s.state.Settings.Format == state.FormatHearing {
			do = "hold the facts against those of a domain"
		}
		s.console.Say("note       no language model is at work: rules %s, and scripts say what was written before", do)
	}
	if s.file != nil {
		s.console.Say("session    %s", s.state.ID)
	}
}

// resumeLine is what to type to go on: where a cap is reached, with more of it.
func (s *sitting) resumeLine() string {
	line := "moot resume " + s.state.ID
	if flag := protocol.CapReached(&s.state); flag != "" {
		line += " " + flag + " MORE"
	}
	return line
}

// conclude gives the result of a run and says how it ended. Code is that of a
// signal, or 0.
func (s *sitting) conclude(last protocol.Ended, code int) error {
	s.state = last.State
	defer s.recorded()
	var panicked *protocol.PanicError
	switch {
	case errors.As(last.Err, &panicked):
		return fmt.Errorf("%w; this is a defect of moot\n%s", last.Err, panicked.Stack)
	case last.Err != nil && !errors.Is(last.Err, protocol.ErrStopped):
		if s.file == nil || strings.Contains(last.Err.Error(), "moot resume") {
			return last.Err
		}
		return fmt.Errorf("%w; go on with: %s", last.Err, s.resumeLine())
	case last.Err != nil:
		return s.left(code)
	}
	if err := s.print(last.State, last.Rulings); err != nil {
		return err
	}
	if s.file != nil {
		s.console.Say("saved      %s, %d events, head %s", s.state.ID, s.state.Seq, s.head())
	}
	if s.state.Paused != state.PauseNone && !s.state.Closed {
		// Why stands in the result.
		if s.file != nil {
			s.console.Say("paused     go on with: %s", s.resumeLine())
		}
		return leaveWith(ExitInconclusive)
	}
	if err := s.front.required.judge(s.console, &s.state, last.Rulings); err != nil {
		return err
	}
	if s.state.Inconclusive {
		return leaveWith(ExitInconclusive)
	}
	return nil
}

// left ends a run that the person left.
func (s *sitting) left(code int) error {
	switch {
	case s.demo != nil:
	case s.file == nil:
		s.console.Say("left       mode quick keeps no session file: nothing was saved")
	default:
		s.console.Say("saved      %s, %d events; go on with: %s", s.state.ID, s.state.Seq, s.resumeLine())
	}
	if code == 0 {
		code = ExitInconclusive
	}
	return leaveWith(code)
}

// print writes the result in the form that was asked for.
func (s *sitting) print(last state.State, rulings []state.Ruling) error {
	text, err := render(output(s.front.output), &last, rulings, s.head(), nil, s.console.Width)
	if err != nil {
		return err
	}
	return s.console.Print(text)
}

// prepare decides what is known of the front end before anyone is seated.
func (s *sitting) prepare(settings *state.Settings) {
	settings.Attended = !s.front.headless
	s.participants = map[state.Seat]protocol.Participant{}
}
