package extract_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime/metrics"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"moot/ledger"
	"moot/research/extract"
)

func modified() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }

func usual() extract.Options {
	return extract.Options{ID: "p", EntityType: ledger.EntityNode, SourceType: ledger.SourceUnknown}
}

// made makes a packet of texts named in0, in1, and so on.
func made(o extract.Options, texts ...string) (extract.Made, error) {
	var files []*extract.File
	for i, text := range texts {
		files = append(files, &extract.File{
			Name: fmt.Sprintf("in%d", i), ReaderAt: strings.NewReader(text), Size: int64(len(text)), Modified: modified(),
		})
	}
	return extract.Make(context.Background(), o, []extract.Form{extract.Facts(), words(), extract.Lines()}, files)
}

// words is a form for tests: each line is "words", a second of the day, a host, an account, a kind and a text.
func words() extract.Form {
	return extract.Form{
		Name: "words", Takes: "words", Parser: "words 1",
		Recognize: func(head []byte) bool { return bytes.HasPrefix(head, []byte("words ")) },
		Read: func(_ context.Context, from *extract.File, into extract.Sink) error {
			return from.Lines(into, func(number int, line []byte) error {
				var second int
				r := extract.Record{Place: fmt.Sprint(number), Source: ledger.SourceAuthLog, Raw: string(line)}
				var text string
				n, _ := fmt.Sscanf(string(line), "words %d %s %s %s %s", &second, &r.Host, &r.Account, &r.Kind, &text)
				if n < 5 {
					into.Lost("line "+r.Place, 1, "it has too few words")
					return nil
				}
				r.At = modified().Add(time.Duration(second) * time.Second)
				if identity, is := strings.CutPrefix(text, "id="); is {
					r.Identity = identity
				}
				r.Fields = []extract.Field{{Name: "host", Value: ledger.TextValue(r.Host)}, {Name: "text", Value: ledger.TextValue(text)}}
				return into.Record(r)
			})
		},
	}
}

// shown returns the facts of a packet and its report, in lines.
func shown(m *extract.Made, err error) (got []string) {
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
	return got
}

