package consult_test

import (
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

// RD1b: a seat that is asked again in the first pass still sees no other seat's reply or its effects.
func TestTheFirstPassStaysBlind(t *testing.T) {
	d := protocoltest.New(t, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: "consultee-2"})
	}))
	d.Run()
	d.Append(&state.ReplyReceived{Seat: state.Consultee, Stage: state.StagePropose})
	d.Reply("consultee-2", "1. Alpha holds a/a.go:1 \"alpha\"\nFACT: beta is known")
	d.Run()
	p := d.Prompted(state.Consultee)
	protocoltest.MustHold(t, p.Text, "Your last reply was not enough")
	for _, other := range []string{"Alpha", "alpha", "beta"} {
		if strings.Contains(p.Text, other) {
			t.Errorf("the seat sees %q of another's:\n%s", other, p.Text)
		}
	}
}

// AR: the arbiter does not see who said what.
func TestTheArbiterSeesNoNames(t *testing.T) {
	d := protocoltest.Challenged(t, nil)
	d.Append(
		&state.FactRecorded{ID: "F2", Tag: ledger.TagUnverified, Seat: state.Consultee, Text: "gamma"},
		&state.FactRecorded{
			ID: "F3", Tag: ledger.TagRevision, Seat: state.Consultee,
			Text: "consultee revised P1 as P3: so",
		},
		&state.ExitReached{Exit: state.ExitUser},
		&state.Ruled{Round: 2, Rulings: resolver.Rule(d.State)},
	)
	p := protocol.Of(d.State).Prompt(d.State, protocol.Ask{Seat: state.Arbiter, Stage: state.StageArbiter})
	protocoltest.MustHold(t, p.Text, "F2 [unverified]: gamma")
	for _, name := range []string{"consultee", "orchestrator"} {
		if strings.Contains(p.Text, name) {
			t.Errorf("%q stands in the prompt:\n%s", name, p.Text)
		}
	}
}
