package windows_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/research/extract"
	"moot/research/extract/windows"
)

const (
	header = 4096
	chunk  = 64 << 10
)

func sample(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// reading holds the records and losses of a file.
type reading struct {
	records []extract.Record
	lost    []string
	count   int
}

func read(form extract.Form, data []byte) (r reading, err error) {
	from := &extract.File{
		Name: "log", ReaderAt: bytes.NewReader(data), Size: int64(len(data)), Zone: time.UTC,
		Modified: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC),
	}
	err = form.Read(context.Background(), from, extract.Sink{
		Record: func(one extract.Record) error {
			r.records = append(r.records, one)
			return nil
		},
		Lost: func(place string, records int, what string) {
			r.lost = append(r.lost, place+": "+what)
			r.count += records
		},
	})
	return r, err
}

// field returns the text of a field of a record.
func field(r *extract.Record, name string) string {
	for _, f := range r.Fields {
		if f.Name == name {
			if text, is := f.Value.Text(); is {
				return text
			}
			return string(f.Value)
		}
	}
	return ""
}

// The values are those that another program prints, and no event has others.
func TestValuesOfEventLogs(t *testing.T) {
	t.Parallel()
	want := map[string][]string{}
	for line := range strings.Lines(string(sample(t, "values.txt"))) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 4)
		value := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(parts[3])
		want[parts[0]] = append(want[parts[0]], parts[1]+" "+parts[2]+"="+value)
	}
	ours := []string{"kind", "record_id", "account", "user_id"}
	for _, name := range []string{"account-created.evtx", "security.evtx"} {
		r, err := read(windows.EVTX(), sample(t, name))
		if err != nil || len(r.lost) > 0 {
			t.Errorf("%s: %v, %v", name, r.lost, err)
		}
		var got []string
		for i := range r.records {
			for _, f := range r.records[i].Fields {
				if !slices.Contains(ours, f.Name) {
					got = append(got, field(&r.records[i], "record_id")+" "+f.Name+"="+field(&r.records[i], f.Name))
				}
			}
		}
		if !slices.Equal(got, want[name]) {
			for i := range min(len(got), len(want[name])) {
				if got[i] != want[name][i] {
					t.Errorf("%s: %q, want %q", name, got[i], want[name][i])
				}
			}
			t.Errorf("%s has %d values, want %d", name, len(got), len(want[name]))
		}
	}
}

func TestCountsOfEventLogs(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		records int
		lost    string
		kinds   string
	}{
		"account-created.evtx": {4, "", "4728 member added to a global group, 4720 account created, 4732 member added to a local group, 4732 member added to a local group"},
		"security.evtx":        {7, "", "5152 Security-Auditing, 4611 Security-Auditing, 4776 credentials checked, 4625 failed logon"},
		"no-checksums.evtx":    {17, "", "1 SecurityCenter, 15 SecurityCenter, 6000 Winlogon, 1532 User Profiles Service"},
		"being-written.evtx": {6, "records 1 to 20: the log was being written when it was copied, and the checksum of their chunk is an old one; " +
			"those that could be read are in the packet", "5520 HelloForBusiness, 3054 HelloForBusiness, 7210 HelloForBusiness"},
	} {
		r, err := read(windows.EVTX(), sample(t, name))
		var kinds []string
		for i := range r.records {
			kinds = append(kinds, r.records[i].Kind)
		}
		if err != nil || len(r.records) != c.records || strings.Join(r.lost, "\n") != c.lost || !strings.HasPrefix(strings.Join(kinds, ", "), c.kinds) {
			t.Errorf("%s: %d records, %q, %q, %v", name, len(r.records), r.lost, kinds, err)
		}
	}
	r, err := read(windows.EVTX(), sample(t, "security.evtx"))
	if err != nil {
		t.Fatal(err)
	}
	failed := &r.records[3]
	if failed.Host != "temporal" || failed.Account != `TEMPORAL\Administrator` || failed.Source != "auth_log" ||
		failed.At.Format(time.RFC3339Nano) != "2016-06-29T15:24:36.686Z" || field(failed, "LogonType") != "10" ||
		field(failed, "Status") != "0xc000006d" || field(failed, "IpAddress") != "23.94.153.202" {
		t.Errorf("%+v", failed)
	}
}

// logOf is a log of the chunks of several logs. Its records keep their numbers.
func logOf(t testing.TB, names ...string) []byte {
	t.Helper()
	var out []byte
	for i, name := range names {
		data := sample(t, name)
		if i == 0 {
			out = append(out, data[:header]...)
		}
		out = append(out, data[header:header+chunk]...)
	}
	return out
}

