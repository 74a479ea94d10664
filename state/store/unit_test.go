package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"moot/state"
	"moot/state/store"
)

// units returns the events and the text of a session in units of 1, 3 and 4
// events, and where in the text each unit begins.
func units(t testing.TB) ([]state.Event, []byte, []int) {
	t.Helper()
	events := append([]state.Event{opened("Which queue?")}, points(2, 7)...)
	var memory store.Transcript
	var starts []int
	for _, unit := range [][]state.Event{events[:1], events[1:4], events[4:]} {
		starts = append(starts, len(joined(memory.Lines())))
		appendTo(t, &memory, unit...)
	}
	return events, joined(memory.Lines()), starts
}

// joined returns the text of a file of the lines.
func joined(lines []string) []byte {
	var text []byte
	for _, l := range lines {
		text = append(append(text, l...), '\n')
	}
	return text
}

// cuts returns where a file is cut, from a place on: around the end of each line, and every eleventh byte, since a line
// without an end is not read, whatever it has.
func cuts(text []byte, from int) (places []int) {
	for n := from; n < len(text)-1; n++ {
		if n%11 == 0 || n == from || bytes.IndexByte(text[n-1:n+2], '\n') >= 0 {
			places = append(places, n)
		}
	}
	return places
}

// A process that is killed during a write may leave any prefix of the unit. None of its events were acknowledged, so
// none count.
func TestAUnitThatIsNotThereInFullIsCutOff(t *testing.T) {
	events, text, starts := units(t)
	const before, size = 4, 4
	start, path := starts[2], write(t, text)
	// The unit is complete if only its newline is missing.
	for _, n := range cuts(text, start+1) {
		if err := os.WriteFile(path, text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(text[start:n+1], []byte("\n"))
		want := store.Repair{Cut: int64(n - start), Events: lines, Text: string(text[start:min(n, start+80)])}
		if lines > 0 {
			want.Missing = size - lines
		}
		if first := bytes.IndexByte(text[start:n], '\n'); first >= 0 {
			want.Text = string(text[start:min(start+first, start+80)])
		}
		read, err := store.Read(path)
		if err != nil || len(read.Events) != before || read.Repaired != want || read.Size != int64(start) {
			t.Fatalf("cut to %d bytes: %d events, %+v, want %+v, %v", n, len(read.Events), read.Repaired, want, err)
		}
		if after, _ := os.ReadFile(path); len(after) != n {
			t.Fatal("Read changed the file")
		}
		if lines, err := store.Lines(path); err != nil || !bytes.Equal(joined(lines), text[:start]) {
			t.Fatalf("cut to %d bytes: %d lines, %v", n, len(lines), err)
		}
		f, opened, err := store.Open(path)
		if err != nil || !reflect.DeepEqual(opened, read) || !reflect.DeepEqual(opened.Events, events[:before]) {
			t.Fatalf("cut to %d bytes: %d events, %v", n, len(opened.Events), err)
		}
		appendTo(t, f, events[before:]...)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, text) {
			t.Fatalf("cut to %d bytes: the session does not go on as it would have", n)
		}
	}
}

// VerifyChain treats an incomplete unit as damage at its first missing line, and counts the complete units before it.
func TestVerifyChainRefusesAnUnfinishedUnit(t *testing.T) {
	_, text, starts := units(t)
	whole, _ := store.Decode(bytes.NewReader(text[:starts[2]]), "")
	lines := slices.Collect(bytes.Lines(text[starts[2]:]))
	for n, line := range map[int]int{
		starts[2] + 7:                     5,
		starts[2] + len(lines[0]):         6,
		starts[2] + len(lines[0]) - 1:     6,
		starts[2] + len(lines[0]) + 7:     6,
		len(text) - len(lines[3]):         8,
		len(text) - len(lines[3]) + 1:     8,
		len(text) - len(lines[3]) - 1:     8,
		len(text) - len(lines[3]) - 1 - 1: 7,
	} {
		head, events, err := store.VerifyChain(bytes.NewReader(text[:n]), "")
		damage, ok := errors.AsType[*store.DamageError](err)
		if !ok || damage.Line != line || damage.Seq != 4 || events != 4 || head != whole.Head {
			t.Errorf("cut to %d bytes: %d events, %v, want line %d", n, events, err, line)
		}
	}
}

