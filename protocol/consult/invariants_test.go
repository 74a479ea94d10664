package consult_test

import (
	"testing"

	"pgregory.net/rapid"

	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/protocol/protocoltest/random"
	"moot/state"
)

// TestInvariants lets seats and the user move at random. It checks INV1 to INV8 after every event, and recomputes and
// replays the record at the end. There are more sessions with -rapid.checks=10000.
func TestInvariants(t *testing.T) {
	t.Parallel()
	random.Invariants(t, randomConsult)
}

// TestSentences checks each sentence of the results of random sessions (SE2).
func TestSentences(t *testing.T) {
	t.Parallel()
	random.Sentences(t, randomConsult)
}

func randomConsult(t *rapid.T) (*state.SessionOpened, random.Seats) {
	o := protocoltest.Opened(consult.Name)
	o.Settings.Framing = rapid.SampledFrom(state.Framings()).Draw(t, "framing")
	o.Settings.Mode = rapid.SampledFrom(state.Modes()).Draw(t, "mode")
	o.Settings.HighStakes = rapid.Bool().Draw(t, "stakes")
	o.Settings.Workspace = rapid.SampledFrom([]string{"", "/work"}).Draw(t, "workspace")
	o.Settings.Input = state.Input{
		Design: "1. alpha holds\n2. beta holds", Position: "alpha holds", Options: []string{"alpha", "beta"},
		Views: []state.View{{Name: "a", Text: "alpha"}, {Name: "b", Text: "beta"}},
	}
	o.Seats = append(o.Seats, state.SeatAssignment{Seat: state.Arbiter})
	if rapid.Bool().Draw(t, "second") {
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: "consultee-2"})
	}
	return o, random.Consultation{}
}
