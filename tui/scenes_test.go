package tui

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/dialectic"
	"moot/protocol/formats"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/protocol/review"
	"moot/resolver"
	"moot/search"
	"moot/state"
	"moot/state/store"
	"moot/tui/home"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

var update = flag.Bool("update", false, "write the golden screens")

// golden compares text with the golden file of that name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with go test ./tui -update and review it", err)
	}
	if wanted := strings.ReplaceAll(string(want), "\r\n", "\n"); wanted != got {
		t.Errorf("%s differs; write it with go test ./tui -update and review it. Got:\n%s\nwant:\n%s", path, got, wanted)
	}
}

// TestGoldenScreens holds the text of each scene. The text must not depend on the
// theme: every color comes with a word or a sign. With --ascii it is all ASCII.
func TestGoldenScreens(t *testing.T) {
	t.Parallel()
	skipShort(t)
	cast := friendly(t)
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			golden(t, filepath.Join("screens", s.name), drawnScene(t, cast, s, [][2]int{{120, 40}, {60, 20}}))
		})
	}
}

// drawnScene is the text of a scene in some sizes.
func drawnScene(t *testing.T, cast *cast, s scene, sizes [][2]int) string {
	t.Helper()
	var out strings.Builder
	for _, size := range sizes {
		m := s.play(&stage{t: t, cast: cast, width: size[0], height: size[1]})
		text := screenText(m)
		m.appear(func(a *theme.Appearance) { a.Mono = true })
		if plain := screenText(m); plain != text {
			t.Errorf("without colors the screen at %v is\n%s\nwith colors\n%s", size, plain, text)
		}
		m.appear(func(a *theme.Appearance) { a.ASCII = true })
		for row := range strings.SplitSeq(screenText(m), "\n") {
			if strings.ContainsFunc(row, func(r rune) bool { return r > '~' }) {
				t.Errorf("with --ascii at %v: %q", size, row)
			}
		}
		fmt.Fprintf(&out, "== %dx%d\n", size[0], size[1])
		for row := range strings.SplitSeq(text, "\n") {
			out.WriteString(strings.TrimRight(row, " ") + "\n")
		}
	}
	return out.String()
}

// scene is one thing that a user sees: it is kept as a golden screen, and drawn at
// random sizes with hostile text.
type scene struct {
	name string
	play func(s *stage) *Model
}

// cast is the text on the screens.
type cast struct {
	consult  *protocoltest.Record
	sessions []store.Summary
	found    home.Candidates
	// text replaces a text from outside, and record all those of a session.
	text   func(string) string
	record func(r *protocoltest.Record) *protocoltest.Record
}

func friendly(t testing.TB) *cast {
	r := protocoltest.EveryBucket(t)
	r.Add(
		&state.PointRaised{ID: "P8", By: state.User, Text: "the team knows lists well"},
		&state.QuestionSurfaced{
			ID: "Q2", Point: "P4", What: state.QuestionTradeoff, Text: "Is readable code worth the change?", Options: []string{"yes", "no"},
		},
		&state.QuestionAnswered{ID: "Q2", Answer: "yes"},
	)
	return &cast{
		consult: r, sessions: someSessions(), found: someFound(),
		text: func(s string) string { return s }, record: func(r *protocoltest.Record) *protocoltest.Record { return r },
	}
}

// foul has hostile text wherever text comes from outside; at says with which to begin.
func foul(t testing.TB, at int) *cast {
	next := func() string {
		at++
		return nasty()[at%len(nasty())]
	}
	c := friendly(t)
	c.text = func(string) string { return next() }
	c.record = func(r *protocoltest.Record) *protocoltest.Record { return fouled(r, next) }
	c.consult = fouled(c.consult, next)
	for i := range c.sessions {
		s := &c.sessions[i]
		s.ID, s.Question = fmt.Sprint(i, next()), next()
		s.Answer, s.Name, s.Tags, s.Workspace, s.Needs = next(), next(), []string{next(), next()}, next(), next()
		s.Seats = []state.SeatAssignment{{Participant: next()}, {Participant: next()}}
		if s.Broken != "" {
			s.Broken = next()
		}
		s.Buckets = map[state.Bucket]int{state.BucketOpen: 1000}
	}
	c.found = home.Candidates{Found: []home.Candidate{{Name: next(), Title: next(), Why: next(), Usable: true}, {Name: next()}}, Workspace: next()}
	return c
}

