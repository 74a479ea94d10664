package tui

import (
	"strings"
	"testing"

	"moot/state"
)

// Who answered, and what was mended to read it, is on the screen: in the record and
// in the transcript.
func TestWhoAnsweredIsSaid(t *testing.T) {
	reply := &state.ReplyReceived{
		Seat: state.Consultee, Stage: state.StagePropose, Model: "qwen3", Valid: true, By: "ollama:qwen3",
		Recovered: "the conversation was gone", Repaired: []string{"a comma too many was dropped"},
		Refused: []state.Refusal{{Code: state.DroppedField, Text: "a field was dropped"}},
	}
	w := eventWords(&state.Event{Data: reply})
	for _, want := range []string{"by ollama:qwen3, its fallback", "recovered: the conversation was gone", "repaired: a comma too many was dropped"} {
		if !strings.Contains(w.text, want) {
			t.Errorf("the record says %q, not %q", w.text, want)
		}
	}
	if strings.Contains(w.text, "refused") {
		t.Errorf("a dropped field is counted as refused: %q", w.text)
	}
	tr := newTranscript()
	tr.add([]state.Event{
		{Data: &state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: state.Consultee, Participant: "openai:gpt", Answering: "ollama:qwen3"}}},
		{Data: reply},
	})
	var said []string
	for _, e := range tr.entries {
		said = append(said, e.lead+" "+e.text)
	}
	all := strings.Join(said, "\n")
	for _, want := range []string{"openai:gpt, answered by its fallback ollama:qwen3", "ollama:qwen3, its fallback", "recovered the conversation", "repaired a comma"} {
		if !strings.Contains(all, want) {
			t.Errorf("the transcript lacks %q:\n%s", want, all)
		}
	}
	if strings.Contains(all, "these were complete") {
		t.Errorf("the transcript shows what is for the seat alone:\n%s", all)
	}
}
