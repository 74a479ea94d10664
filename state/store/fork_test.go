package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moot/resolver"
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
		&state.ExitReached{Exit: state.ExitConverged}, &state.CoverageChecked{}, &state.SessionClosed{Exit: state.ExitConverged},
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

func TestAForkIsAPrefixThatGoesOn(t *testing.T) {
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

// One admission is one unit: it is in the fork whole, or not at all.
func TestAForkEndsWithAUnitThatDoesNotCloseTheSession(t *testing.T) {
	dir := t.TempDir()
	debate(t, dir)
	for at, want := range map[int]int{store.LastOpen: 4, 1: 1, 2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 8: 8, 9: 8} {
		id := fmt.Sprintf("at%d", max(0, at))
		made, err := store.Fork(dir, "s1", at, id, later)
		if err != nil || made.Fork.Seq != want {
			t.Errorf("at %d: event %d, want %d, %v", at, made.Fork.Seq, want, err)
		}
	}
	// An unfinished session is forked at its end.
	if made, err := store.Fork(dir, "at5", store.LastOpen, "again", later); err != nil || made.Fork.Seq != 8 || made.Fork.From != "at5" {
		t.Errorf("at the end: %+v, %v", made, err)
	}
}

func TestAForkIsListedAsTheNewest(t *testing.T) {
	dir := t.TempDir()
	debate(t, dir)
	made, err := store.Fork(dir, "s1", 4, "fork", later)
	if err != nil {
		t.Fatal(err)
	}
	keep(t, dir, "s2", noon.Add(time.Minute))
	all, err := store.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range all {
		ids = append(ids, all[i].ID)
	}
	if !slices.Equal(ids, []string{"fork", "s2", "s1"}) || all[0].Fork != made.Fork || !all[0].UpdatedAt.Equal(later) || all[2].Fork.From != "" {
		t.Errorf("listed %v: %+v", ids, all[0])
	}
	if found, err := store.Find(dir, ""); err != nil || found != made.Path {
		t.Errorf("the newest that goes on is %s, %v", found, err)
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

func TestASessionThatIsOpenElsewhereIsForked(t *testing.T) {
	dir := t.TempDir()
	f := create(t, dir, "s1")
	appendTo(t, f, opened("q"))
	appendTo(t, f, points(2, 2)...)
	if made, err := store.Fork(dir, "s1", store.LastOpen, "s2", later); err != nil || made.Fork.Seq != 3 || made.Fork.Head != f.Head() {
		t.Errorf("got %+v, %v", made, err)
	}
	appendTo(t, f, points(4, 1)...)
}

// A fork of any events in any units, at any event, is a complete session that folds to the same state as the prefix,
// and accepts more events.
func TestAnyPrefixCanBeForked(t *testing.T) {
	dir := t.TempDir()
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		count++
		id, newID := "a"+strings.Repeat("x", count%50), "b"+strings.Repeat("x", count%50)
		events := append([]state.Event{opened(rapid.String().Draw(t, "question"))}, points(2, rapid.IntRange(0, 12).Draw(t, "points"))...)
		var memory store.Memory
		ends := []int{}
		for start := 0; start < len(events); {
			end := rapid.IntRange(start+1, len(events)).Draw(t, "end")
			appendAll(t, &memory, events[start:end])
			ends, start = append(ends, end), end
		}
		_ = os.Remove(filepath.Join(dir, id+".jsonl"))
		_ = os.Remove(filepath.Join(dir, newID+".jsonl"))
		if _, err := store.Import(dir, id, memory.Lines()); err != nil {
			t.Fatal(err)
		}
		at := rapid.IntRange(1, len(events)).Draw(t, "at")
		made, err := store.Fork(dir, id, at, newID, later)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(made.Path)
		if _, n, err := store.VerifyChain(bytes.NewReader(text), ""); err != nil || n != made.Fork.Seq || n < at || !slices.Contains(ends, n) {
			t.Fatalf("%d events at %d, units end at %v, %v", n, at, ends, err)
		}
		f, got, err := store.Open(made.Path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := state.Replay(events[:made.Fork.Seq])
		if err != nil {
			t.Fatal(err)
		}
		want.ID, want.Fork = newID, made.Fork
		if folded, err := resolver.Verify(got.Events); err != nil || !reflect.DeepEqual(folded, want) {
			t.Fatalf("it folds to another state: %v", err)
		}
		appendAll(t, f, []state.Event{{Seq: made.Fork.Seq + 1, At: later, Data: &state.RoundStarted{Round: 1}}})
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func appendAll(t *rapid.T, f interface{ Append([]state.Event) error }, events []state.Event) {
	if err := f.Append(events); err != nil {
		t.Fatal(err)
	}
}

// What a process that was killed left of a fork is no session.
func TestAnUnfinishedForkIsNotListed(t *testing.T) {
	dir := t.TempDir()
	debate(t, dir)
	if err := os.WriteFile(filepath.Join(dir, ".new-123"), []byte(`{"seq":1,`), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := store.List(dir); err != nil || len(all) != 1 {
		t.Errorf("listed %+v, %v", all, err)
	}
}
