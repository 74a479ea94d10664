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

// A call that brought no reply is told with what it took: nothing else on the screen
// says that it was paid for (EX6).
func TestCallWithoutAReplyIsTold(t *testing.T) {
	t.Parallel()
	tr := newTranscript()
	tr.add([]state.Event{
		{Seq: 1, Data: &state.UsageCounted{Seat: state.Consultee, Calls: 1, PromptTokens: 1200, CompletionTokens: 300, Cost: 0.02, Attempts: 3, Notes: []string{"asked without json_schema"}}},
		{Seq: 2, Data: &state.SessionPaused{Why: state.PauseUnreachable, Reason: "no answer"}},
		{Seq: 3, Data: &state.UsageCounted{Seat: state.Consultee, Calls: 1, PromptTokens: 900, Attempts: 1}},
		{Seq: 4, Data: &state.ReplyReceived{Seat: state.Consultee, Valid: true}},
		{Seq: 5, Data: &state.UsageCounted{Seat: state.Consultee, Calls: 1, PromptTokens: 1200, CompletionTokens: 300, Estimated: true, Attempts: 1}},
		{Seq: 6, Data: &state.ReplyReceived{Seat: state.Consultee, Valid: true}},
	})
	if len(tr.entries) != 5 {
		t.Fatalf("%d entries", len(tr.entries))
	}
	if got := tr.entries[4].right; !strings.HasPrefix(got, "~1.2k in 300 out") {
		t.Errorf("an estimate is told as %q", got)
	}
	if e := tr.entries[0]; e.seq != 1 || e.text != "gave no reply" || !strings.Contains(e.right, "$0.02") || !strings.Contains(e.right, "3 tries") {
		t.Errorf("told %q, %q", e.text, e.right)
	}
	if got := tr.entries[1].text; got != "asked without json_schema" {
		t.Errorf("the note is %q", got)
	}
	if got := tr.entries[3].right; strings.Contains(got, "$") {
		t.Errorf("the reply is said to have taken %q", got)
	}
}
