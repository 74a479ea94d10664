package protocol

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"moot/internal/plain"
	"moot/state"
)

// The kind of a failure is the cause that the participant names, or else what its error says.
func TestFailureOfAnError(t *testing.T) {
	at := time.Date(2026, 11, 28, 17, 30, 0, 0, time.FixedZone("", 3600))
	for name, c := range map[string]struct {
		err  error
		want state.Failure
	}{
		"unreachable": {&Unreachable{What: "refused"}, state.Failure{Kind: state.FailureUnreachable, Text: "refused"}},
		"limit": {
			&Unreachable{What: "429", Cause: Cause{Kind: state.FailureLimit, Said: "\n Slow down.\nBye", Resets: at}},
			state.Failure{Kind: state.FailureLimit, Text: "Slow down.", Said: true, Resets: at.UTC()},
		},
		"wrapped": {
			fmt.Errorf("ask: %w", &Unreachable{What: "x", Cause: Cause{Kind: state.FailureLogin}}),
			state.Failure{Kind: state.FailureLogin, Text: "x"},
		},
		"too long": {&TooLong{What: "400"}, state.Failure{Kind: state.FailureContext, Text: "400"}},
		"broken":   {&Broken{Code: "length", What: "cut"}, state.Failure{Kind: state.FailureFormat, Text: "cut"}},
		"off":      {&Broken{Code: "broken", What: "off"}, state.Failure{Kind: state.FailureUnreachable, Text: "off"}},
		"empty":    {&Broken{Code: "empty", What: "none"}, state.Failure{Kind: state.FailureEmpty, Text: "none"}},
		"declined": {&Broken{Code: "refused", What: "no"}, state.Failure{Kind: state.FailureRefused, Text: "no"}},
		"filtered": {&Broken{Code: "filtered", What: "no"}, state.Failure{Kind: state.FailureFiltered, Text: "no"}},
		"named": {
			&Broken{Code: "empty", What: "no", Cause: Cause{Kind: state.FailureThinking}},
			state.Failure{Kind: state.FailureThinking, Text: "no"},
		},
		"another error": {errors.New("odd"), state.Failure{Kind: state.FailureUnreachable, Text: "odd"}},
		// A time that JSON cannot write would lose the event.
		"never": {
			&Unreachable{What: "x", Cause: Cause{Resets: time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)}},
			state.Failure{Kind: state.FailureUnreachable, Text: "x"},
		},
	} {
		if got := FailureOf(c.err); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// The first line of a foreign text is bounded, and nothing in it acts on a terminal.
func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " \n\t\n": "", "\r\n one \r\ntwo": "one", "a\x1b[31mb\x00": `a\x1b[31mb\x00`, "\xff": "\uFFFD",
	} {
		if got := plain.FirstLine(text); got != want {
			t.Errorf("%q gives %q", text, got)
		}
	}
	if got := plain.FirstLine(strings.Repeat("\x1b", 1<<20)); len([]rune(got)) > plain.MaxSaid {
		t.Errorf("%d characters", len([]rune(got)))
	}
}
