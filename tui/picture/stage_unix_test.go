//go:build unix

package picture_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moot/agent/rules"
	"moot/agent/script"
	"moot/protocol"
	"moot/research"
	"moot/state"
	"moot/state/store"
	"moot/tui"
)

// The session of the pictures: the rules judge what a review claims of a small
// repository, and the person has a say.
const (
	corpus   = "../../agent/search/testdata/corpus"
	review   = "testdata/review.txt"
	question = "Can two workers ever run the same job?"
	caption  = `moot ask --step --orchestrator rules --consultee script:review.txt "` + question + `"`
)

// now is the time at which all of it happens.
func now() time.Time { return time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC) }

// staged is a session of the pictures that can be run.
type staged struct {
	opened  *state.SessionOpened
	at      time.Time
	options protocol.Options
	events  []state.Event
}

// stage seats the rules, and the review or the rules, at a question.
func stage(t *testing.T, id, question string, consultee protocol.Participant, at time.Time, log protocol.Log) *staged {
	t.Helper()
	seats := map[state.Seat]protocol.Participant{
		state.Orchestrator: timeless{rules.New(rules.Options{Workspace: corpus})}, state.Consultee: timeless{consultee},
	}
	s := &staged{at: at, opened: &state.SessionOpened{
		Version: state.Version, ID: id, Question: question,
		Settings: state.Settings{
			Format: state.FormatConsult, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "n",
			Workspace: corpus, Context: []state.Document{}, Official: []string{}, Attended: true,
		},
	}}
	for _, seat := range []state.Seat{state.Orchestrator, state.Consultee} {
		p := seats[seat]
		s.opened.Seats = append(s.opened.Seats, state.SeatAssignment{Seat: seat, Participant: p.Name(), NoModel: p.Modelless()})
	}
	s.events = []state.Event{{Seq: 1, At: at, Data: s.opened}}
	first, err := state.Apply(state.State{}, s.events[0])
	must(t, err)
	must(t, log.Append(s.events))
	parser, err := protocol.NewParser()
	must(t, err)
	citation, err := research.OpenCitation(corpus)
	must(t, err)
	t.Cleanup(func() { must(t, citation.Close()) })
	s.options = protocol.Options{
		Format: protocol.Consult{}, State: first, Log: log, Participants: seats, Researcher: citation, Parser: parser,
		Now: func() time.Time { return at }, Attended: true,
	}
	return s
}

// run lets the session go on by itself, for so many turns; 0 is to its end.
func (s *staged) run(t *testing.T, turns int) {
	t.Helper()
	var runner *protocol.Runner
	s.options.Step, s.options.Attended = turns > 0, turns > 0
	s.options.Watch = func(n protocol.Notice) {
		if _, ready := n.(protocol.TurnReady); !ready {
			return
		}
		turns--
		// An order waits for the loop, which tells of the turn at this moment.
		go func(goOn bool) {
			if goOn {
				runner.Step(t.Context())
				return
			}
			runner.Leave(t.Context())
		}(turns >= 0)
	}
	runner = protocol.NewRunner(s.options)
	if err := runner.Run(t.Context()); err != nil && !s.options.Step {
		t.Fatal(err)
	}
}

// openSession opens the session on the terminal.
func openSession(t *testing.T, e *terminal) {
	t.Helper()
	s := stage(t, "k3f9", question, reviewer(t), now(), &store.Memory{})
	s.options.Step = true
	e.open(tui.Options{Now: now, Opened: &tui.Opened{
		Start: func(watch func(protocol.Notice)) (tui.Session, error) {
			s.options.Watch = watch
			return protocol.NewRunner(s.options), nil
		},
		State: s.options.State, Events: s.events, ResumeCommand: "moot resume k3f9", ShowCommand: "moot show k3f9",
	}})
}

// openHome opens the list of sessions that were run and kept.
func openHome(t *testing.T, e *terminal) {
	t.Helper()
	dir := t.TempDir()
	for _, past := range []struct {
		id, question string
		ago          time.Duration
		consultee    protocol.Participant
		turns        int
	}{
		{"20260304-095600-k3f9", question, 4 * time.Minute, reviewer(t), 5},
		{"20260304-074100-p7ma", "What happens to a job whose worker falls silent?", 2 * time.Hour, rules.New(rules.Options{Workspace: corpus}), 0},
		{"20260303-160200-w2xe", "How long is a lease, and who extends it?", 18 * time.Hour, rules.New(rules.Options{Workspace: corpus}), 0},
		{"20260301-112900-b8rd", "Is the mail handler safe to run twice?", 3 * 24 * time.Hour, reviewer(t), 0},
		{"20260226-090500-h5tc", "Which status does the API answer when a lease is lost?", 6 * 24 * time.Hour, rules.New(rules.Options{Workspace: corpus}), 0},
	} {
		file, err := store.Create(dir, past.id)
		must(t, err)
		stage(t, past.id, past.question, past.consultee, now().Add(-past.ago), file).run(t, past.turns)
		must(t, file.Close())
	}
	e.open(tui.Options{Now: now, Home: &tui.Home{
		List: func(context.Context) ([]store.Summary, error) { return store.List(dir) },
		Open: func(context.Context, string, bool) (tui.Opened, error) { return tui.Opened{}, os.ErrInvalid },
		New:  func(context.Context, tui.Question) (tui.Opened, error) { return tui.Opened{}, os.ErrInvalid },
	}})
}

// reviewer gives what stands in the review.
func reviewer(t *testing.T) *script.Script {
	t.Helper()
	file, err := os.Open(review)
	must(t, err)
	defer file.Close()
	s, err := script.Read(file, filepath.Base(review))
	must(t, err)
	return s
}

// timeless is a participant that takes no time: its haste is not in the picture.
type timeless struct{ protocol.Participant }

func (p timeless) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	reply, err := p.Participant.Reply(ctx, call, watch)
	reply.Took = 0
	return reply, err
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
