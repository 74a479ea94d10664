package store_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"moot/state"
	"moot/state/store"
)

var later = noon.Add(time.Hour)

// debate is a session in the units 1, 2-4, 5-8 (its debate is over at 7) and 9,
// which closes it.
func debate(t testing.TB, dir string) (string, []state.Event) {
	t.Helper()
	events := append([]state.Event{opened("Which queue?")}, points(2, 5)...)
	for _, data := range []state.Payload{
		&state.ExitReached{Exit: state.ExitConverged}, &state.Arbitrated{}, &state.SessionClosed{Exit: state.ExitConverged},
	} {
		events = append(events, state.Event{Seq: len(events) + 1, At: noon, Data: data})
	}
	f, err := store.Create(dir, "s1")
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range [][]state.Event{events[:1], events[1:4], events[4:8], events[8:]} {
		appendTo(t, f, unit...)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Path(), events
}

func TestAForkIsAPrefixThatContinues(t *testing.T) {
	dir := t.TempDir()
	path, events := debate(t, dir)
	before, _ := os.ReadFile(path)
	made, err := store.Fork(dir, "s1", 4, "s2", later)
	if err != nil {
		t.Fatal(err)
	}
	lines, _ := store.Lines(path)
	cut, err := store.Decode(bytes.NewReader(joined(lines[:4])), "")
	if err != nil {
		t.Fatal(err)
	}
	want := store.Forked{
		ID: "s2", Path: filepath.Join(dir, "s2.jsonl"),
		Fork: state.Fork{From: "s1", Seq: 4, Head: cut.Head, At: later},
	}
	if made != want {
		t.Errorf("got  %+v\nwant %+v", made, want)
	}
	f, got, err := store.Open(made.Path)
	if err != nil {
		t.Fatal(err)
	}
	first := *events[0].Data.(*state.SessionOpened)
	first.ID, first.Fork = "s2", &made.Fork
	if !reflect.DeepEqual(got.Events[0], state.Event{Seq: 1, At: noon, Data: &first}) || !reflect.DeepEqual(got.Events[1:], events[1:4]) {
		t.Errorf("the fork holds %+v", got.Events)
	}
	appendTo(t, f, state.Event{Seq: 5, At: later, Data: &state.RoundStarted{Round: 1}})
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, before) {
		t.Error("the old session was changed")
	}
	if info, err := os.Stat(made.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestWhatCannotBeForked(t *testing.T) {
	dir := t.TempDir()
	path, _ := debate(t, dir)
	_, err := store.Fork(dir, "s1", 10, "s2", later)
	if got, ok := errors.AsType[*store.RangeError](err); !ok || got.Last != 9 || !strings.Contains(err.Error(), "its events are 1 to 9") {
		t.Errorf("past the end: %v", err)
	}
	for _, at := range []int{0, -2} {
		if _, err := store.Fork(dir, "s1", at, "s2", later); !errors.As(err, new(*store.RangeError)) {
			t.Errorf("event %d: %v", at, err)
		}
	}
	if _, err := store.Fork(dir, "s9", 1, "s2", later); err == nil || !strings.Contains(err.Error(), "did you mean s1?") {
		t.Errorf("an unknown id: %v", err)
	}
	if _, err := store.Fork(dir, "s1", 1, "s1", later); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a taken id: %v", err)
	}
	if _, err := store.Fork(dir, "s1", 1, "../s2", later); err == nil {
		t.Error("an id that leaves the folder is taken")
	}
	text, _ := os.ReadFile(path)
	if err := os.WriteFile(path, bytes.Replace(text, []byte(`"P5"`), []byte(`"P6"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{store.LastOpen, 5} {
		if _, err := store.Fork(dir, "s1", at, "s2", later); !errors.As(err, new(*store.DamageError)) {
			t.Errorf("damaged, at %d: %v", at, err)
		}
	}
	if made, err := store.Fork(dir, "s1", 3, "s3", later); err != nil || made.Fork.Seq != 4 {
		t.Errorf("before the damage: %+v, %v", made, err)
	}
	alone := t.TempDir()
	f := create(t, alone, "s1")
	appendTo(t, f, opened("q"), state.Event{Seq: 2, At: noon, Data: &state.SessionClosed{}})
	if _, err := store.Fork(alone, "s1", 1, "s2", later); err == nil || !strings.Contains(err.Error(), "opened and closed in one step") {
		t.Errorf("all in one unit: %v", err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Errorf("left behind: %v", entries)
	}
}
