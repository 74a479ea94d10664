package view_test

import (
	"strings"
	"testing"
	"time"

	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/state"
	"moot/view"
)

// opened is a session with these events after it was opened.
func opened(t *testing.T, events ...state.Payload) *state.State {
	t.Helper()
	s, _, err := state.Extend(&state.State{}, time.Unix(0, 0), append([]state.Payload{&state.SessionOpened{
		Rules: formats.ByName(consult.Name), Version: state.Version, ID: "20261128-120000-aaaa", Question: "Is it safe?",
		Settings: state.Settings{
			Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "n",
			Input: state.Input{Options: []string{}, Views: []state.View{}},
		},
		Seats: []state.SeatAssignment{{Seat: state.Consultee, Participant: "openai:m"}},
	}}, events...)...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What a running session does and what it needs is said from its record and its process alone. What a model wrote stands
// on the same line, behind words of moot's.
func TestStatusOfARunningSession(t *testing.T) {
	asked := view.Asking{Seat: state.Consultee, Participant: "openai:m", Stage: state.StagePropose}
	me := view.Asking{Seat: state.Consultee, Participant: "me", Stage: state.StagePropose, Person: true}
	question := &state.QuestionSurfaced{
		ID: "Q1", What: state.QuestionConstraint, Text: "-rf\n\x1b[31mhow many?\a", Options: []string{"one", "two\n"},
	}
	round := &state.RoundStarted{Round: 1}
	paused := &state.SessionPaused{Why: state.PauseBudget, Reason: "9 of 8 tokens are used; raise it with --max-tokens"}
	for name, test := range map[string]struct {
		events         []state.Payload
		now            *view.Present
		needs, running string
	}{
		"before the first round": {nil, &view.Present{}, "", "round 1 has not begun, no seat is asked at the moment; 0 calls, 0 tokens in, 0 out"},
		"asks":                   {[]state.Payload{round}, &view.Present{Asked: []view.Asking{asked}}, "", "round 1 of 8, the consultee (openai:m) to propose; "},
		"unknown":                {[]state.Payload{round}, nil, "", "round 1 of 8, its process cannot be asked what it does; "},
		"asks the user":          {[]state.Payload{round}, &view.Present{Asked: []view.Asking{me}}, "you are asked, as the consultee, to propose", "round 1 of 8, the consultee (me) to propose"},
		"a question":             {[]state.Payload{question}, &view.Present{Questions: []string{"Q1"}}, `Q1 asks: -rf \x1b[31mhow many?\x07 (one | two )`, ""},
		"two questions":          {[]state.Payload{question}, &view.Present{Questions: []string{"Q1", "Q2"}}, "2 questions, the first: Q1 asks: -rf", ""},
		"an unknown question":    {nil, &view.Present{Questions: []string{"Q7"}}, "1 question: Q7", ""},
		"paused":                 {[]state.Payload{paused}, &view.Present{Waits: true}, "paused, no decision: 9 of 8 tokens are used", ""},
		"step by step":           {nil, &view.Present{Waits: true, Next: []view.Asking{asked}}, "step by step: next is the consultee (openai:m) to propose", ""},
		"waits":                  {nil, &view.Present{Waits: true}, "it waits until you let it continue", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := opened(t, test.events...)
			if now := test.now; now != nil {
				if needs := view.NeedsUser(s, now); !strings.HasPrefix(needs, test.needs) || (needs == "") != (test.needs == "") {
					t.Errorf("it needs %q", needs)
				}
			}
			if running := view.Running(s, test.now); !strings.HasPrefix(running, test.running) || strings.ContainsAny(running, "\n\x1b") {
				t.Errorf("it says %q", running)
			}
		})
	}
	huge := *question
	huge.Text = strings.Repeat("x", 1<<20)
	if needs := view.NeedsUser(opened(t, &huge), &view.Present{Questions: []string{"Q1"}}); len(needs) > 3000 {
		t.Errorf("a question of a mebibyte takes %d bytes", len(needs))
	}
	if result := view.Result(opened(t, paused), nil); result != "paused, no decision: 9 of 8 tokens are used; raise it with --max-tokens" {
		t.Errorf("the result is %q", result)
	}
	if result := view.Result(opened(t), nil); result != "" {
		t.Errorf("the result of a session that runs is %q", result)
	}
}
