package protocoltest

import (
	"cmp"
	"slices"
	"sync"
	"testing"
	"time"

	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// RecordTime is when everything in a Record happens.
func RecordTime() time.Time { return time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC) }

// Record folds payloads into a state, as a session does.
type Record struct {
	T      testing.TB
	State  *state.State
	Events []state.Event
}

// NewRecord returns an empty record.
func NewRecord(t testing.TB) *Record { return &Record{T: t, State: &state.State{}} }

// Add records payloads and returns their events.
func (r *Record) Add(payloads ...state.Payload) []state.Event {
	first := len(r.Events)
	for _, p := range payloads {
		if open, opens := p.(*state.SessionOpened); opens && open.Rules == nil {
			// A session that was read from JSON has only the name of its format.
			open.Rules = formats.ByName(cmp.Or(open.Settings.Format, consult.Name))
		}
		e := state.Event{Seq: r.State.Seq + 1, At: RecordTime(), Data: p}
		next, err := state.Apply(r.State, e)
		if err != nil {
			r.T.Fatal(err)
		}
		r.State, r.Events = next, append(r.Events, e)
	}
	return r.Events[first:]
}

// Rule records the rulings, as the end of a round does.
func (r *Record) Rule() {
	r.Add(&state.Ruled{Round: r.State.Round, Rulings: resolver.Rule(r.State)})
}

// Call records the usage of a call.
func (r *Record) Call(seat state.Seat, in, out int, cost float64) {
	r.Add(&state.UsageCounted{
		Seat: seat, Calls: 1, PromptTokens: in, CompletionTokens: out, Cost: cost, Attempts: 1,
	})
}

// Sure records a confidence of a seat in a point.
func (r *Record) Sure(seat state.Seat, point string, stated, admitted float64) {
	r.Add(&state.ConfidenceReported{Seat: seat, Point: point, Stated: stated, Admitted: admitted})
}

// once returns a function that makes a record once for all tests. Each test gets a copy to add to.
func once(of func(t testing.TB) *Record) func(t testing.TB) *Record {
	var making sync.Once
	var made *Record
	return func(t testing.TB) *Record {
		t.Helper()
		making.Do(func() { made = of(t) })
		if made == nil {
			t.Fatal("another test failed to make this record")
		}
		return &Record{T: t, State: made.State, Events: slices.Clip(made.Events)}
	}
}