// used returns how many bytes of a chunk the checksum covers.
func used(data []byte, at int) int { return int(binary.LittleEndian.Uint32(data[at+48:])) }

// seal makes the checksums of a chunk right.
func seal(data []byte, at int) {
	c := data[at : at+chunk]
	if free := used(data, at); free >= 512 && free <= chunk {
		binary.LittleEndian.PutUint32(c[52:], crc32.ChecksumIEEE(c[512:free]))
	}
	binary.LittleEndian.PutUint32(c[124:], crc32.Update(crc32.ChecksumIEEE(c[:120]), crc32.IEEETable, c[128:512]))
}

func numbers(r *reading) (all []string) {
	for i := range r.records {
		all = append(all, r.records[i].Place)
	}
	return all
}

// 500 damaged files: what is damaged is named, and the chunks around it are read.
func TestDamagedEventLogs(t *testing.T) {
	t.Parallel()
	whole := logOf(t, "account-created.evtx", "security.evtx", "account-created.evtx")
	first, second := []string{"1", "2", "3", "4"}, []string{"1", "2", "3", "4", "5", "6", "7"}
	random := rand.New(rand.NewPCG(40, 1))
	const middle = header + chunk
	free := used(whole, middle)
	for i := range 500 {
		data := bytes.Clone(whole)
		want, kind := slices.Concat(first, first), ""
		damaged := true
		switch i % 5 {
		case 0:
			kind = "a bit of the records"
			at := middle + 512 + random.IntN(free-512)
			data[at] ^= 1 << random.IntN(8)
		case 1:
			kind = "a bit of the header of the chunk"
			at := middle + random.IntN(512)
			data[at] ^= 1 << random.IntN(8)
			damaged = at < middle+120 || at >= middle+124 // As for the file.
		case 2:
			kind = "cut within the chunk"
			data = data[:middle+random.IntN(free-1)+1]
			want = first
		case 3:
			kind = "bytes of the chunk are overwritten"
			at := middle + random.IntN(free-64)
			for j := range 64 {
				data[at+j] = byte(random.Uint32())
			}
		case 4:
			kind = "a bit of the header of the file"
			at := 8 + random.IntN(120)
			data[at] ^= 1 << random.IntN(8)
			want = slices.Concat(first, second, first)
			damaged = at < 120 || at >= 124 // The checksum does not cover the flags.
		}
		r, err := read(windows.EVTX(), data)
		got := numbers(&r)
		if !damaged {
			want = slices.Concat(first, second, first)
		}
		if err != nil || !slices.Equal(got, want) || damaged == (len(r.lost) == 0) {
			t.Errorf("%d, %s: read %v, lost %q, %v", i, kind, got, r.lost, err)
		}
	}
}

// Losses are named by the numbers of the records, from the header of the chunk or from the chunks around it.
func TestLossesAreNamedByRange(t *testing.T) {
	t.Parallel()
	whole := logOf(t, "account-created.evtx", "account-created.evtx", "account-created.evtx", "account-created.evtx")
	// Four chunks with 101 to 104, 105 to 108, and so on.
	for i := range 4 {
		at := header + i*chunk
		binary.LittleEndian.PutUint64(whole[at+24:], uint64(101+4*i))
		binary.LittleEndian.PutUint64(whole[at+32:], uint64(104+4*i))
		seal(whole, at)
	}
	for name, c := range map[string]struct {
		change func(data []byte) []byte
		count  int
		want   []string
	}{
		"records": {func(data []byte) []byte {
			data[header+chunk+1000]++
			return data
		}, 4, []string{"records 105 to 108: the checksum of their chunk is wrong"}},
		"a header": {func(data []byte) []byte {
			data[header+chunk+30]++
			return data
		}, 4, []string{"records 105 to 108, the chunk at byte 69632: the checksum of its header is wrong"}},
		"the magic of two": {func(data []byte) []byte {
			data[header+chunk]++
			data[header+2*chunk]++
			return data
		}, 8, []string{"records 105 to 112, the chunk at byte 69632 and 1 more: it does not begin with ElfChnk"}},
		"the first": {func(data []byte) []byte {
			data[header]++
			return data
		}, 0, []string{"the chunk at byte 4096: it does not begin with ElfChnk: it is damaged, or the log has not used it yet; how many records it had is unknown"}},
		"a blank chunk": {func(data []byte) []byte {
			clear(data[header+chunk : header+2*chunk])
			return data
		}, 4, []string{"records 105 to 108: their chunk is blank"}},
		"the end":            {func(data []byte) []byte { return data[:header+3*chunk+600] }, 4, []string{"records 113 to 116: the file ends within their chunk"}},
		"all but the header": {func(data []byte) []byte { return data[:header] }, 0, nil},
		"most of the header": {func(data []byte) []byte { return data[:100] }, 0, []string{"the file: it ends within its header"}},
		"a size of a record": {func(data []byte) []byte {
			at := header + 512
			at += int(binary.LittleEndian.Uint32(data[at+4:]))
			binary.LittleEndian.PutUint32(data[at+4:], 7)
			binary.LittleEndian.PutUint64(data[header+24:], 1)
			binary.LittleEndian.PutUint64(data[header+32:], 4)
			seal(data, header)
			return data
		}, 3, []string{"records 2 to 4: a record before them has a wrong size"}},
	} {
		r, err := read(windows.EVTX(), c.change(bytes.Clone(whole)))
		if err != nil || r.count != c.count || !slices.Equal(r.lost, c.want) {
			t.Errorf("%s: %d records, %q, %v", name, r.count, r.lost, err)
		}
	}
}

