package state

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// A word that does not apply is written as "", and read so: a session of a
// format without framings, a challenge that is no REJECT, an override that
// sets no kind.
func TestWordsThatDoNotApplyAreReadBack(t *testing.T) {
	for _, payload := range []Payload{
		&SessionOpened{Version: Version, ID: "s", Settings: Settings{Format: "consult"}},
		&ChallengeRaised{ID: "C1", Point: "P1", By: Orchestrator, Kind: Skeptical, Objection: "which?"},
		&OverrideMade{What: OverrideAgree, Point: "P1"},
	} {
		data, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		got, err := NewDecoder().Decode(KindOf(payload), data)
		if err != nil || !reflect.DeepEqual(got, payload) {
			t.Errorf("%s: got %+v, %v", KindOf(payload), got, err)
		}
	}
}

// A word outside of a closed list is refused with the nearest known one.
func TestAnUnknownWordIsRefused(t *testing.T) {
	for kind, data := range map[string]string{
		"override-made": `{"what":"agre","point":"P1"}`, "point-triaged": `{"point":"P1","scope":"inscope"}`,
		"session-opened":   `{"settings":{"mode":"standart","format":"consult"}}`,
		"challenge-raised": `{"flaw_kind":"emprical"}`, "ruled": `{"rulings":[{"bucket":"agred"}]}`,
	} {
		if _, err := NewDecoder().Decode(kind, []byte(data)); err == nil || !strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%s %s: %v", kind, data, err)
		}
	}
}
