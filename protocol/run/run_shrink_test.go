package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council/constitution"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/state"
)

// narrow is a participant that refuses prompts over a number of bytes, and keeps
// those that it was shown.
type narrow struct {
	protocol.Participant
	most, limit int
	shown       []protocol.Prompt
}

func (n *narrow) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	n.shown = append(n.shown, call.Prompt)
	if size := len(call.Prompt.System) + len(call.Prompt.Text); size > n.most {
		return protocol.Reply{}, &protocol.TooLong{
			Participant: "narrow",
			What:        fmt.Sprintf("it takes %d bytes, not %d", n.most, size), Limit: n.limit,
		}
	}
	return n.Participant.Reply(ctx, call, watch)
}

const boundFact = "Go 1.26 is given, whatever else is left out"

// wordy opens a session with more to read than a small model takes, and a fact of the
// user's.
func wordy(t *testing.T, log *record, seats map[state.Seat]protocol.Participant, facts int) Options {
	t.Helper()
	o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
		o.Seats[1].Participant = "narrow"
		o.Settings.Context = []state.Document{{
			Path: "notes.md",
			Text: strings.Repeat("what was noted at length. ", 3000),
		}}
	}), seats)
	for i := range facts {
		e := state.Event{Seq: o.State.Seq + 1, Data: &state.FactRecorded{
			ID:   fmt.Sprintf("F%d", i+1),
			Text: fmt.Sprintf("%s (%d)", boundFact, i+1), Tag: ledger.TagUser, Seat: state.User,
		}}
		s, err := state.Apply(o.State, e)
		if err != nil {
			t.Fatal(err)
		}
		o.State, log.events = s, append(log.events, e)
	}
	return o
}

func shrinks(events []state.Event) (all []*state.PromptShrunk) {
	for _, e := range events {
		if p, ok := e.Data.(*state.PromptShrunk); ok {
			all = append(all, p)
		}
	}
	return all
}

func tokens(p protocol.Prompt) int { return (len(p.System) + len(p.Text)) / 4 }

// LE7, PH3: an endpoint that refuses a prompt for its length is asked again with a
// smaller one in the same round, and is sent no larger one in the rounds after.
func TestPromptShrinks(t *testing.T) {
	for name, c := range map[string]struct{ most, limit, want int }{
		"half, and half again":      {24_000, 0, 2},
		"what the endpoint told":    {40_000, 10_000, 1},
		"a limit counted otherwise": {45_000, 100_000, 1},
	} {
		t.Run(name, func(t *testing.T) {
			log, seats := &record{}, agreeable()
			small := &narrow{Participant: seats[state.Consultee], most: c.most, limit: c.limit}
			seats[state.Consultee] = small
			o := wordy(t, log, seats, 1)
			if err := New(o).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := again(t, o, log).State
			made := shrinks(log.events)
			if !s.Closed || len(made) != c.want {
				t.Fatalf("closed=%v, paused %q, shrunk %d times", s.Closed, s.PauseReason, len(made))
			}
			budget := s.PromptBudget(state.Consultee, protocol.DefaultPromptBudget)
			if last := made[len(made)-1]; budget != last.Budget || last.Limit != c.limit {
				t.Fatalf("%d tokens count, of %+v", budget, last)
			}
			if s.PromptBudget(state.Orchestrator, protocol.DefaultPromptBudget) != protocol.DefaultPromptBudget {
				t.Error("another seat's prompts became smaller too")
			}
			for i, p := range small.shown {
				if !strings.Contains(p.Text, boundFact) || !strings.Contains(p.Text, "Is it so?") {
					t.Errorf("prompt %d lacks the user's fact or the question", i+1)
				}
				if i >= c.want && tokens(p) > budget+100 {
					t.Errorf("prompt %d has %d tokens of %d", i+1, tokens(p), budget)
				}
			}
			if first := small.shown[c.want]; !slices.ContainsFunc(first.Omitted,
				func(what string) bool { return strings.Contains(what, "notes.md") }) {
				t.Errorf("what was left out is not told: %v", first.Omitted)
			}
			rounds := 0
			for _, e := range log.events {
				switch e.Data.(type) {
				case *state.RoundStarted:
					rounds++
				case *state.ReplyRefused:
					t.Error("a prompt that is too long is no format failure")
				}
			}
			if rounds != s.Round {
				t.Errorf("%d rounds began, and %d count", rounds, s.Round)
			}
		})
	}
}

