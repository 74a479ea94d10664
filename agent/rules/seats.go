package rules

import (
	"fmt"

	"moot/state"
)

// Refuse returns an error if built-in rules cannot play a seat of a format. It says what
// to name instead.
func Refuse(format state.Format, seat state.Seat) error {
	why := ""
	switch format {
	case state.FormatConsult:
		if seat == state.Arbiter {
			why = "they judge nothing"
		}
	case state.FormatDialectic:
		if seat == state.Proposer {
			why = "they write no proposals"
		}
	case state.FormatHearing:
	case state.FormatCouncil:
		why = "they hold and judge no claims"
	case state.FormatPanel:
		why = "they hold no opinion that could be compared"
	default:
		return fmt.Errorf("built-in rules know no format %q", format)
	}
	if why == "" {
		return nil
	}
	flag := seat
	if seat.IsPanelist() {
		flag = state.Panelist
	}
	return fmt.Errorf("built-in rules cannot play this seat: %s; name a model or a program, as in --%s ollama:MODEL "+
		"(moot doctor lists what this machine has), or watch a recorded session: moot demo %s", why, flag, format)
}
