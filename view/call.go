package view

import (
	"fmt"
	"math"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/state"
)

// Call is a call of a seat in progress. Screens, batches and plain mode show it in the same words.
type Call struct {
	Seat state.Seat
	// Participant fills the seat; it is "" if there is no room for it.
	Participant string
	Stage       state.Stage
	// Again says that the seat is asked again, because its last reply could not be used.
	Again bool
	Since time.Time
	// Bytes is the length of what the seat wrote and thought so far.
	Bytes int
	// Note describes an attempt or a wait: "429, again in 12 s (2/5)". Until is the end of the wait, or the zero time.
	Note  string
	Until time.Time
}

// bytesPerToken is the estimate that the protocol uses.
const bytesPerToken = 4

// String says which seat is asked to do what: "consultee (codex) to evaluate".
func (c *Call) String() string {
	text := string(c.Seat)
	if c.Participant != "" {
		text += " (" + plain.Line(plain.Clip(c.Participant, maxName)) + ")"
	}
	text += " to " + StageName(c.Stage)
	if c.Again {
		text += " (again)"
	}
	return text
}

// Progress says how far the call is: "12 s, 45 tokens/s", or "12 s, 429, again in 12 s (2/5), 7 s left". It is "" in its
// first second.
func (c *Call) Progress(now time.Time) string {
	var parts []string
	seconds := now.Sub(c.Since).Seconds()
	if seconds >= 1 && !c.Since.IsZero() {
		parts = append(parts, fmt.Sprintf("%d s", int(seconds)))
		if c.Bytes > 0 && c.Note == "" {
			parts = append(parts, fmt.Sprintf("%d tokens/s", int(float64(c.Bytes)/bytesPerToken/seconds)))
		}
	}
	if c.Note != "" {
		parts = append(parts, c.Note)
		if left := c.Until.Sub(now); left > 0 {
			parts = append(parts, fmt.Sprintf("%.0f s left", math.Ceil(left.Seconds())))
		}
	}
	return strings.Join(parts, ", ")
}

// Line is the call with its progress: "consultee (codex) to evaluate: 12 s, 45 tokens/s".
func (c *Call) Line(now time.Time) string { return Sentence(c.String(), c.Progress(now)) }
