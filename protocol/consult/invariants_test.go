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
	if o.Settings.Framing == state.FramingAudit {
		o.Settings.Input.Audit = randomAudit(t)
	}
	o.Seats = append(o.Seats, state.SeatAssignment{Seat: state.Arbiter})
	if rapid.Bool().Draw(t, "second") {
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: "consultee-2"})
	}
	return o, random.Consultation{}
}

func randomAudit(t *rapid.T) *state.Audit {
	audit := &state.Audit{Statements: []state.AuditedStatement{}}
	for _, text := range []string{"alpha holds", "beta holds"} {
		statement := state.AuditedStatement{Text: text, Line: 1, Places: []state.AuditedPlace{}}
		for range rapid.IntRange(0, 2).Draw(t, "places") {
			verdict := rapid.SampledFrom(state.PlaceVerdicts()).Draw(t, "verdict")
			statement.Places = append(statement.Places, state.AuditedPlace{
				Cited: "a.go:1", Path: "a.go", Verdict: verdict, Reason: "its quote is there", Text: "1: package a\n",
			})
		}
		audit.Statements = append(audit.Statements, statement)
	}
	return audit
}
