package run

import (
	"context"
	"testing"

	"moot/protocol"
	"moot/protocol/consult"
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
		"out of its budget": {caps: 550, by: state.Protocol},
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
		o := options(t, log, openedAs(consult.Name, func(o *state.SessionOpened) { o.Settings.MaxTokens = c.caps }), seats)
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
