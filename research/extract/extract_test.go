package extract_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"moot/ledger"
	"moot/research/extract"
)

// modified is when the files of tests were written.
func modified() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

// found lists what an extractor finds in a text: the keys of each fact that are not empty, or the damage.
func found(tb testing.TB, form extract.Form, text string) []string {
	tb.Helper()
	var out []string
	for one, err := range extract.Of(form).Extract(extract.Source{
		Name: "in", From: strings.NewReader(text),
		Modified: modified(),
	}) {
		var damage *extract.Damage
		switch {
		case errors.As(err, &damage):
			out = append(out, "damaged "+damage.Error())
		case err != nil:
			out = append(out, "ended by "+err.Error())
		default:
			var keys []string
			for _, key := range ledger.FactKeys() {
				if key == "timestamp" && one.Fact.At.IsZero() {
					continue
				}
				if text := one.Fact.Key(key); text != "" {
					keys = append(keys, text)
				}
			}
			out = append(out, fmt.Sprintf("%d %s", one.Line, strings.Join(keys, "|")))
		}
	}
	return out
}

func TestFormsFindFacts(t *testing.T) {
	const whole = `{"id":"a","entity":"web","entity_type":"edge","field":"f","value":1.0,"timestamp":"2026-11-21 10:00:00","source_type":"syslog","source_id":"s","parser_version":"p","raw":"r"}`
	const shown = `a|web|edge|f|1|2026-11-21T10:00:00Z|syslog|s|p|r`
	for name, c := range map[string]struct {
		form extract.Form
		text string
		want []string
	}{
		"JSON Lines": {extract.FormJSON, whole + "\n" + whole, []string{"1 " + shown, "2 " + shown}},
		"a list": {
			extract.FormJSON, "\ufeff\n [" + whole + ",\n" + whole + "]",
			[]string{"2 " + shown, "3 " + shown},
		},
		"a packet": {
			extract.FormJSON, `{"packet_id":"p","facts":[` + whole + `]}`,
			[]string{"1 " + shown},
		},
		"a fact that lacks much": {extract.FormJSON, `{"entity":"web","id":null}`, []string{"1 in:1|web"}},
		"a key that is unknown":  {extract.FormJSON, `{"entity":"web","host":[1]}`, []string{"1 in:1|web"}},
		"a number for a text": {
			extract.FormJSON, whole + "\n" + `{"entity":7}` + "\n" + whole,
			[]string{"1 " + shown, `damaged in: line 2: entity: it takes a text`, "3 " + shown},
		},
		"an unknown type": {
			extract.FormJSON, `{"source_type":"sys"}`,
			[]string{`damaged in: line 1: source_type: unknown source type "sys": did you mean "syslog"? (known: netflow, syslog, process_list, dns_log, auth_log, graph_computation, manual, unknown)`},
		},
		"half of a line": {
			extract.FormJSON, `{"entity":` + "\n" + whole,
			[]string{"damaged in: line 2: the JSON ends before the object does", "2 " + shown},
		},
		"a line that is no JSON": {
			extract.FormJSON, whole + "\nwhat\n" + whole,
			[]string{"1 " + shown, "damaged in: line 2: invalid character 'w' at start of value", "3 " + shown},
		},
		"a list with a number": {
			extract.FormJSON, "[" + whole + ",\n7,\n" + whole + "]",
			[]string{"1 " + shown, "damaged in: line 2: facts[1]: a fact is an object", "3 " + shown},
		},
		"a list with a bad fact": {
			extract.FormJSON, "[" + whole + ",\n{\"timestamp\":\n\"now\"}]",
			[]string{"1 " + shown, `damaged in: line 2: facts[1].timestamp: "now" is not a time of RFC 3339, as in 2026-11-21T10:00:00Z`},
		},
		"facts that are none": {
			extract.FormJSON, `{"facts":7}`,
			[]string{"damaged in: line 1: facts: it takes a list of facts"},
		},
		"a window that is none": {
			extract.FormJSON, `{"window":[1,2],"facts":[]}`,
			[]string{"damaged in: line 1: window: it takes a list of two times, its first and its last moment; it is skipped"},
		},
		"nothing": {extract.FormJSON, "", []string{"damaged in: line 1: there is no JSON object"}},
		"a text that says facts": {
			extract.FormJSON, `{"entity":"facts","field":"\"facts\""}`,
			[]string{`1 in:1|facts|"facts"`},
		},

		"CSV": {
			extract.FormCSV,
			"id,entity,field,value,timestamp\na,web,f,1.0,2026-11-21T10:00:00Z\n",
			[]string{"2 a|web|f|1|2026-11-21T10:00:00Z"},
		},
		"values": {
			extract.FormCSV,
			"entity,field,value\nw,f,007\nw,f,\"{\"\"a\"\": 1}\"\nw,f,\nw,f,NaN\nw,f,true\n",
			[]string{`2 in:2|w|f|"007"`, `3 in:3|w|f|{"a":1}`, `4 in:4|w|f|""`, `5 in:5|w|f|"NaN"`, `6 in:6|w|f|true`},
		},
		"semicolons": {
			extract.FormCSV, "\ufeffEntity; Field ;VALUE;note\r\nw;f;1,5;x\r\n",
			[]string{`2 in:2|w|f|"1,5"`},
		},
		"tabs": {extract.FormCSV, "entity\tfield\tvalue\nw\tf\t1\n", []string{"2 in:2|w|f|1"}},
		"a value over two lines": {
			extract.FormCSV, "entity,field,value\nw,f,\"a\nb\"\nw,f,1\n",
			[]string{`2 in:2|w|f|"a\nb"`, "4 in:4|w|f|1"},
		},
		"too few columns": {
			extract.FormCSV, "entity,field,value\nw,f\nw,f,1\n",
			[]string{"damaged in: line 2: it has 2 columns, and the header 3", "3 in:3|w|f|1"},
		},
		"a quotation mark astray": {
			extract.FormCSV, "entity,field,value\nw,f,a\"b\nw,f,1\n",
			[]string{`damaged in: line 2: bare " in non-quoted-field`, "3 in:3|w|f|1"},
		},
		"bytes that are no text": {
			extract.FormCSV, "entity,field,value\nw,f,\xff\nw,f,1\n",
			[]string{"damaged in: line 2: value: it has bytes that are no UTF-8", "3 in:3|w|f|1"},
		},
		"an unknown word": {
			extract.FormCSV, "entity,field,value,entity_type\nw,f,1,knot\n",
			[]string{`damaged in: line 2: entity_type: unknown entity type "knot" (known: node, edge)`},
		},
		"no header": {
			extract.FormCSV, "",
			[]string{"ended by in: there is no header: the first row names the columns, as in id,entity,field,value,timestamp"},
		},
		"a column that is missing": {
			extract.FormCSV, "entity,feld,value\n",
			[]string{`ended by in: the header has no column "field"; is it "feld"?`},
		},
		"a column twice": {
			extract.FormCSV, "entity,field,value,value\n",
			[]string{`ended by in: the header has the column "value" twice`},
		},
		"a note twice": {
			extract.FormCSV, "entity,field,value,note,note\nw,f,1,a,b\n",
			[]string{"2 in:2|w|f|1"},
		},

		"lines": {extract.FormText, "2026-11-21T10:00:00Z a\r\n\n  \nb\n\"c\"", []string{
			`1 in:1|in|node|line|"2026-11-21T10:00:00Z a"|2026-11-21T10:00:00Z|moot lines 1`,
			`4 in:4|in|node|line|"b"|2026-11-21T09:00:00Z|moot lines 1`,
			`5 in:5|in|node|line|"\"c\""|2026-11-21T09:00:00Z|moot lines 1`,
		}},
		"a long line": {
			extract.FormText, strings.Repeat("x", extract.LongestLine+1) + "\nb\n",
			[]string{
				"damaged in: line 1: it is longer than 1048576 bytes",
				`2 in:2|in|node|line|"b"|2026-11-21T09:00:00Z|moot lines 1`,
			},
		},
		"a line that is no text": {
			extract.FormText, "\xff\nb",
			[]string{
				"damaged in: line 1: it has bytes that are no UTF-8",
				`2 in:2|in|node|line|"b"|2026-11-21T09:00:00Z|moot lines 1`,
			},
		},
		"the longest line": {
			extract.FormText, strings.Repeat("x", extract.LongestLine-1) + "\n",
			[]string{`1 in:1|in|node|line|"` + strings.Repeat("x", extract.LongestLine-1) +
				`"|2026-11-21T09:00:00Z|moot lines 1`},
		},
		"a long last line": {
			extract.FormText, strings.Repeat("x", extract.LongestLine+1),
			[]string{"damaged in: line 1: it is longer than 1048576 bytes"},
		},
		"no line": {extract.FormText, "", nil},
	} {
		if got := found(t, c.form, c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: found\n%+v, want\n%+v", name, got, c.want)
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
		"<13>2026-11-21T10:00:00Z x":                       no,
		strings.Repeat("2026-11-21 ", 40):                  no,
		"2026-11-21T10:00:00Z" + strings.Repeat("x", 9999): no,
	} {
		got := found(t, extract.FormText, line)
		if parts := strings.Split(got[0], "|"); len(got) != 1 || parts[len(parts)-2] != want {
			t.Errorf("%.60s: %.200q, want %s", line, got, want)
		}
	}
}

func TestFormOf(t *testing.T) {
	for name, want := range map[string]extract.Form{
		"a.json": extract.FormJSON, "a.JSONL": extract.FormJSON, "x/a.ndjson": extract.FormJSON,
		"a.csv": extract.FormCSV,
		"a.tsv": extract.FormCSV, "a.log": extract.FormText, "json": extract.FormText, "": extract.FormText,
	} {
		if got := extract.FormOf(name); got != want {
			t.Errorf("%s is of form %s", name, got)
		}
	}
}

// What breaks while it is read ends it, and is no damage.
func TestAFileThatBreaksEndsIt(t *testing.T) {
	for _, form := range extract.Forms() {
		from := extract.Source{Name: "in", From: iotest.ErrReader(errors.New("the disk is gone"))}
		err := extract.NewCollector(extract.Options{}).Take(extract.Of(form), from)
		if err == nil || !strings.Contains(err.Error(), "the disk is gone") {
			t.Errorf("%s: %v", form, err)
		}
	}
}

// Whoever stops asking gets no more.
func TestOneMayStop(t *testing.T) {
	for form, text := range map[extract.Form]string{
		extract.FormJSON: `{"facts":[{},{}]} {} what`, extract.FormCSV: "entity,field,value\nw\na,b,c\na,b,c\n",
		extract.FormText: "a\n\xff\nb\n",
	} {
		for most := 1; most < 4; most++ {
			n := 0
			for range extract.Of(form).Extract(extract.Source{Name: "in", From: strings.NewReader(text)}) {
				if n++; n == most {
					break
				}
			}
		}
	}
}

// collect makes a packet of texts.
func collect(t *testing.T, o extract.Options, form extract.Form, texts ...string) (extract.Made, error) {
	t.Helper()
	c := extract.NewCollector(o)
	for i, text := range texts {
		from := extract.Source{Name: fmt.Sprintf("in%d", i), From: strings.NewReader(text), Modified: modified()}
		if err := c.Take(extract.Of(form), from); err != nil {
			t.Fatal(err)
		}
	}
	return c.Packet()
}

func usual() extract.Options {
	return extract.Options{ID: "p", EntityType: ledger.EntityNode, SourceType: ledger.SourceUnknown}
}

func TestCollect(t *testing.T) {
	made, err := collect(t, usual(), extract.FormCSV,
		"id,entity,field,value,timestamp\na,w,f,1,2026-11-21T10:05:00Z\n,,f,1,2026-11-21T10:05:00Z\na,w,f,2,2026-11-21T10:01:00Z\n",
		"id,entity,field,value,timestamp,source_type,source_id\nb,w,f,1,2026-11-21T10:00:00Z,syslog,\nc,w,f,1,,,\nd,w,,1,2026-11-21T10:00:00Z,,\n")
	if err != nil {
		t.Fatal(err)
	}
	from, to := made.Packet.Window()
	if !from.Equal(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)) || !to.Equal(from.Add(5*time.Minute)) {
		t.Errorf("the window is %s to %s", from, to)
	}
	a, b := made.Packet.At(0), made.Packet.At(1)
	if made.Packet.Len() != 2 || a.SourceID != "in0" || a.SourceType != ledger.SourceUnknown || b.SourceID != "in1" ||
		b.SourceType != ledger.SourceSyslog {
		t.Errorf("the facts are %+v and %+v", a, b)
	}
	var damaged []string
	for _, d := range made.Damage {
		damaged = append(damaged, d.Error())
	}
	want := []string{
		"in0: line 3: it has no entity", "in1: line 3: it has no timestamp", "in1: line 4: it has no field",
		`in0: line 4: fact "a": id: another fact has this id`,
	}
	if !slices.Equal(damaged, want) || made.Damaged != len(want) {
		t.Errorf("damaged are %q", damaged)
	}
}

