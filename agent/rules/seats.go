package rules

import (
	"fmt"

	"moot/state"
)

// refusal says why built-in rules cannot take a seat of a format; an empty seat stands for all of them.
type refusal struct {
	format state.Format
	seat   state.Seat
	why    string
}

// refusals is the only place in this package that names formats.
func refusals() []refusal {
	return []refusal{
		{state.FormatConsult, state.Arbiter, "they judge nothing"},
		{state.FormatDialectic, state.Proposer, "they write no proposals"},
		{state.FormatCouncil, "", "they hold and judge no claims"},
		{state.FormatPanel, "", "they hold no opinion that could be compared"},
	}
}

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
func Refuse(format state.Format, seat state.Seat) error {
	for _, r := range refusals() {
		if r.format == format && (r.seat == "" || r.seat == seat) {
			return &SeatError{Format: format, Seat: seat, Why: r.why}
		}
	}
	return nil
}
