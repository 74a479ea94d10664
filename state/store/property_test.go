package store_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"moot/internal/enum"
	"moot/state"
	"moot/state/store"
)

// fill sets every field of a payload to something that its type takes: any text, a known word where the words are a closed list.
func fill(t *rapid.T, v reflect.Value) {
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		v.SetBytes([]byte(rapid.SampledFrom([]string{`3`, `"a\u0001\ufffd"`, `["x",{"y":null}]`, `null`}).Draw(t, "json")))
		return
	}
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(0, rapid.Int64().Draw(t, "time")).UTC()))
		return
	}
	if v.Kind() == reflect.String && v.Type() != reflect.TypeFor[string]() {
		err := jsonv2.Unmarshal([]byte(`"?"`), v.Addr().Interface(), jsonv2.WithUnmarshalers(state.ClosedWords().Read))
		unknown, closed := errors.AsType[*enum.UnknownError](err)
		switch {
		case closed:
			v.SetString(rapid.SampledFrom(unknown.Known).Draw(t, "word"))
		case err != nil:
			v.SetString(rapid.StringMatching(`[a-z0-9-]{1,40}`).Draw(t, "seat"))
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.String().Draw(t, "text"))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "bool"))
	case reflect.Int:
		v.SetInt(rapid.Int64().Draw(t, "int"))
	case reflect.Float64:
		v.SetFloat(rapid.Float64().Draw(t, "float"))
	case reflect.Struct:
		for i := range v.NumField() {
			// Fields that are not stored keep their value.
			if v.Type().Field(i).Tag.Get("json") != "-" {
				fill(t, v.Field(i))
			}
		}
	case reflect.Pointer:
		if rapid.Bool().Draw(t, "some") {
			v.Set(reflect.New(v.Type().Elem()))
			fill(t, v.Elem())
		}
	case reflect.Slice:
		n := rapid.IntRange(-1, 3).Draw(t, "length")
		if n < 0 {
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fill(t, v.Index(i))
		}
	case reflect.Interface:
		// The settings of a format that the decoder does not know.
		v.Set(reflect.ValueOf(map[string]any{"setting": rapid.StringMatching(`[a-z]*`).Draw(t, "setting")}))
	default:
		t.Fatalf("a payload holds a %s: tell fill about it", v.Type())
	}
}

// anyEvents draws events of all kinds, without regard to sense.
func anyEvents(t *rapid.T) []state.Event {
	decoder := state.NewDecoder()
	kindNames := slices.DeleteFunc(decoder.Kinds(), func(kind string) bool { return kind == "session-opened" })
	kinds := append([]string{"session-opened"}, rapid.SliceOfN(rapid.SampledFrom(kindNames), 0, 8).Draw(t, "kinds")...)
	var events []state.Event
	for i, kind := range kinds {
		payload, err := decoder.Decode(kind, []byte(`{}`))
		if err != nil {
			t.Fatal(err)
		}
		fill(t, reflect.ValueOf(payload).Elem())
		if opening, ok := payload.(*state.SessionOpened); ok {
			opening.Version = state.Version
		}
		at := time.Unix(0, rapid.Int64().Draw(t, "at")).UTC()
		events = append(events, state.Event{Seq: i + 1, At: at, Data: payload})
	}
	return events
}

func TestAnyEventIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := anyEvents(t)
		var memory store.Transcript
		if err := memory.Append(events); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(memory.Lines(), "\n") + "\n"
		got, err := store.Decode(strings.NewReader(text), "")
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Events) != len(events) {
			t.Fatalf("%d events, want %d", len(got.Events), len(events))
		}
		for i := range events {
			if !reflect.DeepEqual(got.Events[i], events[i]) {
				t.Fatalf("got  %#v\nwant %#v\n%s", got.Events[i].Data, events[i].Data, memory.Lines()[i])
			}
		}
		if strings.Count(text, "\n") != len(events) || got.Head != memory.Head() {
			t.Fatal("the lines are not one per event")
		}
	})
}

// The zero Memory and a File write the same bytes.
func TestMemoryIsAFileInMemory(t *testing.T) {
	events, _ := session(t)
	var memory store.Transcript
	if head := memory.Head(); strings.Trim(head, "0") != "" || len(head) != 64 {
		t.Errorf("head of nothing: %s", head)
	}
	appendTo(t, &memory, events[:2]...)
	if err := memory.Append(events[3:]); !errors.Is(err, state.ErrOrder) {
		t.Errorf("a gap: %v", err)
	}
	appendTo(t, &memory, events[2:]...)
	f := create(t, t.TempDir(), "s1")
	appendTo(t, f, events[:2]...)
	appendTo(t, f, events[2:]...)
	lines, err := store.Lines(f.Path())
	if err != nil || !reflect.DeepEqual(lines, memory.Lines()) || f.Head() != memory.Head() {
		t.Errorf("they differ, %v", err)
	}
	if left := strings.Count(strings.Join(lines, ""), `","left":`); left != 1+2 {
		t.Errorf("%d lines say how many follow in their units of 2 and 3", left)
	}
	path, err := store.Import(t.TempDir(), "s2", memory.Lines())
	if err != nil || filepath.Base(path) != "s2.jsonl" {
		t.Errorf("%s, %v", path, err)
	}
}

func FuzzRead(f *testing.F) {
	_, text := session(f)
	whole, err := store.Decode(bytes.NewReader(text), "")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)-1])
	f.Add(text[:len(text)/2])
	f.Add(bytes.Replace(text, []byte("queue"), []byte("Queue"), 1))
	f.Add(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))
	f.Add([]byte(`{"seq":1,"at":"","prev":"","kind":"","data":,"sum":""}` + "\n"))
	f.Add(file(f, append([]state.Event{opened("q")}, points(2, 8)...), 3))
	f.Add(chained("session-opened", `{"version":7}`, "ruled", `{"round":1,"rulings":[{}]}`))
	f.Fuzz(func(t *testing.T, changed []byte) {
		head, events, err := store.VerifyChain(bytes.NewReader(changed), whole.Head)
		if err == nil && !bytes.Equal(changed, text) {
			t.Fatalf("a changed file is taken for whole: %d events, %s", events, head)
		}
		got, err := store.Decode(bytes.NewReader(changed), "")
		if err != nil || len(got.Events) == 0 {
			return
		}
		// Writing the events again in the same units yields the same events. The bytes may differ if the file lacks
		// newer fields.
		var memory store.Transcript
		lines := slices.Collect(bytes.Lines(changed))
		for start, i := 0, 0; i < len(got.Events); i++ {
			var said struct{ Left int }
			if err := json.Unmarshal(lines[i], &said); err != nil || said.Left > 0 {
				continue
			}
			if err := memory.Append(got.Events[start : i+1]); err != nil {
				return
			}
			start = i + 1
		}
		text := strings.Join(memory.Lines(), "\n") + "\n"
		again, err := store.Decode(strings.NewReader(text), "")
		// A word that the file lacks is written as "", which not every list has.
		if err == nil && !reflect.DeepEqual(again.Events, got.Events) {
			t.Fatalf("written again it is another session:\n%s", text)
		}
	})
}
