package jetstream

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
)

// wrote returns the messages of a session as our writers make them.
func wrote(generation string, units ...string) (list []*nats.Msg) {
	add := func(h header, data string) {
		h.ID = nonce()
		message, err := h.message("moot.units.b1.00000001.0", []byte(data))
		if err != nil {
			panic(err)
		}
		list = append(list, message)
	}
	at := first(generation)
	add(header{Kind: begin, Chain: at.String()}, generation)
	for i, text := range units {
		at = at.next(unit, []byte(text))
		add(header{Kind: unit, Index: i, Parts: 1, Chain: at.String()}, text)
	}
	add(header{Kind: end, Index: len(units), Parts: 1, Chain: at.next(end, []byte("result")).String()}, "result")
	return list
}

// TestRecordOfDamagedMessages loses, doubles, swaps and changes messages: units that arrive are a prefix of those that
// were written.
func TestRecordOfDamagedMessages(t *testing.T) {
	t.Parallel()
	units := []string{"a", "b", "c"}
	for name, c := range map[string]struct {
		change func([]*nats.Msg) []*nats.Msg
		want   int
		ends   bool
	}{
		"nothing":   {func(m []*nats.Msg) []*nats.Msg { return m }, 3, true},
		"all twice": {func(m []*nats.Msg) []*nats.Msg { return slices.Concat(m, m) }, 3, true},
		"each twice": {func(m []*nats.Msg) []*nats.Msg {
			return []*nats.Msg{m[0], m[0], m[1], m[1], m[2], m[2], m[3], m[3], m[4], m[4]}
		}, 3, true},
		"first lost":   {func(m []*nats.Msg) []*nats.Msg { return m[1:] }, 0, false},
		"unit lost":    {func(m []*nats.Msg) []*nats.Msg { return slices.Delete(m, 2, 3) }, 1, false},
		"last lost":    {func(m []*nats.Msg) []*nats.Msg { return slices.Delete(m, 3, 4) }, 2, false},
		"swapped":      {func(m []*nats.Msg) []*nats.Msg { m[1], m[2] = m[2], m[1]; return m }, 0, false},
		"changed":      {func(m []*nats.Msg) []*nats.Msg { m[2].Data = []byte("x"); return m }, 1, false},
		"end changed":  {func(m []*nats.Msg) []*nats.Msg { m[4].Data = []byte("x"); return m }, 3, false},
		"other writer": {func(m []*nats.Msg) []*nats.Msg { return slices.Concat(m[:3], wrote(nonce(), "a", "b", "z")[3:]) }, 2, false},
		"after end":    {func(m []*nats.Msg) []*nats.Msg { return append(m, wrote(nonce(), "a", "b", "c", "d")[4]) }, 3, true},
		"no header":    {func(m []*nats.Msg) []*nats.Msg { m[1].Header = nil; return m }, 0, false},
	} {
		var r record
		var got []string
		ends := false
		for i, message := range c.change(wrote(nonce(), units...)) {
			one, err := r.add(uint64(i+1), message.Header, message.Data)
			if err == nil && one != nil && one.kind == unit {
				got = append(got, string(one.data))
			}
			ends = ends || err == nil && one != nil && one.kind == end
		}
		if !slices.Equal(got, units[:c.want]) || ends != c.ends {
			t.Errorf("%s: got %q, ended %v", name, got, ends)
		}
	}
}

// FuzzRecord reads messages of strangers: no panic, and the numbers of units are those of the chain.
func FuzzRecord(f *testing.F) {
	for _, message := range wrote(nonce(), "a", "b") {
		f.Add(message.Header.Get(headerName), message.Data)
	}
	f.Add(`{"kind":"part","index":0,"part":0,"parts":0,"id":"x","chain":""}`, []byte("x"))
	f.Add(`{"kind":"damaged","index":0,"part":0,"parts":0,"id":"x","chain":""}`, []byte(nil))
	f.Fuzz(func(t *testing.T, text string, data []byte) {
		var r record
		known := wrote(nonce(), "a", "b")
		for i, message := range []*nats.Msg{known[0], known[1], {Header: nats.Header{headerName: []string{text}}, Data: data}, known[2]} {
			before := r.units()
			one, err := r.add(uint64(i+1), message.Header, message.Data)
			if err == nil && one != nil && one.kind == unit && (one.index != before || r.units() != before+1) {
				t.Errorf("unit %d came as number %d", one.index, before)
			}
			if err != nil && r.standing != broken {
				t.Errorf("%v, but the record counts", err)
			}
		}
	})
}

// FuzzTask reads items of strangers: what is accepted is within the limits, and is written as it was read.
func FuzzTask(f *testing.F) {
	task := taskOf("b1", 1)
	task.Material = []string{strings.Repeat("0", 64)}
	text, err := task.encode(nonce())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(itemSubject("b1", task.Key), text)
	f.Add("moot.items.b1.00000001.00", []byte("{}"))
	f.Fuzz(func(t *testing.T, subject string, text []byte) {
		task, generation, err := decodeTask(subject, text)
		if err != nil {
			return
		}
		if err := task.check(); err != nil || subject != itemSubject(task.Batch, task.Key) {
			t.Fatalf("accepted %+v under %q: %v", task, subject, err)
		}
		again, err := task.encode(generation)
		if err != nil {
			t.Fatal(err)
		}
		same, _, err := decodeTask(subject, again)
		if err != nil || same.Key != task.Key || !bytes.Equal(same.Payload, task.Payload) {
			t.Fatalf("%+v became %+v, %v", task, same, err)
		}
	})
}
