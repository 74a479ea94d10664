package extract_test

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/research/extract"
)

func modified() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

func usual() extract.Options {
	return extract.Options{ID: "p", EntityType: ledger.EntityNode, SourceType: ledger.SourceUnknown}
}

// made makes a packet of texts named in0, in1, and so on.
func made(o extract.Options, isJSON bool, texts ...string) (extract.Made, error) {
	var sources []extract.Source
	for i, text := range texts {
		name := fmt.Sprintf("in%d", i)
		sources = append(sources, extract.Source{Name: name, Text: []byte(text), JSON: isJSON, Modified: modified()})
	}
	return extract.Make(o, sources)
}

func TestMakeReportsFactsAndDamage(t *testing.T) {
	const whole = `{"id":"a","entity":"web","entity_type":"edge","field":"f","value":1.0,"timestamp":"2026-11-21 10:00:00","source_type":"syslog","source_id":"s","parser_version":"p","raw":"r"}`
	const shown = `a|web|edge|f|1|2026-11-21T10:00:00Z|syslog|s|p|r`
	const noFact = "there is no fact to make a packet of"
	const little = `"field":"f","value":1,"timestamp":"2026-11-21T10:00:00Z"}`
	for name, c := range map[string]struct {
		isJSON bool
		text   string
		want   []string
	}{
		"a fact": {true, "\ufeff" + whole, []string{shown}},
		"a fact that lacks much": {
			true, `{"entity":"web","raw":null,` + little,
			[]string{`in0:1|web|node|f|1|2026-11-21T10:00:00Z|unknown|in0||`},
		},
		"an id twice": {
			true, whole + "\n" + whole,
			[]string{shown, `damaged in0: line 2: fact "a": id: another fact has this id`},
		},
		"a number for a text": {
			true, whole + "\n" + `{"entity":7}`,
			[]string{shown, "damaged in0: line 2: entity: it takes a text, not a number"},
		},
		"no time": {true, whole + "\n" + `{"id":"b"}`, []string{shown, "damaged in0: line 2: it has no timestamp"}},
		"no entity": {
			true, whole + "\n{" + little,
			[]string{shown, `damaged in0: line 2: fact "in0:2": entity: it is missing`},
		},
		"an unknown type": {
			true, whole + "\n" + `{"entity":"w","source_type":"sys",` + little,
			[]string{shown, `damaged in0: line 2: fact "in0:2": source_type: unknown source type "sys": did you mean "syslog"? (known: netflow, syslog, process_list, dns_log, auth_log, graph_computation, manual, unknown)`},
		},
		"a line that is no JSON": {
			true, whole + "\nwhat\n" + `{"entity":"w",` + little,
			[]string{
				shown, "in0:3|w|node|f|1|2026-11-21T10:00:00Z|unknown|in0||",
				"damaged in0: line 2: invalid character 'w' at start of value",
			},
		},
		"nothing": {true, "", []string{"damaged in0: line 1: there is no JSON object", noFact}},
		"lines": {false, "\ufeff2026-11-21T10:00:00Z a\r\n\n  \nb", []string{
			`in0:1|in0|node|line|"2026-11-21T10:00:00Z a"|2026-11-21T10:00:00Z|unknown|in0|moot lines 1|`,
			`in0:4|in0|node|line|"b"|2026-11-21T09:00:00Z|unknown|in0|moot lines 1|`,
		}},
		"a long line": {
			false, strings.Repeat("x", extract.LongestLine+1) + "\n",
			[]string{"damaged in0: line 1: it is longer than 1048576 bytes", noFact},
		},
		"a line that is no text": {false, "\xff\n", []string{"damaged in0: line 1: it is not UTF-8 text", noFact}},
	} {
		m, err := made(usual(), c.isJSON, c.text)
		var got []string
		if m.Packet != nil {
			for _, f := range m.Packet.All() {
				var keys []string
				for _, key := range ledger.FactKeys() {
					keys = append(keys, f.Key(key))
				}
				got = append(got, strings.Join(keys, "|"))
			}
		}
		for _, damage := range m.Damage {
			got = append(got, "damaged "+damage)
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: found\n%q, want\n%q", name, got, c.want)
		}
	}
}

