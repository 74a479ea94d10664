package cli_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"moot/cli"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// The seats of a debate: each argues for one answer and judges the arguments of the other.
const (
	yes state.Seat = "yes"
	no  state.Seat = "no"
)

// debate is a sixth format. It takes part in everything below without a change elsewhere.
type debate struct{}

func (debate) Name() state.Format           { return "debate" }
func (debate) Rulings() resolver.Format     { return debateRulings{} }
func (debate) View() view.Format            { return view.Claims() }
func (debate) AsksAtOnce() bool             { return false }
func (debate) Answerable(*state.State) bool { return false }
func (debate) Undecided(*state.State) bool  { return false }

func (debate) Settings() protocol.Settings {
	return protocol.Settings{About: "one seat argues for yes, the other for no"}
}

func (debate) Seated(*state.State) []state.Seat { return []state.Seat{yes, no} }

// Next has both seats argue at once, then each judges the other's arguments.
func (debate) Next(s state.State) protocol.Turn {
	for _, due := range []protocol.Step{start, protocol.Checking, protocol.ClosingSteps, argue, accept, judge, protocol.Ruled, finish} {
		if turn, ok := due(&s); ok {
			return turn
		}
	}
	return protocol.Turn{}
}

func start(s *state.State) (protocol.Turn, bool) {
	return protocol.Turn{Events: []state.Payload{
		&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive, Reason: "round 1"},
	}}, s.Round == 0
}

func argue(s *state.State) (protocol.Turn, bool) {
	return protocol.AskOnce(s, state.StagePropose, []state.Seat{yes, no}, protocol.MoveRaise)
}

// accept puts every argument in scope.
func accept(s *state.State) (protocol.Turn, bool) {
	var events []state.Payload
	for _, p := range protocol.Untriaged(s) {
		events = append(events, &state.PointTriaged{Point: p.ID, By: state.Protocol, Scope: state.InScope, Reason: "in scope"})
	}
	return protocol.Turn{Events: events}, len(events) > 0
}

func judge(s *state.State) (protocol.Turn, bool) {
	return protocol.AskOnce(s, state.StageEvaluate, []state.Seat{yes, no}, protocol.MoveClassify)
}

func finish(*state.State) (protocol.Turn, bool) {
	return protocol.Turn{Events: []state.Payload{&state.ExitReached{Exit: state.ExitConverged, Reason: "both were heard"}}}, true
}

func (debate) Admit(s state.State, ask protocol.Ask, moves []protocol.Move) protocol.Admission {
	return protocol.AdmitClaims(s, ask, moves)
}

func (debate) Prompt(s state.State, ask protocol.Ask) protocol.Prompt {
	return protocol.PromptClaims(s, ask, "You argue that the answer is "+string(ask.Seat)+".")
}

func (debate) Least(_ state.State, asks []protocol.Ask) []protocol.Ask { return asks }

func (debate) UserMove(*protocol.UserAdmitter, protocol.UserMove) (bool, error) { return false, nil }

func (debate) Missing(*state.State, protocol.Ask, string) []state.Payload { return nil }

func (debate) Due(s *state.State, ask protocol.Ask) protocol.Due { return protocol.DueClaims(s, ask) }

func (debate) Deliberated(s *state.State) []*state.Point { return protocol.LivePoints(s) }

func (debate) Asking(*state.State, *state.Question) (protocol.Asking, bool) {
	return protocol.Asking{}, false
}

func (debate) Blind(*state.State, string) (owes, unseen bool) { return false, false }

func (debate) Overrides(o protocol.Decisions) []protocol.Override { return o.Claims() }

// debateRulings are those of claims; the other seat evaluates.
type debateRulings struct{ resolver.Claims }

func (debateRulings) Evaluators(_ *state.State, p *state.Point) []state.Seat {
	if p.IsAuthor(yes) {
		return []state.Seat{no}
	}
	return []state.Seat{yes}
}

// debater answers from a list, by stage.
type debater map[state.Stage]string

