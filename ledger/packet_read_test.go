package ledger_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"moot/ledger"
)

// goodFact is a fact that is sound, with what a test wants otherwise.
func goodFact(changes ...string) string {
	fact := `{"id":"f1","entity":"web-1","entity_type":"node","field":"logon","value":"ok","timestamp":"2026-11-21T10:00:00Z",` +
		`"source_type":"auth_log","source_id":"dc-1"}`
	return strings.NewReplacer(changes...).Replace(fact)
}

// inPacket is a packet with facts, whose window is an hour.
func inPacket(facts ...string) string {
	return `{"packet_id":"case-1","window":["2026-11-21T10:00:00Z","2026-11-21T11:00:00Z"],"facts":[` + "\n" +
		strings.Join(facts, ",\n") + "\n]}\n"
}

func read(tb testing.TB, text string) *ledger.Packet {
	tb.Helper()
	p, err := ledger.ReadPacket(strings.NewReader(text), "case.json")
	if err != nil {
		tb.Fatalf("%.300s: %s", text, err)
	}
	return p
}

// Every bad packet is an error that names the file, the line, the packet, the fact
// and the key.
func TestABadPacketIsRefused(t *testing.T) {
	deep := func(levels int) string { return strings.Repeat("[", levels) + strings.Repeat("]", levels) }
	for name, c := range map[string]struct{ text, says string }{
		"nothing":  {"", `case.json: line 1: there is no JSON`},
		"blanks":   {" \n ", `case.json: line 1: there is no JSON`},
		"a list":   {"[]", `case.json: line 1: a packet is a JSON object, not a list`},
		"nonsense": {"nonsense", `case.json: line 1: invalid character 'o' in literal null`},
		"the half of one": {
			`{"packet_id":"p",` + "\n" + `"facts":[`,
			`case.json: line 2: packet "p": the JSON ends before its end`,
		},
		"something behind it": {
			inPacket(goodFact()) + "{}",
			`case.json: line 4: packet "case-1": there is more after the end: an object`,
		},
		"no id": {
			`{"window":["2026-11-21T10:00:00Z","2026-11-21T11:00:00Z"],"facts":[]}`,
			`line 1: packet_id: it is missing`,
		},
		"an empty id": {
			strings.Replace(inPacket(goodFact()), "case-1", "", 1),
			`line 1: packet_id: it is empty`,
		},
		"a number for an id": {
			strings.Replace(inPacket(goodFact()), `"case-1"`, "1", 1),
			`line 1: packet_id: it takes a text, not a number`,
		},
		"no window": {
			`{"packet_id":"p","facts":[` + goodFact() + `]}`,
			`packet "p": window: it is missing`,
		},
		"a window of one": {
			`{"packet_id":"p","window":["2026-11-21T10:00:00Z"],"facts":[]}`,
			`packet "p": window: it takes a list of two times`,
		},
		"a window of three": {`{"packet_id":"p","window":["2026-11-21T10:00:00Z","2026-11-21T10:00:00Z",1],"facts":[]}`, `window: it takes a list of two times`},
		"a window of numbers": {
			`{"packet_id":"p","window":[1,2],"facts":[]}`,
			`window: it takes a list of two times`,
		},
		"a window that is an object": {
			`{"packet_id":"p","window":{"from":1},"facts":[]}`,
			`window: it takes a list of two times`,
		},
		"a window turned around": {`{"packet_id":"p","window":["2026-11-21T11:00:00Z","2026-11-21T10:00:00Z"],"facts":[]}`, `window: it ends at 2026-11-21T10:00:00Z, before it begins at 2026-11-21T11:00:00Z`},
		"no facts": {
			`{"packet_id":"p","window":["2026-11-21T10:00:00Z","2026-11-21T11:00:00Z"]}`,
			`packet "p": facts: it is missing`,
		},
		"an empty packet": {
			inPacket(),
			`packet "case-1": facts: there are none`,
		},
		"facts that are none": {`{"packet_id":"p","facts":null}`, `facts: it takes a list, not null`},
		"an unknown key": {
			strings.Replace(inPacket(goodFact()), `"window"`, `"windows"`, 1),
			`line 1: packet "case-1": windows: a packet has no such key; did you mean "window"?`,
		},
		"a strange key": {
			strings.Replace(inPacket(goodFact()), `"window"`, `"zzz":1,"window"`, 1),
			`zzz: a packet has no such key (known: packet_id, window, facts)`,
		},
		"a key twice": {strings.Replace(inPacket(goodFact()), `"window"`, `"packet_id":"p","window"`,
			1), `line 1: duplicate object member name "packet_id"`},

		"a fact that is none": {
			inPacket(goodFact(), "1"),
			`line 3: packet "case-1": fact 2: a fact is an object, not a number`,
		},
		"a fact twice": {
			inPacket(goodFact(), goodFact()),
			`line 3: packet "case-1": fact "f1": id: another fact has this id`,
		},
		"a fact before the window": {
			inPacket(goodFact("10:00:00Z", "09:59:59.999999999Z")),
			`line 2: packet "case-1": fact "f1": timestamp: 2026-11-21T09:59:59.999999999Z is outside of the window, 2026-11-21T10:00:00Z to 2026-11-21T11:00:00Z`,
		},
		"a fact behind the window": {
			inPacket(goodFact("10:00:00Z", "11:00:00.000000001Z")),
			`fact "f1": timestamp: 2026-11-21T11:00:00.000000001Z is outside of the window`,
		},
		"a fact of another zone": {
			inPacket(goodFact("10:00:00Z", "10:30:00+01:00")),
			`timestamp: 2026-11-21T09:30:00Z is outside of the window`,
		},
		"a fact of the year 1": {
			inPacket(goodFact("2026-11-21T10:00:00Z", "0001-01-01T00:00:00Z")),
			`timestamp: 0001-01-01T00:00:00Z is outside of the window`,
		},
		"no id of a fact": {
			inPacket(goodFact(`"id":"f1",`, "")),
			`line 2: packet "case-1": fact 1: id: it is missing`,
		},
		"an empty id of a fact": {
			inPacket(goodFact(`"f1"`, `""`)),
			`line 2: packet "case-1": fact 1: id: it is empty`,
		},
		"no entity": {inPacket(goodFact(`"entity":"web-1",`, "")), `fact "f1": entity: it is missing`},
		"no type of entity": {
			inPacket(goodFact(`"entity_type":"node",`, "")),
			`fact "f1": entity_type: it is missing`,
		},
		"no field": {inPacket(goodFact(`"field":"logon",`, "")), `fact "f1": field: it is missing`},
		"no value": {inPacket(goodFact(`"value":"ok",`, "")), `fact "f1": value: it is missing`},
		"no time": {
			inPacket(goodFact(`"timestamp":"2026-11-21T10:00:00Z",`, "")),
			`fact "f1": timestamp: it is missing`,
		},
		"no type of source": {
			inPacket(goodFact(`"source_type":"auth_log",`, "")),
			`fact "f1": source_type: it is missing: source_type and source_id say`,
		},
		"no source": {
			inPacket(goodFact(`,"source_id":"dc-1"`, "")),
			`fact "f1": source_id: it is missing: source_type and source_id say`,
		},
		"an empty source": {inPacket(goodFact(`"dc-1"`, `""`)), `fact "f1": source_id: it is empty`},
		"a source that is null": {
			inPacket(goodFact(`"dc-1"`, `null`)),
			`fact "f1": source_id: it takes a text, not null`,
		},
		"an unknown type of source": {
			inPacket(goodFact("auth_log", "authlog")),
			`line 2: packet "case-1": fact "f1": source_type: unknown source type "authlog": did you mean "auth_log"?`,
		},
		"an unknown type of entity": {
			inPacket(goodFact(`"node"`, `"nodes"`)),
			`fact "f1": entity_type: unknown entity type "nodes": did you mean "node"?`,
		},
		"an id behind what is wrong": {
			inPacket(`{"entity_type":"knot",` + goodFact(`"entity_type":"node",`, "")[1:]),
			`fact "f1": entity_type: unknown entity type "knot"`,
		},
		"an unknown key of a fact": {
			inPacket(goodFact(`"field"`, `"fields"`)),
			`fact "f1": fields: a fact has no such key; did you mean "field"?`,
		},
		"a key of a fact twice": {
			inPacket(goodFact(`"field":"logon"`, `"field":"logon","field":"logoff"`)),
			`fact 1: field: duplicate object member name "field"`,
		},
		"a key of a value twice": {
			inPacket(goodFact(`"ok"`, `{"a":[{"b":1,"b":2}]}`)),
			`fact 1: value: duplicate object member name "b"`,
		},
		"a key twice by its escapes": {
			inPacket(goodFact(`"field":"logon"`, `"field":"logon","f\u0069eld":"logoff"`)),
			`fact 1: field: duplicate object member name "field"`,
		},
		"a value too deep": {
			inPacket(goodFact(`"ok"`, deep(ledger.DeepestValue+1))),
			`fact "f1": value: more than 1000 nested lists and objects`,
		},
		"a value without end": {
			inPacket(goodFact(`"ok"`, strings.Repeat("[", 20_000))),
			`fact 1: value: exceeded max depth`,
		},
		"an exponent without end": {
			inPacket(goodFact(`"ok"`, `1e1000000`)),
			`fact "f1": value: the number 1e1000000 has an exponent beyond 100000`,
		},
		"half of a character": {
			inPacket(goodFact(`"ok"`, `"\ud800"`)),
			`fact 1: value: a text has half of a character`,
		},
		"half of one in a text": {
			inPacket(goodFact(`logon`, `\ud800`)),
			`fact 1: field: a text has half of a character`,
		},
		"bytes that are no text": {
			inPacket(goodFact("ok", "\xff")),
			`line 2: packet "case-1": fact 1: value: invalid UTF-8`,
		},
		"a time without a day": {
			inPacket(goodFact("2026-11-21T10:00:00Z", "10:00:00")),
			`timestamp: "10:00:00" is not a time of RFC 3339, as in 2026-11-21T10:00:00Z`,
		},
		"a day without a time": {
			inPacket(goodFact("2026-11-21T10:00:00Z", "2026-11-21")),
			`timestamp: "2026-11-21" is not a time of RFC 3339`,
		},
		"a day that is none": {
			inPacket(goodFact("2026-11-21T10:00:00Z", "2026-02-30T10:00:00Z")),
			`timestamp: "2026-02-30T10:00:00Z" is not a time of RFC 3339`,
		},
		"a time in seconds": {
			inPacket(goodFact(`"2026-11-21T10:00:00Z"`, "1795255200")),
			`timestamp: it takes a text, not a number`,
		},
		"a time too fine": {
			inPacket(goodFact("10:00:00Z", "10:00:00.0000000001Z")),
			`timestamp: "2026-11-21T10:00:00.0000000001Z" is finer than a nanosecond`,
		},
		"a time behind all years": {
			inPacket(goodFact("2026-11-21T10:00:00Z", "9999-12-31T23:59:59-01:00")),
			`timestamp: "9999-12-31T23:59:59-01:00" is outside of the years 0 to 9999 in UTC`,
		},
		"a time before all years": {
			inPacket(goodFact("2026-11-21T10:00:00Z", "0000-01-01T00:00:00+01:00")),
			`timestamp: "0000-01-01T00:00:00+01:00" is outside of the years`,
		},
		"a time with a tail": {inPacket(goodFact("10:00:00Z", "10:00:00Zebra")), `is not a time of RFC 3339`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ledger.ReadPacket(strings.NewReader(c.text), "case.json")
			var wrong *ledger.PacketError
			if !errors.As(err, &wrong) {
				t.Fatalf("it says %v, no PacketError", err)
			}
			if !strings.Contains(err.Error(), c.says) {
				t.Errorf("it says %.400q, want %q", err, c.says)
			}
		})
	}
}

