package store

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"moot/state"
)

// failingDisk is a file whose calls fail when told to.
type failingDisk struct {
	*os.File
	write, truncate, sync error
	// part is how many bytes a failing write still takes.
	part int
}

func (d *failingDisk) WriteAt(b []byte, at int64) (int, error) {
	if d.write == nil {
		return d.File.WriteAt(b, at)
	}
	n, _ := d.File.WriteAt(b[:d.part], at)
	return n, d.write
}

func (d *failingDisk) Truncate(size int64) error {
	if d.truncate != nil {
		return d.truncate
	}
	return d.File.Truncate(size)
}

func (d *failingDisk) Sync() error { return d.sync }

func round(n int) []state.Event {
	return []state.Event{{Seq: n + 1, At: time.Unix(int64(n), 0), Data: &state.RoundStarted{Round: n}}}
}

// onFailingDisk returns a session of two events on a disk that can fail.
func onFailingDisk(t *testing.T) (*File, *failingDisk) {
	t.Helper()
	f, err := Create(t.TempDir(), "s1")
	if err != nil {
		t.Fatal(err)
	}
	file, ok := f.file.(*os.File)
	if !ok {
		t.Fatal("no file")
	}
	d := &failingDisk{File: file, part: 40}
	f.file = d
	t.Cleanup(func() { _ = f.Close() })
	first := state.Event{Seq: 1, At: time.Unix(0, 0), Data: &state.SessionOpened{Version: state.Version, Settings: state.Settings{Format: "consult"}}}
	if err := errors.Join(f.Append([]state.Event{first}), f.Append(round(1))); err != nil {
		t.Fatal(err)
	}
	return f, d
}

func TestAFailedWriteIsTakenBack(t *testing.T) {
	broken := errors.New("the disk is broken")
	for _, test := range []struct {
		name string
		fail func(*failingDisk)
	}{
		{"half a write", func(d *failingDisk) { d.write = broken }},
		{"no write", func(d *failingDisk) { d.write, d.part = broken, 0 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, d := onFailingDisk(t)
			before, _ := os.ReadFile(f.path)
			head := f.Head()
			test.fail(d)
			err := f.Append(round(2))
			if !errors.Is(err, broken) || !strings.Contains(err.Error(), "the first 2 events are kept: ") {
				t.Fatalf("got %v", err)
			}
			if after, _ := os.ReadFile(f.path); string(after) != string(before) || f.Head() != head {
				t.Error("the file is not what it was")
			}
			d.write = nil
			if err := f.Append(round(2)); err != nil {
				t.Errorf("it does not go on: %v", err)
			}
		})
	}
}

func TestAWriteThatCannotBeTakenBackEndsTheFile(t *testing.T) {
	broken, worse := errors.New("the disk is broken"), errors.New("it is worse")
	for _, test := range []struct {
		name string
		fail func(*failingDisk)
	}{
		{"truncation fails", func(d *failingDisk) { d.write, d.truncate = broken, worse }},
		{"sync fails", func(d *failingDisk) { d.sync = broken }},
	} {
		t.Run(test.name, func(t *testing.T) {
			f, d := onFailingDisk(t)
			test.fail(d)
			err := f.Append(round(2))
			if !errors.Is(err, broken) || !strings.Contains(err.Error(), "the first 2 events are kept, ") {
				t.Fatalf("got %v", err)
			}
			*d = failingDisk{File: d.File}
			if again := f.Append(round(2)); !errors.Is(again, err) {
				t.Errorf("it took more: %v", again)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			again, opened, err := Open(f.path)
			if err != nil || len(opened.Events) != 2 {
				t.Fatalf("%d events, %v", len(opened.Events), err)
			}
			if err := errors.Join(again.Append(round(2)), again.Close()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestAFileThatGrewElsewhereIsNotOverwritten(t *testing.T) {
	f, d := onFailingDisk(t)
	if _, err := d.WriteAt([]byte("note to self"), f.size); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(f.path)
	if err := f.Append(round(2)); !errors.Is(err, ErrChanged) {
		t.Errorf("got %v", err)
	}
	if after, _ := os.ReadFile(f.path); string(after) != string(before) {
		t.Error("the file was changed")
	}
}

func TestAFailedImportLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	for name, lines := range map[string][]string{"none": nil, "broken": {"no line"}, "two in one": {"a\nb"}} {
		if _, err := Import(dir, "s1", lines); err == nil || !strings.Contains(err.Error(), "nothing was written") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(dir + "/s1.jsonl"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file is there: %v", err)
	}
}
