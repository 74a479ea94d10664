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
	"strconv"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/state"
	"moot/state/store"
)

// write puts a session file of the text into a fresh folder.
func write(t *testing.T, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// session returns the events and the text of a small session, each event a
// unit of its own.
func session(t testing.TB) ([]state.Event, []byte) {
	t.Helper()
	events := append([]state.Event{opened("Which queue?")}, points(2, 4)...)
	return events, file(t, events, 1)
}

func TestATornLastLineIsCutOffAndReported(t *testing.T) {
	events, text := session(t)
	whole := text[:bytes.LastIndexByte(text[:len(text)-1], '\n')+1]
	for _, torn := range [][]byte{text[:len(text)-20], text[:len(whole)+1], append(bytes.Clone(whole), make([]byte, 4096)...)} {
		path := write(t, torn)
		got, err := store.Read(path)
		if err != nil || !reflect.DeepEqual(got.Events, events[:4]) {
			t.Fatalf("%d events, %v", len(got.Events), err)
		}
		cut := int64(len(torn) - len(whole))
		if got.Repaired.Cut != cut || !strings.Contains(got.Repaired.String(), strconv.FormatInt(cut, 10)+" bytes that were never acknowledged") {
			t.Errorf("said: %s", got.Repaired)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, torn) {
			t.Error("Read changed the file")
		}
		f, back, err := store.Open(path)
		if err != nil || back.Repaired != got.Repaired {
			t.Fatalf("%+v, %v", back.Repaired, err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, whole) {
			t.Error("Open did not cut the torn line off")
		}
		appendTo(t, f, events[4])
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, text) {
			t.Error("the session does not go on as it would have")
		}
	}
}

func TestALastLineThatOnlyLacksItsNewlineIsWhole(t *testing.T) {
	events, text := session(t)
	path := write(t, text[:len(text)-1])
	got, err := store.Read(path)
	if err != nil || !reflect.DeepEqual(got.Events, events) || !got.Repaired.Newline {
		t.Fatalf("%d events, %+v, %v", len(got.Events), got.Repaired, err)
	}
	f, back, err := store.Open(path)
	if err != nil || back.Repaired.String() != "the last line lacked its newline but is complete" {
		t.Fatalf("%+v, %v", back.Repaired, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, text) {
		t.Error("the newline was not added")
	}
}

// chained writes lines with the given kinds and data, links and sums right.
func chained(parts ...string) []byte {
	var rests []string
	for i := 0; i < len(parts); i += 2 {
		rests = append(rests, `"kind":"`+parts[i]+`","data":`+parts[i+1])
	}
	return linked(rests...)
}

// linked writes lines of which all is right up to prev, and the sum.
func linked(rests ...string) []byte {
	var text bytes.Buffer
	head := ledger.ZeroHash
	for i, rest := range rests {
		begin := text.Len()
		text.WriteString(`{"seq":` + strconv.Itoa(i+1) + `,"at":"2026-11-21T12:00:00Z","prev":"` + head + `",` + rest)
		head = ledger.Seal(&text, begin)
		text.WriteByte('\n')
	}
	return text.Bytes()
}

func TestDamageIsRefusedWithItsLine(t *testing.T) {
	events, text := session(t)
	lines := slices.Collect(bytes.Lines(text))
	join := func(lines ...[]byte) []byte { return bytes.Join(lines, nil) }
	const first = `{"version":7,"id":"s1"}`
	for _, test := range []struct {
		name      string
		text      []byte
		line, seq int
		why       string
	}{
		{"a byte", bytes.Replace(text, []byte(`"P2"`), []byte(`"P3"`), 1), 3, 2, "sum does not match"},
		{"a line dropped", join(lines[0], lines[2], lines[3]), 2, 1, "seq is 3, want 2"},
		{"a dropped line, numbered anew", join(lines[0], reseal(lines[2], `"seq":3`, `"seq":2`)), 2, 1, "but the previous line hashes to"},
		{"an empty line", join(lines[0], []byte("\n"), lines[1]), 2, 1, "sum does not match"},
		{"a last line that links wrongly without a newline", join(lines[0], bytes.TrimSpace(lines[2])), 2, 1, "seq is 3"},
		{"a text file", []byte("Dear diary,\n"), 1, 0, "sum does not match"},
		{"half a first line", lines[0][:50], 1, 0, "first line is unfinished or not from a session"},
		{"no opening", chained("round-started", `{"round":1}`), 1, 0, "only that, is session-opened"},
		{"two openings", chained("session-opened", first, "session-opened", first), 2, 1, "only that, is session-opened"},
		{"an unknown kind", chained("session-opened", first, "point-sung", `{}`), 2, 1, `unknown kind of event "point-sung"`},
		{"an unknown field", chained("session-opened", first, "round-started", `{"round":1,"key":2}`), 2, 1, `unknown field "key"`},
		{"data twice", chained("session-opened", first, "round-started", `{"round":1}{"round":1}`), 2, 1, "after top-level value"},
		{"a space", reseal(lines[0], `{"seq":1`, `{"seq": 1`), 1, 0, "does not have the layout"},
		{"a zone", reseal(lines[0], `12:00:00Z`, `12:00:00+00:00`), 1, 0, "does not have the layout"},
		{"a signed seq", reseal(lines[0], `"seq":1`, `"seq":+1`), 1, 0, "does not have the layout"},
		{"a long line", join(lines[0], bytes.Repeat([]byte("x"), store.MaxLine+1)), 2, 1, "longer than 16777216 bytes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := write(t, test.text)
			f, got, err := store.Open(path)
			if f != nil {
				t.Error("it is open")
			}
			damage, ok := errors.AsType[*store.DamageError](err)
			if !ok || damage.Path != path || damage.Line != test.line || damage.Seq != test.seq || !strings.Contains(damage.Why, test.why) {
				t.Fatalf("got %v", err)
			}
			if len(got.Events) != test.seq {
				t.Errorf("%d events are handed out, want %d", len(got.Events), test.seq)
			}
			if bytes.HasPrefix(test.text, join(lines[:test.seq]...)) && test.seq > 0 && !reflect.DeepEqual(got.Events, events[:test.seq]) {
				t.Error("the events before the damage are others")
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(after, test.text) {
				t.Error("the file was changed")
			}
			if _, readErr := store.Read(path); readErr == nil || readErr.Error() != err.Error() {
				t.Errorf("Read says %v", readErr)
			}
		})
	}
}

// reseal changes a line and gives it a sum that fits.
func reseal(line []byte, from, to string) []byte {
	open, _, _ := bytes.Cut(line, []byte(`,"sum":"`))
	sealed := bytes.NewBuffer(bytes.Replace(open, []byte(from), []byte(to), 1))
	ledger.Seal(sealed, 0)
	return append(sealed.Bytes(), '\n')
}

func TestALaterVersionIsRefusedWithBothVersions(t *testing.T) {
	path := write(t, chained("session-opened", `{"version":9,"id":"s1","mood":"new field"}`))
	_, _, err := store.Open(path)
	for _, part := range []string{"version 9", fmt.Sprint("reads version ", state.Version, ";"), "a newer moot"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if _, readErr := store.Read(path); readErr == nil || readErr.Error() != err.Error() {
		t.Errorf("Read says %v", readErr)
	}
}

func TestAnEarlierVersionCanOnlyBeRead(t *testing.T) {
	text := chained("session-opened", `{"version":6,"id":"s1","mood":"an old field"}`, "point-sung", `{"point":"P1"}`,
		"exit-reached", `{"exit":"a word that is no longer used","reason":""}`)
	path := write(t, text)
	read, err := store.Read(path)
	if err != nil || len(read.Events) != 3 || read.Version != 6 {
		t.Fatalf("got %+v, %v", read, err)
	}
	if old, ok := read.Events[1].Data.(*state.EarlierEvent); !ok || old.Kind != "point-sung" {
		t.Errorf("the event of an unknown kind is %#v", read.Events[1].Data)
	}
	_, _, err = store.Open(path)
	_, forkErr := store.Fork(filepath.Dir(path), strings.TrimSuffix(filepath.Base(path), ".jsonl"), store.LastOpen, "s2", time.Now())
	for _, err := range []error{err, forkErr} {
		if err == nil || !strings.Contains(err.Error(), "version 6") || !strings.Contains(err.Error(), fmt.Sprint("version ", state.Version)) {
			t.Errorf("got %v", err)
		}
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, text) {
		t.Error("the file was changed")
	}
}

func TestAChainOfAnotherVersionIsVerified(t *testing.T) {
	text := chained("session-opened", `{"version":9,"id":"s1","mood":"new field"}`, "point-sung", `{}`)
	if _, n, err := store.VerifyChain(bytes.NewReader(text), ""); n != 2 || err != nil {
		t.Errorf("its chain is not verified: %d events, %v", n, err)
	}
	var unknown *state.UnknownKindError
	_, err := store.Decode(bytes.NewReader(chained("session-opened", `{"version":7}`, "point-sung", `{}`)), "")
	if !errors.As(err, &unknown) || unknown.Kind != "point-sung" {
		t.Errorf("got %v", err)
	}
}

func TestAFileThatIsNoSessionIsReported(t *testing.T) {
	dir := t.TempDir()
	if _, err := store.Read(filepath.Join(dir, "none.jsonl")); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "moot list") {
		t.Errorf("missing: %v", err)
	}
	if _, err := store.Read(dir); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("folder: %v", err)
	}
	empty := write(t, nil)
	if _, _, err := store.Open(empty); !errors.Is(err, store.ErrEmpty) || !strings.Contains(err.Error(), empty) {
		t.Errorf("empty: %v", err)
	}
	if _, err := os.Stat(empty); err != nil {
		t.Error("the empty file was touched")
	}
}

func TestVerifyChain(t *testing.T) {
	_, text := session(t)
	lines := slices.Collect(bytes.Lines(text))
	var heads []string
	for _, l := range lines {
		heads = append(heads, ledger.Hash(bytes.TrimSuffix(l, []byte("\n"))))
	}
	verify := func(text []byte, known string) (string, int, error) {
		return store.VerifyChain(bytes.NewReader(text), known)
	}
	for _, known := range []string{"", heads[4]} {
		if head, n, err := verify(text, known); head != heads[4] || n != 5 || err != nil {
			t.Errorf("%.12s, %d, %v", head, n, err)
		}
	}
	short := bytes.Join(lines[:3], nil)
	if _, n, err := verify(short, ""); n != 3 || err != nil {
		t.Errorf("without a known head: %d, %v", n, err)
	}
	_, n, err := verify(short, heads[4])
	damage, _ := errors.AsType[*store.DamageError](err)
	if n != 3 || !errors.Is(err, store.ErrHead) || damage.Line != 4 || !strings.Contains(err.Error(), "not at the known head") {
		t.Errorf("lines cut off: %d, %v", n, err)
	}
	_, n, err = verify(text, heads[2])
	if n != 5 || !errors.Is(err, store.ErrHead) || !strings.Contains(err.Error(), "is that of event 3") {
		t.Errorf("lines added: %d, %v", n, err)
	}
	for _, end := range []string{"", "x"} {
		changed := append(bytes.Clone(text[:len(text)-1]), end...)
		if _, _, err := verify(changed, heads[4]); !errors.As(err, &damage) || damage.Line != 5 {
			t.Errorf("last newline %q: %v", end, err)
		}
	}
}

// With a known head every single change to a file is found: a flipped byte, a dropped, repeated or swapped line, a
// truncated end. Without it, complete units missing at the end are not found.
func TestEveryTamperingIsFound(t *testing.T) {
	events, text := session(t)
	whole, err := store.Decode(bytes.NewReader(text), "")
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, tampered []byte) error {
		t.Helper()
		got, err := store.Decode(bytes.NewReader(tampered), "")
		if len(got.Events) > len(events) || len(got.Events) > 0 && !reflect.DeepEqual(got.Events, events[:len(got.Events)]) {
			t.Errorf("%s: %d events that are no prefix", what, len(got.Events))
		}
		damage, damaged := errors.AsType[*store.DamageError](err)
		if err != nil && !errors.Is(err, store.ErrEmpty) && (!damaged || damage.Line < 1) {
			t.Errorf("%s: %v", what, err)
		}
		if _, _, err := store.VerifyChain(bytes.NewReader(tampered), whole.Head); err == nil {
			t.Errorf("%s: not found", what)
		}
		return err
	}
	lines := slices.Collect(bytes.Lines(text))
	for i := range text {
		// 0x20 changes the case of a letter.
		for _, mask := range []byte{0x20, []byte{0x01, 0x80, 0xFF}[i%3]} {
			flipped := bytes.Clone(text)
			flipped[i] ^= mask
			if err := try("byte "+strconv.Itoa(i), flipped); err == nil {
				t.Errorf("byte %d: found only with a known head", i)
			}
		}
		_ = try("cut to "+strconv.Itoa(i), text[:i])
	}
	for i := range lines {
		_ = try("drop "+strconv.Itoa(i), bytes.Join(slices.Concat(lines[:i], lines[i+1:]), nil))
		_ = try("repeat "+strconv.Itoa(i), bytes.Join(slices.Insert(slices.Clone(lines), i, lines[i]), nil))
		if i > 0 {
			swapped := slices.Clone(lines)
			swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
			_ = try("swap "+strconv.Itoa(i), bytes.Join(swapped, nil))
		}
	}
}
