package run

import (
	"context"
	"testing"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// EX6: what a call took that brought no reply counts like any other, and is on the
// record with what happened on the wire: a reply that broke off, an endpoint that is
// not there, a prompt that is too long, a call that somebody ended.
func TestCallsWithoutAReplyCount(t *testing.T) {
	for name, why := range map[string]func(end func()) error{
		"broken": func(func()) error {
			return &protocol.Broken{
				Code: "length",
				What: "it reached its limit of tokens",
			}
		},
		"unreachable": func(func()) error {
			return &protocol.Unreachable{
				Participant: "p", What: "answered 500",
				Fix: "wait",
			}
		},
		"too long": func(func()) error { return &protocol.TooLong{Participant: "p", What: "refused it"} },
		"left":     func(end func()) error { end(); return context.Canceled },
	} {
		t.Run(name, func(t *testing.T) {
			log, seats := &record{}, agreeable()
			good, failed := seats[state.Consultee], false
			ctx, end := context.WithCancel(t.Context())
			defer end()
			seats[state.Consultee] = &seat{
				name: "failing",
				reply: func(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply,
					error,
				) {
					if failed {
						return good.Reply(ctx, call, watch)
					}
					failed = true
					return protocol.Reply{
						PromptTokens: 1000, CompletionTokens: 500, Cost: 0.25, Attempts: 3,
						Notes: []string{"429"},
					}, why(end)
				},
			}
			o := options(t, log, protocoltest.Opened(consult.Name), seats)
			_ = New(o).Run(ctx) // To leave is no failure of the run.
			var counted []*state.UsageCounted
			for _, e := range log.events {
				if u, ok := e.Data.(*state.UsageCounted); ok && u.Seat == state.Consultee {
					counted = append(counted, u)
				}
			}
			if len(counted) == 0 || counted[0].PromptTokens != 1000 || counted[0].Attempts != 3 ||
				len(counted[0].Notes) != 1 {
				t.Fatalf("counted %+v", counted)
			}
			if s := again(t, o, log).State; s.Usage.Cost != 0.25 || s.Usage.PromptTokens < 1000 {
				t.Errorf("the session has used %+v", s.Usage)
			}
		})
	}
}