// fouled replaces each text in the events of a session that has a space, or is in a
// field for free text, by hostile text.
func fouled(r *protocoltest.Record, next func() string) *protocoltest.Record {
	free := []string{"participant", "model", "label", "reference", "text", "reason", "quote", "excerpt", "cause", "question", "value", "path"}
	var turn func(key string, v any) any
	turn = func(key string, v any) any {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				v[k] = turn(k, inner)
			}
		case []any:
			for i, inner := range v {
				v[i] = turn(key, inner)
			}
		case string:
			if v != "" && (strings.Contains(v, " ") || slices.Contains(free, key)) {
				return next()
			}
		}
		return v
	}
	out := &protocoltest.Record{T: r.T, State: &state.State{}}
	for _, e := range r.Events {
		switch e.Data.(type) {
		case *state.PacketFacts:
			continue
		case *state.PacketFrozen:
			out.Add(state.PacketEvents(protocoltest.HearingPacket(r.T, func(string) string { return "x" + strings.ToValidUTF8(next(), "") }))...)
			continue
		}
		data, err := json.Marshal(e.Data)
		if err != nil {
			r.T.Fatal(err)
		}
		var fields any
		if err := json.Unmarshal(data, &fields); err != nil {
			r.T.Fatal(err)
		}
		if data, err = json.Marshal(turn("", fields)); err != nil {
			r.T.Fatal(err)
		}
		payload, err := state.NewDecoder(formats.Rules()...).Decode(state.KindOf(e.Data), data)
		if from, ok := e.Data.(*state.SessionOpened); ok && err == nil {
			payload.(*state.SessionOpened).Rules = from.Rules
		}
		if err == nil {
			_, err = state.Apply(out.State, state.Event{Seq: out.State.Seq + 1, At: e.At, Data: payload})
		}
		if err != nil {
			// One of the texts is a name that code knows, as "raised in DEVELOPMENT".
			payload = e.Data
		}
		out.Add(payload)
	}
	return out
}

// stage is where a scene is played: a cast, a terminal and its options.
type stage struct {
	t testing.TB
	*cast
	options       Options
	width, height int
}

// session is the screen of a consultation after some keys.
func (s *stage) session(keys string, told ...any) *Model { return s.of(s.consult, keys, told...) }

// play is the screen of a session after some keys. The record may be hostile.
func (s *stage) play(r *protocoltest.Record, keys string, told ...any) *Model {
	return s.of(s.record(r), keys, told...)
}

func (s *stage) of(r *protocoltest.Record, keys string, told ...any) *Model {
	o := s.options
	o.Services = s.services()
	if o.Opened == nil {
		o.Opened = &Opened{
			Start:         func(func(protocol.Notice)) (Session, error) { return &noting{}, nil },
			ResumeCommand: s.text("moot resume k3f9"), ShowCommand: s.text("moot show k3f9"),
		}
	}
	own := *r
	own.Events = slices.Clip(own.Events)
	m := screenOf(s.t, &own, o, s.width, s.height)
	if len(told) == 0 {
		told = []any{ready(state.Consultee)}
	}
	tell(m, told...)
	pressAll(m, keys)
	return m
}

// over is the screen of a session that does not run anymore, after some keys.
func (s *stage) over(r *protocoltest.Record, keys string) *Model {
	r = s.record(r)
	return s.of(r, keys, protocol.Ended{State: r.State, Rulings: resolver.Rule(r.State)})
}

// about is that screen with a pane in front that shows a point, then some keys.
func (s *stage) about(r *protocoltest.Record, p pane.ID, point, keys string) *Model {
	m := s.play(r, "")
	m.setTopic(point)
	finish(m, m.focusOn(p))
	pressAll(m, keys)
	m.rearrange()
	return m
}

// services do nothing, or fail in the words of the cast.
func (s *stage) services() Services {
	failed := errors.New(s.text("xclip: cannot open display"))
	return Services{
		Copy:     func(context.Context, string) (string, error) { return "", failed },
		OpenFile: func(string, string) (*exec.Cmd, error) { return nil, failed },
		Export:   func(context.Context, Export) (string, error) { return s.text("/home/ada/moot-k3f9.md"), nil },
		Fork:     func(context.Context, string, int) (Opened, error) { return Opened{}, failed },
		Replace:  func(context.Context, string, state.Seat, string) (protocol.Participant, error) { return nil, failed },
	}
}