func TestMakeReportsFactsAndDamage(t *testing.T) {
	t.Parallel()
	const whole = `{"id":"a","entity":"web","entity_type":"edge","field":"f","value":1.0,"timestamp":"2026-11-21 10:00:00","source_type":"syslog","source_id":"s","parser_version":"p","raw":"r"}`
	const fact = `a|web|edge|f|1|2026-11-21T10:00:00Z|syslog|s|p|r`
	const noFact = "there is no fact to make a packet of"
	const little = `"field":"f","value":1,"timestamp":"2026-11-21T10:00:00Z"}`
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a fact":                 {"\ufeff" + whole, []string{fact}},
		"facts in a list":        {"[" + whole + ",\n{\"entity\":\"w\"," + little + "]", []string{fact, "in0:2|w|node|f|1|2026-11-21T10:00:00Z|unknown|in0||"}},
		"a fact that lacks much": {`{"entity":"web","raw":null,` + little, []string{`in0:1|web|node|f|1|2026-11-21T10:00:00Z|unknown|in0||`}},
		"a fact twice":           {whole + "\n" + whole, []string{fact}},
		"an id twice": {
			whole + "\n" + strings.Replace(whole, "1.0", "2", 1),
			[]string{fact, `damaged in0: line 2: fact "a": id: another fact has this id`},
		},
		"a number for a text": {
			whole + "\n" + `{"entity":7}`,
			[]string{fact, "damaged in0: line 2: entity: it takes a text, not a number"},
		},
		"no time": {whole + "\n" + `{"id":"b"}`, []string{fact, "damaged in0: line 2: it has no timestamp"}},
		"no entity": {
			whole + "\n{" + little,
			[]string{fact, `damaged in0: line 2: fact "in0:2": entity: it is missing`},
		},
		"an unknown type": {
			whole + "\n" + `{"entity":"w","source_type":"sys",` + little,
			[]string{fact, `damaged in0: line 2: fact "in0:2": source_type: unknown source type "sys": did you mean "syslog"? (known: netflow, syslog, process_list, dns_log, auth_log, graph_computation, manual, unknown)`},
		},
		"a line that is no JSON": {
			whole + "\nwhat\n" + `{"entity":"w",` + little,
			[]string{fact, "in0:3|w|node|f|1|2026-11-21T10:00:00Z|unknown|in0||", "damaged in0: line 2: it is no JSON object"},
		},
		"a fact that ends too early": {
			whole + "\n{\"id\":\"b\n" + `{"entity":"w",` + little,
			[]string{fact, "in0:3|w|node|f|1|2026-11-21T10:00:00Z|unknown|in0||", "damaged in0: line 2: the JSON ends before the object does"},
		},
		"lines": {"\ufeff2026-11-21T10:00:00Z a\r\n\n  \n\tb\n2026-11-21T10:00:01Z c", []string{
			`in0:1|in0:1|node|line|"2026-11-21T10:00:00Z a\n\tb"|2026-11-21T10:00:00Z|unknown|in0|moot lines 2|`,
			`in0:5|in0:5|node|line|"2026-11-21T10:00:01Z c"|2026-11-21T10:00:01Z|unknown|in0|moot lines 2|`,
		}},
		"a long line": {
			"2026-11-21T10:00:00Z a\n2026-11-21T10:00:01Z " + strings.Repeat("x", extract.Longest) + "\n",
			[]string{
				`in0:1|in0:1|node|line|"2026-11-21T10:00:00Z a"|2026-11-21T10:00:00Z|unknown|in0|moot lines 2|`,
				"damaged in0: line 2: it is longer than 1048576 bytes",
			},
		},
		"a line that is no text": {
			"2026-11-21T10:00:00Z a\n2026-11-21T10:00:00Z \xff\n",
			[]string{
				`in0:1|in0:1|node|line|"2026-11-21T10:00:00Z a"|2026-11-21T10:00:00Z|unknown|in0|moot lines 2|`,
				"damaged in0: line 2: it is not UTF-8 text",
			},
		},
		"a record with fields": {"words 1 web-1 dora logon x\nwords 2 web-1", []string{
			`in0:1:kind|in0:1|node|kind|"logon"|2026-11-21T09:00:01Z|auth_log|in0|words 1|words 1 web-1 dora logon x`,
			`in0:1:host|in0:1|node|host|"web-1"|2026-11-21T09:00:01Z|auth_log|in0|words 1|`,
			`in0:1:text|in0:1|node|text|"x"|2026-11-21T09:00:01Z|auth_log|in0|words 1|`,
			"damaged in0: line 2: it has too few words",
		}},
		"nothing is left": {"words 2 web-1\n", []string{"damaged in0: line 1: it has too few words", noFact}},
	} {
		m, err := made(usual(), c.text)
		for i := range c.want {
			// The id of a fact made of a line has its field.
			c.want[i] = strings.Replace(c.want[i], "|node|line|", "|node|line|", 1)
			if strings.Contains(c.want[i], "|node|line|") {
				c.want[i] = strings.Replace(c.want[i], "|", ":line|", 1)
			}
		}
		if got := shown(&m, err); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: found\n%q, want\n%q", name, got, c.want)
		}
	}
}

