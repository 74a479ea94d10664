package view_test

import (
	"strings"
	"testing"
	"time"

	"moot/state"
	"moot/view"
)

// Every kind of failure has words of its own. Only one of them says that a reply failed the format (EX4).
func TestKindsOfFailuresHaveTheirOwnWords(t *testing.T) {
	known := map[string]state.FailureKind{}
	for _, kind := range state.FailureKinds() {
		if kind == state.FailureNone {
			continue
		}
		f := state.Failure{Seat: state.Consultee, Kind: kind}
		for _, words := range []string{view.FailureWords(f), view.FailureWords(f, f)} {
			if other, taken := known[words]; taken && other != kind {
				t.Errorf("%s and %s: %s", other, kind, words)
			}
			known[words] = kind
			if strings.Contains(words, "format") != (kind == state.FailureFormat) {
				t.Errorf("%s: %s", kind, words)
			}
		}
	}
}

// A line about a failure that somebody wrote into a session file is one bounded line without control characters.
func TestFailureLineIsBounded(t *testing.T) {
	foreign := strings.Repeat("\x1b[2J\n\u202eab ", 200_000)
	f := state.Failure{Seat: state.Consultee, Kind: state.FailureRefused, Text: foreign, Said: true}
	s := &state.State{Pause: state.Pause{Paused: state.PauseUnreachable, PauseReason: foreign, PauseFailure: f}}
	failure, line := view.StopOf(s)
	for _, text := range []string{view.FailureLine(foreign, f, f), failure.Text, line} {
		if len(text) > 10_000 || strings.ContainsAny(text, "\x1b\n\u202e") {
			t.Errorf("%d bytes: %.100q", len(text), text)
		}
	}
}

// Only a session that waits or ended badly says why; a pause comes before the exit that it interrupts.
func TestStopIsOfPausesAndBadEnds(t *testing.T) {
	resets := time.Date(2026, 11, 28, 16, 30, 0, 0, time.UTC)
	limit := state.Failure{Seat: state.Arbiter, Kind: state.FailureLimit, Text: "later", Said: true, Resets: resets}
	for name, c := range map[string]struct {
		state state.State
		want  view.Failure
		line  string
	}{
		"running":   {state.State{}, view.Failure{}, ""},
		"converged": {state.State{Ending: state.Ending{Exit: state.ExitConverged, ExitReason: "all is said"}}, view.Failure{}, ""},
		"quality": {
			state.State{Ending: state.Ending{Exit: state.ExitQuality, ExitReason: "it is off-topic"}},
			view.Failure{Text: "it is off-topic"},
			"ended early: it is off-topic",
		},
		"without a reason": {
			state.State{Pause: state.Pause{Paused: state.PauseUser}}, view.Failure{}, "paused, no decision: user",
		},
		"paused at the end": {
			state.State{
				Ending: state.Ending{Exit: state.ExitQuality, ExitReason: "it is off-topic"},
				Pause:  state.Pause{Paused: state.PauseUnreachable, PauseReason: "the arbiter …", PauseFailure: limit},
			},
			view.Failure{Seat: "arbiter", Kind: state.FailureLimit, Text: "later", Resets: "2026-11-28T16:30:00Z"},
			"paused, no decision: the arbiter …",
		},
	} {
		if failure, line := view.StopOf(&c.state); failure != c.want || line != c.line {
			t.Errorf("%s: %+v %q", name, failure, line)
		}
	}
}