// decision is the screen of a session with the form of one of the user's decisions.
func (s *stage) decision(r *protocoltest.Record, about, id, keys string) *Model {
	m := s.play(r, "")
	for _, o := range protocol.Overrides(m.state, protocol.Selection{Point: about}) {
		if o.ID == id && o.Why == "" {
			m.startOverride(o)
			pressAll(m, keys)
			m.rearrange()
			return m
		}
	}
	s.t.Fatalf("%q is not among the decisions", id)
	return nil
}

func (s *stage) house() *house {
	found := s.found
	found.Choices = map[string][]view.Choice{"playbook": {
		{Value: "code-review", Help: s.text("For a change to a program, as a diff: may it be merged?")},
		{Value: "design-review", Help: s.text("For a design, a proposal or a decision record: is it ready to be built?")},
	}}
	return &house{sessions: s.sessions, found: found}
}

// hits are what a search found, with what it did not see.
func (s *stage) hits() search.Result {
	hit := func(session, place, kind, snippet string, marks ...[2]int) search.Hit {
		return search.Hit{
			Session: s.sessions[0].ID + session, Question: s.text("Should the job queue move from Redis lists to Redis streams?"), Workspace: s.text("/home/ada/queue"),
			UpdatedAt: protocoltest.RecordTime(), Place: place, Kind: kind, Snippet: s.text(snippet), Marks: marks,
		}
	}
	return search.Result{
		Hits: []search.Hit{
			hit("", "P3", "claim", "a stream gives the queue at-least-once delivery", [2]int{19, 24}),
			hit("", "C1", "objection", "a list is a queue too", [2]int{12, 17}),
			hit("-other", "", "question", "why does the queue grow?", [2]int{13, 18}, [2]int{900, 1000}, [2]int{3, 2}),
			hit("", "E2", "quote", "queue := redis.NewClient()", [2]int{0, 5}),
		},
		More: true, Missing: 3, Unread: []string{"20260301-e"},
	}
}

// home is the home screen after some keys.
func (s *stage) home(h *house, keys string) *Model {
	o := s.options
	o.Services = s.services()
	m := homeOf(s.t, h, o, s.width, s.height)
	pressAll(m, keys)
	return m
}

// form is the form of a new question for a format.
func (s *stage) form(format state.Format) *Model {
	m := s.pasted(s.home(s.house(), "n"), "May this change be merged?")
	m.question.Set("format", string(format))
	m.question.changed()
	m.rearrange()
	return m
}

// pasted is a screen after text was pasted.
func (s *stage) pasted(m *Model, text string) *Model {
	m.Update(tea.PasteMsg{Content: s.text(text)})
	m.rearrange()
	return m
}

// askedOf is a request to the person to speak for a seat.
func askedOf(r *protocoltest.Record, seat state.Seat, at state.Stage, moves ...move.Kind) requested {
	ask := protocol.Ask{Seat: seat, Stage: at, Moves: moves}
	return requested{&request{answer: make(chan string, 1), gone: make(chan struct{}), call: protocol.Call{Ask: ask, State: r.State, Prompt: protocol.Of(r.State).Prompt(r.State, ask)}}}
}

// asksSeat puts a seat of a proposal to the person.
func asksSeat(r *protocoltest.Record, seat state.Seat) requested {
	if seat == dialectic.PressureTester {
		return askedOf(r, seat, state.StageEvaluate, dialectic.MoveObject, dialectic.MoveRequest, dialectic.MoveSupply, dialectic.MoveNoObjection)
	}
	return askedOf(r, seat, state.StagePropose,
		dialectic.MovePropose, move.KindRevise, move.KindDefend, move.KindConcede, move.KindWithdraw, dialectic.MoveSupply)
}

// called is a call that is under way.
func (s *stage) called(more ...protocol.Notice) []any {
	list := []any{protocol.CallStarted{
		Ask: protocol.Ask{Seat: state.Orchestrator, Stage: state.StageJudge}, Participant: s.text("claude"), At: protocoltest.RecordTime().Add(time.Hour - 12*time.Second),
	}}
	for _, n := range more {
		list = append(list, n)
	}
	return list
}