// A hostile file has right checksums. Its records are read or named, with little memory.
func TestHostileEventLogs(t *testing.T) {
	t.Parallel()
	names := []string{"account-created.evtx", "security.evtx", "no-checksums.evtx", "being-written.evtx"}
	random := rand.New(rand.NewPCG(40, 2))
	lost := 0
	for i := range 500 {
		data := sample(t, names[i%len(names)])
		free := used(data, header)
		for range 1 + random.IntN(8) {
			at := header + 512 + random.IntN(free-512)
			switch random.IntN(3) {
			case 0:
				data[at] ^= 1 << random.IntN(8)
			case 1:
				binary.LittleEndian.PutUint32(data[at:], random.Uint32())
			case 2: // Another part of the chunk, so that offsets and sizes are plausible.
				copy(data[at:at+16], data[header+512+random.IntN(free-528):])
			}
		}
		if i%7 == 0 { // All of it claims to be records.
			binary.LittleEndian.PutUint32(data[header+48:], chunk)
		}
		seal(data, header)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		r, err := read(windows.EVTX(), data)
		runtime.ReadMemStats(&after)
		if took := time.Since(began); err != nil || took > 10*time.Second {
			t.Errorf("%d: %s, %v", i, took, err)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 256<<20 {
			t.Errorf("%d: %d MiB", i, used>>20)
		}
		lost += len(r.lost)
	}
	if lost < 100 {
		t.Errorf("only %d losses were named", lost)
	}
}

// A template that names itself, or a text many times, has an end.
func TestTemplatesAreBounded(t *testing.T) {
	t.Parallel()
	// A record with a template of one element, whose content is written by the test.
	build := func(content func(body int) []byte, values int, value []byte) []byte {
		data := bytes.Clone(sample(t, "account-created.evtx"))
		c := data[header : header+chunk]
		clear(c[512:])
		at := 512
		put := func(b ...byte) {
			copy(c[at:], b)
			at += len(b)
		}
		put32 := func(n int) { put(binary.LittleEndian.AppendUint32(nil, uint32(n))...) }
		put(0x2a, 0x2a, 0, 0)
		put32(0) // The size, later.
		put(1, 0, 0, 0, 0, 0, 0, 0)
		put(make([]byte, 8)...)
		put(0x0f, 1, 1, 0, 0x0c, 1)
		put32(7)
		put32(at + 4)
		put(make([]byte, 20)...)
		size := at
		put32(0)
		body := at
		put(content(body)...)
		binary.LittleEndian.PutUint32(c[size:], uint32(at-body))
		put32(values)
		for range values {
			put(byte(len(value)), byte(len(value)>>8), 1, 0)
		}
		for range values {
			put(value...)
		}
		put(0, 0, 0, 0, 0)
		binary.LittleEndian.PutUint32(c[516:], uint32(at-512))
		binary.LittleEndian.PutUint64(c[24:], 1)
		binary.LittleEndian.PutUint64(c[32:], 1)
		binary.LittleEndian.PutUint32(c[48:], uint32(at))
		seal(data, header)
		return data
	}
	element := func(body int, inner ...byte) []byte {
		name := []byte{0, 0, 0, 0, 0, 0, 1, 0, 'E', 0, 0, 0}
		out := []byte{0x01, 0, 0, 0, 0, 0, 0}
		out = binary.LittleEndian.AppendUint32(out, uint32(body+11))
		return append(append(append(out, name...), 0x02), append(inner, 0x04, 0)...)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"itself": {build(func(body int) []byte {
			again := binary.LittleEndian.AppendUint32([]byte{0x0c, 1, 7, 0, 0, 0}, uint32(body-24))
			return element(body, append(again, 0, 0, 0, 0)...)
		}, 0, nil), "its elements are nested too deep"},
		"a text many times": {build(func(body int) []byte {
			return element(body, bytes.Repeat([]byte{0x0d, 0, 0, 1}, 4000)...)
		}, 1, bytes.Repeat([]byte{'x', 0}, 5000)), "it is larger than moot reads"},
		"an entity": {build(func(body int) []byte { return element(body, 0x0e, 0, 0, 1) }, 1, []byte{'x', 0}), "it is no event: it has no System"},
	} {
		r, err := read(windows.EVTX(), c.data)
		if want := "record 1: " + c.want; err != nil || !slices.Equal(r.lost, []string{want}) {
			t.Errorf("%s: %q, want %q, %v", name, r.lost, want, err)
		}
	}
}

func FuzzEVTX(f *testing.F) {
	for _, name := range []string{"account-created.evtx", "security.evtx"} {
		data := sample(f, name)
		f.Add(data[header+512 : header+used(data, header)])
	}
	base := sample(f, "security.evtx")
	f.Fuzz(func(t *testing.T, records []byte) {
		data := bytes.Clone(base)
		n := copy(data[header+512:], records)
		binary.LittleEndian.PutUint32(data[header+48:], uint32(512+n))
		seal(data, header)
		if _, err := read(windows.EVTX(), data); err != nil {
			t.Fatal(err)
		}
	})
}

// many is a log of so many copies of the chunk of a log, in which each record has a number of its own.
type many struct {
	head, chunk []byte
	// ids are the places of the numbers of each record.
	ids    [][]int
	chunks int64
}

func newMany(t testing.TB, name string, events int64) *many {
	t.Helper()
	data := sample(t, name)
	m := &many{head: data[:header], chunk: data[header : header+chunk]}
	r, err := read(windows.EVTX(), data)
	if err != nil {
		t.Fatal(err)
	}
	at := 512
	for i := range r.records {
		var id uint64
		if _, err := fmt.Sscan(field(&r.records[i], "record_id"), &id); err != nil {
			t.Fatal(err)
		}
		size := int(binary.LittleEndian.Uint32(m.chunk[at+4:]))
		inside := bytes.Index(m.chunk[at:at+size], binary.LittleEndian.AppendUint64(nil, id))
		m.ids = append(m.ids, []int{at + 8, at + inside})
		at += size
	}
	m.chunks = events / int64(len(m.ids))
	return m
}

func (m *many) ReadAt(p []byte, at int64) (n int, err error) {
	if at < header {
		return copy(p, m.head[at:]), nil
	}
	i := (at - header) / chunk
	if n = copy(p, m.chunk); n < chunk {
		return n, nil
	}
	first := uint64(i)*uint64(len(m.ids)) + 1
	for j, places := range m.ids {
		for _, place := range places {
			binary.LittleEndian.PutUint64(p[place:], first+uint64(j))
		}
	}
	binary.LittleEndian.PutUint64(p[24:], first)
	binary.LittleEndian.PutUint64(p[32:], first+uint64(len(m.ids))-1)
	seal(p, 0)
	return n, nil
}

// BenchmarkMake makes a packet of an event log with 100,000 events.
func BenchmarkMake(b *testing.B) {
	const events = 100_002
	m := newMany(b, "security.evtx", events)
	for b.Loop() {
		made, err := extract.Make(context.Background(), extract.Options{ID: "p", SourceType: "unknown"}, windows.Forms(),
			[]*extract.File{{Name: "log", ReaderAt: m, Size: header + m.chunks*chunk}})
		if err != nil || made.Files[0].Records != events || made.Places > 0 || made.Repeated > 0 {
			b.Fatalf("%+v, %d, %q, %v", made.Files, made.Repeated, made.Damage, err)
		}
	}
	b.ReportMetric(float64(events*b.N)/b.Elapsed().Seconds(), "events/s")
}