func (debater) Name() string    { return "debater" }
func (debater) Modelless() bool { return true }
func (d debater) Reply(_ context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	return protocol.Reply{Text: d[call.Ask.Stage], Attempts: 1}, nil
}

// debated runs a debate into a file, as far as the given context lets it.
func debated(t *testing.T, file *store.File, s state.State) state.State {
	t.Helper()
	parser, err := protocol.NewParser()
	if err != nil {
		t.Fatal(err)
	}
	r := run.New(run.Options{
		State: s, Log: file, Parser: parser, Now: func() time.Time { return time.Unix(1, 0) },
		Participants: map[state.Seat]protocol.Participant{
			yes: debater{
				state.StagePropose:  `{"moves":[{"move":"RAISE","text":"It saves a day a week"}]}`,
				state.StageEvaluate: `{"moves":[{"move":"CLASSIFY","point":"P2","class":"AGREE","reason":"granted"}]}`,
			},
			no: debater{
				state.StagePropose:  `{"moves":[{"move":"RAISE","text":"It doubles the on-call load"}]}`,
				state.StageEvaluate: `{"moves":[{"move":"CLASSIFY","point":"P1","class":"AGREE","reason":"granted"}]}`,
			},
		},
	})
	if err := r.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r.State
}

// TestSixthFormat takes a session of a format that moot does not have through everything that is done with one.
func TestSixthFormat(t *testing.T) {
	d := newDesk(t)
	d.Formats = append(formats.All(), debate{})
	dir, err := store.Dir()
	if err != nil {
		t.Fatal(err)
	}
	file, err := store.Create(dir, "20261122-120000-aaaa")
	if err != nil {
		t.Fatal(err)
	}
	opened := state.Event{Seq: 1, At: time.Unix(0, 0).UTC(), Data: &state.SessionOpened{
		Version: state.Version, ID: "20261122-120000-aaaa", Question: "Should we adopt it?", Rules: debate{},
		Settings: state.Settings{Format: "debate", Nonce: "5eed", Input: state.Input{Options: []string{}, Views: []state.View{}}, Context: []state.Document{}, Official: []string{}},
		Seats:    []state.SeatAssignment{{Seat: yes, Participant: "debater", NoModel: true}, {Seat: no, Participant: "debater", NoModel: true}},
	}}
	if err := file.Append([]state.Event{opened}); err != nil {
		t.Fatal(err)
	}
	path := file.Path()
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	// Resumed from the file alone, so that the format comes from its name there.
	file, read, err := store.Open(path, debate{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := state.Replay(read.Events)
	if err != nil {
		t.Fatal(err)
	}
	if s = debated(t, file, s); !s.Closed || s.Points.Len() != 2 {
		t.Fatalf("closed %v with %d points", s.Closed, s.Points.Len())
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, want string }{
		{"verify 20261122-120000-aaaa", "every ruling recomputes"},
		{"show 20261122-120000-aaaa", "It saves a day a week"},
		{"show 20261122-120000-aaaa -o json", `"format": "debate"`},
		{"show 20261122-120000-aaaa --why P1", "P1"},
		{"export 20261122-120000-aaaa --as markdown", "It doubles the on-call load"},
		{"list", "Should we adopt it?"},
		{"replay 20261122-120000-aaaa", "It saves a day a week"},
		{"fork 20261122-120000-aaaa --at 10", "20261122-120000-aaaa"},
	} {
		d.out.Reset()
		d.err.Reset()
		code := d.run(strings.Fields(c.command)...)
		if code != cli.ExitConcluded || !strings.Contains(d.out.String()+d.err.String(), c.want) {
			t.Errorf("%s: exit %d\n%s%s", c.command, code, d.out.String(), d.err.String())
		}
	}
	d.Formats = nil
	if code := d.run("show", "20261122-120000-aaaa"); code == cli.ExitConcluded || !strings.Contains(d.err.String(), `unknown format "debate"`) {
		t.Errorf("a program without the format: exit %d\n%s", code, d.err.String())
	}
}
