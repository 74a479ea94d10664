package run

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

// TestScenarios plays the files of testdata, one folder per format; see protocoltest.Scenarios. It also checks that the
// stored events replay to the same state and verify, that the session resumes with the same turn after any event, and
// that a panel's first pass is blind.
func TestScenarios(t *testing.T) {
	protocoltest.Scenarios(t, "testdata", func(t *testing.T, d *protocoltest.Desk) { checkRecord(t, d) })
}

// checkRecord checks that the events verify as they are read again, and that a session that is over
// would have resumed with the same turn after any event.
func checkRecord(t testing.TB, d *protocoltest.Desk) {
	t.Helper()
	over := d.State.Closed || d.State.Paused != state.PauseNone
	live, stored := &state.State{}, &state.State{}
	decoder := state.NewDecoder(formats.Rules()...)
	for _, e := range d.Events {
		data, err := json.Marshal(e.Data)
		if err != nil {
			t.Fatal(err)
		}
		again := e
		if again.Data, err = decoder.Decode(state.KindOf(e.Data), data); err != nil {
			t.Fatal(err)
		}
		if ruled, ok := again.Data.(*state.Ruled); ok && over {
			if want := resolver.Changed(stored, resolver.Rule(stored)); !reflect.DeepEqual(ruled.Rulings, want) {
				t.Fatalf("event %d records %v, and the rules give %v", e.Seq, ruled.Rulings, want)
			}
		}
		if live, err = state.Apply(live, e); err != nil {
			t.Fatal(err)
		}
		if stored, err = state.Apply(stored, again); err != nil {
			t.Fatal(err)
		}
		if !over {
			continue
		}
		here, there := protocol.Of(live).Next(live), protocol.Of(stored).Next(stored)
		if !reflect.DeepEqual(here, there) {
			t.Fatalf("after event %d, %s:\n%+v\nand replayed:\n%+v", e.Seq, state.KindOf(e.Data), here, there)
		}
		if reflect.DeepEqual(here, protocol.Turn{}) && !live.Closed && live.Paused == state.PauseNone {
			t.Fatalf("after event %d, %s, there is no next turn", e.Seq, state.KindOf(e.Data))
		}
	}
	if here, there := protocoltest.RulingLines(d.State), protocoltest.RulingLines(stored); here != there {
		t.Fatalf("replayed, the rulings differ:\n%s\n%s", here, there)
	}
	if _, is := d.State.Own.(*panel.Panel); is {
		checkBlind(t, d)
	}
}

// checkBlind checks that no panelist was shown another's reply before all have answered, and that
// comparing and voting seats do not see who wrote what.
func checkBlind(t testing.TB, d *protocoltest.Desk) {
	t.Helper()
	for _, p := range d.Prompts {
		for _, point := range d.State.Points.All() {
			if p.Stage == state.StagePropose && point.Round == 1 && !point.IsAuthor(p.Seat) &&
				strings.Contains(p.Text, point.Text) {
				t.Fatalf("%s is shown %s before it answered:\n%s", p.Seat, point.ID, p.Text)
			}
		}
		if p.Stage != panel.StageTriage && p.Stage != panel.StageVote {
			continue
		}
		for _, a := range d.State.Seats {
			if panel.IsPanelist(a.Seat) && a.Seat != p.Seat && strings.Contains(p.Text, string(a.Seat)+" ") {
				t.Fatalf("%s sees the name of %s when asked to %s:\n%s", p.Seat, a.Seat, p.Stage, p.Text)
			}
		}
	}
}

// recomputes returns the error of Verify.
func recomputes(t testing.TB, events []state.Event) error {
	t.Helper()
	parser, err := protocoltest.Parser()
	if err != nil {
		t.Fatal(err)
	}
	_, err = Verify(parser, events)
	return err
}
