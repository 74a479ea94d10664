package run

import (
	"testing"

	"moot/protocol"
	"moot/protocol/dialectic"
	"moot/protocol/protocoltest"
	"moot/state"
)

func pressedOptions(t *testing.T, log *record, seats map[state.Seat]protocol.Participant) Options {
	t.Helper()
	o := options(t, log, protocoltest.Opened(dialectic.Name, func(o *state.SessionOpened) {
		o.Question = "Roll out to 10 % of users"
	}), seats)
	return o
}
