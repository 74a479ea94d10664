package view_test

import (
	"slices"
	"strings"
	"testing"

	"moot/protocol/protocoltest"
	"moot/resolver"
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

// What is open is asked of the user, unresolved, or open; and only a session without any of that says that nothing is.
func TestWhatIsOpenForTheUser(t *testing.T) {
	s, err := state.Replay(protocoltest.Dispute(t).Events)
	if err != nil {
		t.Fatal(err)
	}
	rulings := resolver.Rule(s)
	open := view.OpenForYou(s, rulings)
	for _, it := range open.Items {
		r := resolver.RulingOn(rulings, it.ID)
		q := s.QuestionByID(it.ID)
		if (q == nil || q.Answered) && (r == nil || r.Bucket != state.BucketOpen && r.Bucket != state.BucketUnresolved) {
			t.Errorf("%s is listed as open", it.ID)
		}
	}
	for i := range rulings {
		r := &rulings[i]
		p := s.Point(r.Point)
		listed := slices.ContainsFunc(open.Items, func(it view.Item) bool {
			return it.ID == p.ID || len(it.Notes) > 0 && strings.HasPrefix(it.Notes[0].Text, p.ID+":")
		})
		if waits := r.Bucket == state.BucketOpen || r.Bucket == state.BucketUnresolved; waits && p.MergedInto == "" && !listed {
			t.Errorf("%s is %s and not listed", p.ID, r.Bucket)
		}
	}
	if len(open.Items) == 0 || len(open.Lines) > 0 {
		t.Errorf("%d items, and it says %q", len(open.Items), open.Lines)
	}
	if none := view.OpenForYou(&state.State{}, nil); len(none.Items) > 0 || len(none.Lines) != 1 {
		t.Errorf("a session without claims: %+v", none)
	}
}
