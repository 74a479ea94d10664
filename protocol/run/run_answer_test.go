package run

import (
	"context"
	"testing"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// AN2: a seat that fails at the end neither pauses nor fails the session. Without the
// orchestrator's answer code composes one; without the other seat nobody saw it.
func TestAnswerNeverPauses(t *testing.T) {
	for name, c := range map[string]struct {
		fails state.Seat
		caps  int
		by    state.Seat
	}{
		"no answer":         {fails: state.Orchestrator, by: state.Protocol},
		"nobody objects":    {fails: state.Consultee, by: state.Orchestrator},
		"out of its budget": {caps: 330, by: state.Protocol},
	} {
		log, seats := &record{}, agreeable()
		for name, good := range seats {
			seats[name] = &seat{reply: func(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
				switch {
				case call.Ask.Stage != state.StageConclude:
					return good.Reply(ctx, call, watch)
				case call.Ask.Seat == c.fails:
					return protocol.Reply{}, &protocol.Unreachable{Participant: "p", What: "connection refused", Fix: "start it"}
				case call.Ask.Seat == state.Orchestrator:
					return protocol.Reply{Text: "ANSWER [P1]: It holds", Attempts: 1}, nil
				}
				return protocol.Reply{Text: `{"moves":[]}`, Attempts: 1}, nil
			}}
		}
		o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) { o.Settings.MaxTokens = c.caps }), seats)
		if err := New(o).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := again(t, o, log).State
		if a := s.Answer(); !s.Closed || a == nil || a.By != c.by || len(a.Seen) > 0 {
			t.Errorf("%s: closed %v, paused %q %s, answer %+v after %d tokens", name, s.Closed, s.Paused, s.PauseReason, a,
				s.Usage.PromptTokens+s.Usage.CompletionTokens)
		}
	}
}

// AN3: a decision after the end is written as one unit. If only a part of it reached the disk, the session is closed
// again without asking a seat, and nothing else is recorded.
func TestADecisionThatWasCutOffIsTakenIn(t *testing.T) {
	log := &record{}
	o := options(t, log, protocoltest.Opened(consult.Name), agreeable())
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	closed := again(t, o, log).State
	whole, _, err := Decide(closed, claims.RuleOn{Point: "P1", What: state.OverrideDismiss, Reason: "it is generated"}, closed.At)
	if err != nil || len(whole) < 3 {
		t.Fatalf("%d events, %v", len(whole), err)
	}
	for cut := 1; cut < len(whole); cut++ {
		part := &record{events: append(append([]state.Event{}, log.events...), whole[:cut]...)}
		resumed := again(t, o, part)
		resumed.Log, resumed.Participants = part, map[state.Seat]protocol.Participant{} // asking would panic
		if err := New(resumed).Run(t.Context()); err != nil {
			t.Fatalf("cut after %d: %v", cut, err)
		}
		s := again(t, o, part).State
		if !s.Closed || s.Seq != whole[len(whole)-1].Seq || s.Digest == closed.Digest {
			t.Errorf("cut after %d: closed %v at %d", cut, s.Closed, s.Seq)
		}
		if err := recomputes(t, part.events); err != nil {
			t.Errorf("cut after %d: %v", cut, err)
		}
	}
}

// AN3: only decisions of the user may follow the end of a session, and what code makes of them.
func TestNothingElseFollowsTheEnd(t *testing.T) {
	log := &record{}
	o := options(t, log, protocoltest.Opened(consult.Name), agreeable())
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	closed := again(t, o, log).State
	for _, p := range []state.Payload{
		&state.RoundStarted{Round: closed.Round + 1}, &state.PointConceded{Point: "P1", By: state.User},
		&state.OverrideMade{What: state.OverrideReopen, Point: "P1"}, &state.SessionResumed{Attended: true},
		&state.SessionClosed{Exit: closed.Exit}, &state.Ruled{Round: closed.Round},
		&state.AnswerGiven{By: state.Orchestrator, Sentences: []state.Sentence{{ID: "S1", Text: "x", Points: []string{"P1"}}}},
		&state.FactRecorded{ID: "F9", Seat: state.Consultee, Text: "x"},
	} {
		if _, _, err := state.Extend(closed, closed.At, p); err == nil {
			t.Errorf("%s follows the end", state.KindOf(p))
		}
	}
}
