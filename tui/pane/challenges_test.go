package pane_test

import (
	"testing"

	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// The title counts the challenges that wait for an answer or a judgment. An upheld one waits for neither.
func TestAnUpheldChallengeIsNotCountedAsOpen(t *testing.T) {
	s := &state.State{}
	challenges := pane.NewChallenges(theme.New(theme.Appearance{Mono: true}))
	for i, step := range []struct {
		payload state.Payload
		title   string
	}{
		{payload: &state.SessionOpened{
			Rules: formats.ByName(consult.Name), Version: state.Version, ID: "s", Question: "Which queue?",
			Settings: state.Settings{Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeStandard},
			Seats: []state.SeatAssignment{
				{Seat: state.Orchestrator, Participant: "openai:a"}, {Seat: state.Consultee, Participant: "openai:b"},
			},
		}},
		{payload: &state.RoundStarted{Round: 1}},
		{payload: &state.PointRaised{ID: "P1", By: state.Consultee, Text: "Lists lose messages"}},
		{
			payload: &state.ChallengeRaised{
				ID: "C1", Point: "P1", By: state.Orchestrator, Kind: state.Reject, Objection: "they do not",
			},
			title: "Challenges 1 open",
		},
		{
			payload: &state.ChallengeAnswered{Challenge: "C1", By: state.Consultee, Text: "they do after a crash"},
			title:   "Challenges 1 open",
		},
		{
			payload: &state.ChallengeJudged{
				Challenge: "C1", By: state.Orchestrator, Judgment: state.Rejected, Reason: "no crash was shown",
			},
			title: "Challenges",
		},
	} {
		next, err := state.Apply(s, state.Event{Seq: i + 1, Data: step.payload})
		if err != nil {
			t.Fatal(err)
		}
		s = next
		challenges.SetState(s, view.NewArgument(s, nil))
		if step.title != "" && challenges.Title() != step.title {
			t.Errorf("after %T the title is %q, want %q", step.payload, challenges.Title(), step.title)
		}
	}
}
