package run

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"moot/constitution"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// sitting is a participant that holds every seat of a council: one that is asked for
// several seats at once, and that a test lets fail. What it says takes a council
// through all its stages.
type sitting struct {
	replies map[string]string
	cost    float64
	// fails is how often each call is still to fail, by "seat stage round", and why.
	fails map[string]int
	why   error

	sync.Mutex
	calls []string
}

func (*sitting) Name() string { return "all of them" }

func (*sitting) Modelless() bool { return false }

func (*sitting) Estimate(tokens int) (float64, bool) { return float64(tokens), true }

// nameOf tells a call from the others of the session.
func nameOf(call protocol.Call) string {
	name := fmt.Sprintf("%s %s %d", call.Ask.Seat, call.Ask.Stage, call.State.Round)
	if call.Ask.Retry != "" {
		name += " again"
	}
	return name
}

func (s *sitting) Reply(_ context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	s.Lock()
	defer s.Unlock()
	name := nameOf(call)
	s.calls = append(s.calls, name)
	// A seat that is asked once more after a broken reply is still at the same call.
	if first := strings.TrimSuffix(name, " again"); s.fails[first] > 0 {
		s.fails[first]--
		return protocol.Reply{}, s.why
	}
	text := s.replies[fmt.Sprintf("%s %d", call.Ask.Stage, call.State.Round)]
	for _, c := range call.State.Challenges.All() {
		switch {
		case call.Ask.Stage == state.StageRemind && !c.Settled(),
			// The adversary's is left for the reminder.
			call.Ask.Stage == state.StageAnswer && c.By == state.Critic && c.Status == state.StandsOpen:
			text += "Re " + c.ID + ": there is a test of it\n"
		case call.Ask.Stage == state.StageJudge && c.By == call.Ask.Seat:
			text += "ACCEPT " + c.ID + ": the test is there\n"
		}
	}
	if text == "" {
		text = `{"moves":[]}`
	}
	return protocol.Reply{Text: text, PromptTokens: 100, CompletionTokens: 10, Cost: s.cost, Attempts: 1}, nil
}

// busy is a council in which every stage has something to do, in two rounds.
func busy() *sitting {
	return &sitting{cost: 0.25, fails: map[string]int{}, replies: map[string]string{
		"propose 1": `{"moves":[{"move":"RAISE","text":"The cache survives a restart","confidence":1,"citations":[{"reference":"docs/cache.md:3","quote":"written through"}]}]}`,
		"mend 1":    `{"moves":[{"move":"CLARIFY","point":"P1","term":"limit","text":"no disk failure"}]}`,
		"critique 1": `{"moves":[{"move":"CHALLENGE","point":"P1","class":"SKEPTICAL","flaw":"The method is one run on one sample","upgrade_if":"a second run"},
			{"move":"SCORE","point":"P1","confidence":0.7,"cause":"one sample"}]}`,
		"attack 1": `{"moves":[{"move":"CHALLENGE","point":"P1","class":"SKEPTICAL","flaw":"A power cut in the middle of a write","upgrade_if":"a line that syncs"},
			{"move":"SCORE","point":"P1","confidence":0.7,"cause":"power"}]}`,
		"advise 1":     "SCORE P1 0.8 because it is known",
		"synthesize 1": `{"moves":[{"move":"SYNTHESIZE","text":"I am not sure.","agreement":false,"open":["P1"]},{"move":"SCORE","point":"P1","confidence":0.4,"cause":"E1"}]}`,
		"synthesize 2": `{"moves":[{"move":"SYNTHESIZE","text":"It is safe.","agreement":true},{"move":"SCORE","point":"P1","confidence":0.8,"cause":"E1"}]}`,
	}}
}

// sits has one participant on all seats of a council that the built-in constitution
// binds.
func sits(t *testing.T, log *record, p *sitting, change ...func(*state.SessionOpened)) Options {
	t.Helper()
	book, err := constitution.Default()
	if err != nil {
		t.Fatal(err)
	}
	o := openedAs(state.FormatCouncil, change...)
	o.Settings.Council.Constitution = book
	o.Seats = append(o.Seats, state.SeatAssignment{Seat: state.Expert})
	seats := map[state.Seat]protocol.Participant{}
	for i := range o.Seats {
		o.Seats[i].Participant = p.Name()
		seats[o.Seats[i].Seat] = p
	}
	run := options(t, log, o, seats)
	log.events[0].At = time.Unix(0, 0)
	return again(t, run, log)
}

func inParallel(o *state.SessionOpened) { o.Settings.Council.Parallel = true }

// runs continues the session after every pause that the given function resolves and returns the pauses.
func runs(t *testing.T, o Options, log *record, mend func(s state.State)) (s state.State,
	pauses []state.PauseKind,
) {
	t.Helper()
	for range 100 {
		if err := New(o).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		o = again(t, o, log)
		if o.State.Closed {
			if _, err := resolver.Verify(log.events); err != nil {
				t.Fatal(err)
			}
			return o.State, pauses
		}
		pauses = append(pauses, o.State.Paused)
		mend(o.State)
		o = again(t, o, log)
	}
	t.Fatal("it pauses for ever")
	return s, nil
}

// does makes a user move while the session is paused.
func (r *record) does(t *testing.T, s state.State, move protocol.UserMove) {
	t.Helper()
	events, err := protocol.AdmitUser(s, move)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range events {
		r.events = append(r.events, state.Event{Seq: len(r.events) + 1, Data: p})
	}
}

// brokenCase is a number of broken replies and the expected result.
type brokenCase struct {
	code   string
	times  int
	exit   state.Exit
	pauses []state.PauseKind
}

func (c brokenCase) why() error {
	return &protocol.Broken{Code: c.code, What: "the stream broke off", Partial: `{"mov`}
}

// brokenReplies returns truncated and malformed replies.
func brokenReplies() []brokenCase {
	return []brokenCase{
		{"broken", 1, state.ExitConverged, nil},
		{"broken", 2, state.ExitConverged, []state.PauseKind{state.PauseUnreachable}},
		{"empty", 1, state.ExitConverged, nil},
		{"empty", 2, state.ExitQuality, nil},
	}
}
