package cli

import (
	"testing"

	"moot/protocol"
	"moot/state"
)

// Lines say once a call that a seat thinks, and nothing of what.
func TestLinesSayOnceThatASeatThinks(t *testing.T) {
	t.Parallel()
	b := newNoticeQueue()
	for range 3 {
		b.push(protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee}})
		for range 100 {
			b.push(protocol.Thinking{Seat: state.Consultee, Text: "hm"})
			b.push(protocol.Streamed{Seat: state.Consultee, Text: "1. "})
		}
		b.push(protocol.CallEnded{Seat: state.Consultee})
	}
	told := 0
	for _, n := range b.take() {
		if _, thinks := n.(protocol.Thinking); thinks {
			told++
		}
	}
	if told != 3 {
		t.Errorf("told %d times, not once a call", told)
	}
}
