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
	for name, c := range map[string]struct{ text, says string }{
		"nothing":             {"", `case.json: line 1: there is no JSON`},
		"a list":              {"[]", `case.json: line 1: it takes an object, not a list`},
		"nonsense":            {"nonsense", `case.json: line 1: invalid character 'o' in literal null`},
		"the half of one":     {`{"packet_id":"p",` + "\n" + `"facts":[`, `case.json: line 2: facts: the JSON ends before`},
		"something behind it": {inPacket(goodFact()) + "{}", `line 4: packet "case-1": there is more after the end`},
		"no id":               {strings.Replace(inPacket(), "case-1", "", 1), `line 1: packet_id: it is missing`},
		"a number for an id": {
			strings.Replace(inPacket(goodFact()), `"case-1"`, "1", 1), `line 1: packet_id: it takes a text, not a number`,
		},
		"a window of one": {
			`{"packet_id":"p","window":["2026-11-21T10:00:00Z"],"facts":[]}`,
			`packet "p": window: it takes a list of two times`,
		},
		"a window of numbers": {`{"packet_id":"p","window":[1,2]}`, `window[0]: it takes a text, not a number`},
		"a window turned around": {
			`{"packet_id":"p","window":["2026-11-21T11:00:00Z","2026-11-21T10:00:00Z"],"facts":[]}`,
			`window: it ends at 2026-11-21T10:00:00Z, before it begins at 2026-11-21T11:00:00Z`,
		},
		"an empty packet": {inPacket(), `packet "case-1": facts: there are none`},
		"an unknown key": {
			strings.Replace(inPacket(goodFact()), `"window"`, `"windows"`, 1),
			`line 1: packet "case-1": windows: there is no such field; did you mean "window"?`,
		},
		"a key twice": {
			strings.Replace(inPacket(goodFact()), `"window"`, `"packet_id":"p","window"`, 1),
			`line 1: packet_id: duplicate object member name`,
		},
		"a fact that is none": {
			inPacket(goodFact(), "1"), `line 3: packet "case-1": fact 2: it takes an object, not a number`,
		},
		"a fact twice": {
			inPacket(goodFact(), goodFact()), `line 3: packet "case-1": fact "f1": id: another fact has this id`,
		},
		"a fact before the window": {
			inPacket(goodFact("10:00:00Z", "09:59:59.999999999Z")),
			`line 2: packet "case-1": fact "f1": timestamp: 2026-11-21T09:59:59.999999999Z is outside of the window`,
		},
		"a fact of another zone": {
			inPacket(goodFact("10:00:00Z", "10:30:00+01:00")), `timestamp: 2026-11-21T09:30:00Z is outside of the window`,
		},
		"no id of a fact": {inPacket(goodFact(`"id":"f1",`, "")), `line 2: packet "case-1": fact 1: id: it is missing`},
		"no type of entity": {
			inPacket(goodFact(`"entity_type":"node",`, "")), `fact "f1": entity_type: it is missing`,
		},
		"no value": {inPacket(goodFact(`"value":"ok",`, "")), `fact "f1": value: it is missing`},
		"no time": {
			inPacket(goodFact(`"timestamp":"2026-11-21T10:00:00Z",`, "")), `fact "f1": timestamp: it is missing`,
		},
		"a source that is null": {
			inPacket(goodFact(`"dc-1"`, `null`)), `fact "f1": source_id: it is missing: source_type and source_id say`,
		},
		"an unknown type of source": {
			inPacket(goodFact("auth_log", "authlog")),
			`line 2: packet "case-1": fact "f1": source_type: unknown source type "authlog": did you mean "auth_log"?`,
		},
		"an unknown key of a fact": {
			inPacket(goodFact(`"field"`, `"fields"`)),
			`fact "f1": fields: there is no such field; did you mean "field"?`,
		},
		"a key twice by its escapes": {
			inPacket(goodFact(`"field":"logon"`, `"field":"logon","f\u0069eld":"logoff"`)),
			`facts[0].field: duplicate object member name`,
		},
		"a number too large": {
			inPacket(goodFact(), goodFact("f1", "f2", `"ok"`, `{"a":[1.5,-1e999]}`)),
			`case.json: line 3: packet "case-1": fact "f2": value: the number -1e999 is too large for a double`,
		},
		"half of a character":    {inPacket(goodFact(`"ok"`, `"\ud800"`)), `facts[0].value: invalid surrogate pair`},
		"bytes that are no text": {inPacket(goodFact("ok", "\xff")), `line 2: facts[0].value: invalid UTF-8`},
		"a day without a time": {
			inPacket(goodFact("2026-11-21T10:00:00Z", "2026-11-21")),
			`timestamp: "2026-11-21" is not a time of RFC 3339, as in 2026-11-21T10:00:00Z`,
		},
		"a time in seconds": {
			inPacket(goodFact(`"2026-11-21T10:00:00Z"`, "1795255200")), `timestamp: it takes a text, not a number`,
		},
		"a time behind all years": {
			inPacket(goodFact("2026-11-21T10:00:00Z", "9999-12-31T23:59:59-01:00")),
			`timestamp: "9999-12-31T23:59:59-01:00" is outside of the years 0 to 9999 in UTC`,
		},
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
		"2026-11-21T05:00:00.000-05:30",
	} {
		p := read(t, inPacket(goodFact("2026-11-21T10:00:00Z", written)))
		if at := p.At(0).At.Format("2006-01-02T15:04:05.999999999Z07:00"); at != "2026-11-21T10:30:00Z" {
			t.Errorf("%s is read as %s", written, at)
		}
	}
}

// CheckPacket continues with the next fact after a mistake, and reports the place of each.
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
	want := []string{"3 f2 entity_type", "4 f3 timestamp", "6  "}
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
