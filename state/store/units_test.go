package store

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"moot/state"
)

func opened(id string) *state.SessionOpened {
	return &state.SessionOpened{
		Version: state.Version, ID: id, Item: "0123", Question: "Is it safe?",
		Settings: state.Settings{Format: "debate", Framing: state.FramingPropose, Mode: state.ModeStandard},
	}
}

// The units that a session writes make the same file elsewhere, in which nothing but the next unit fits.
func TestUnitsMakeTheSameFile(t *testing.T) {
	there, here := t.TempDir(), t.TempDir()
	from, err := Create(there, "s1")
	if err != nil {
		t.Fatal(err)
	}
	var sent [][]byte
	from.Confirm(func(unit []byte) error {
		sent = append(sent, bytes.Clone(unit))
		return nil
	})
	at := time.Unix(1, 0)
	for _, events := range [][]state.Event{
		{{Seq: 1, At: at, Data: opened("s1")}, {Seq: 2, At: at, Data: &state.RoundStarted{Round: 1}}},
		{{Seq: 3, At: at, Data: &state.SessionPaused{Why: state.PauseUser}}},
	} {
		if err := from.Append(events); err != nil {
			t.Fatal(err)
		}
	}
	to, err := Create(here, "s1")
	if err != nil {
		t.Fatal(err)
	}
	if err := to.AppendUnit(sent[1]); err == nil {
		t.Error("a unit was taken before the first one")
	}
	if err := to.AppendUnit(sent[0]); err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string][]byte{
		"the same again": sent[0], "half": sent[1][:len(sent[1])/2], "two": append(bytes.Clone(sent[1]), sent[1]...), "none": nil,
		"changed": bytes.Replace(sent[1], []byte(`"user"`), []byte(`"budget"`), 1),
	} {
		if err := to.AppendUnit(wrong); !errors.Is(err, ErrUnit) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	to, units, err := OpenUnits(to.Path())
	if err != nil || len(units) != 1 || !bytes.Equal(units[0], sent[0]) {
		t.Fatalf("%v, %d units", err, len(units))
	}
	if err := to.AppendUnit(sent[1]); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(to.Close(), from.Close()); err != nil {
		t.Fatal(err)
	}
	one, two := read(t, from.Path()), read(t, to.Path())
	if !bytes.Equal(one, two) || len(one) == 0 {
		t.Errorf("the files differ:\n%s\n%s", one, two)
	}
	if units, err = Units(to.Path()); err != nil || len(units) != 2 {
		t.Errorf("%v, %d units", err, len(units))
	}
	path, err := WriteUnits(t.TempDir(), "s1", units)
	if err != nil || !bytes.Equal(read(t, path), one) {
		t.Errorf("%v", err)
	}
	if _, err := WriteUnits(t.TempDir(), "s1", units[1:]); err == nil {
		t.Error("units without a beginning were written")
	}
	if id, item, err := Begins(sent[0]); id != "s1" || item != "0123" || err != nil {
		t.Errorf("begins: %q %q %v", id, item, err)
	}
	ends, err := ReadEnds(path)
	if err != nil || ends.ID != "s1" || ends.Item != "0123" || !ends.Paused || ends.Closed || !ends.OpenedAt.Equal(at) {
		t.Errorf("ends: %+v, %v", ends, err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// A unit that is not confirmed is nowhere, and the file takes no more.
func TestAUnitThatIsNotConfirmed(t *testing.T) {
	f, err := Create(t.TempDir(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fenced := errors.New("fenced")
	f.Confirm(func([]byte) error { return fenced })
	event := []state.Event{{Seq: 1, At: time.Unix(1, 0), Data: opened("s1")}}
	for range 2 {
		if err := f.Append(event); !errors.Is(err, fenced) {
			t.Errorf("got %v", err)
		}
	}
	if info, err := os.Stat(f.Path()); err != nil || info.Size() != 0 {
		t.Errorf("%v, %d bytes", err, info.Size())
	}
}

// The ends of a file are read whatever is between, and a last write that was cut short counts as a session that runs.
func TestEndsOfALongFile(t *testing.T) {
	f, err := Create(t.TempDir(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	first := opened("s1")
	first.Question = string(bytes.Repeat([]byte("x"), 3*endBytes))
	long := &state.SessionPaused{Why: state.PauseUser, Reason: string(bytes.Repeat([]byte("y"), 5*endBytes))}
	if err := f.Append([]state.Event{{Seq: 1, At: time.Unix(1, 0), Data: first}, {Seq: 2, At: time.Unix(2, 0), Data: long}}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if ends, err := ReadEnds(f.Path()); err != nil || !ends.Paused || ends.Item != "0123" {
		t.Errorf("%+v, %v", ends, err)
	}
	whole := read(t, f.Path())
	if err := os.WriteFile(f.Path(), whole[:len(whole)-9], 0o600); err != nil {
		t.Fatal(err)
	}
	if ends, err := ReadEnds(f.Path()); err != nil || ends.Paused || ends.Closed {
		t.Errorf("cut short: %+v, %v", ends, err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(f.Path()), "s2.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadEnds(filepath.Join(filepath.Dir(f.Path()), "s2.jsonl")); err == nil {
		t.Error("a file that is no session has ends")
	}
}
