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

// A line that says more about the same thing replaces the earlier one of its turn; what
// only repeats a conflict is dropped.
func TestTranscriptMergesTheLinesOfATurn(t *testing.T) {
	payloads := []state.Payload{
		&state.SessionOpened{Rules: formats.ByName(state.FormatPanel), Version: state.Version, ID: "s", Settings: state.Settings{Format: state.FormatPanel}},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: "panelist", Text: "a"},
		&state.PointRaised{ID: "P2", By: "panelist-2", Text: "b"},
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: "panelist-2", What: state.Reject, Objection: "no"},
		&state.ConflictFound{ID: "K1", What: "contradiction", A: "P1", B: "P2", By: state.Protocol, Challenges: []string{"C1"}},
	}
	var events []state.Event
	for i, p := range payloads {
		events = append(events, state.Event{Seq: i + 1, Data: p})
	}
	lines, err := view.NewTranscript(state.State{}).Add(events)
	if err != nil {
		t.Fatal(err)
	}
	conflicts := 0
	for i := range lines {
		switch lines[i].Label {
		case "challenge":
			t.Errorf("the challenge is listed beside its conflict: %s", lines[i].String())
		case "conflict":
			conflicts++
		}
	}
	if conflicts != 1 {
		t.Errorf("%d conflicts", conflicts)
	}
}
