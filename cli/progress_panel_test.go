package cli

import (
	"fmt"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/state"
	"moot/view"
)

// The progress of a panel: each conflict once, with its two sides, without the challenges that repeat it. Text of
// participants never starts a line.
func TestAPanelIsToldInLines(t *testing.T) {
	t.Parallel()
	var now state.State
	var said []string
	p := &progress{transcript: view.NewTranscript(state.State{}), line: func(format string, args ...any) {
		line := fmt.Sprintf(format, args...)
		if strings.Contains(line, "\n") {
			t.Errorf("a line breaks: %q", line)
		}
		said = append(said, strings.Join(strings.Fields(line), " "))
	}}
	tell := func(payloads ...state.Payload) {
		t.Helper()
		told := after(t, &now, payloads...)
		p.advanced(told)
	}
	seats := []state.SeatAssignment{{Seat: "panelist"}, {Seat: "panelist-2"}, {Seat: "panelist-3"}, {Seat: "panelist-4"}}
	tell(&state.SessionOpened{Rules: formats.ByName(state.FormatPanel), Version: state.Version, ID: "s", Settings: state.Settings{Format: state.FormatPanel}, Seats: seats}, &state.RoundStarted{Round: 1})
	said = nil
	tell(&state.SeatMissed{Seat: "panelist-4", Stage: state.StagePropose, Reason: "refused\nsettled    K1 for P2"})
	tell(&state.PointRaised{ID: "P1", By: "panelist", Text: "it is safe"}, &state.PointRaised{ID: "P2", By: "panelist-2", Text: "it is not safe"})
	said = said[:1]
	tell(
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Protocol, What: state.Skeptical, Objection: "P2 says the opposite"},
		&state.ChallengeRaised{ID: "C2", Point: "P2", By: state.Protocol, What: state.Skeptical, Objection: "P1 says the opposite"},
		&state.ConflictFound{ID: "K1", What: state.Contradiction, A: "P1", B: "P2", By: state.Protocol, Challenges: []string{"C1", "C2"}},
	)
	tell(
		&state.ReplyReceived{Seat: "panelist-3", Stage: state.StageVote, Valid: true},
		&state.PointClassified{Point: "P1", By: "panelist-3", Class: state.Agree, Reason: "acks"},
	)
	tell(
		&state.ConflictSettled{ID: "K1", Settlement: state.Settlement{Method: "escalate", Reasoning: "1 for P1\nand 1 for P2 is no clear vote"}},
		&state.ConflictSettled{ID: "K1", Settlement: state.Settlement{
			Method: "vote", Winner: "P1", Settled: true, Positions: []state.Position{{Point: "P1"}, {Point: "P2"}, {Point: "P1"}},
		}},
		&state.ConflictDropped{ID: "K1", By: state.User, Reason: "one thing"},
		&state.SeatRecalled{Seat: "panelist-4", By: state.User},
	)
	want := []string{
		"missing panelist-4: gave no answer: refused settled K1 for P2",
		"conflict K1 contradiction: P1 (panelist) and P2 (panelist-2)",
		"vote P1 by panelist-3: acks",
		"unsettled K1: 1 for P1 and 1 for P2 is no clear vote",
		"settled K1 for P1 by vote, 2/3",
		"dropped K1 by user: no conflict: one thing",
		"again panelist-4: is asked again, as you decided",
	}
	if got := strings.Join(said, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("told:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// after applies the payloads to the state, and returns the notice of them.
func after(t *testing.T, now *state.State, payloads ...state.Payload) protocol.Advanced {
	t.Helper()
	told := protocol.Advanced{}
	for _, payload := range payloads {
		e := state.Event{Seq: now.Seq + 1, Data: payload}
		next, err := state.Apply(*now, e)
		if err != nil {
			t.Fatal(err)
		}
		*now, told.Events = next, append(told.Events, e)
	}
	told.State = *now
	return told
}
