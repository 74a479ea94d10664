package rules

import (
	"cmp"
	"fmt"

	"moot/protocol"
	"moot/state"
)

// SeatError says that built-in rules cannot play a seat, and what to name instead.
type SeatError struct {
	Format state.Format
	Seat   state.Seat
	Why    string
}

// Error implements error.
func (e *SeatError) Error() string {
	flag := e.Seat
	if flag.IsPanelist() {
		flag = state.Panelist
	}
	return fmt.Sprintf("built-in rules cannot play this seat: %s; name a model or a program, as in --%s ollama:MODEL "+
		"(moot doctor lists what this machine has), or watch a recorded session: moot demo %s", e.Why, flag, e.Format)
}

// Refuse returns a *SeatError if built-in rules cannot play a seat of a format.
func Refuse(format protocol.Format, seat state.Seat) error {
	settings := format.Settings()
	if why := cmp.Or(settings.NoRules[seat], settings.NoRules[""]); why != "" {
		return &SeatError{Format: format.Name(), Seat: seat, Why: why}
	}
	return nil
}
