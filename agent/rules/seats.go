package rules

import (
	"cmp"
	"errors"
	"fmt"

	"moot/protocol"
	"moot/state"
)

// ErrSeat reports that built-in rules cannot play a seat.
var ErrSeat = errors.New("built-in rules cannot play this seat")

// Refuse returns ErrSeat, with a suggestion, if built-in rules cannot play a seat of a format.
func Refuse(format protocol.Format, seat state.Seat) error {
	settings := format.Settings()
	why := cmp.Or(settings.NoRules[seat], settings.NoRules[""])
	if why == "" {
		return nil
	}
	if seat.Is(settings.Repeated) {
		seat = settings.Repeated
	}
	return fmt.Errorf("%w: %s; name a model or a program, as in --%s ollama:MODEL "+
		"(moot doctor lists what this machine has), or watch a recorded session: moot demo %s",
		ErrSeat, why, seat, format.Name())
}