// prompts are those that go out next.
func (s *stage) prompts(edit bool) answer {
	prompts := map[state.Seat]protocol.Prompt{state.Consultee: {
		System: s.text("You argue one question with another seat. Reply with moves."),
		Text:   s.text("C1 on P2 is open: a crash between read and claim is not covered.\nAnswer it, or concede."),
	}}
	return func(m *Model) tea.Cmd {
		m.openPreview(prompts, edit)
		return nil
	}
}

// past is a replay that shows an event, counted from 1, or from the end.
func (s *stage) past(r *protocoltest.Record, event int, keys string) *Model {
	m := s.play(r, "r")
	if event < 0 {
		event += len(m.events)
	}
	m.seek(event)
	pressAll(m, keys)
	m.rearrange()
	return m
}

func scenes() []scene {
	return slices.Concat(homeScenes(), consultScenes(), dialogScenes(), formatScenes(), hearingScenes(), reviewScenes())
}

func homeScenes() []scene {
	return []scene{
		{"home", func(s *stage) *Model { return s.home(s.house(), "") }},
		{"home-find", func(s *stage) *Model {
			h := s.house()
			h.hits = s.hits()
			return s.home(h, "/ q u e u e tab down")
		}},
		{"home-reading", func(s *stage) *Model {
			m := s.home(s.house(), "")
			m.home.SetData(home.Prepare(&home.Source{Sessions: s.sessions, Now: m.options.Now(), Total: 10_000}), nil)
			return m
		}},
		{"home-tags", func(s *stage) *Model { return s.home(s.house(), "down t") }},
		{"home-delete-several", func(s *stage) *Model { return s.home(s.house(), "down space space d") }},
		{"home-first-start", func(s *stage) *Model { return s.home(&house{}, "") }},
		{"home-delete", func(s *stage) *Model { return s.home(s.house(), "d") }},
		{"question-consult", func(s *stage) *Model { return s.form(consult.Name) }},
		{"participants", func(s *stage) *Model {
			m := toParticipant(s.form(consult.Name))
			typeAtHome(m, "ctrl+o")
			return m
		}},
		{"question-dialectic", func(s *stage) *Model { return s.form(dialectic.Name) }},
		{"question-refused", func(s *stage) *Model {
			h := s.house()
			h.refusal = &view.FieldError{Key: "context", Err: errors.New(s.text("there is no file notes.md"))}
			return s.home(h, "n W h y ctrl+s")
		}},
	}
}

// consultScenes are the views of a consultation, and what happens while it runs.
func consultScenes() []scene {
	view := func(name string, p pane.ID) scene {
		return scene{name, func(s *stage) *Model { return s.about(s.consult, p, "P1", "") }}
	}
	return []scene{
		view("debate", pane.DebateID), view("points", pane.PointsID), view("point", pane.PointID), view("ledger", pane.LedgerID), view("graph", pane.GraphID),
		view("confidence", pane.ConfidenceID), view("record", pane.RecordID), view("buckets", pane.BucketsID), view("challenges", pane.ChallengesID),
		view("result", pane.ResultID),
		{"streaming", func(s *stage) *Model {
			text := `{"moves":[{"kind":"JUDGE","challenge":"C1","judgment":"accepted","reason":"` + s.text("XAUTOCLAIM does cover the window, with ")
			return s.session("", s.called(
				protocol.Streamed{Seat: state.Orchestrator, Text: text},
				protocol.Reported{Seat: state.Orchestrator, Text: s.text("429, again in 12 s (2/5)")},
			)...)
		}},
		{"closed", func(s *stage) *Model {
			own := *s.consult
			own.Events = slices.Clip(own.Events)
			a := advanced(&own, &state.ExitReached{Exit: state.ExitConverged}, &state.SessionClosed{Exit: state.ExitConverged})
			return s.session("", a, protocol.Ended{State: a.State, Rulings: a.Rulings()})
		}},
		{"failed", func(s *stage) *Model {
			err := errors.New(s.text("append to the session file: no space left on device; the session is saved up to event 40"))
			return s.session("", protocol.Ended{State: s.consult.State, Rulings: resolver.Rule(s.consult.State), Err: err})
		}},
		{"search", func(s *stage) *Model { return s.session("4 / w r i t e s enter") }},
		{"replay", func(s *stage) *Model { return s.past(s.consult, -12, "") }},
	}
}

