package script

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moot/internal/enum"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/state"
	"moot/state/store"
)

func read(t *testing.T, text string) *Script {
	t.Helper()
	s, err := Read(strings.NewReader(text), "replies.txt")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func ask(t *testing.T, s *Script, seat state.Seat, stage state.Stage) string {
	t.Helper()
	reply, err := s.Reply(context.Background(), protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: seat, Stage: stage}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return reply.Text
}

func TestPlainTextIsOneReply(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"The queue loses jobs.\n\n---\n\nAnd so on.\n",
		"A patch:\n\n--- a/queue.go\n+++ b/queue.go\n",
		"1. a claim\n--- a/Makefile\n",
		"---- four are no mark\n",
		"\uFEFF{\"moves\":[]}",
	} {
		s := read(t, text)
		if got := ask(t, s, "consultee", "propose"); got != strings.TrimPrefix(text, "\uFEFF") {
			t.Errorf("%q became %q", text, got)
		}
		if got := ask(t, s, "consultee", "answer"); got != Silence {
			t.Errorf("after %q comes %q", text, got)
		}
	}
	if got := ask(t, read(t, ""), "consultee", "propose"); got != Silence {
		t.Errorf("an empty file says %q", got)
	}
	if got := ask(t, read(t, "before\n--- consultee/answer\nafter"), "consultee", "propose"); got != "before" {
		t.Errorf("what stands before the first header is lost: %q", got)
	}
	if got := ask(t, read(t, "--- consultee/propose\r\none\r\ntwo\r\n"), "consultee", "propose"); got != "one\ntwo" {
		t.Errorf("line ends: %q", got)
	}
}

func TestBadHeaders(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"--- consultee/propse\nx":         {"replies.txt:1:", `"propse"`, "propose"},
		"---\nx\n--- consulte/answer\ny":  {"replies.txt:3:", `"consulte"`, "consultee"},
		"text\n--- consultee/anser\nmore": {"replies.txt:2:", `"anser"`, "answer"},
		"--- judg\nx":                     {"replies.txt:1:", `"judg"`, "judge"},
	} {
		_, err := Read(strings.NewReader(text), "replies.txt")
		var unknown *enum.UnknownError
		if !errors.As(err, &unknown) {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for _, word := range want {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%q: the error does not say %q: %v", text, word, err)
			}
		}
	}
}

