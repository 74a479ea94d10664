package state

import (
	"encoding"
	"encoding/json"
	"reflect"
	"testing"
)

// A word that does not apply is written as "", and read so: a session of a
// format without framings, a challenge that is no REJECT, an override that
// sets no kind.
func TestWordsThatDoNotApplyAreReadBack(t *testing.T) {
	for _, payload := range []Payload{
		&SessionOpened{Version: Version, ID: "s", Settings: Settings{Format: FormatConsult}},
		&ChallengeRaised{ID: "C1", Point: "P1", By: Orchestrator, What: Skeptical, Objection: "which?"},
		&OverrideMade{What: OverrideAgree, Point: "P1"},
	} {
		data, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(payload.Kind(), data)
		if err != nil || !reflect.DeepEqual(got, payload) {
			t.Errorf("%s: got %+v, %v", payload.Kind(), got, err)
		}
	}
	for _, into := range []encoding.TextUnmarshaler{new(Kind), new(Mode), new(Framing)} {
		if err := into.UnmarshalText([]byte("emprical")); err == nil {
			t.Errorf("%T takes an unknown word", into)
		}
	}
}
