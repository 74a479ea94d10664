package tui

import (
	"strings"
	"testing"
	"time"

	"moot/state"
	"moot/state/store"
	"moot/tui/pane"
	"moot/view"
)

// The screen and home say why a session paused or ended badly, in the words of every other form (SE3, SE4).
func TestScreensSayWhyASessionStopped(t *testing.T) {
	failure := state.Failure{
		Seat: state.Consultee, Kind: state.FailureLimit, Text: "You exceeded your quota.", Said: true,
		Resets: time.Date(2026, 11, 28, 16, 30, 0, 0, time.UTC),
	}
	refused := state.Failure{Seat: state.Consultee, Kind: state.FailureRefused, Text: "I will not.", Said: true}
	paused := &state.SessionPaused{Why: state.PauseUnreachable, Reason: view.FailureLine("ollama:qwen3", failure), Failure: &failure}
	exit := &state.ExitReached{Exit: state.ExitQuality, Reason: view.FailureLine("ollama:qwen3", refused, refused), Failure: &refused}
	for name, c := range map[string]struct {
		end     []state.Payload
		summary store.Summary
	}{
		"paused": {[]state.Payload{paused}, store.Summary{
			ID: "k3f9", Question: "Is it so?", Paused: paused.Why, Reason: paused.Reason, Failure: paused.Failure,
		}},
		"ended": {[]state.Payload{exit, &state.SessionClosed{Exit: exit.Exit, Inconclusive: true}}, store.Summary{
			ID: "k3f9", Question: "Is it so?", Exit: exit.Exit, Closed: true, Reason: exit.Reason, Failure: exit.Failure,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h := &recorder{t: t, state: &state.State{}}
			h.add(opened(
				state.SeatAssignment{Seat: state.Orchestrator, Participant: "rules", NoModel: true},
				state.SeatAssignment{Seat: state.Consultee, Participant: "ollama:qwen3"},
			), &state.RoundStarted{Round: 1})
			h.add(c.end...)
			_, want := view.StopOf(h.state)
			says := func(where, text string) {
				t.Helper()
				if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
					t.Errorf("%s lacks %q:\n%s", where, want, text)
				}
			}
			m := screenOf(t, h, Options{}, 200, 40)
			m.idle, m.ended = true, h.state.Closed
			_, status := m.status()
			says("the status", status)
			m.focusOn(pane.ResultID)
			says("the result", screenText(m))
			says("home", screenText(homeOf(t, &house{sessions: []store.Summary{c.summary}}, Options{}, 200, 30)))
		})
	}
}
