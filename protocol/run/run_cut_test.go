package run

import (
	"context"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// PH3, CH6: a reply that breaks off is asked for again in the same round, whether its text
// ended or the endpoint said so; none of its moves counts.
func TestCutReplyIsAskedForAgain(t *testing.T) {
	const cut = `{"moves":[{"move":"RAISE","text":"Beta holds"},{"move":"RAISE","te`
	for name, first := range map[string]func() (protocol.Reply, error){
		"its text ended": func() (protocol.Reply, error) { return protocol.Reply{Text: cut, Attempts: 1}, nil },
		"it was cut": func() (protocol.Reply, error) {
			return protocol.Reply{}, &protocol.Broken{
				Code: "length", What: "it reached its limit of tokens",
				Partial: cut,
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			log, seats := &record{}, agreeable()
			good, calls := seats[state.Consultee], []protocol.Call(nil)
			seats[state.Consultee] = &seat{
				name: "cut",
				reply: func(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply,
					error,
				) {
					if calls = append(calls, call); len(calls) == 1 {
						return first()
					}
					return good.Reply(ctx, call, watch)
				},
			}
			o := options(t, log, protocoltest.Opened(consult.Name), seats)
			if err := New(o).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := again(t, o, log).State
			if !s.Closed || s.Points.Len() != 1 || calls[1].State.Round != 1 {
				t.Fatalf("closed=%v with %d points, asked again in round %d", s.Closed, s.Points.Len(),
					calls[1].State.Round)
			}
			if want := "your last reply was not enough"; !strings.Contains(strings.ToLower(calls[1].Prompt.Text),
				want) {
				t.Errorf("the second prompt lacks %q:\n%s", want, calls[1].Prompt.Text)
			}
		})
	}
}