func TestLinesBeginWithTimes(t *testing.T) {
	const no = "2026-11-21T09:00:00Z"
	for line, want := range map[string]string{
		"2026-11-21T10:00:00Z x":                           "2026-11-21T10:00:00Z",
		"2026-11-21T10:00:00.5+02:00 x":                    "2026-11-21T08:00:00.5Z",
		"2026-11-21 10:00:00,123 INFO x":                   "2026-11-21T10:00:00.123Z",
		"[2026-11-21 10:00:00] x":                          "2026-11-21T10:00:00Z",
		"2026-11-21 10:00:00 +0130 x":                      "2026-11-21T08:30:00Z",
		"2026-11-21 10:00:00 UTC x":                        "2026-11-21T10:00:00Z",
		"2026-11-21T10:00:00":                              "2026-11-21T10:00:00Z",
		"2026-11-21T10:00:00: x":                           "2026-11-21T10:00:00Z",
		"2026-11-21T10:00:00.123456789123Z x":              "2026-11-21T10:00:00.123456789Z",
		"2026-11-21T10:00:001 x":                           no,
		"2026-02-30T10:00:00Z x":                           no,
		"2026-11-21 is a day":                              no,
		"Nov 21 10:00:00 host app: x":                      no,
		"at 2026-11-21T10:00:00Z":                          no,
		strings.Repeat("2026-11-21 ", 40):                  no,
		"2026-11-21T10:00:00Z" + strings.Repeat("x", 9999): no,
	} {
		m, err := made(usual(), false, line)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Packet.At(0).At.Format(time.RFC3339Nano); got != want {
			t.Errorf("%.60s: %s, want %s", line, got, want)
		}
	}
}

// A window leaves out what lies outside of it, and options do not replace what facts have.
func TestMakeInAWindow(t *testing.T) {
	o := usual()
	o.From, o.To, o.SourceID = modified(), modified().Add(time.Hour), "mine"
	m, err := made(o, false,
		"2026-11-21T08:59:59Z before\nnow\n2026-11-21T10:00:00Z end\n2026-11-21T10:00:00.1Z behind\n")
	if err != nil {
		t.Fatal(err)
	}
	if from, to := m.Packet.Window(); !from.Equal(o.From) || !to.Equal(o.To) || m.Outside != 2 || m.Dated != 1 ||
		m.Packet.At(0).SourceID != "mine" {
		t.Errorf("%+v from %s to %s: %+v", m, from, to, m.Packet.At(0))
	}
	if m, err := made(o, false, "2026-11-21T08:59:59Z before\n"); err == nil || m.Packet != nil {
		t.Errorf("all outside: %v", err)
	}
}

func TestDamageIsBounded(t *testing.T) {
	m, err := made(usual(), false, "a\n"+strings.Repeat("\xff\n", 3*extract.MaxDamage))
	if err != nil || len(m.Damage) != extract.MaxDamage || m.Damaged != 3*extract.MaxDamage {
		t.Errorf("%d of %d are listed, %v", len(m.Damage), m.Damaged, err)
	}
}

// FuzzMake makes packets of anything: each packet can be written and read.
func FuzzMake(f *testing.F) {
	const fact = `{"id":"a","entity":"web","field":"f","value":[1.0],"timestamp":"2026-11-21 10:00:00"}`
	for _, text := range []string{
		fact + "\n" + fact, "{\n{", "2026-11-21T10:00:00Z a\nb\n", "[2026-11-21 10:00:00,1] \xff\n\r\n",
		"0000-01-01T00:00:00Z",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, isJSON := range []bool{true, false} {
			m, err := made(usual(), isJSON, text)
			if err != nil {
				continue
			}
			var out bytes.Buffer
			if err := m.Packet.Write(&out); err != nil {
				t.Fatal(err)
			}
			again, err := ledger.ReadPacket(&out, "again")
			if err != nil || again.Digest() != m.Packet.Digest() {
				t.Fatalf("read again it is another: %v", err)
			}
		}
	})
}
