package view_test

import (
	"strings"
	"testing"

	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// A preview has the answer with what each sentence rests on, then what is open. Without an answer it lists the claims, and
// says whether one may still come.
func TestPreview(t *testing.T) {
	r := protocoltest.EveryBucket(t)
	text := func() string {
		d := view.Preview(r.State, resolver.Rule(r.State))
		lines := []string{d.Title, d.Heading}
		for _, s := range d.Sections {
			lines = append(lines, s.Title)
			for _, it := range s.Items {
				lines = append(lines, strings.TrimSpace(it.ID+" "+it.Mark))
				for _, n := range it.Notes {
					lines = append(lines, n.Label+": "+n.Text)
				}
			}
		}
		return strings.Join(lines, "\n")
	}
	if got := text(); !strings.Contains(got, "no answer yet") || !strings.Contains(got, "CLAIMS\nP1 ") || strings.Contains(got, "ANSWER") {
		t.Errorf("before the answer:\n%s", got)
	}
	r.Add(&state.AnswerGiven{By: state.Orchestrator, Sentences: []state.Sentence{{ID: "S1", Text: "Move to streams.", Points: []string{"P1"}}}})
	got := text()
	for _, want := range []string{"ANSWER\n\nrests on: ", "P1 ", "UNRESOLVED\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "CLAIMS") || strings.Contains(got, "no answer") {
		t.Errorf("with an answer:\n%s", got)
	}
}