// LE7, EX7: if nothing more can be omitted from a prompt, the session pauses, reports what was tried and what to
// do, and can resume.
func TestPromptThatCannotShrink(t *testing.T) {
	log, seats := &record{}, agreeable()
	small := &narrow{Participant: seats[state.Consultee], most: 100}
	seats[state.Consultee] = small
	o := wordy(t, log, seats, 200)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := again(t, o, log).State
	if s.Paused != state.PauseContext || len(small.shown) > 4 || len(shrinks(log.events)) != len(small.shown)-1 {
		t.Fatalf("paused %q after %d prompts and %d shrinks", s.Paused, len(small.shown), len(shrinks(log.events)))
	}
	for _, want := range []string{
		"it takes 100 bytes", "with less in it", "your facts",
		"moot resume s --seat consultee=PARTICIPANT",
	} {
		if !strings.Contains(s.PauseReason, want) {
			t.Errorf("%q lacks %q", s.PauseReason, want)
		}
	}
	for i, p := range small.shown {
		if strings.Count(p.Text, boundFact) != 200 {
			t.Errorf("prompt %d has %d of the user's facts", i+1, strings.Count(p.Text, boundFact))
		}
		if i > 0 && len(p.Text) >= len(small.shown[i-1].Text) {
			t.Errorf("prompt %d is no smaller", i+1)
		}
	}
	if last := small.shown[len(small.shown)-1]; !strings.Contains(last.Warning, "constraint-incomplete") {
		t.Errorf("warned: %q", last.Warning)
	}
	round := s.Round
	small.most = 1 << 20
	o = again(t, o, log)
	before := len(small.shown)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	end := again(t, o, log).State
	if !end.Closed || round != 1 {
		t.Fatalf("paused in round %d, closed=%v", round, end.Closed)
	}
	if tokens(small.shown[before]) > tokens(small.shown[before-1])+100 {
		t.Error("the resumed session forgot the smaller budget")
	}
}

// sly is a participant that reads a part of what is over a number of bytes, and
// replies to that. Where it is not sure of it the reply comes along.
type sly struct {
	protocol.Participant
	most  int
	sure  bool
	shown []int
}

func (s *sly) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	size := len(call.Prompt.System) + len(call.Prompt.Text)
	s.shown = append(s.shown, size)
	reply, err := s.Participant.Reply(ctx, call, watch)
	if size <= s.most || err != nil {
		return reply, err
	}
	reply.Notes = []string{"it seems to have cut the prompt"}
	if s.sure {
		reply.Text = ""
	}
	return reply, &protocol.TooLong{
		Participant: "sly", What: "it read a part", Limit: s.most / 4, Cut: true,
		Fix: "turn the knob",
	}
}

