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
	"moot/constitution"
	"moot/ledger"
	"moot/playbook"
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
	// The proposal of the picture of a decision.
	proposalQuestion = "How do we roll out a lease of 45 seconds? Begin with 10 % of the queues."
	proposalCaption  = `moot ask --step --format dialectic --playbook infrastructure-change "How do we roll out a lease of 45 seconds? …"`

	// The panel of the picture of a matrix.
	panelCaption = `moot ask --step --format panel --panelist script:careful.txt --panelist script:bold.txt … "` + question + `"`

	// The council of the pictures of its claims and of the metrics.
	councilCaption = `moot ask --step --format council --strategist script:council.txt --critic script:council.txt … "` + question + `"`

	// The hearing of the pictures of its facts and of both confidences.
	hearingQuestion = "Is this a threat?"
	hearingCaption  = `moot ask --step --format hearing --form anchored --judge v2 --closed-world night.json --architect script:hearing.txt …`

	caption = `moot ask --step --orchestrator rules --consultee script:review.txt "` + question + `"`
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
	settings := state.Settings{Format: state.FormatConsult, Framing: state.FramingPropose, Mode: state.ModeStandard}
	return seat(t, id, question, settings, protocol.Consult{}, at, log,
		seated{state.Orchestrator, rules.New(rules.Options{Workspace: corpus})}, seated{state.Consultee, consultee})
}

// seated is a participant in a seat.
type seated struct {
	seat        state.Seat
	participant protocol.Participant
}

// seat seats participants at a question about the corpus.
func seat(
	t *testing.T, id, question string, settings state.Settings, format protocol.Format, at time.Time, log protocol.Log, table ...seated,
) *staged {
	t.Helper()
	settings.Nonce, settings.Workspace, settings.Context, settings.Official, settings.Attended = "n", corpus, []state.Document{}, []string{}, true
	s := &staged{at: at, opened: &state.SessionOpened{Version: state.Version, ID: id, Question: question, Settings: settings}}
	seats := map[state.Seat]protocol.Participant{}
	for _, a := range table {
		p := timeless{a.participant}
		seats[a.seat] = p
		s.opened.Seats = append(s.opened.Seats, state.SeatAssignment{Seat: a.seat, Participant: p.Name(), NoModel: p.Modelless()})
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
		Format: format, State: first, Log: log, Participants: seats, Researcher: citation, Parser: parser,
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
	show(t, e, stage(t, "k3f9", question, reviewer(t), now(), &store.Memory{}))
}

// openProposal opens a proposal that is put under pressure on the terminal.
func openProposal(t *testing.T, e *terminal) {
	t.Helper()
	book, err := playbook.BuiltIn("infrastructure-change")
	must(t, err)
	settings := state.Settings{Format: state.FormatDialectic, Input: state.Input{Options: []string{}, Views: []state.View{}}}
	settings.Playbook, err = book.Record()
	must(t, err)
	show(t, e, seat(t, "p7q2", proposalQuestion, settings, protocol.Dialectic{}, now(), &store.Memory{},
		seated{state.Proposer, scripted(t, "testdata/proposer.txt")}, seated{state.PressureTester, scripted(t, "testdata/tester.txt")}))
}

// openPanel opens a panel of three scripts on the terminal, compared by rules.
func openPanel(t *testing.T, e *terminal) {
	t.Helper()
	settings := state.Settings{
		Format: state.FormatPanel, Input: state.Input{Options: []string{}, Views: []state.View{}},
		Panel: &state.PanelSettings{Strategy: "tiered", Contradiction: 0.3, Agreement: 0.8},
	}
	show(t, e, seat(t, "n4t8", question, settings, protocol.Panel{}, now(), &store.Memory{},
		seated{state.Orchestrator, rules.New(rules.Options{Workspace: corpus})}, seated{state.Panelist, scripted(t, "testdata/careful.txt")},
		seated{"panelist-2", scripted(t, "testdata/bold.txt")}, seated{"panelist-3", scripted(t, "testdata/terse.txt")}))
}

// openCouncil opens a council of one script on the terminal.
func openCouncil(t *testing.T, e *terminal) {
	t.Helper()
	binding, err := constitution.Default()
	must(t, err)
	settings := state.Settings{
		Format: state.FormatCouncil, Input: state.Input{Options: []string{}, Views: []state.View{}},
		Council: &state.CouncilSettings{
			Rounds: state.DefaultCouncilRounds, Weights: state.DefaultWeights(), Decision: state.DefaultDecision, Constitution: binding,
		},
	}
	var table []seated
	for _, seat := range []state.Seat{state.Strategist, state.Critic, state.Adversary, state.Moderator} {
		table = append(table, seated{seat, scripted(t, "testdata/council.txt")})
	}
	show(t, e, seat(t, "c6v2", question, settings, protocol.Council{}, now(), &store.Memory{}, table...))
}

// openHearing opens a hearing on the packet of the example on the terminal.
func openHearing(t *testing.T, e *terminal) {
	t.Helper()
	file, err := os.Open("../../examples/hearing/night.json")
	must(t, err)
	defer file.Close()
	packet, err := ledger.ReadPacket(file, "night.json")
	must(t, err)
	_, err = packet.Freeze()
	must(t, err)
	settings := state.Settings{
		Format: state.FormatHearing, Input: state.Input{Options: []string{}, Views: []state.View{}},
		Hearing: &state.HearingSettings{
			Form: state.FormAnchored, Judge: state.JudgeV2, Rounds: state.DefaultHearingRounds,
			Domain: state.Domain{Name: "security", Prefix: "THREAT", Question: hearingQuestion, Opposites: []state.Opposites{}, Rules: []state.FactRule{}},
		},
	}
	log := &store.Memory{}
	s := seat(t, "h7d3", hearingQuestion, settings, protocol.Hearing{}, now(), log,
		seated{state.Architect, scripted(t, "testdata/hearing.txt")}, seated{state.Skeptic, scripted(t, "testdata/hearing.txt")})
	for _, payload := range state.PacketEvents(packet) {
		event := state.Event{Seq: s.options.State.Seq + 1, At: s.at, Data: payload}
		must(t, log.Append([]state.Event{event}))
		s.options.State, err = state.Apply(s.options.State, event)
		must(t, err)
		s.events = append(s.events, event)
	}
	show(t, e, s)
}

// show opens a session on the terminal, to be gone through step by step.
func show(t *testing.T, e *terminal, s *staged) {
	t.Helper()
	s.options.Step = true
	e.open(tui.Options{Now: now, Opened: &tui.Opened{
		Start: func(watch func(protocol.Notice)) (tui.Session, error) {
			s.options.Watch = watch
			return protocol.NewRunner(s.options), nil
		},
		State: s.options.State, Events: s.events, ResumeCommand: "moot resume " + s.opened.ID, ShowCommand: "moot show " + s.opened.ID,
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
	return scripted(t, review)
}

// scripted gives what stands in a script.
func scripted(t *testing.T, path string) *script.Script {
	t.Helper()
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	s, err := script.Read(file, filepath.Base(path))
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
