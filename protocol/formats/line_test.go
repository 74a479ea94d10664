package formats_test

import (
	"testing"

	"moot/protocol/formats"
	"moot/state"
	"moot/view"
)

// Every kind of event has its own words in the formats that have it.
func TestEveryKindOfEventHasWords(t *testing.T) {
	decoder := state.NewDecoder(formats.Rules()...)
	for _, kind := range decoder.Kinds() {
		payload, err := decoder.Decode(kind, []byte("{}"))
		if err != nil {
			continue
		}
		worded := false
		for _, f := range formats.All() {
			format := f.Name()
			s := &state.State{Rules: f, Settings: state.Settings{Format: format}}
			lines := view.Event(s, s, &state.Event{Seq: 1, Data: payload})
			worded = worded || lines[0].Label != kind || lines[0].Text != ""
		}
		if !worded {
			t.Errorf("%s has no words", kind)
		}
	}
}
