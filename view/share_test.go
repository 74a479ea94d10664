package view_test

import (
	"testing"

	"moot/protocol/protocoltest"
	"moot/state"
	"moot/view"
)

// The rounds of a history hold each line once, in the order of time, and count the points as the session had ruled them.
func TestHistoryTellsARoundAtATime(t *testing.T) {
	events := protocoltest.Dispute(t).Events
	rounds, err := view.History(events)
	if err != nil {
		t.Fatal(err)
	}
	s, err := state.Replay(events)
	if err != nil {
		t.Fatal(err)
	}
	last, seq := 0, 0
	for i := range rounds {
		r := &rounds[i]
		if i > 0 && r.Number != last+1 {
			t.Errorf("round %d follows round %d", r.Number, last)
		}
		last = r.Number
		for _, l := range r.Lines {
			if l.Seq < seq || l.Routine {
				t.Errorf("event %d follows event %d, routine %t", l.Seq, seq, l.Routine)
			}
			seq = l.Seq
		}
	}
	if last != s.Round {
		t.Errorf("the last round is %d, want %d", last, s.Round)
	}
	if got, want := view.BucketCounts(rounds[len(rounds)-1].Counts), view.RuledCounts(s); got != want {
		t.Errorf("the last round counts %s, want %s", got, want)
	}
	if _, err := view.History(events[1:]); err == nil {
		t.Error("events without their beginning are told")
	}
}
