package protocoltest

import (
	"encoding/json"
	"reflect"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// CheckRecord checks that the events verify as they are read again, and that a session that is over
// would have resumed with the same turn after any event. It is a check for Scenarios.
func CheckRecord(t *testing.T, d *Desk) {
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
	if here, there := RulingLines(d.State), RulingLines(stored); here != there {
		t.Fatalf("replayed, the rulings differ:\n%s\n%s", here, there)
	}
}
