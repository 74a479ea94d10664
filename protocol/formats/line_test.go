package formats_test

import (
	"testing"

	"moot/protocol/formats"
	"moot/state"
	"moot/view"
)

// Every kind of event has words of its own in the formats that have it.
func TestEveryKindOfEventHasWords(t *testing.T) {
	for _, kind := range state.KindNames() {
		payload, err := state.Decode(kind, []byte("{}"))
		if err != nil {
			continue
		}
		worded := false
		for _, format := range state.Formats() {
			s := &state.State{Rules: formats.ByName(format), Settings: state.Settings{Format: format}}
			lines := view.Event(s, s, &state.Event{Seq: 1, Data: payload})
			worded = worded || lines[0].Label != kind || lines[0].Text != ""
		}
		if !worded {
			t.Errorf("%s has no words", kind)
		}
	}
}