// A window leaves out what lies outside of it, and what is chosen is not overruled.
func TestCollectInAWindow(t *testing.T) {
	o := usual()
	o.From, o.To, o.SourceID = modified(), modified().Add(time.Hour), "mine"
	made, err := collect(t, o, extract.FormText,
		"2026-11-21T08:59:59Z before\nnow\n2026-11-21T10:00:00Z end\n2026-11-21T10:00:00.1Z behind\n")
	if err != nil {
		t.Fatal(err)
	}
	if from, to := made.Packet.Window(); !from.Equal(o.From) || !to.Equal(o.To) || made.Outside != 2 ||
		made.Dated != 1 || made.Packet.At(0).SourceID != "mine" {
		t.Errorf("%+v from %s to %s: %+v", made, from, to, made.Packet.At(0))
	}
	for name, text := range map[string]string{"all outside": "2026-11-21T08:59:59Z before\n", "nothing": "\n"} {
		if made, err := collect(t, o, extract.FormText, text); err == nil || made.Packet != nil ||
			!strings.Contains(err.Error(), "there is no fact") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDamageIsBounded(t *testing.T) {
	made, err := collect(t, usual(), extract.FormText, "a\n"+strings.Repeat("\xff\n", 3*extract.MostDamage))
	if err != nil || len(made.Damage) != extract.MostDamage || made.Damaged != 3*extract.MostDamage {
		t.Errorf("%d of %d are told, %v", len(made.Damage), made.Damaged, err)
	}
}

func TestFolder(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"b.log": "one\n", "a/c.txt": "two\n", ".hidden": "no\n", ".git/config": "no\n", "a/binary": "x\x00y",
		"empty": "", "a.json": "{}\n",
	} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, modified(), modified()); err != nil {
			t.Fatal(err)
		}
	}
	linked := os.Symlink("/etc/hostname", filepath.Join(folder, "link")) == nil
	c := extract.NewCollector(usual())
	var skipped []string
	err := extract.Folder(folder, func(from extract.Source) error { return c.Take(extract.Lines{}, from) },
		func(name, why string) {
			skipped = append(skipped, name+": "+why)
		})
	if err != nil {
		t.Fatal(err)
	}
	made, err := c.Packet()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, f := range made.Packet.All() {
		ids = append(ids, f.ID+" "+f.Entity+" "+f.SourceID+" "+f.Key("timestamp"))
	}
	const at = " 2026-11-21T09:00:00Z"
	if want := []string{
		"a/c.txt:1 a/c.txt a/c.txt" + at, "a.json:1 a.json a.json" + at,
		"b.log:1 b.log b.log" + at,
	}; !slices.Equal(ids, want) {
		t.Errorf("the facts are %q, want %q", ids, want)
	}
	want := []string{"a/binary: it is no text"}
	if linked {
		want = append(want, "link: it is no file")
	}
	if !slices.Equal(skipped, want) {
		t.Errorf("skipped are %q, want %q", skipped, want)
	}
	if err := extract.Folder(filepath.Join(folder, "none"), nil, nil); err == nil {
		t.Error("a folder that is not there is read")
	}
	stop := errors.New("enough")
	if err := extract.Folder(folder, func(extract.Source) error { return stop },
		func(string, string) {}); !errors.Is(err, stop) {
		t.Errorf("it goes on with %v", err)
	}
}
