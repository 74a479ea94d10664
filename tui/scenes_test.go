package tui

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
	"moot/state/store"
)

// scene is a screen that the tests hold: each is kept as a golden file, drawn
// at every size with hostile texts, and measured.
type scene struct {
	name string
	// shows is what tells that the scene is the one meant: it is on the screen
	// where there is room for everything.
	shows string
	play  func(s *stage) *Model
}

// cast is what is on the screens: the words of people who mean well, or of those
// who do not.
type cast struct {
	record *recorder
	// proposal is a session of the format dialectic, nil for the one that a scene
	// asks for.
	proposal *recorder
	// panel is a session of the format panel, nil for the one that a scene asks for.
	panel *recorder
	// council is a session of the format council, nil for the one that a scene asks
	// for.
	council *recorder
	// hearing is a session of the format hearing, nil for the one that a scene asks
	// for.
	hearing  *recorder
	sessions []store.Summary
	found    Candidates
	// text is somebody's words: the given ones, or worse.
	text func(string) string
}

// friendly are words as they are meant to be.
func friendly(t testing.TB) *cast {
	r := everyBucket(t)
	r.add(&state.PointRaised{ID: "P8", By: state.User, Text: "the team knows lists well"},
		&state.QuestionSurfaced{ID: "Q2", Point: "P4", What: state.QuestionTradeoff, Text: "Is readable code worth the change?", Options: []string{"yes", "no"}},
		&state.QuestionAnswered{ID: "Q2", Answer: "yes"})
	return &cast{record: r, sessions: someSessions(), found: someFound(), text: func(s string) string { return s }}
}

// foul are texts that break screens, in each place where one may come from
// outside; at turns them.
func foul(t testing.TB, at int) *cast {
	at %= len(nasty())
	next := turning(at)
	record := func(kind string, of func(t testing.TB, at int) *recorder) *recorder {
		return kept(fmt.Sprint(kind, at), func(t testing.TB) *recorder { return of(t, at) })(t)
	}
	c := &cast{
		record: record("foul", hostile), proposal: record("foul proposal", foulProposal), panel: record("foul panel", foulPanel),
		council: record("foul council", foulCouncil), hearing: record("foul hearing", foulHearing), text: func(string) string { return next() },
	}
	for i, s := range someSessions() {
		s.ID, s.Question = fmt.Sprint(i, next()), next()
		s.Seats = []state.SeatAssignment{{Participant: next()}, {Participant: next()}}
		if s.Broken != "" {
			s.Broken = next()
		}
		s.Buckets = map[state.Bucket]int{state.BucketOpen: 1000}
		c.sessions = append(c.sessions, s)
	}
	c.found = Candidates{Found: []Candidate{{Name: next(), Title: next(), Why: next(), Usable: true}, {Name: next(), Title: next(), Why: next()}}, Workspace: next()}
	c.found.Orchestrator = c.found.Found[0].Name
	return c
}

// turning gives the nasty texts one after the other, for ever.
func turning(at int) func() string {
	texts := nasty()
	return func() string {
		at++
		return texts[at%len(texts)]
	}
}

// stage is where a scene is played: a cast, a terminal and its options.
type stage struct {
	t testing.TB
	*cast
	options       Options
	width, height int
}

// session is the screen of the cast's session after some keys. What is told is
// told before.
func (s *stage) session(keys string, told ...any) *Model {
	o := s.options
	o.Services = s.services()
	if o.Opened == nil {
		o.Opened = &Opened{Start: func(func(protocol.Notice)) (Session, error) { return &noting{}, nil }, ResumeCommand: s.text("moot resume k3f9"), ShowCommand: s.text("moot show k3f9")}
	}
	own := *s.record
	own.events = slices.Clip(own.events)
	m := screenOf(s.t, &own, o, s.width, s.height)
	if len(told) == 0 {
		told = []any{ready(state.Consultee)}
	}
	tell(m, told...)
	pressAll(m, keys)
	return m
}

// services do nothing, and say it in the words of the cast.
func (s *stage) services() Services {
	failed := errors.New(s.text("xclip: cannot open display"))
	return Services{
		Copy:         func(context.Context, string) (string, error) { return "", failed },
		OpenFile:     func(string, string) (*exec.Cmd, error) { return nil, failed },
		EditText:     func(string) (*exec.Cmd, func() (string, error), error) { return nil, nil, failed },
		Export:       func(context.Context, Export) (string, error) { return s.text("/home/ada/moot-k3f9.md"), nil },
		Fork:         func(context.Context, string, int) (Opened, error) { return Opened{}, failed },
		Replace:      func(context.Context, string, state.Seat, string) (protocol.Participant, error) { return nil, failed },
		Participants: func(context.Context) []string { return []string{s.text("ollama:qwen3")} },
	}
}

// pressAll presses keys, and does what they set off outside.
func pressAll(m *Model, keys string) {
	for name := range strings.FieldsSeq(keys) {
		m.View()
		_, cmd := m.Update(keyOf(name))
		finish(m, cmd)
	}
}

// decision is the screen of a session with one of the decisions of the list
// open.
func (s *stage) decision(id, keys string) *Model {
	m := s.session("")
	about := "P2"
	if id == "concede" {
		about = "P8"
	}
	for _, p := range m.decisions(about, "") {
		if p.id == id && p.why == "" {
			finish(m, p.do(m))
			pressAll(m, keys)
			m.rearrange()
			return m
		}
	}
	return m
}

// house is the home of the cast.
func (s *stage) house() *house {
	return &house{sessions: s.sessions, found: s.found, playbooks: []Playbook{
		{"code-review", s.text("For a change to a program, as a diff: may it be merged?")},
		{"design-review", s.text("For a design, a proposal or a decision record: is it ready to be built?")},
	}}
}

// home is the home screen after some keys.
func (s *stage) home(h *house, keys string) *Model {
	o := s.options
	o.Services = s.services()
	m := homeOf(s.t, h, o, s.width, s.height)
	pressAll(m, keys)
	return m
}

// pasted is a screen after something was pasted.
func (s *stage) pasted(m *Model, text string) *Model {
	m.Update(tea.PasteMsg{Content: s.text(text)})
	m.rearrange()
	return m
}

// asked puts a seat to the person.
func (s *stage) asked(stage state.Stage) requested {
	return requested{&request{answer: make(chan string, 1), gone: make(chan struct{}), call: protocol.Call{
		Ask: protocol.Ask{Seat: state.Consultee, Stage: stage, Moves: protocol.ConsultMoves()}, State: s.record.state,
	}}}
}

// called is a call that is under way.
func (s *stage) called(more ...protocol.Notice) []any {
	list := []any{protocol.CallStarted{
		Ask: protocol.Ask{Seat: state.Orchestrator, Stage: state.StageJudge}, Participant: s.text("claude"), At: demoTime.Add(time.Hour - 12*time.Second),
	}}
	for _, n := range more {
		list = append(list, n)
	}
	return list
}

// advanced are events that come in now; the cast's own record stays.
func (s *stage) advanced(payloads ...state.Payload) protocol.Advanced {
	own := *s.record
	own.events = slices.Clip(own.events)
	return own.advanced(payloads...)
}

// past is a replay that shows an event, counted from 1, or from the end.
func (s *stage) past(event int, keys string) *Model {
	m := s.session("r")
	if event < 0 {
		event += len(m.events)
	}
	m.seek(event)
	finish(m, m.findPast())
	pressAll(m, keys)
	m.rearrange()
	return m
}