// Without its first unit a session was never opened.
func TestAnUnfinishedFirstUnitIsRefused(t *testing.T) {
	text := file(t, append([]state.Event{opened("q")}, points(2, 2)...), 3)
	first := bytes.IndexByte(text, '\n')
	path := write(t, text)
	for _, n := range cuts(text, 1) {
		if err := os.WriteFile(path, text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		f, got, err := store.Open(path)
		damage, ok := errors.AsType[*store.DamageError](err)
		if f != nil || !ok || damage.Seq != 0 || damage.Line != 1+bytes.Count(text[:n+1], []byte("\n")) || len(got.Events) != 0 {
			t.Fatalf("cut to %d bytes: %d events, %v", n, len(got.Events), err)
		}
		if opened := n >= first; errors.Is(err, store.ErrEmpty) != opened || strings.Contains(err.Error(), "the session never started") != opened {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
		if after, _ := os.ReadFile(path); len(after) != n {
			t.Fatal("the file was changed")
		}
	}
	lines, err := store.Lines(path)
	if len(lines) != 0 || !errors.Is(err, store.ErrEmpty) {
		t.Errorf("%d lines, %v", len(lines), err)
	}
	if all, err := store.List(filepath.Dir(path)); err != nil || all[0].Broken == "" || all[0].Question != "" || all[0].Events != 0 {
		t.Errorf("it is listed as %+v, %v", all, err)
	}
}

func TestALeftThatDoesNotCountDownIsDamage(t *testing.T) {
	const first = `"kind":"session-opened","data":{"version":7,"id":"s1"}`
	const next = `"kind":"round-started","data":{"round":1}`
	for _, test := range []struct {
		name      string
		rests     []string
		line, seq int
		why       string
	}{
		{"the same again", []string{first, `"left":2,` + next, `"left":2,` + next, next}, 3, 1, "left is 2, want 1"},
		{"one left out", []string{first, next, `"left":2,` + next, next, next}, 4, 2, "left is 0, want 1"},
		{"one too many", []string{first, `"left":1,` + next, `"left":1,` + next, next}, 3, 1, "left is 1, want 0"},
		{"a unit inside a unit", []string{first, `"left":3,` + next, `"left":5,` + next}, 3, 1, "left is 5, want 2"},
		{"none", []string{`"left":0,` + first, next}, 1, 0, "does not have the layout"},
		{"less than none", []string{first, `"left":-1,` + next, next}, 2, 1, "does not have the layout"},
		{"a leading zero", []string{first, `"left":01,` + next, next}, 2, 1, "does not have the layout"},
		{"a text", []string{first, `"left":"1",` + next, next}, 2, 1, "does not have the layout"},
		{"no number", []string{first, `"left":,` + next, next}, 2, 1, "does not have the layout"},
		{"too large", []string{first, `"left":99999999999999999999,` + next, next}, 2, 1, "does not have the layout"},
		{"twice", []string{first, `"left":1,"left":1,` + next, next}, 2, 1, "does not have the layout"},
		{"another field", []string{first, `"more":1,` + next, next}, 2, 1, "does not have the layout"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := linked(test.rests...)
			for _, text := range [][]byte{text, text[:len(text)-1]} {
				got, err := store.Decode(bytes.NewReader(text), "")
				damage, ok := errors.AsType[*store.DamageError](err)
				if !ok || damage.Line != test.line || damage.Seq != test.seq || !strings.Contains(damage.Why, test.why) || len(got.Events) != test.seq {
					t.Errorf("%d events, %v", len(got.Events), err)
				}
			}
		})
	}
}

func TestImportRefusesAnUnfinishedUnit(t *testing.T) {
	_, text, _ := units(t)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	dir := t.TempDir()
	_, err := store.Import(dir, "s2", lines[:6])
	damage, ok := errors.AsType[*store.DamageError](err)
	if !ok || damage.Line != 7 || damage.Seq != 4 || !strings.Contains(err.Error(), "nothing was written") || !strings.Contains(err.Error(), "after line 2 of 4") {
		t.Errorf("got %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left: %v", entries)
	}
}
