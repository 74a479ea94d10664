package protocol

import (
	"time"

	"moot/state"
)

// Notice is a message from a running session to its front end: one of the types below. Advanced, TurnReady, Waiting and
// Ended must never be lost; adjacent Streamed notices of a seat may be joined.
type Notice interface{ notice() }

// Advanced says that events were appended and are on disk. State and Rulings are those after the
// last of them. Rulings computes them on its first call.
type Advanced struct {
	Events  []state.Event
	State   *state.State
	Rulings func() []state.Ruling
}

// CallStarted says that a seat is being asked.
type CallStarted struct {
	Ask         Ask
	Participant string
	At          time.Time
}

// Streamed is the next piece of a reply. Restart voids the pieces so far.
type Streamed struct {
	Seat    state.Seat
	Text    string
	Restart bool
}

// Thinking is the next piece of what a reasoning model thinks before it speaks:
// shown, never parsed and never stored. It may be joined with others of its seat.
type Thinking struct {
	Seat state.Seat
	Text string
}

// Reported is a network status: "429, again in 12 s (2/5)", or what a seat looks up. Until is
// the end of the wait, or the zero time.
type Reported struct {
	Seat   state.Seat
	Text   string
	Lookup bool
	Until  time.Time
}

// CallEnded says that the call of a seat is over, with its error or nil.
type CallEnded struct {
	Seat state.Seat
	Err  error
}

// Forecast reports the minimum cost of a round before it begins.
type Forecast struct {
	Round int
	// Calls counts model calls. Tokens and Cost, in US dollars, are estimates: what a participant
	// used in a call so far, or its prompt (bytes/4) before its first. Unpriced counts the calls
	// whose price is unknown.
	Calls, Tokens int
	Cost          float64
	Unpriced      int
}

// TurnReady says that the loop waits for Step before it sends these asks.
type TurnReady struct{ Asks []Ask }

// Stepping says whether the loop waits before each turn from now on.
type Stepping struct{ On bool }

// Waiting means that the session cannot continue until the user answers these questions.
type Waiting struct{ Questions []string }

// Ended says that the run is over. Err is nil when the session closed or
// paused by rule; ErrStopped when the person left.
type Ended struct {
	State   *state.State
	Rulings []state.Ruling
	Err     error
}

func (Advanced) notice()    {}
func (CallStarted) notice() {}
func (Streamed) notice()    {}
func (Thinking) notice()    {}
func (Reported) notice()    {}
func (CallEnded) notice()   {}
func (Forecast) notice()    {}
func (TurnReady) notice()   {}
func (Stepping) notice()    {}
func (Waiting) notice()     {}
func (Ended) notice()       {}
