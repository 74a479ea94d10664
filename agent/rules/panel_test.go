package rules_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/agent/rules"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

const (
	third  state.Seat = state.Panelist + "-2"
	fourth state.Seat = state.Panelist + "-3"
)

// panelOf seats rules as the first panelist and as who compares, and a script for
// each of the replies that are given, in a workspace with one file.
func panelOf(t *testing.T, strategy, then string, replies ...string) (s state.State, said []string) {
	t.Helper()
	dir := t.TempDir()
	err := os.WriteFile(filepath.Join(dir, "queue.go"), []byte("package queue\n\n// Put blocks the caller while the queue is full. It never drops a job.\nfunc Put() {}\n\nconst tries = 4\n"), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	seats := map[state.Seat]protocol.Participant{
		state.Orchestrator: rules.New(rules.Options{Workspace: dir}), state.Panelist: rules.New(rules.Options{Workspace: dir}),
	}
	opened := &state.SessionOpened{
		Version: state.Version, ID: "s", Question: "Does Put block the caller while the queue is full?",
		Settings: state.Settings{
			Format: state.FormatPanel, Nonce: "n", Workspace: dir,
			Panel: &state.PanelSettings{Strategy: strategy, Then: then, Contradiction: 0.3, Agreement: 0.8},
		},
		Seats: []state.SeatAssignment{
			{Seat: state.Orchestrator, Participant: rules.Name, NoModel: true}, {Seat: state.Panelist, Participant: rules.Name, NoModel: true},
		},
	}
	for i, reply := range replies {
		seat := state.Seat(fmt.Sprintf("%s-%d", state.Panelist, i+2))
		seats[seat] = mustScript(t, reply)
		opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: "script", NoModel: true})
	}
	runner, log := held(t, protocol.Panel{}, opened, seats)
	for _, e := range log.Events() {
		if counted, ok := e.Data.(*state.UsageCounted); ok {
			said = append(said, counted.Notes...)
		}
		if reply, ok := e.Data.(*state.ReplyReceived); ok && seats[reply.Seat].Name() == rules.Name {
			for _, refused := range reply.Refused {
				t.Errorf("refused to %s in %s: %s: %s\n%s", reply.Seat, reply.Stage, refused.Code, refused.Text, reply.Text)
			}
		}
	}
	return runner.State, said
}

func settlement(t *testing.T, s *state.State, id string) *state.Settlement {
	t.Helper()
	c := s.Conflict(id)
	if c == nil || c.Settlement == nil {
		t.Fatalf("%s was not settled\n%s", id, told(s))
	}
	return c.Settlement
}

// In a panel a sentence of the files is raised in its own words, so that what
// others say can be held against it: the same is marked as the same, and its
// opposite as a contradiction.
func TestPanelClaimsAreCompared(t *testing.T) {
	t.Parallel()
	s, said := panelOf(t, "tiered", "", "--- panelist-2/propose\n1. Put blocks the caller while the queue is full", "--- panelist-3/propose\n1. Put does not block the caller while the queue is full")
	if got := s.Point("P1").Text; got != "Put blocks the caller while the queue is full (queue.go:3)" {
		t.Fatalf("P1 is %q\n%s", got, told(&s))
	}
	table := resolver.NewTable(&s)
	claim := table.Claim("P1")
	if len(table.Conflicts()) != 1 || !slices.Equal(claim.Holders, []state.Seat{state.Panelist, third}) {
		t.Errorf("held by %v, %d conflicts\n%s", claim.Holders, len(table.Conflicts()), told(&s))
	}
	expect(t, &s, "P1", state.BucketAgreed, string(state.TagTextual))
	expect(t, &s, "P3", state.BucketDismissed, string(state.TagRejected))
	if len(said) == 0 || !strings.Contains(said[0], "with no language model") {
		t.Errorf("what was compared is not said: %q", said)
	}
}

// Rules vote for what a line says nearly word by word, and cite it.
func TestPanelVoteIsShown(t *testing.T) {
	t.Parallel()
	s, _ := panelOf(t, "tiered", "", "--- panelist-2/propose\n1. It never drops a job", "--- panelist-3/propose\n1. It drops a job")
	got := settlement(t, &s, "K1")
	if !slices.Contains(got.Positions, state.Position{Seat: state.Panelist, Point: "P2"}) || !got.Settled || got.Winner != "P2" {
		t.Fatalf("%+v\n%s", got, told(&s))
	}
	items := s.Point("P2").Evidence
	if len(items) != 1 || s.Item(items[0]).Reference != "queue.go:3" || !s.Item(items[0]).Counts() {
		t.Errorf("the vote cites %v\n%s", items, told(&s))
	}
}