// dialogScenes open above a session.
func dialogScenes() []scene {
	keys := func(name, keys string) scene {
		return scene{name, func(s *stage) *Model { return s.session(keys) }}
	}
	return []scene{
		keys("help", "?"), keys("palette", ":"), keys("export", "x"), keys("challenge", "9 enter"), keys("record-fact", "F"),
		{"receipt", func(s *stage) *Model { return s.about(s.consult, pane.PointID, "P3", "w") }},
		{"override", func(s *stage) *Model { return s.about(s.consult, pane.BucketsID, "P2", "u") }},
		{"override-form", func(s *stage) *Model { return s.decision(s.consult, "P2", "challenge", "") }},
		{"answer", func(s *stage) *Model { return s.session("n") }},
		{"prompt", func(s *stage) *Model { return s.session("", ready(state.Consultee), s.prompts(false)) }},
		{"prompt-edit", func(s *stage) *Model {
			return s.pasted(s.session("", ready(state.Consultee), s.prompts(true)), "Be brief.\n")
		}},
		{"person", func(s *stage) *Model {
			m := s.session("", askedOf(s.consult, state.Consultee, state.StageAnswer, claims.AnswerMoves()...))
			m.armed = true
			return s.pasted(m, "Re C1: the idle time covers it\n")
		}},
	}
}

// formatScenes are the views that the other formats have of their own.
func formatScenes() []scene {
	of := func(name string, record func(t testing.TB) *protocoltest.Record, p pane.ID, point, keys string) scene {
		return scene{name, func(s *stage) *Model { return s.about(record(s.t), p, point, keys) }}
	}
	return []scene{
		of("dialectic-points", protocoltest.Proposal, pane.PointsID, "P1", ""), of("dialectic-point", protocoltest.Proposal, pane.PointID, "P1", ""),
		of("dialectic-result", protocoltest.Proposal, pane.ResultID, "", ""),
		{"dialectic-override", func(s *stage) *Model {
			return s.decision(protocoltest.Proposal(s.t), "P1", "object", "u n t e s t e d enter")
		}},
		{"dialectic-person", func(s *stage) *Model {
			r := s.record(protocoltest.ProposalHeld(s.t).Record)
			m := s.of(r, "", asksSeat(r, dialectic.Proposer))
			m.armed = true
			return m
		}},
		of("panel-result", protocoltest.Panel, pane.ResultID, "", ""),
		of("panel-challenges", protocoltest.Panel, pane.ChallengesID, "", ""),
		of("council-result", protocoltest.Council, pane.ResultID, "P9", ""),
	}
}

// hearingScenes are the views that a hearing has of its own.
func hearingScenes() []scene {
	of := func(name string, p pane.ID, keys string) scene {
		return scene{name, func(s *stage) *Model { return s.about(protocoltest.Hearing(s.t), p, "", keys) }}
	}
	return []scene{
		of("hearing-result", pane.ResultID, ""), of("hearing-ledger", pane.LedgerID, ""), of("hearing-debate", pane.DebateID, ""),
	}
}

// reviewScenes are the views that a review has of its own.
func reviewScenes() []scene {
	return []scene{
		{"review-findings", func(s *stage) *Model { return s.play(reviewed(s.t), "") }},
		{"review-finding", func(s *stage) *Model { return s.play(reviewed(s.t), "enter") }},
		{"review-result", func(s *stage) *Model { return s.about(reviewed(s.t), pane.ResultID, "", "") }},
		{"review-clean", func(s *stage) *Model { return s.over(reviewDesk(s.t, nil, "", "", ""), "0") }},
		{"review-dead", func(s *stage) *Model {
			return s.over(reviewDesk(s.t, nil, "FINDING HIGH lock.go:12: d runs before a", "gone", "gone"), "0")
		}},
		{"review-merged", func(s *stage) *Model {
			same := "lock.go:12: Unlock runs d before a has returned"
			return s.over(reviewDesk(s.t, nil, "FINDING HIGH "+same, "FINDING BLOCKING "+same, "FINDING LOW "+same), "2")
		}},
		{"review-sections", func(s *stage) *Model {
			before := []state.Payload{
				&state.Withheld{Path: "store.go", Lines: "3", Reason: "redacted: a key", Seats: []state.Seat{}},
				&review.MemoryTaken{Source: "memory.jsonl", Known: []review.Known{knownLock("M1")}},
			}
			return s.over(reviewDesk(s.t, before,
				"FINDING HIGH lock.go:12: the lock is never taken by readers\nFINDING MEDIUM lock.go:38: nobody calls the helper any more", "", "",
			), "0")
		}},
	}
}