func TestFilesThatCannotBe(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if _, err := Open(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Open(folder); err == nil || !strings.Contains(err.Error(), folder) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Read(strings.NewReader(strings.Repeat("x", MaxFile+1)), "big"); err == nil || !strings.Contains(err.Error(), "16 MiB") {
		t.Errorf("a large file: %v", err)
	}
	if _, err := Read(strings.NewReader("a\xff"), "bytes"); err == nil || !strings.Contains(err.Error(), "UTF-8") {
		t.Errorf("bytes: %v", err)
	}
}

func session(t *testing.T) (*store.File, []state.Event) {
	t.Helper()
	log, err := store.Create(t.TempDir(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	payloads := []state.Payload{
		&state.SessionOpened{Rules: formats.ByName(consult.Name), Version: state.Version, ID: "s", Question: "q", Settings: state.Settings{
			Format: consult.Name, Input: state.Input{Options: []string{}, Views: []state.View{}}, Context: []state.Document{}, Official: []string{},
		}, Seats: []state.SeatAssignment{{Seat: state.Orchestrator, Participant: "rules"}, {Seat: state.Consultee, Participant: "script:replies.txt"}}},
		&state.ReplyReceived{Seat: state.Orchestrator, Stage: state.StageMap, Text: "SHAPE: a list", Valid: true},
		&state.ReplyReceived{Seat: state.Consultee, Stage: state.StagePropose, Text: "?", Refused: []state.Refusal{}},
		&state.ReplyReceived{Seat: state.Consultee, Stage: state.StagePropose, Text: "1. one", Valid: true},
	}
	var events []state.Event
	for i, p := range payloads {
		events = append(events, state.Event{Seq: i + 1, At: time.Unix(int64(i), 0).UTC(), Data: p})
	}
	if err := log.Append(events); err != nil {
		t.Fatal(err)
	}
	return log, events
}

func TestSessionFile(t *testing.T) {
	t.Parallel()
	log, _ := session(t)
	data, err := os.ReadFile(log.Path())
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	s := read(t, text)
	for _, want := range []string{"?", "1. one", Silence} {
		if got := ask(t, s, state.Consultee, state.StagePropose); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if got := ask(t, s, state.Orchestrator, state.StageMap); got != "SHAPE: a list" {
		t.Errorf("the map: %q", got)
	}
	_, err = Read(strings.NewReader(strings.Replace(text, "1. one", "1. two", 1)), "s.jsonl")
	var damaged *store.DamageError
	if !errors.As(err, &damaged) || !strings.Contains(err.Error(), "s.jsonl") {
		t.Errorf("a changed session: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := read(t, "x")
	if _, err := s.Reply(ctx, protocol.Call{}, nil); !errors.Is(err, context.Canceled) || s.Left() != 1 {
		t.Errorf("%v, %d left", err, s.Left())
	}
}

func FuzzRead(f *testing.F) {
	f.Add("--- consultee/propose\nx\n---\ny")
	f.Add("{\"seq\":1,\"at\":")
	f.Add("--- a/b\n--- */\n---\t/x")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Read(strings.NewReader(text), "f")
		if err != nil {
			return
		}
		for range s.Left() + 1 {
			ask(t, s, state.Consultee, state.StagePropose)
		}
	})
}

// A reply of a session file that broke off does so again; one that could not be
// read is read again; a participant that gave no answer gives none.
func TestSessionFileWithBrokenReplies(t *testing.T) {
	t.Parallel()
	log, err := store.Create(t.TempDir(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	payloads := []state.Payload{
		&state.SessionOpened{Rules: formats.ByName(consult.Name), Version: state.Version, ID: "s", Question: "q", Settings: state.Settings{
			Format: consult.Name, Input: state.Input{Options: []string{}, Views: []state.View{}}, Context: []state.Document{}, Official: []string{},
		}, Seats: []state.SeatAssignment{{Seat: state.Orchestrator, Participant: "rules"}, {Seat: state.Consultee, Participant: "openai:gpt"}}},
		&state.ReplyReceived{Seat: state.Consultee, Stage: state.StagePropose, Text: "1. ha", Refused: []state.Refusal{{Code: "broken"}}},
		&state.ReplyRefused{Seat: state.Consultee, Stage: state.StagePropose, Code: "broken", Reason: "openai:gpt broke off"},
		&state.ReplyReceived{Seat: state.Consultee, Stage: state.StagePropose, Text: "what?", Refused: []state.Refusal{{Code: "no-moves"}}},
		&state.ReplyRefused{Seat: state.Consultee, Stage: state.StagePropose, Code: "no-moves", Reason: "the reply holds no move"},
		&state.SeatMissed{Seat: state.Consultee, Stage: state.StageAnswer, Reason: "openai:gpt is gone"},
		&state.ReplyReceived{Seat: state.Consultee, Stage: state.StageRemind, Refused: []state.Refusal{{Code: "refused"}}},
		&state.ReplyRefused{
			Seat: state.Consultee, Stage: state.StageRemind, Code: "refused", Reason: "it declined",
			Failure: &state.Failure{Seat: state.Consultee, Kind: state.FailureRefused, Text: "I won't.", Said: true},
		},
		&state.SeatMissed{
			Seat: state.Consultee, Stage: state.StageRebut, Reason: `reached a limit: "Later."; add credit`,
			Failure: &state.Failure{Seat: state.Consultee, Kind: state.FailureLimit, Text: "Later.", Said: true},
		},
	}
	var events []state.Event
	for i, p := range payloads {
		events = append(events, state.Event{Seq: i + 1, At: time.Unix(int64(i), 0).UTC(), Data: p})
	}
	if err := log.Append(events); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(log.Path())
	if err != nil {
		t.Fatal(err)
	}
	s := read(t, string(data))
	_, err = s.Reply(context.Background(), protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose}}, nil)
	var broken *protocol.Broken
	if !errors.As(err, &broken) || broken.Code != "broken" || broken.Partial != "1. ha" || broken.What != "openai:gpt broke off" {
		t.Errorf("%v", err)
	}
	if got := ask(t, s, state.Consultee, state.StagePropose); got != "what?" {
		t.Errorf("%q", got)
	}
	_, err = s.Reply(context.Background(), protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer}}, nil)
	if !errors.As(err, new(*protocol.Unreachable)) {
		t.Errorf("%v", err)
	}
	_, err = s.Reply(context.Background(), protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageRemind}}, nil)
	if !errors.As(err, &broken) || broken.Cause != (protocol.Cause{Kind: state.FailureRefused, Said: "I won't."}) {
		t.Errorf("%+v", err)
	}
	_, err = s.Reply(context.Background(), protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageRebut}}, nil)
	var gone *protocol.Unreachable
	if !errors.As(err, &gone) || gone.Cause != (protocol.Cause{Kind: state.FailureLimit, Said: "Later."}) || gone.Fix != "add credit" {
		t.Errorf("%+v", err)
	}
	if s.Left() != 0 {
		t.Errorf("%d left", s.Left())
	}
}
