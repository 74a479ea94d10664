package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/state"
	"moot/state/store"
)

func TestNewIDsSortByTimeAndAreValid(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	if id := store.NewID(time.Date(2026, 11, 21, 16, 30, 45, 0, time.FixedZone("", 3600)), bytes.NewReader([]byte{19, 3, 15, 34})); id != "20261121-153045-k3f2" {
		t.Errorf("got %s", id)
	}
	var ids []string
	for i := range 200 {
		id := store.NewID(noon.Add(time.Duration(i)*time.Minute), random)
		if err := store.CheckID(id); err != nil {
			t.Error(err)
		}
		ids = append(ids, id)
	}
	if !slices.IsSorted(ids) {
		t.Error("ids do not sort by time")
	}
}

// closing ends a session of n events.
func closing(n int) []state.Event {
	return []state.Event{
		{Seq: n + 1, At: noon.Add(time.Hour), Data: &state.ExitReached{Exit: state.ExitConverged}},
		{Seq: n + 2, At: noon.Add(time.Hour), Data: &state.SessionClosed{Exit: state.ExitConverged}},
	}
}

// keep puts a session with the id and the time of its opening into dir.
func keep(t *testing.T, dir, id string, at time.Time, more ...state.Event) {
	t.Helper()
	f := create(t, dir, id)
	first := opened("question of " + id)
	first.At = at
	appendTo(t, f, append([]state.Event{first}, more...)...)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestListSummarizes(t *testing.T) {
	dir := t.TempDir()
	events := append(points(2, 3),
		state.Event{Seq: 5, At: noon, Data: &state.RoundStarted{Round: 1}},
		state.Event{Seq: 6, At: noon, Data: &state.PhaseChanged{Phase: state.Constructive}},
		state.Event{Seq: 7, At: noon, Data: &state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: "consultee", Participant: "person"}, By: "user"}},
		state.Event{Seq: 8, At: noon, Data: &state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: "arbiter", Participant: "rules"}, By: "user"}},
		state.Event{Seq: 9, At: noon, Data: &state.Ruled{Round: 1, Rulings: []state.Ruling{
			{Point: "P1", Bucket: state.BucketOpen}, {Point: "P2", Bucket: state.BucketAgreed}, {Point: "P3", Bucket: state.BucketAgreed},
		}}},
		state.Event{Seq: 10, At: noon, Data: &state.Ruled{Round: 1, Rulings: []state.Ruling{{Point: "P1", Bucket: state.BucketDismissed}}}},
		state.Event{Seq: 11, At: noon.Add(time.Minute), Data: &state.SessionPaused{Why: state.PauseBudget}},
	)
	keep(t, dir, "rich", noon, events...)
	all, err := store.List(dir)
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	rich := all[0]
	info, err := os.Stat(rich.Path)
	if err != nil {
		t.Fatal(err)
	}
	want := store.Summary{
		ID: "rich", Path: filepath.Join(dir, "rich.jsonl"), Question: "question of rich", Format: "consult",
		Seats: []state.SeatAssignment{
			{Seat: "orchestrator", Participant: "rules"}, {Seat: "consultee", Participant: "person"}, {Seat: "arbiter", Participant: "rules"},
		},
		OpenedAt: noon, UpdatedAt: noon.Add(time.Minute), Paused: state.PauseBudget, Phase: state.Constructive, Round: 1,
		Buckets: map[state.Bucket]int{state.BucketAgreed: 2, state.BucketDismissed: 1}, Events: 11, Size: info.Size(), Changed: info.ModTime(),
	}
	if !reflect.DeepEqual(rich, want) {
		t.Errorf("got  %+v\nwant %+v", rich, want)
	}
}