// LE7: a reply to a truncated prompt is discarded, but its cost counts; the seat is asked again with a shorter
// prompt in the same round. If nothing can be omitted, the session pauses if the truncation is certain and
// otherwise continues with a warning.
func TestPromptThatWasCut(t *testing.T) {
	for name, c := range map[string]struct {
		most, facts int
		sure        bool
		pause       state.PauseKind
	}{
		"sure": {40_000, 1, true, state.PauseNone}, "likely": {40_000, 1, false, state.PauseNone},
		"sure, and none fits":   {400, 200, true, state.PauseContext},
		"likely, and none fits": {400, 200, false, state.PauseNone},
	} {
		t.Run(name, func(t *testing.T) {
			log, seats := &record{}, agreeable()
			small := &sly{Participant: seats[state.Consultee], most: c.most, sure: c.sure}
			seats[state.Consultee] = small
			o := wordy(t, log, seats, c.facts)
			if err := New(o).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := again(t, o, log).State
			if s.Paused != c.pause || s.Closed != (c.pause == state.PauseNone) {
				t.Fatalf("closed=%v, paused %q: %s", s.Closed, s.Paused, s.PauseReason)
			}
			if c.pause != state.PauseNone && !strings.Contains(s.PauseReason, "turn the knob") {
				t.Error(s.PauseReason)
			}
			spent, valid, warned := 0, 0, 0
			for _, e := range log.events {
				switch e := e.Data.(type) {
				case *state.UsageCounted:
					if e.Seat == state.Consultee {
						spent++
						warned += len(e.Notes)
					}
				case *state.ReplyReceived:
					if e.Seat == state.Consultee && e.Valid {
						valid++
					}
				case *state.PromptShrunk:
					if !e.Cut {
						t.Errorf("not told as cut: %+v", e)
					}
				case *state.ReplyRefused:
					t.Error("a prompt that is too long is no format failure")
				}
			}
			over := 0
			for _, size := range small.shown {
				if size > c.most {
					over++
				}
			}
			if spent != len(small.shown) || warned != over {
				t.Errorf("%d calls, %d over the limit: %d counted, %d warnings", len(small.shown), over, spent, warned)
			}
			if made := len(shrinks(log.events)); made == 0 || c.facts == 1 &&
				(made != 1 || valid != len(small.shown)-1) {
				t.Errorf("shrunk %d times, %d of %d replies count", made, valid, len(small.shown))
			}
		})
	}
}

// An endpoint's reported limit applies to every seat of the participant.
func TestLimitHoldsForAllSeatsOfAParticipant(t *testing.T) {
	shrunk := func(limit int) *state.State {
		s := &state.State{Seats: []state.SeatAssignment{
			{Seat: state.Consultee, Participant: "ollama:m"},
			{Seat: state.Arbiter, Participant: "ollama:m"},
			{Seat: constitution.Critic, Participant: "ollama:m", Answering: "rules"},
			{Seat: state.Orchestrator, Participant: "ollama:n"},
		}}
		if err := (&state.PromptShrunk{
			Seat: state.Consultee, Stage: state.StagePropose, Sent: 1000, Limit: limit,
			Budget: 600,
		}).Fold(s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	for seat, want := range map[state.Seat]int{
		state.Consultee: 600, state.Arbiter: 600, constitution.Critic: 2000,
		state.Orchestrator: 2000,
	} {
		s := shrunk(800)
		if got := s.PromptBudget(seat, 2000); got != want {
			t.Errorf("%s: %d tokens count, want %d", seat, got, want)
		}
	}
	guessed := shrunk(0)
	if got := guessed.PromptBudget(state.Arbiter, 2000); got != 2000 {
		t.Errorf("a guess holds for another seat: %d", got)
	}
}

// LE7: in a panel who takes no prompt however small is missing, after it was tried.
func TestPanelistWithASmallContext(t *testing.T) {
	log, seats := &record{}, several(3)
	small := &narrow{Participant: seats["panelist-2"], most: 8_000}
	none := &narrow{Participant: seats["panelist-3"], most: 10}
	seats["panelist-2"], seats["panelist-3"] = small, none
	o := panelRun(t, log, protocoltest.Opened(panel.Name, protocoltest.Panelists(3), func(o *state.SessionOpened) {
		o.Settings.Context = []state.Document{{
			Path: "notes.md",
			Text: strings.Repeat("what was noted at length. ", 2000),
		}}
	}), seats)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := again(t, o, log).State
	if !s.Closed || len(s.Missing) != 1 || s.Missing[0].Seat != "panelist-3" || s.Points.Len() != 2 {
		t.Fatalf("closed=%v, missing %+v, %d points", s.Closed, s.Missing, s.Points.Len())
	}
}
