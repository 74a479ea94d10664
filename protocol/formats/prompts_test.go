package formats

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/move"
	"moot/protocol/review"
	"moot/state"
)

// Every section of the pages of prompts is sent to some seat: nothing else finds a section whose
// name the code does not use.
func TestEverySectionIsSent(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../*/prompts.md")
	if err != nil || len(pages) != len(All())+1 {
		t.Fatal(pages, err)
	}
	sections := map[string]string{}
	for _, page := range append(pages, "../prompts.md") {
		content, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		_, text, _ := strings.Cut(string(content), "\n# ")
		for section := range strings.SplitSeq(text, "\n# ") {
			name, body, _ := strings.Cut(section, "\n")
			sections[page+" "+name] = strings.TrimSpace(body)
		}
	}
	var sent strings.Builder
	for _, f := range All() {
		opened := &state.SessionOpened{
			Rules: f, Version: state.Version, ID: "s", Question: "q",
			Settings: state.Settings{Format: f.Name(), Workspace: "w", Attended: true, Own: f.Own().Settings},
		}
		if own, ok := opened.Settings.Own.(*hearing.Settings); ok {
			own.Form = hearing.FormAnchored // It adds a section.
		}
		settings, stages := f.Settings(), slices.Concat(state.SharedStages(), f.Own().Stages)
		for _, framing := range append(state.Framings(), "") {
			opened.Settings.Framing = framing
			s, err := state.Apply(&state.State{}, state.Event{Seq: 1, Data: opened})
			if err != nil {
				t.Fatal(err)
			}
			if f.Name() == review.Name {
				s = withFindings(t, s)
			}
			later := *s
			later.Round, later.Answers, later.Settings.Attended = 2, []state.Answer{{}}, false
			for _, seat := range settings.Seats() {
				for _, stage := range stages {
					ask := protocol.Ask{Seat: state.Seat(seat), Stage: stage, Moves: []move.Kind{move.KindRaise, move.KindRead}}
					for _, s := range []*state.State{s, &later} {
						p := protocol.Of(s).Prompt(s, ask)
						sent.WriteString(p.System + "\n" + p.Text + "\n")
					}
				}
			}
		}
	}
	for name, body := range sections {
		// What comes before the first value that is filled in.
		if begin, _, _ := strings.Cut(body, "{{"); !strings.HasSuffix(name, " moves") && !strings.Contains(sent.String(), strings.TrimSpace(begin)) {
			t.Errorf("%s is sent to nobody", name)
		}
	}
}

// withFindings adds three findings to a review, two of which mean the same.
func withFindings(t *testing.T, s *state.State) *state.State {
	t.Helper()
	var events []state.Payload
	for i, seat := range []state.Seat{"reviewer", "reviewer-2", "reviewer-2"} {
		id := state.NextID('P', i)
		events = append(events, &review.FindingMade{
			Point: id, By: seat, What: "it leaks", Severity: review.High, Path: "a.go",
		})
	}
	events = append(events, &review.FindingsGrouped{Groups: [][]string{{"P1", "P2"}}, Compared: 3})
	found, _, err := state.Extend(s, s.At, events...)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