// A pause hides why a session ended badly while it lasts.
func TestListSaysWhySessionsStopped(t *testing.T) {
	dir := t.TempDir()
	refused := &state.Failure{Seat: "consultee", Kind: state.FailureRefused, Text: "no", Said: true}
	limit := &state.Failure{Seat: "orchestrator", Kind: state.FailureLimit}
	end := []state.Payload{
		&state.ExitReached{Exit: state.ExitQuality, Reason: "it declined", Failure: refused},
		&state.SessionPaused{Why: state.PauseUnreachable, Reason: "no credit", Failure: limit}, &state.SessionResumed{},
		&state.SessionClosed{Exit: state.ExitQuality},
	}
	for n, want := range []struct {
		reason  string
		failure *state.Failure
	}{{}, {"it declined", refused}, {"no credit", limit}, {"it declined", refused}, {"it declined", refused}} {
		name := fmt.Sprintf("s%d", n)
		var events []state.Event
		for i, p := range end[:n] {
			events = append(events, state.Event{Seq: 2 + i, At: noon, Data: p})
		}
		keep(t, dir, name, noon, events...)
		all, err := store.List(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range all {
			if s := &all[i]; s.ID == name && (s.Reason != want.reason || !reflect.DeepEqual(s.Failure, want.failure)) {
				t.Errorf("after %d events: %q, %+v", n, s.Reason, s.Failure)
			}
		}
	}
}

// A merged point is not counted: the other one is.
func TestListSkipsMergedPoints(t *testing.T) {
	dir := t.TempDir()
	f := create(t, dir, "one")
	event := func(seq int, data state.Payload) state.Event { return state.Event{Seq: seq, At: noon, Data: data} }
	appendTo(t, f, opened("Which queue?"), event(2, &state.PointRaised{ID: "P1", By: "consultee"}),
		event(3, &state.PointRaised{ID: "P2", By: "consultee"}),
		event(4, &state.Ruled{Rulings: []state.Ruling{
			{Point: "P1", Bucket: state.BucketAgreed},
			{Point: "P2", Bucket: state.BucketDismissed, Receipt: state.Receipt{Rule: "RD2"}},
		}}))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	all, err := store.List(dir)
	if want := map[state.Bucket]int{state.BucketAgreed: 1}; err != nil || !reflect.DeepEqual(all[0].Buckets, want) {
		t.Errorf("got %+v, want %v, %v", all, want, err)
	}
}

func TestListShowsWhatIsBroken(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "older", noon)
	keep(t, dir, "newer", noon.Add(time.Hour), closing(1)...)
	_, text := session(t)
	for name, text := range map[string][]byte{
		"torn.jsonl": text[:len(text)-5], "flipped.jsonl": bytes.Replace(text, []byte("P4"), []byte("P5"), 1),
		"older.labels.jsonl": []byte("{}\n"), "notes.txt": []byte("x"), "older.lock": nil, ".hidden.jsonl": nil,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := store.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]store.Summary{}
	var ids []string
	for _, s := range all {
		byID[s.ID] = s
		ids = append(ids, s.ID)
	}
	if len(ids) != 4 || slices.Index(ids, "newer") > slices.Index(ids, "older") {
		t.Errorf("listed: %v", ids)
	}
	if s := byID["newer"]; !s.Closed || s.Exit != state.ExitConverged || s.Broken != "" {
		t.Errorf("closed: %+v", s)
	}
	if s := byID["torn"]; s.Broken != "" || s.Events != 4 || s.Repaired.Cut == 0 {
		t.Errorf("torn: %+v", s)
	}
	if s := byID["flipped"]; !strings.Contains(s.Broken, "damaged at line 5") || s.Events != 4 || s.Question != "Which queue?" {
		t.Errorf("flipped: %+v", s)
	}
	if all, err := store.List(filepath.Join(dir, "none")); err != nil || len(all) != 0 {
		t.Errorf("no folder: %v, %v", all, err)
	}
}

