package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/agent/person"
	"moot/protocol"
	"moot/state"
)

// A follower forgets what is over: an answered question, a pause that the user ended, a call that has ended.
func TestFollower(t *testing.T) {
	question := func(answered bool) *state.State {
		s := &state.State{Seats: []state.SeatAssignment{{Seat: state.Consultee, Participant: "rules"}}}
		s.Questions = s.Questions.Append(&state.Question{ID: "Q1", Text: "Which one?", Answered: answered})
		return s
	}
	open, answered, paused := question(false), question(true), question(true)
	paused.Paused, paused.PauseReason = state.PauseBudget, "spent"
	ask := protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose}
	f := &follower{state: open}
	for _, step := range []struct {
		notice protocol.Notice
		needs  string
	}{
		{protocol.CallStarted{Ask: ask, Participant: "rules"}, ""},
		{protocol.Streamed{Seat: state.Consultee, Text: "Q9"}, ""},
		{protocol.CallEnded{Seat: state.Consultee}, ""},
		{protocol.Waiting{Questions: []string{"Q1"}}, "Q1 asks: Which one?"},
		{protocol.Advanced{State: answered}, ""},
		{protocol.Waiting{Questions: []string{"Q1"}}, ""}, // A host tells whoever comes late.
		{protocol.CallStarted{Ask: ask, Participant: person.Name}, "you are asked, as the consultee, to propose"},
		{protocol.CallEnded{Seat: state.Consultee}, ""},
		{protocol.Advanced{State: paused}, ""},
		{protocol.TurnReady{}, "paused, no decision: spent"},
		{protocol.Advanced{State: answered}, ""},
		{protocol.TurnReady{}, ""},
		{protocol.TurnReady{Asks: []protocol.Ask{ask}}, "step by step: next is the consultee (rules) to propose"},
		{protocol.Advanced{State: answered}, "step by step: next is the consultee (rules) to propose"},
		{protocol.Ended{State: answered}, ""},
	} {
		if f.take(step.notice); f.needs() != step.needs {
			t.Errorf("after %T it needs %q, want %q", step.notice, f.needs(), step.needs)
		}
	}
}

// A log is only the user's, has a limit, and starts again once it is more than half full.
func TestSessionLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "logs", "a.log")
	write := func(texts ...string) string {
		t.Helper()
		log, err := openLog(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if n, err := log.Write([]byte(text)); n != len(text) || err != nil {
				t.Errorf("%d bytes written, %v", n, err)
			}
		}
		if err := log.file.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	write("one\n")
	if text := write("two\n"); text != "one\ntwo\n" {
		t.Errorf("a second run leaves %q", text)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	half := strings.Repeat("x", maxLog/2)
	text := write(half, half, "never")
	if len(text) > maxLog+100 || strings.Contains(text, "never") || strings.Count(text, "the log is full") != 1 {
		t.Errorf("%d bytes, the end is %q", len(text), text[len(text)-100:])
	}
	if text := write("three\n"); text != "three\n" {
		t.Errorf("a full log becomes %.100q", text)
	}
	c := &Console{State: filepath.Dir(filepath.Dir(path)), Err: &bytes.Buffer{}}
	if c.logPath("a") != path {
		t.Errorf("the log of a session is %s", c.logPath("a"))
	}
}
