package run

import (
	"testing"

	"moot/protocol"
	"moot/state"
)

func pressedOptions(t *testing.T, log *record, seats map[state.Seat]protocol.Participant) Options {
	t.Helper()
	o := options(t, log, openedAs(state.FormatDialectic, func(o *state.SessionOpened) {
		o.Question = "Roll out to 10 % of users"
	}), seats)
	return o
}