// Where nothing shows either side, or one is a value judgment, rules take none, and
// say so.
func TestPanelVoteIsLeftOut(t *testing.T) {
	t.Parallel()
	s, said := panelOf(t, "tiered", "",
		"--- panelist-2/propose\n"+`{"moves":[{"move":"RAISE","text":"Retries of jobs are bounded here"},{"move":"RAISE","text":"Blocking is better than dropping here","value_judgment":true}]}`,
		"--- panelist-3/propose\n"+`{"moves":[{"move":"RAISE","text":"Retries of jobs are unbounded here"},{"move":"RAISE","text":"Blocking is worse than dropping here","value_judgment":true}]}`)
	for _, id := range []string{"K1", "K2"} {
		if got := settlement(t, &s, id); got.Settled || len(got.Positions) != 2 {
			t.Errorf("%s: %+v", id, got)
		}
	}
	all := strings.Join(said, "\n")
	if !strings.Contains(all, "no side in K1: no verified evidence") || !strings.Contains(all, "no side in K2: one of the two is called a value judgment") {
		t.Errorf("not said: %s", all)
	}
}

// In what is argued rules defend by the quotation.
func TestPanelIsArgued(t *testing.T) {
	t.Parallel()
	s, _ := panelOf(t, "vote", state.ThenConsult, "--- panelist-2/propose\n1. Put does not block the caller while the queue is full\n--- panelist-2/answer\nI concede C2")
	c := s.Conflict("K1")
	if c == nil || !c.Argued || settlement(t, &s, "K1").Settled {
		t.Fatalf("%+v\n%s", c, told(&s))
	}
	expect(t, &s, "P1", state.BucketAgreed, string(state.TagTextual))
	expect(t, &s, "P2", state.BucketDismissed, string(state.TagConceded))
}

// A vote shows nothing that both sides hold, nor what turns a point round.
func TestPanelVoteIsReadFromWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct {
		text, left, right string
		want              []string
	}{
		{"Lists are better than streams for this queue.", "Lists are better than streams for this queue", "Lists are worse than streams for this queue", []string{"P1"}},
		{"A job is tried at most 4 times.", "A job is tried at most 5 times", "A job is tried at most 4 times", []string{"P2"}},
		{"A job is tried again.", "A job is tried at most 5 times", "A job is tried at most 4 times", nil},
		{"The lock is held by the reader. The lock is held by the writer.", "The lock is held by the reader", "The lock is never held by the reader", []string{"P1"}},
	} {
		if err := os.WriteFile(filepath.Join(dir, "notes.md"), []byte(c.text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		payloads := []state.Payload{
			&state.SessionOpened{Version: state.Version, ID: "s", Question: "q", Settings: state.Settings{
				Format: state.FormatPanel, Nonce: "n", Panel: &state.PanelSettings{Strategy: "vote"},
			}, Seats: []state.SeatAssignment{
				{Seat: state.Panelist, Participant: "rules"}, {Seat: third, Participant: "a"}, {Seat: fourth, Participant: "b"},
			}},
			&state.RoundStarted{Round: 1},
			&state.PointRaised{ID: "P1", By: third, Text: c.left},
			&state.PointRaised{ID: "P2", By: fourth, Text: c.right},
			&state.ConflictFound{ID: "K1", What: state.Disagreement, A: "P1", B: "P2", By: state.Protocol, Challenges: []string{}},
		}
		s := state.State{}
		for i, p := range payloads {
			var err error
			if s, err = state.Apply(s, state.Event{Seq: i + 1, Data: p}); err != nil {
				t.Fatal(err)
			}
		}
		reply, err := rules.New(rules.Options{Workspace: dir}).Reply(context.Background(), protocol.Call{
			Ask:   protocol.Ask{Seat: state.Panelist, Stage: state.StageVote, Moves: []protocol.MoveKind{protocol.MoveClassify, protocol.MoveCite, protocol.MoveFlag}},
			State: s,
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var moves struct{ Moves []*protocol.Classify }
		if err := json.Unmarshal([]byte(reply.Text), &moves); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range moves.Moves {
			if m.Class == state.Agree && len(m.Citations) == 1 {
				got = append(got, m.Point)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q votes for %v, not %v:\n%s", c.text, got, c.want, reply.Text)
		}
	}
}