// An error of reading the file is not a mistake of the packet.
func TestAnErrorOfReadingIsNoMistakeOfThePacket(t *testing.T) {
	text := inPacket(goodFact())
	from := io.MultiReader(strings.NewReader(text[:150]), iotest.ErrReader(errors.New("the disk is gone")))
	_, err := ledger.ReadPacket(from, "case.json")
	var wrong *ledger.PacketError
	if err == nil || errors.As(err, &wrong) || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("it says %v", err)
	}
}

func TestTimesAreUTC(t *testing.T) {
	for _, written := range []string{
		"2026-11-21T10:30:00Z", "2026-11-21T10:30:00", "2026-11-21t10:30:00z", "2026-11-21 10:30:00",
		"2026-11-21T11:30:00+01:00",
		"2026-11-21T05:00:00.000-05:30", "2026-11-21T10:30:00.0000000000000",
	} {
		p := read(t, inPacket(goodFact("2026-11-21T10:00:00Z", written)))
		if at := p.At(0).At.Format("2006-01-02T15:04:05.999999999Z07:00"); at != "2026-11-21T10:30:00Z" {
			t.Errorf("%s is read as %s", written, at)
		}
	}
}

// CheckPacket continues after each mistake, and reports the place of each.
func TestCheckPacketListsAllThatIsWrong(t *testing.T) {
	text := inPacket(
		goodFact(),
		goodFact("f1", "f2", `"node"`, `"knot"`, "auth_log", "authlog"),
		goodFact("f1", "f3", "10:00:00Z", "12:00:00Z"),
		goodFact("f1", "f2"),
		`"nothing"`,
		goodFact("f1", "f4"),
	)
	p, wrong, err := ledger.CheckPacket(strings.NewReader(text), "case.json", 100)
	if p != nil || err != nil {
		t.Fatalf("%v, %v", p, err)
	}
	var got []string
	for _, w := range wrong {
		got = append(got, fmt.Sprintf("%d %s %s", w.Line, w.Fact, w.Field))
	}
	want := []string{"3 f2 entity_type", "3 f2 source_type", "4 f3 timestamp", "5 f2 id", "6  "}
	if !slices.Equal(got, want) {
		t.Errorf("it lists %q, want %q", got, want)
	}
	if _, wrong, _ = ledger.CheckPacket(strings.NewReader(text), "case.json", 2); len(wrong) != 2 {
		t.Errorf("%d mistakes, and two were wanted", len(wrong))
	}
}

func TestAByteOrderMarkIsPassedOver(t *testing.T) {
	if a, b := read(t, inPacket(goodFact())), read(t, "\ufeff"+inPacket(goodFact())); a.Digest() != b.Digest() {
		t.Error("it changes the digest")
	}
}