// What no form knows is refused with what it looks like and what would be taken.
func TestUnknownFilesAreRefused(t *testing.T) {
	t.Parallel()
	const takes = "; moot takes facts in JSON (docs/packet.md), words and logs whose lines begin with a time as in 2026-11-21T10:00:00Z"
	for text, want := range map[string]string{
		"":                                  "the file is empty",
		" \n\n":                             "the file is blank",
		"\x1f\x8b\x08\x00abc":               "it looks like a gzip file: unpack it",
		"\xfd7zXZ\x00\x00":                  "it looks like an xz file: unpack it",
		"PK\x03\x04abc":                     "it looks like a zip file: unpack it",
		"\xd4\xc3\xb2\xa1\x02\x00":          "it looks like a capture of packets (pcap)",
		"MZ\x90\x00":                        "it looks like a Windows program",
		"LPKSHHRH\x00":                      "it looks like a binary journal of systemd: export it with journalctl --file FILE -o json",
		"\x00\x01\x02\x03abcdef":            "binary data that moot doesn't know",
		`{"alert":{"a":1},"rule":"x"}`:      "JSON that moot doesn't know, with the keys alert, rule",
		`[{"\u001b[2J":1}]`:                 `JSON that moot doesn't know, with the keys \x1b[2J`,
		`[1,2]`:                             "JSON that moot doesn't know",
		`{"packet_id":"p","window":["a"`:    "it is a packet already",
		"<html><body>":                      "XML or HTML that moot doesn't know, beginning with <html><body>",
		"2026-11-21T10:00:00Z a\nno time\n": `text without times that moot knows, beginning with "2026-11-21T10:00:00Z a"`,
		"buy milk\nbuy bread\n":             `text without times that moot knows, beginning with "buy milk"`,
	} {
		m, err := made(usual(), text)
		refused, is := errors.AsType[*extract.RefusedError](err)
		if !is || m.Packet != nil || refused.Error() != "in0: "+want+takes {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func TestLinesBeginWithTimes(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("UTC+02:00", 2*60*60)
	for line, want := range map[string]string{
		"2026-11-21T10:00:00Z x":                           "2026-11-21T10:00:00Z",
		"2026-11-21T10:00:00.5+02:00 x":                    "2026-11-21T08:00:00.5Z",
		"2026-11-21 10:00:00,123 INFO x":                   "2026-11-21T08:00:00.123Z the zone",
		"[2026-11-21 10:00:00] x":                          "2026-11-21T08:00:00Z the zone",
		"2026-11-21 10:00:00 +0130 x":                      "2026-11-21T08:30:00Z",
		"2026-11-21 10:00:00 UTC x":                        "2026-11-21T10:00:00Z",
		"2026-11-21T10:00:00":                              "2026-11-21T08:00:00Z the zone",
		"2026-11-21T10:00:00: x":                           "2026-11-21T08:00:00Z the zone",
		"2026-11-21T10:00:00.123456789123Z x":              "2026-11-21T10:00:00.123456789Z",
		"2026-11-21T10:00:001 x":                           "",
		"2026-02-30T10:00:00Z x":                           "",
		"2026-11-21 is a day":                              "",
		"at 2026-11-21T10:00:00Z":                          "",
		"2026-11-21T10:00:00Z" + strings.Repeat("x", 9999): "",
	} {
		o := usual()
		o.Zone = east
		m, err := made(o, line)
		got := ""
		if err == nil {
			got = m.Packet.At(0).At.Format(time.RFC3339Nano)
			if len(m.Assumed) > 0 {
				got += " " + m.Assumed[0].Name
			}
		}
		if got != want {
			t.Errorf("%.60s: %s, want %s", line, got, want)
		}
	}
}

// A window leaves out what lies outside of it, and options do not replace what facts have.
func TestMakeInAWindow(t *testing.T) {
	t.Parallel()
	const text = "2026-11-21T08:59:59Z before\n2026-11-21T10:00:00Z end\n2026-11-21T10:00:00.1Z behind\n"
	o := usual()
	o.From, o.To, o.SourceID = modified(), modified().Add(time.Hour), "mine"
	m, err := made(o, text)
	if err != nil {
		t.Fatal(err)
	}
	if from, to := m.Packet.Window(); !from.Equal(o.From) || !to.Equal(o.To) || m.Outside != 2 || m.Packet.At(0).SourceID != "mine" {
		t.Errorf("%+v from %s to %s: %+v", m, from, to, m.Packet.At(0))
	}
	o.To = time.Time{}
	if m, err = made(o, text); err != nil || m.Outside != 1 || m.Packet.Len() != 2 {
		t.Errorf("without an end: %+v, %v", m, err)
	}
	if m, err := made(o, "2026-11-21T08:59:59Z before\n"); err == nil || m.Packet != nil || !strings.Contains(err.Error(), "each of 1 record is outside") {
		t.Errorf("all outside: %v", err)
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	const text = "words 1 web-1.example CORP\\dora 4624_logon a\nwords 2 web-2.example erik@example 4625 b\nwords 3 10.0.0.1 svc flow c\n"
	for name, c := range map[string]struct {
		o    extract.Options
		want string
	}{
		"a host by its label":        {extract.Options{Hosts: []string{"WEB-1"}}, "a"},
		"a host with another domain": {extract.Options{Hosts: []string{"web-1.other"}}, "no record passes the filters: --host leaves out these hosts: 10.0.0.1 1, web-1.example 1, web-2.example 1"},
		"an address":                 {extract.Options{Hosts: []string{"10"}}, "no record passes the filters: --host leaves out these hosts: 10.0.0.1 1, web-1.example 1, web-2.example 1"},
		"two hosts":                  {extract.Options{Hosts: []string{"web-2", "10.0.0.1"}}, "bc"},
		"an account without domain":  {extract.Options{Accounts: []string{"Dora"}}, "a"},
		"an account with its domain": {extract.Options{Accounts: []string{"erik@example"}}, "b"},
		"of another domain":          {extract.Options{Accounts: []string{"other\\dora"}}, "no record passes the filters: --account leaves out these accounts: CORP\\dora 1, erik@example 1, svc 1"},
		"a kind":                     {extract.Options{Kinds: []string{"4625"}}, "b"},
		"a kind and a host":          {extract.Options{Kinds: []string{"4625", "flow"}, Hosts: []string{"web-2"}}, "b"},
	} {
		c.o.ID, c.o.EntityType, c.o.SourceType = "p", ledger.EntityNode, ledger.SourceUnknown
		m, err := made(c.o, text)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			for _, f := range m.Packet.All() {
				if value, _ := f.Value.Text(); f.Field == "text" {
					got += value
				}
			}
			if m.Filtered+len(got) != 3 {
				t.Errorf("%s: %d left out", name, m.Filtered)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// texts returns the field "text" of a packet's records, in their order.
func texts(m *extract.Made) (all []string) {
	for _, f := range m.Packet.All() {
		if value, _ := f.Value.Text(); f.Field == "text" {
			all = append(all, value)
		}
	}
	return all
}

// Records of several files are in the order of time, and those that repeat are left out: what a file has twice in a row at
// one time is two events, and what comes again later, or in another file, is the same one.
func TestSeveralFilesHaveOneClock(t *testing.T) {
	t.Parallel()
	const first = "words 5 a b k late\nwords 1 a b k early\nwords 1 a b k early\n"
	const second = "words 3 a b k middle\nwords 1 a b k early\nwords 5 a b k late\nwords 1 a b k early\n"
	m, err := made(usual(), first, second, first)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(texts(&m), " "); got != "early early middle late" || m.Repeated != 6 {
		t.Errorf("%s, %d repeated", got, m.Repeated)
	}
	m, err = made(usual(), "words 1 a b k id=7\nwords 1 a b k id=7\nwords 2 a b other id=7\nwords 3 a b k id=8\n")
	if got := strings.Join(texts(&m), " "); err != nil || got != "id=7 id=8" || m.Repeated != 2 {
		t.Errorf("%s, %d repeated, %v", got, m.Repeated, err)
	}
}

// The limit leaves out the last records of the most frequent kinds, and counts them.
func TestLimit(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := 4000; i > 0; i-- {
		fmt.Fprintf(&many, "words %d a b common c%d\n", i, i)
	}
	many.WriteString("words 9000 a b rare r1\nwords 1 a b rare r2\n")
	for i := range 300 {
		fmt.Fprintf(&many, "words %d a b some s%d\n", i, i)
	}
	o := usual()
	o.Limit = 600
	m, err := made(o, many.String())
	if err != nil {
		t.Fatal(err)
	}
	counted := map[string]int{}
	for _, text := range texts(&m) {
		counted[text[:1]]++
	}
	// The two rare records have 6 facts; the other kinds share 594.
	if want := map[string]int{"r": 2, "s": 99, "c": 99}; !reflect.DeepEqual(counted, want) || m.Packet.Len() != 600 {
		t.Errorf("%v, %d facts", counted, m.Packet.Len())
	}
	if want := []extract.Count{{"common", 3901}, {"some", 201}}; !reflect.DeepEqual(m.LeftOut, want) {
		t.Errorf("left out: %v", m.LeftOut)
	}
	got := texts(&m)
	if !reflect.DeepEqual(got[:3], []string{"s0", "c1", "r2"}) || got[len(got)-1] != "r1" || got[len(got)-2] != "c99" {
		t.Errorf("kept: %v … %v", got[:3], got[len(got)-2:])
	}
}

// A file is read up to the size that it had when it was opened.
func TestGrowingAndShrinkingFiles(t *testing.T) {
	t.Parallel()
	const text = "words 1 a b k one\nwords 2 a b k two\n"
	file := func(size int64) *extract.File {
		return &extract.File{Name: "log", ReaderAt: strings.NewReader(text), Size: size, Modified: modified()}
	}
	m, err := extract.Make(context.Background(), usual(), []extract.Form{words()}, []*extract.File{file(18)})
	if err != nil || len(texts(&m)) != 1 {
		t.Errorf("a file that grew: %v, %v", texts(&m), err)
	}
	_, err = extract.Make(context.Background(), usual(), []extract.Form{words()}, []*extract.File{file(100)})
	if err == nil || !strings.Contains(err.Error(), "read log: the file became shorter while it was read") {
		t.Errorf("a file that shrank: %v", err)
	}
}

// zeros is a long file: it begins with some text, and the rest is zero bytes.
type zeros struct{ text string }

func (z zeros) ReadAt(p []byte, at int64) (int, error) {
	clear(p)
	if at < int64(len(z.text)) {
		copy(p, z.text[at:])
	}
	return len(p), nil
}

// The reading of any file ends with the context, whatever its form does.
func TestReadingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	o := usual()
	seen := int64(0)
	o.Progress = func(p extract.Progress) {
		if seen = p.Read; p.Name != "log" || p.Size != 10<<40 {
			t.Errorf("%+v", p)
		}
		if p.Read > 10<<20 {
			cancel()
		}
	}
	m, err := extract.Make(ctx, o, []extract.Form{words()}, []*extract.File{{Name: "log", ReaderAt: zeros{"words 1 a b k one\n"}, Size: 10 << 40}})
	if !errors.Is(err, context.Canceled) || m.Packet != nil || seen > 11<<20 {
		t.Errorf("%d bytes, %v", seen, err)
	}
}

// A file of 10 GB is refused by its head, or read as a stream.
func TestHugeFiles(t *testing.T) {
	t.Parallel()
	huge := func(text string) []*extract.File {
		return []*extract.File{{Name: "log", ReaderAt: zeros{text}, Size: 10 << 30}}
	}
	_, err := extract.Make(context.Background(), usual(), []extract.Form{words()}, huge(""))
	if _, refused := errors.AsType[*extract.RefusedError](err); !refused {
		t.Errorf("zeros: %v", err)
	}
	if testing.Short() {
		t.Skip("reads 10 GB of zeros")
	}
	var m extract.Made
	if most := peak(func() {
		m, err = extract.Make(context.Background(), usual(), []extract.Form{words()}, huge("words 1 a b k one\n"))
	}); err != nil ||
		len(texts(&m)) != 1 || len(m.Damage) != 1 || m.Damage[0] != "log: line 2: it is longer than 1048576 bytes" || most > 300 {
		t.Errorf("a line and zeros: %.0f MB, %q, %v", most, m.Damage, err)
	}
}

func TestUTF16IsRead(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	for _, unit := range utf16.Encode([]rune("\ufeff2026-11-21T10:00:00Z Grüße\r\n2026-11-21T10:00:01Z b\r\n")) {
		text.Write([]byte{byte(unit), byte(unit >> 8)})
	}
	m, err := made(usual(), text.String())
	if err != nil || m.Packet.Len() != 2 || m.Packet.At(0).Value != `"2026-11-21T10:00:00Z Grüße"` {
		t.Errorf("%+v, %v", m, err)
	}
}

// Names of files are valid texts in facts, and two files never share one.
func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	var files []*extract.File
	for i, name := range []string{"a\x1b[2J", "b\xff", "b\xfe", "b\xff"} {
		text := fmt.Sprintf("words %d a b k x\n", i)
		files = append(files, &extract.File{Name: name, ReaderAt: strings.NewReader(text), Size: int64(len(text))})
	}
	m, err := extract.Make(context.Background(), usual(), []extract.Form{words()}, files)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range m.Packet.All() {
		if f.Field == "text" {
			got = append(got, f.ID)
		}
	}
	if want := []string{"a\x1b[2J:1:text", "b\uFFFD:1:text", "b\uFFFD#2:1:text", "b\uFFFD#3:1:text"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q", got)
	}
}

func TestDamageIsBounded(t *testing.T) {
	t.Parallel()
	m, err := made(usual(), "words 1 a b k x\n"+strings.Repeat("x\n", 3*extract.MaxDamage))
	if err != nil || len(m.Damage) != extract.MaxDamage || m.Damaged != 3*extract.MaxDamage || m.Places != m.Damaged {
		t.Errorf("%d of %d are listed, %v", len(m.Damage), m.Damaged, err)
	}
}

// generated is a file of so many lines of the form words, which are made as they are read.
type generated struct{ lines int64 }

const generatedLine = 100

func (g generated) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		i := (at + int64(n)) / generatedLine
		if i >= g.lines {
			return n, io.EOF
		}
		line := fmt.Sprintf("words %d host-%d account-%d kind-%d text-%d ", i/10, i%50, i%200, i%9, i)
		line += strings.Repeat("x", generatedLine-1-len(line)) + "\n"
		n += copy(p[n:], line[(at+int64(n))%generatedLine:])
	}
	return n, nil
}

// peak measures the largest heap while it runs.
func peak(run func()) (megabytes float64) {
	done, most := make(chan struct{}), make(chan uint64)
	go func() {
		largest := uint64(0)
		for sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}; ; {
			metrics.Read(sample)
			largest = max(largest, sample[0].Value.Uint64())
			select {
			case <-done:
				most <- largest
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	run()
	close(done)
	return float64(<-most) / (1 << 20)
}

// BenchmarkMake makes a packet of 100,000 events.
func BenchmarkMake(b *testing.B) {
	const events = 100_000
	largest := 0.0
	for b.Loop() {
		largest = max(largest, peak(func() {
			from := generated{events}
			m, err := extract.Make(context.Background(), usual(), []extract.Form{words()},
				[]*extract.File{{Name: "log", ReaderAt: from, Size: events * generatedLine, Modified: modified()}})
			if err != nil || m.Files[0].Records != events || m.Damaged > 0 {
				b.Fatalf("%+v, %v", m.Files, err)
			}
		}))
	}
	b.ReportMetric(float64(events*b.N)/b.Elapsed().Seconds(), "events/s")
	b.ReportMetric(largest, "peak-MB")
}

// FuzzMake makes packets of anything: each packet can be written and read.
func FuzzMake(f *testing.F) {
	const fact = `{"id":"a","entity":"web","field":"f","value":[1.0],"timestamp":"2026-11-21 10:00:00"}`
	for _, text := range []string{
		fact + "\n" + fact, fact + "{\n{", "2026-11-21T10:00:00Z a\nb\n", "[2026-11-21 10:00:00,1] \xff\n\r\n",
		"0000-01-01T00:00:00Z", "[" + fact + "," + fact + "]", "words 1 a b c d",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := made(usual(), text)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := m.Packet.Write(&out); err != nil {
			t.Fatal(err)
		}
		again, err := ledger.ReadPacket(&out, "again")
		if err != nil || again.Digest() != m.Packet.Digest() {
			t.Fatalf("read again it is another: %v", err)
		}
	})
}