// What a killed process left before its session had an event is never listed, and removed
// unless a process still writes it.
func TestLeftoversAreRemoved(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "whole", noon)
	held := create(t, dir, "held")
	for _, name := range []string{"empty.jsonl", ".new-1", "young.jsonl", ".new-2"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-time.Minute)
	for _, name := range []string{"whole.jsonl", "held.jsonl", "empty.jsonl", ".new-1"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if all, err := store.List(dir); err != nil || len(all) != 1 {
		t.Errorf("listed: %+v, %v", all, err)
	}
	var left []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if want := []string{".new-2", "held.jsonl", "whole.jsonl", "young.jsonl"}; err != nil || !slices.Equal(left, want) {
		t.Errorf("left: %v, %v", left, err)
	}
	appendTo(t, held, opened("q"))
	store.RemoveEmpty(filepath.Join(dir, "whole.jsonl"))
	if all, err := store.List(dir); err != nil || len(all) != 2 {
		t.Errorf("a session that was written since it was listed is gone: %+v, %v", all, err)
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "20261120-100000-aaaa", noon)
	keep(t, dir, "20261121-100000-bbbb", noon.Add(time.Hour))
	keep(t, dir, "20261121-100000-cccc", noon.Add(2*time.Hour), closing(1)...)
	keep(t, dir, "20261121", noon)
	for id, want := range map[string]string{
		"20261120":             "20261120-100000-aaaa",
		"20261121":             "20261121",
		"20261121-100000-c":    "20261121-100000-cccc",
		"20261120-100000-aaaa": "20261120-100000-aaaa",
	} {
		if path, err := store.Find(dir, id); err != nil || path != filepath.Join(dir, want+".jsonl") {
			t.Errorf("%q: %s, %v", id, path, err)
		}
	}
	_, err := store.Find(dir, "2026112")
	if err == nil || !strings.Contains(err.Error(), "4 sessions begin with") || !strings.Contains(err.Error(), "20261121-100000-cccc, ") {
		t.Errorf("ambiguous: %v", err)
	}
	_, err = store.Find(dir, "20261121-100000-bbbx")
	if err == nil || !strings.Contains(err.Error(), "did you mean 20261121-100000-bbbb?") {
		t.Errorf("unknown: %v", err)
	}
	if _, err = store.Find(dir, "zzzz"); err == nil || !strings.Contains(err.Error(), "moot list") {
		t.Errorf("unknown: %v", err)
	}
	for _, id := range []string{"../x", ""} {
		if _, err = store.Find(dir, id); err == nil || !strings.Contains(err.Error(), "is not a session id") {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestRemove(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "first", noon)
	keep(t, dir, "second", noon)
	path := filepath.Join(dir, "first.jsonl")
	if err := store.AppendLabel(path, store.Label{At: noon, Point: "P1"}); err != nil {
		t.Fatal(err)
	}
	if err := store.Remove(dir, "first"); err != nil {
		t.Fatal(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 || entries[0].Name() != "second.jsonl" {
		t.Errorf("left: %v", entries)
	}
	if err := store.Remove(dir, "secnd"); err == nil || !strings.Contains(err.Error(), "did you mean second?") {
		t.Errorf("unknown: %v", err)
	}
	if err := store.Remove(dir, "../second"); err == nil {
		t.Error("outside")
	}
}

func TestTheLastLabelOfAPointWins(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "s1", noon)
	path := filepath.Join(dir, "s1.jsonl")
	before, _ := os.ReadFile(path)
	if labels, err := store.Labels(path); err != nil || len(labels) != 0 {
		t.Errorf("none: %v, %v", labels, err)
	}
	for _, label := range []store.Label{{noon, "P2", true}, {noon, "P1", true}, {noon.Add(time.Hour), "P2", false}} {
		if err := store.AppendLabel(path, label); err != nil {
			t.Fatal(err)
		}
	}
	labels, err := store.Labels(path)
	if err != nil || !reflect.DeepEqual(labels, []store.Label{{noon.Add(time.Hour), "P2", false}, {noon, "P1", true}}) {
		t.Errorf("%v, %v", labels, err)
	}
	file := filepath.Join(dir, "s1.labels.jsonl")
	text, _ := os.ReadFile(file)
	if first, _, _ := strings.Cut(string(text), "\n"); first != `{"at":"2026-11-21T12:00:00Z","point":"P2","true":true}` {
		t.Errorf("written: %s", first)
	}
	if err := store.AppendLabel(path, store.Label{At: noon, Point: "P3"}); err != nil {
		t.Fatal(err)
	}
	if labels, err = store.Labels(path); err != nil || len(labels) != 3 {
		t.Errorf("%v, %v", labels, err)
	}
	if err := os.WriteFile(file, append([]byte("{}\n"), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Labels(path); err == nil || !strings.Contains(err.Error(), "line 1 is not a label") {
		t.Errorf("damaged: %v", err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, before) {
		t.Error("the session was changed")
	}
	if all, err := store.List(dir); err != nil || len(all) != 1 {
		t.Errorf("labels are listed: %v, %v", all, err)
	}
}

func TestADamagedSessionIsRecoveredByItsPrefix(t *testing.T) {
	events, text := session(t)
	path := write(t, bytes.Replace(text, []byte(`"P3"`), []byte(`"P4"`), 1))
	lines, err := store.Lines(path)
	if damage, ok := errors.AsType[*store.DamageError](err); !ok || damage.Line != 4 || len(lines) != 3 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	dir := t.TempDir()
	recovered, err := store.Import(dir, "recovered", lines)
	if err != nil {
		t.Fatal(err)
	}
	kept, _ := os.ReadFile(recovered)
	if !bytes.HasPrefix(text, kept) {
		t.Error("the lines are not the same bytes")
	}
	f, got, err := store.Open(recovered)
	if err != nil || !reflect.DeepEqual(got.Events, events[:3]) {
		t.Fatalf("%d events, %v", len(got.Events), err)
	}
	if err := errors.Join(f.Append(events[3:]), f.Close()); err != nil {
		t.Error(err)
	}
	if _, err := store.Import(dir, "recovered", lines); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over another session: %v", err)
	}
	if _, err := store.Import(dir, "half", []string{lines[0], lines[2]}); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a broken chain: %v", err)
	}
}
