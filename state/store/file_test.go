package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/state"
	"moot/state/store"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// opened returns the first event of a session.
func opened(question string) state.Event {
	return state.Event{Seq: 1, At: noon, Data: &state.SessionOpened{
		Version: state.Version, ID: "s1", Question: question,
		Settings: state.Settings{Format: "consult", Framing: state.FramingPropose, Mode: state.ModeStandard},
		Seats:    []state.SeatAssignment{{Seat: "orchestrator", Participant: "rules"}, {Seat: "consultee", Participant: "script:a.txt"}},
	}}
}

// points returns n events that raise points, from sequence number seq on.
func points(seq, n int) []state.Event {
	var events []state.Event
	for i := range n {
		events = append(events, state.Event{Seq: seq + i, At: noon.Add(time.Duration(seq+i) * time.Second), Data: &state.PointRaised{
			ID: state.NextID('P', seq+i-2), By: "consultee", Text: "the queue keeps <order> & count",
		}})
	}
	return events
}

func create(t *testing.T, dir, id string) *store.File {
	t.Helper()
	f, err := store.Create(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func appendTo(t testing.TB, f interface{ Append([]state.Event) error }, events ...state.Event) {
	t.Helper()
	if err := f.Append(events); err != nil {
		t.Fatal(err)
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "sessions")
	f, err := store.Create(dir, "s1")
	if err != nil {
		t.Fatal(err)
	}
	events := append([]state.Event{opened("Which queue?")}, points(2, 3)...)
	events[2].Channel = state.ChannelAttach
	appendTo(t, f, events[0])
	appendTo(t, f, events[1:]...)
	appendTo(t, f)
	head := f.Head()
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := store.Read(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Events, events) || got.Head != head || got.Repaired != (store.Repair{}) {
		t.Errorf("got %+v", got)
	}
	text, _ := os.ReadFile(f.Path())
	if int64(len(text)) != got.Size {
		t.Errorf("size %d, want %d", got.Size, len(text))
	}
	if !strings.Contains(string(text), "keeps <order> & count") {
		t.Error("text is escaped for HTML")
	}
	if strings.Count(string(text), `","channel":"`) != 1 ||
		!strings.Contains(string(text), `"kind":"point-raised","channel":"attach","data":`) {
		t.Error("the channel of one event is not in its line")
	}
	first, _, _ := strings.Cut(string(text), "\n")
	want := `{"seq":1,"at":"2026-11-21T12:00:00Z","prev":"` + ledger.ZeroHash + `","kind":"session-opened","data":{"version":7,"id":"s1",`
	if !strings.HasPrefix(first, want) {
		t.Errorf("the first line is %s", first)
	}

	again, back, err := store.Open(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, got) || again.Head() != head {
		t.Error("Open reads something else than Read")
	}
	appendTo(t, again, points(5, 1)...)
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	if got, err = store.Read(f.Path()); err != nil || len(got.Events) != 5 {
		t.Errorf("%d events, %v", len(got.Events), err)
	}
	if err := again.Append(points(6, 1)); !errors.Is(err, store.ErrClosed) {
		t.Errorf("append after close: %v", err)
	}
}

func TestSessionsAreForTheirOwner(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := filepath.Join(t.TempDir(), "sessions")
	f := create(t, dir, "s1")
	for path, want := range map[string]fs.FileMode{dir: 0o700, f.Path(): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, want %v (%v)", path, info.Mode().Perm(), want, err)
		}
	}
}

func TestAppendRefusesWhatCouldNotBeReplayed(t *testing.T) {
	f := create(t, t.TempDir(), "s1")
	refused := func(want string, events ...state.Event) {
		t.Helper()
		before, _ := os.ReadFile(f.Path())
		head := f.Head()
		err := f.Append(events)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if after, _ := os.ReadFile(f.Path()); string(after) != string(before) || f.Head() != head {
			t.Errorf("%q changed the file", want)
		}
	}
	refused("the first event of a session, and only that, is session-opened", state.Event{Seq: 1, At: noon, Data: &state.RoundStarted{Round: 1}})
	refused("event 2: after event 0", points(2, 1)...)
	refused("carries no data", state.Event{Seq: 1, At: noon})
	appendTo(t, f, opened("q"))
	refused("and only that, is session-opened", state.Event{Seq: 2, At: noon, Data: opened("q").Data})
	refused("event 4: after event 2", points(2, 1)[0], points(4, 1)[0])
	refused("outside the years", state.Event{Seq: 2, At: noon.AddDate(9000, 0, 0), Data: &state.RoundStarted{Round: 1}})
	refused("over the limit of", state.Event{Seq: 2, At: noon, Data: &state.ReplyReceived{Seat: "consultee", Stage: "propose", Text: strings.Repeat("x", store.MaxLine)}})
	appendTo(t, f, points(2, 1)...)
}

func TestASessionIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	appendTo(t, create(t, dir, "s1"), opened("q"))
	if _, err := store.Create(dir, "s1"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v", err)
	}
	for _, id := range []string{"", "..", "../s2", "a/b", `a\b`, "-rf", ".hidden", "s 2", "_x", "é", "s1.labels", strings.Repeat("a", 65)} {
		if _, err := store.Create(dir, id); err == nil || !strings.Contains(err.Error(), "is not a session id") {
			t.Errorf("%q: got %v", id, err)
		}
	}
}

func TestAFileWithoutEventsIsNotKept(t *testing.T) {
	f := create(t, t.TempDir(), "s1")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.Path()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty file stayed: %v", err)
	}
}

func TestAnEventIsNotWrittenToARemovedFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps others from removing an open file")
	}
	f := create(t, t.TempDir(), "s1")
	appendTo(t, f, opened("q"))
	if err := os.Rename(f.Path(), f.Path()+".away"); err != nil {
		t.Fatal(err)
	}
	if err := f.Append(points(2, 1)); !errors.Is(err, store.ErrChanged) {
		t.Errorf("got %v", err)
	}
}

// file returns the text of the file that holds the events, written in units of so
// many.
func file(t testing.TB, events []state.Event, unit int) []byte {
	t.Helper()
	var memory store.Transcript
	for some := range slices.Chunk(events, unit) {
		if err := memory.Append(some); err != nil {
			t.Fatal(err)
		}
	}
	return []byte(strings.Join(memory.Lines(), "\n") + "\n")
}

// A word outside of its closed list is not written, since the file could not be read again.
func TestAppendRefusesUnknownWords(t *testing.T) {
	var log store.Transcript
	if err := log.Append([]state.Event{opened("Which queue?")}); err != nil {
		t.Fatal(err)
	}
	for says, payload := range map[string]state.Payload{
		`unknown kind of pause "tired"`:      &state.SessionPaused{Why: "tired", Reason: "it is late"},
		`seat "Me": only lower-case letters`: &state.EvidenceAccepted{ID: "E1", By: "Me"},
	} {
		err := log.Append([]state.Event{{Seq: 2, At: time.Unix(2, 0).UTC(), Data: payload}})
		if err == nil || !strings.Contains(err.Error(), says) || len(log.Lines()) != 1 {
			t.Errorf("%v, %d lines", err, len(log.Lines()))
		}
	}
}
