package flow_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/hearing/domain"
	"moot/research/extract"
	"moot/research/extract/flow"
)

// fixture reads a file of testdata. softflowd exported one capture as v5, v9 and v10: there are the datagrams, captures
// of them, a file of nfcapd, and the text that nfdump 1.7.1 prints of it.
func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// read reads data with the form that recognizes it.
func read(t testing.TB, data []byte) (records []extract.Record, lost []string, form string, err error) {
	t.Helper()
	for _, form := range flow.Forms() {
		if !form.Recognize(data[:min(len(data), extract.HeadSize)]) {
			continue
		}
		file := &extract.File{Name: "file", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
		err := form.Read(context.Background(), file, extract.Sink{
			Record: func(r extract.Record) error {
				records = append(records, r)
				return nil
			},
			Lost: func(place string, n int, what string) {
				lost = append(lost, fmt.Sprintf("%s (%d): %s", place, n, what))
			},
		})
		return records, lost, form.Name, err
	}
	return nil, nil, "", nil
}

// readAll reads data of which nothing is lost.
func readAll(t testing.TB, data []byte) []extract.Record {
	t.Helper()
	records, lost, form, err := read(t, data)
	if err != nil || form == "" || len(lost) > 0 {
		t.Fatalf("form %q, lost %q, %v", form, lost, err)
	}
	return records
}

// value returns a field as text, or "".
func value(r *extract.Record, name string) string {
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

func fieldsOf(r *extract.Record) string {
	var parts []string
	for _, f := range r.Fields {
		parts = append(parts, f.Name+"="+value(r, f.Name))
	}
	return strings.Join(parts, "; ")
}

// row is a flow in a line, to compare. nfdump takes the counters of version 9 and of IPFIX as later than the export if
// they wrapped, so their times are compared up to a wrap, and the first and last time in any order.
func row(source, sourcePort, destination, destinationPort, protocol, packets, octets, flags string, first, last time.Time) string {
	a, b := first.UnixMilli()%(1<<32), last.UnixMilli()%(1<<32)
	return fmt.Sprint(source, " ", sourcePort, " ", destination, " ", destinationPort, " ", protocol, " ", packets, " ", octets, " ", flags, " ", min(a, b), " ", max(a, b))
}

func rows(t testing.TB, records []extract.Record) []string {
	t.Helper()
	var all []string
	for i := range records {
		r := &records[i]
		first, err := time.Parse(time.RFC3339Nano, value(r, "first"))
		last, err2 := time.Parse(time.RFC3339Nano, value(r, "last"))
		if err != nil || err2 != nil || !r.At.Equal(first) {
			t.Fatalf("record %s: %v, %v: %s", r.Place, err, err2, fieldsOf(r))
		}
		sourcePort, destinationPort := value(r, "source_port"), value(r, "destination_port")
		if kind := value(r, "icmp_type"); kind != "" {
			sourcePort, destinationPort = "icmp", kind
		}
		all = append(all, row(value(r, "source_address"), sourcePort, value(r, "destination_address"), destinationPort,
			value(r, "protocol"), value(r, "packets"), value(r, "bytes"), value(r, "flags"), first, last))
	}
	slices.Sort(all)
	return all
}

// nfdump returns the flows that nfdump -o json printed.
func nfdump(t testing.TB, name string) []string {
	t.Helper()
	var flows []struct {
		First, Last   string
		Packets       int    `json:"in_packets"`
		Bytes         int    `json:"in_bytes"`
		Proto         int    `json:"proto"`
		Flags         string `json:"tcp_flags"`
		SourcePort    int    `json:"src_port"`
		Port          int    `json:"dst_port"`
		ICMPType      *int   `json:"icmp_type"`
		Source4       string `json:"src4_addr"`
		Source6       string `json:"src6_addr"`
		Destination4  string `json:"dst4_addr"`
		Destination6  string `json:"dst6_addr"`
		ExporterAddr4 string `json:"ip4_router"`
	}
	if err := json.Unmarshal(fixture(t, name), &flows); err != nil {
		t.Fatal(err)
	}
	protocols := map[int]string{1: "ICMP", 6: "TCP", 17: "UDP"}
	var all []string
	for i := range flows {
		f := &flows[i]
		var times [2]time.Time
		for j, text := range []string{f.First, f.Last} {
			at, err := time.Parse("2006-01-02T15:04:05.000", text)
			if err != nil {
				t.Fatal(err)
			}
			times[j] = at
		}
		sourcePort, port, flags := fmt.Sprint(f.SourcePort), fmt.Sprint(f.Port), ""
		if f.ICMPType != nil {
			sourcePort, port = "icmp", fmt.Sprint(*f.ICMPType)
		}
		if f.Proto == 6 {
			flags = f.Flags
		}
		all = append(all, row(f.Source4+f.Source6, sourcePort, f.Destination4+f.Destination6, port, protocols[f.Proto],
			fmt.Sprint(f.Packets), fmt.Sprint(f.Bytes), flags, times[0], times[1]))
	}
	slices.Sort(all)
	return all
}

// Flows are equal to those of nfdump, one by one, from datagrams, from captures and from nfcapd's own file.
func TestSameAsNfdump(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]string{
		"v5.raw": "v5.json", "v9.raw": "v9.json", "v10.raw": "v10.json", "v9.pcap": "v9.json", "v10.pcap": "v10.json",
		"v9.nfcapd": "v9.json", "v9.json": "v9.json",
	} {
		got, want := rows(t, readAll(t, fixture(t, name))), nfdump(t, of)
		if len(want) < 60 || !slices.Equal(got, want) {
			t.Errorf("%s: %d flows, nfdump has %d", name, len(got), len(want))
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("got  %s\nwant %s", got[i], want[i])
					break
				}
			}
		}
	}
}

// cat joins numbers of 16 and 32 bits, and bytes.
func cat(parts ...any) []byte {
	var b []byte
	for _, part := range parts {
		switch p := part.(type) {
		case int:
			b = binary.BigEndian.AppendUint16(b, uint16(p))
		case uint32:
			b = binary.BigEndian.AppendUint32(b, p)
		case uint64:
			b = binary.BigEndian.AppendUint64(b, p)
		case byte:
			b = append(b, p)
		case []byte:
			b = append(b, p...)
		case string:
			b = append(b, p...)
		}
	}
	return b
}

func set(id int, parts ...any) []byte {
	body := cat(parts...)
	return cat(id, 4+len(body), body)
}

func v9(uptime, seconds, domain uint32, sets ...[]byte) []byte {
	return cat(9, len(sets), uptime, seconds, uint32(1), domain, bytes.Join(sets, nil))
}

func ipfix(seconds, domain uint32, sets ...[]byte) []byte {
	body := bytes.Join(sets, nil)
	return cat(10, 16+len(body), seconds, uint32(1), domain, body)
}

const exported = uint32(1793700251) // 2026-11-03 10:04:11

// plain4 is a template of addresses, ports, protocol, counts and times in version 9, and flow4 a record for it.
func plain4(id int) []byte {
	return set(0, id, 9, 8, 4, 12, 4, 7, 2, 11, 2, 4, 1, 2, 4, 1, 4, 22, 4, 21, 4)
}

func flow4(last byte, first, until uint32) []byte {
	return cat([]byte{10, 0, 0, last, 198, 51, 100, 9}, 40000, 443, byte(6), uint32(4), uint32(250), first, until)
}

// A counter of milliseconds wraps, and what it says is not after the export.
func TestTimesOfCounters(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		uptime, first uint32
		want          string
	}{
		"before the export":               {100_000, 99_000, "2026-11-03T10:04:10Z"},
		"before the wrap":                 {1_000, 1<<32 - 1_000, "2026-11-03T10:04:09Z"},
		"a month before, with a wrap":     {0, 1<<32 - 30*24*3600*1000, "2026-10-04T10:04:11Z"},
		"a second after, by other clocks": {100_000, 101_000, "2026-11-03T10:04:12Z"},
		"after the wrap of the counter":   {1<<32 - 1, 999, "2026-11-03T10:04:12Z"},
	} {
		records := readAll(t, v9(c.uptime, exported, 7, plain4(256), set(256, flow4(4, c.first, c.first))))
		if len(records) != 1 || records[0].At.Format(time.RFC3339Nano) != c.want || records[0].Assumed != "" {
			t.Errorf("%s: %v, want %s", name, records, c.want)
		}
	}
	// Version 5 has nanoseconds, and the sampling in its header.
	v5 := cat(5, 1, uint32(100_000), exported, uint32(500_000_000), uint32(1), byte(0), byte(0), 1<<14|100,
		[]byte{10, 0, 0, 4, 198, 51, 100, 9}, uint32(0), 3, 4, uint32(4), uint32(250), uint32(99_000), uint32(100_000), 40000, 443,
		byte(0), byte(0x12), byte(6), byte(0), 65001, 65002, byte(24), byte(16), 0)
	records := readAll(t, v5)
	const want = "flow=10.0.0.4:40000 -> 198.51.100.9:443/TCP (4 pkts, 250 bytes); source_address=10.0.0.4; source_port=40000; " +
		"destination_address=198.51.100.9; destination_port=443; protocol=TCP; packets=4; bytes=250; first=2026-11-03T10:04:10.5Z; " +
		"last=2026-11-03T10:04:11.5Z; flags=...A..S.; sampling=1 in 100 packets; packets and bytes are those of the sample; " +
		"input_interface=3; output_interface=4; source_as=65001; destination_as=65002"
	if len(records) != 1 || fieldsOf(&records[0]) != want {
		t.Errorf("got %s", fieldsOf(&records[0]))
	}
}

// IPFIX has times of its own in many units, fields of any length, and enterprise fields, and options that count for the
// flows of their domain.
func TestIPFIX(t *testing.T) {
	t.Parallel()
	ends := []byte{10, 0, 0, 4, 198, 51, 100, 9}
	var ntp uint64 = (1793700240+2208988800)<<32 | 1<<31
	records := readAll(t, ipfix(exported, 7,
		set(3, 300, 2, 1, 149, 4, 305, 4), set(300, uint32(7), uint32(64)),
		set(2, 256, 8, 8, 4, 12, 4, 82, 0xffff, 154, 8, 155, 8, 85, 8, 0x8000|85, 8, uint32(29305), 0x8000|1, 2, uint32(9)),
		set(256, ends, byte(3), "eth", ntp, ntp+1<<32, uint64(5_000_000_000), uint64(77), 1,
			ends, byte(255), 300, strings.Repeat("e", 300), ntp, ntp+1<<32, uint64(1), uint64(2), 1),
		set(2, 257, 4, 8, 4, 12, 4, 150, 4, 161, 4), set(257, ends, uint32(1793700000), uint32(1500)),
		set(2, 258, 3, 8, 4, 12, 4, 22, 4), set(258, ends, uint32(1000)),
		set(3, 301, 2, 1, 149, 4, 160, 8), set(301, uint32(7), uint64(1793700000_000)), set(258, ends, uint32(1000), uint32(0)),
		set(2, 259, 4, 8, 4, 12, 4, 231, 4, 232, 4), set(259, ends, uint32(8), uint32(9)),
		set(2, 258, 0),
	))
	var got []string
	for i := range records {
		r := &records[i]
		got = append(got, fmt.Sprint(r.Place, " ", r.At.Format(time.RFC3339Nano), " ", value(r, "last"), " ", value(r, "bytes"), " ", value(r, "bytes_in"), " ", strings.HasPrefix(value(r, "sampling"), "1 in 64 "), " ", r.Assumed))
	}
	const noTime = "the start of the flow"
	want := []string{
		"1.1 2026-11-03T10:04:00.5Z 2026-11-03T10:04:01.5Z 5000000000 77 true ", "1.2 2026-11-03T10:04:00.5Z 2026-11-03T10:04:01.5Z 1 2 true ",
		"1.3 2026-11-03T10:00:00Z 2026-11-03T10:00:01.5Z   true ", "1.4 2026-11-03T10:04:11Z    true " + noTime,
		"1.5 2026-11-03T10:00:01Z    true ", "1.6 2026-11-03T10:04:11Z  8 9 true " + noTime,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Templates belong to an exporter and a domain. Sets of data without one are counted, and damaged parts are named.
func TestLosses(t *testing.T) {
	t.Parallel()
	data := set(256, flow4(4, 1, 2))
	good := v9(3, exported, 7, plain4(256), data)
	for name, c := range map[string]struct {
		data    []byte
		records int
		lost    []string
	}{
		"no template": {slices.Concat(v9(3, exported, 7, data, data), good, v9(3, exported, 8, data)), 1, []string{
			"from datagram 1 (0): 2 sets of data have no template 256 of domain 7 before it", "from datagram 3 (0): 1 set of data has no template 256 of domain 8 before it",
		}},
		"bytes between":         {slices.Concat(good, []byte("garbage"), good), 0, nil},
		"a cut datagram":        {slices.Concat(good, good[:len(good)-3]), 1, []string{fmt.Sprintf("bytes %d to %d (0): there is no whole datagram of flows", len(good), 2*len(good)-4)}},
		"a cut record":          {v9(3, exported, 7, plain4(256), set(256, flow4(4, 1, 2), flow4(5, 1, 2)[:9])), 1, []string{"datagram 1, set 2 (0): it ends inside of a record"}},
		"a template too long":   {v9(3, exported, 7, set(0, 256, 9000, 8, 4), data), 0, []string{"datagram 1, set 1 (0): a template has more fields than there are bytes for", "from datagram 1 (0): 1 set of data has no template 256 of domain 7 before it"}},
		"a template of nothing": {v9(3, exported, 7, set(0, 256, 1, 8, 0), data), 0, []string{"datagram 1, set 1 (0): template 256 has no fields", "from datagram 1 (0): 1 set of data has no template 256 of domain 7 before it"}},
		"a reserved template":   {v9(3, exported, 7, set(0, 5, 1, 8, 4), data), 0, []string{"datagram 1, set 1 (0): the id 5 of a template is reserved", "from datagram 1 (0): 1 set of data has no template 256 of domain 7 before it"}},
		"options too long":      {v9(3, exported, 7, set(1, 256, 4000, 4000, 1, 4), plain4(257)), 0, []string{"datagram 1, set 1 (0): a template has more fields than there are bytes for"}},
		"an IPFIX value too long": {ipfix(exported, 7, set(2, 256, 2, 8, 4, 82, 0xffff), set(256, []byte{10, 0, 0, 4, 200, 1, 2})), 0, []string{
			"datagram 1, set 2 (0): it ends inside of a record",
		}},
	} {
		if name == "bytes between" {
			// The form is known by the first datagrams.
			c.data = slices.Concat(good, good, []byte("garbage"), good)
			c.records, c.lost = 3, nil
		}
		records, lost, form, err := read(t, c.data)
		if name == "bytes between" && form != "" {
			if len(lost) == 0 || len(records) < 2 {
				t.Errorf("%s: %d records, lost %q", name, len(records), lost)
			}
			continue
		}
		if err != nil || form != "NetFlow" || len(records) != c.records || !slices.Equal(lost, c.lost) {
			t.Errorf("%s: %s: %d records, %v, lost\n%s\nwant %s", name, form, len(records), err, strings.Join(lost, "\n"), strings.Join(c.lost, "\n"))
		}
	}
}

// packet4 is a UDP packet over IPv4 that an exporter sends.
func packet4(from string, port int, payload []byte) []byte {
	source := netip.MustParseAddr(from).As4()
	datagram := cat(50000, port, 8+len(payload), 0, payload)
	return cat([]byte{0x45, 0}, 20+len(datagram), 1, 0, byte(64), byte(17), 0, source[:], []byte{10, 9, 0, 2}, datagram)
}

func packet6(payload []byte) []byte {
	source := netip.MustParseAddr("2001:db8::7").As16()
	datagram := cat(byte(17), byte(0), make([]byte, 6), 50000, 2055, 8+len(payload), 0, payload)
	return cat(uint32(6<<28), len(datagram), byte(0), byte(64), source[:], source[:], datagram)
}

func pcapOf(link uint32, packets ...[]byte) []byte {
	b := cat(uint32(0xa1b2c3d4), 2, 4, uint32(0), uint32(0), uint32(65535), link)
	for _, p := range packets {
		b = cat(b, uint32(1), uint32(2), uint32(len(p)), uint32(len(p)), p)
	}
	return b
}

// pcapngOf has an enhanced and a simple packet block for each packet, little-endian.
func pcapngOf(link uint16, packets ...[]byte) []byte {
	little := binary.LittleEndian
	var b []byte
	block := func(kind uint32, body []byte) {
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
		b = little.AppendUint32(b, kind)
		b = little.AppendUint32(b, uint32(12+len(body)))
		b = append(b, body...)
		b = little.AppendUint32(b, uint32(12+len(body)))
	}
	block(0x0a0d0d0a, append(little.AppendUint32(nil, 0x1a2b3c4d), 1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255))
	block(1, append(little.AppendUint16(nil, link), 0, 0, 0, 0, 0, 0))
	block(5, make([]byte, 12))
	for _, p := range packets {
		var enhanced []byte
		enhanced = append(enhanced, make([]byte, 12)...)
		enhanced = little.AppendUint32(little.AppendUint32(enhanced, uint32(len(p))), uint32(len(p)))
		block(6, append(enhanced, p...))
		block(3, append(little.AppendUint32(nil, uint32(len(p))), p...))
	}
	return b
}

// Captures have their packets behind headers of links, and each exporter has its own templates.
func TestCaptures(t *testing.T) {
	t.Parallel()
	export := v9(3, exported, 7, plain4(256), set(256, flow4(4, 1, 2)))
	data := v9(3, exported, 7, set(256, flow4(5, 1, 2)))
	ip := packet4("10.9.0.1", 2055, export)
	mac := make([]byte, 12)
	for name, capture := range map[string][]byte{
		"ethernet":        pcapOf(1, cat(mac, 0x0800, ip, make([]byte, 6))),
		"VLAN":            pcapOf(1, cat(mac, 0x8100, 12, 0x0800, ip)),
		"two VLANs":       pcapOf(1, cat(mac, 0x88a8, 12, 0x8100, 13, 0x0800, ip)),
		"Linux cooked":    pcapOf(113, cat(make([]byte, 14), 0x0800, ip)),
		"Linux cooked v2": pcapOf(276, cat(0x0800, make([]byte, 18), ip)),
		"raw":             pcapOf(101, ip),
		"loopback":        pcapOf(0, cat(uint32(2), ip)),
		"IPv6":            pcapOf(1, cat(mac, 0x86dd, packet6(export))),
		"any port":        pcapOf(101, packet4("10.9.0.1", 12345, export)),
	} {
		records := readAll(t, capture)
		exporter := "10.9.0.1"
		if name == "IPv6" {
			exporter = "2001:db8::7"
		}
		if len(records) != 1 || value(&records[0], "exporter") != exporter || value(&records[0], "source_address") != "10.0.0.4" {
			t.Errorf("%s: %+v", name, records)
		}
	}
	if records := readAll(t, pcapngOf(101, ip, packet4("10.9.0.1", 2055, data))); len(records) != 4 {
		t.Errorf("pcapng: %d records", len(records))
	}
	fragment := packet4("10.9.0.1", 2055, export)
	fragment[6] = 0x20
	records, lost, _, err := read(t, pcapOf(101, packet4("10.9.0.3", 2055, data), ip, fragment, fragment, packet4("10.9.0.1", 2055, export[:50]), packet4("10.9.0.1", 53, []byte("dns"))))
	want := []string{
		"packet 5 (0): it is no whole datagram of version 9 from 10.9.0.1:50000 to 10.9.0.2:2055",
		"from packet 3 (0): 2 fragments of UDP packets, which are not put together",
		"from packet 1 (0): 1 set of data has no template 256 of 10.9.0.3, domain 7 before it",
	}
	if err != nil || len(records) != 1 || !slices.Equal(lost, want) {
		t.Errorf("%d records, %v, lost\n%s\nwant\n%s", len(records), err, strings.Join(lost, "\n"), strings.Join(want, "\n"))
	}
	whole := pcapOf(101, ip, ip)
	records, lost, _, err = read(t, whole[:len(whole)-3])
	if want := fmt.Sprintf("bytes %d to %d (0): the file ends inside of a packet", len(whole)-16-len(ip), len(whole)-4); err != nil || len(records) != 1 || !slices.Equal(lost, []string{want}) {
		t.Errorf("a cut capture: %d records, %v, lost %q, want %q", len(records), err, lost, want)
	}
}

// What moot can't read is refused with what to do instead.
func TestRefused(t *testing.T) {
	t.Parallel()
	compressed, old := fixture(t, "v9.nfcapd"), fixture(t, "v9.nfcapd")
	compressed[16], old[2] = 1, 1
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a capture of other packets": {pcapOf(101, packet4("10.9.0.1", 53, []byte("dns"))), "file: a capture without flow exports; export flows from it, e.g. with softflowd or nfpcapd"},
		"a compressed file":          {compressed, "file: a compressed or encrypted file of nfcapd; print it first: nfdump -r FILE -o json"},
		"an old file":                {old, "file: a file of an nfcapd that moot doesn't read; print it first: nfdump -r FILE -o json"},
	} {
		if records, _, _, err := read(t, c.data); err == nil || err.Error() != c.want || len(records) > 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A file may be replaced after it was recognized.
	other := []byte(strings.Repeat("another file ", 10))
	for _, form := range flow.Forms()[:3] {
		file := &extract.File{Name: "file", ReaderAt: bytes.NewReader(other), Size: int64(len(other))}
		records, lost := 0, 0
		err := form.Read(context.Background(), file, extract.Sink{
			Record: func(extract.Record) error {
				records++
				return nil
			},
			Lost: func(string, int, string) { lost++ },
		})
		if records > 0 || err == nil && lost == 0 {
			t.Errorf("%s: %d records of another file, %v", form.Name, records, err)
		}
	}
	for name, text := range map[string]string{
		"empty": "", "text": "10.0.0.4 -> 198.51.100.9\n", "a table": "a,b,c\n1,2,3\n", "JSON": `{"a":1}`, "zeros": strings.Repeat("\x00", 100),
		"a version and nothing": "\x00\x05\x00\x01", "another Zeek log": "#separator \\x09\n#fields\tts\tuid\tquery\n1\ta\tb\n",
	} {
		for _, form := range flow.Forms() {
			if form.Recognize([]byte(text)) {
				t.Errorf("%s is %s", name, form.Name)
			}
		}
	}
}

// nfcapd marks flows that it knows to be sampled in the first record of this file, which is behind the exporter's.
func TestSampledByNfcapd(t *testing.T) {
	t.Parallel()
	data := fixture(t, "v9.nfcapd")
	const first, flags = 40 + 12 + 32, 10
	data[first+flags] |= 2
	records := readAll(t, data)
	if value(&records[0], "sampled") != "true" || value(&records[1], "sampled") != "" {
		t.Errorf("%s\n%s", fieldsOf(&records[0]), fieldsOf(&records[1]))
	}
}

func TestNfdumpCSV(t *testing.T) {
	t.Parallel()
	csv, want := readAll(t, fixture(t, "v9.csv")), readAll(t, fixture(t, "v9.json"))
	if len(csv) != len(want) || len(want) < 60 {
		t.Fatalf("%d flows, of %d", len(csv), len(want))
	}
	for i := range csv {
		for _, name := range []string{"flow", "protocol", "packets", "bytes", "flags", "icmp_type", "input_interface", "output_interface", "exporter"} {
			if got, want := value(&csv[i], name), value(&want[i], name); got != want {
				t.Errorf("flow %d: %s is %q, in JSON %q", i, name, got, want)
			}
		}
		if csv[i].At.Sub(want[i].At).Abs() > time.Second || csv[i].Assumed != "the zone" {
			t.Errorf("flow %d: at %v, in JSON %v, assumed %q", i, csv[i].At, want[i].At, csv[i].Assumed)
		}
	}
	records, lost, _, err := read(t, []byte("firstSeen,duration,proto,srcAddr,srcPort,dstAddr,dstPort,packets,bytes,flows\n"+
		"2026-11-03 10:04:11.250,1.5,TCP,10.0.0.4,40000,198.51.100.9,443,4,1200000,1\n2026-11-03 10:04:11,1.5,TCP,10.0.0.4,40000,198.51.100.9,443,4,1.2 M,1\n2026-11-03 10:04:11.250,1.5,TCP\n"+
		"yesterday,1.5,TCP,10.0.0.4,40000,198.51.100.9,443,4,1,1\n2026-11-03 10:04:11,1.5,TCP,web,40000,198.51.100.9,443,4,1,1\n"))
	const flow = "flow=10.0.0.4:40000 -> 198.51.100.9:443/TCP (4 pkts, 1200000 bytes); source_address=10.0.0.4; source_port=40000; " +
		"destination_address=198.51.100.9; destination_port=443; protocol=TCP; packets=4; bytes=1200000; first=2026-11-03T10:04:11.25Z; last=2026-11-03T10:04:12.75Z"
	if err != nil || len(records) != 1 || fieldsOf(&records[0]) != flow {
		t.Errorf("new names: %v, %+v", err, records)
	}
	if want := []string{"line 3 (1): its packets or bytes are no whole numbers", "line 4 (1): it has 3 values for 10 columns", "line 5 (1): it has no time", "line 6 (1): it has no addresses"}; !slices.Equal(lost, want) {
		t.Errorf("lost %q", lost)
	}
}

func TestZeek(t *testing.T) {
	t.Parallel()
	const tsv = "#separator \\x09\n#set_separator\t,\n#empty_field\t(empty)\n#unset_field\t-\n#path\tconn\n#open\t2026-11-03-10-00-00\n" +
		"#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\tproto\tservice\tduration\torig_bytes\tresp_bytes\tconn_state\torig_pkts\tresp_pkts\n" +
		"#types\ttime\tstring\taddr\tport\taddr\tport\tenum\tstring\tinterval\tcount\tcount\tstring\tcount\tcount\n" +
		"1793700251.000042\tCa\t10.0.0.4\t40000\t198.51.100.9\t443\ttcp\tssl\t1.500000\t250\t9000\tSF\t4\t9\n" +
		"1793700252.000000\tCb\t10.0.0.4\t8\t10.0.0.1\t0\ticmp\t-\t-\t-\t-\tOTH\t1\t0\n1793700253\tCc\n#close\t2026-11-03-11-00-00\n"
	const object = `{"ts":1793700251.000042,"uid":"Ca","id.orig_h":"10.0.0.4","id.orig_p":40000,"id.resp_h":"198.51.100.9","id.resp_p":443,"proto":"tcp","service":"ssl","duration":1.5,"orig_bytes":250,"resp_bytes":9000,"conn_state":"SF","orig_pkts":4,"resp_pkts":9}`
	const want = "flow=10.0.0.4:40000 -> 198.51.100.9:443/TCP (4 pkts, 250 bytes); source_address=10.0.0.4; source_port=40000; " +
		"destination_address=198.51.100.9; destination_port=443; protocol=TCP; packets=4; bytes=250; packets_in=9; bytes_in=9000; " +
		"first=2026-11-03T10:04:11.000042Z; last=2026-11-03T10:04:12.500042Z; conn_state=SF; service=ssl; uid=Ca"
	records, lost, _, err := read(t, []byte(tsv))
	if err != nil || len(records) != 2 || fieldsOf(&records[0]) != want || !slices.Equal(lost, []string{"line 11 (1): it has 2 values for 14 columns"}) {
		t.Errorf("%v, lost %q: %s", err, lost, fieldsOf(&records[0]))
	}
	if got := fieldsOf(&records[1]); !strings.HasPrefix(got, "flow=10.0.0.4 -> 10.0.0.1/ICMP; source_address=10.0.0.4; destination_address=10.0.0.1; protocol=ICMP; packets=1; packets_in=0; first=") {
		t.Errorf("ICMP: %s", got)
	}
	if records := readAll(t, []byte(object+"\n")); len(records) != 1 || fieldsOf(&records[0]) != want {
		t.Errorf("JSON: %s", fieldsOf(&records[0]))
	}
}

func TestSuricata(t *testing.T) {
	t.Parallel()
	ends := `"src_ip":"10.0.0.4","src_port":40000,"dest_ip":"198.51.100.9","dest_port":443,"proto":"TCP"`
	records, lost, _, err := read(t, []byte(strings.Join([]string{
		`{"timestamp":"2026-11-03T10:05:00.000001+0000","event_type":"flow",` + ends + `,"flow":{"pkts_toserver":4,"pkts_toclient":9,"bytes_toserver":250,"bytes_toclient":9000,"start":"2026-11-03T11:04:11.5+0100","end":"2026-11-03T10:04:12+0000","state":"closed"}}`,
		`{"timestamp":"2026-11-03T10:05:00.000001+0000","event_type":"alert",` + ends + `,"alert":{"signature":"a\u001b[1mb","severity":2},"":"nameless","payload":"` + strings.Repeat("x", 5000) + `"}`,
		`{"timestamp":"2026-11-03T10:05:00.000001+0000","event_type":"dns",` + ends + `,"dns":{"rrname":"example.com","answers":[{"rdata":"192.0.2.1"}]}}`,
		`{"timestamp":"never","event_type":"dns"}`,
		`{"a":[` + strings.Repeat(`{"b":1},`, 999) + `1],"timestamp":"2026-11-03T10:05:00Z","event_type":"http","c":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`,
		`{"timestamp"`,
	}, "\n")))
	prefix := "source_address=10.0.0.4; source_port=40000; destination_address=198.51.100.9; destination_port=443; protocol=TCP"
	want := []string{
		"2026-11-03T10:04:11.5Z flow netflow flow=10.0.0.4:40000 -> 198.51.100.9:443/TCP (4 pkts, 250 bytes); " + prefix + "; packets=4; bytes=250; packets_in=9; bytes_in=9000; first=2026-11-03T10:04:11.5Z; last=2026-11-03T10:04:12Z; flow.state=closed",
		"2026-11-03T10:05:00.000001Z suricata alert netflow event=suricata alert; " + prefix + "; alert.severity=2; alert.signature=a\x1b[1mb; left_out=a name of 0 bytes, payload (5000 bytes)",
		"2026-11-03T10:05:00.000001Z suricata dns dns_log event=suricata dns; " + prefix + "; dns.answers.0.rdata=192.0.2.1; dns.rrname=example.com",
	}
	var got []string
	for i := range records {
		r := &records[i]
		got = append(got, fmt.Sprint(r.At.Format(time.RFC3339Nano), " ", r.Kind, " ", r.Source, " ", fieldsOf(r)))
	}
	const crowded = "suricata http netflow event=suricata http; a.0.b=1; "
	if last := len(got) - 1; last < 0 || !strings.Contains(got[last], crowded) || !strings.HasSuffix(got[last], "; left_out=951 values of long lists or deep objects") {
		t.Errorf("of many values: %v", got)
	} else {
		got = got[:last]
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v:\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if want := []string{"line 4 (1): it has no time or no event_type", "line 6 (1): the JSON ends before the object does"}; !slices.Equal(lost, want) {
		t.Errorf("lost %q", lost)
	}
}

// The relations over flows see them in a packet with a fact per field: flows in even intervals, and one that is far larger
// than all others. Ordinary traffic is neither.
func TestRelations(t *testing.T) {
	t.Parallel()
	d, err := domain.BuiltIn(domain.BuiltInName)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := domain.Of(&d)
	if err != nil {
		t.Fatal(err)
	}
	one := func(seconds int, last byte, octets uint32) []byte {
		at := uint32(seconds * 1000)
		return cat([]byte{10, 0, 0, 4, 198, 51, 100, last}, 40000+seconds%1000, 443, byte(6), uint32(4), octets, at, at+50)
	}
	var beacon, ordinary [][]byte
	for i := range 12 {
		beacon = append(beacon, set(256, one(i*600, 9, 250)))
		ordinary = append(ordinary, set(256, one(i*i*97%7000, byte(9+i%3), uint32(1000+i*5000))))
	}
	large := append(slices.Clone(ordinary), set(256, one(7000, 20, 3_000_000_000)))
	of := func(sets [][]byte) []byte {
		return v9(8_000_000, exported, 7, append([][]byte{plain4(256)}, sets...)...)
	}
	zeek := func(out, in string) []byte {
		return []byte(`{"ts":1793700251.5,"id.orig_h":"10.0.0.4","id.orig_p":40000,"id.resp_h":"198.51.100.9","id.resp_p":443,"proto":"tcp","orig_bytes":` + out + `,"resp_bytes":` + in + `,"conn_state":"SF"}`)
	}
	for name, c := range map[string]struct {
		data []byte
		rule string
	}{
		"a beacon": {of(beacon), "beacon"}, "a large transfer": {of(large), "far-volume"}, "a gigabyte to the outside": {of(large), "data-to-outside"},
		"ordinary traffic": {of(ordinary), ""}, "a large upload": {zeek("5000000000", "1000"), "data-to-outside"},
		"a large download": {zeek("1000", "5000000000"), ""},
	} {
		data := c.data
		made, err := extract.Make(context.Background(), extract.Options{ID: "night"}, flow.Forms(),
			[]*extract.File{{Name: "flows", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}})
		if err != nil {
			t.Fatal(err)
		}
		found := rules.Find(made.Packet).Findings
		if c.rule == "" && len(found) > 0 || c.rule != "" && !slices.ContainsFunc(found, func(f domain.Finding) bool { return f.Rule == c.rule }) {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// damage flips bits, changes counts and lengths, cuts, and repeats parts.
func damage(data []byte, random *rand.Rand) []byte {
	data = bytes.Clone(data)
	for range 1 + random.IntN(12) {
		at := random.IntN(len(data))
		switch random.IntN(6) {
		case 0, 1:
			data[at] ^= 1 << random.IntN(8)
		case 2:
			copy(data[at:], []byte{0xff, 0xff})
		case 3:
			data = slices.Delete(data, at, min(len(data), at+random.IntN(40)))
		case 4:
			data = slices.Insert(data, at, data[:random.IntN(min(len(data), 90))]...)
		case 5:
			if random.IntN(3) == 0 {
				data = data[:at]
			}
		}
		if len(data) == 0 {
			return []byte{0}
		}
	}
	return data
}

// Reading damaged files ends, keeps what is whole, and each loss has a place.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(40, 2))
	names := []string{"v5.raw", "v9.raw", "v10.raw", "v9.pcap", "v9.nfcapd", "v9.csv", "v9.json"}
	forms := map[string]int{"v5.raw": 0, "v9.raw": 0, "v10.raw": 0, "v9.pcap": 1, "v9.nfcapd": 2, "v9.csv": 3, "v9.json": 3}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	kept := 0
	for i := range 500 {
		name := names[i%len(names)]
		data := damage(fixture(t, name), random)
		form := flow.Forms()[forms[name]]
		form.Recognize(data[:min(len(data), extract.HeadSize)])
		file := &extract.File{Name: "file", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
		records := 0
		if err := form.Read(context.Background(), file, extract.Sink{
			Record: func(r extract.Record) error {
				if r.Place == "" || len(r.Fields) == 0 {
					t.Errorf("%s, file %d: an empty record: %+v", name, i, r)
				}
				records++
				return nil
			},
			Lost: func(place string, _ int, what string) {
				if place == "" || what == "" {
					t.Errorf("%s, file %d: a loss without a place or a reason", name, i)
				}
			},
		}); err != nil && !strings.Contains(err.Error(), "nfcapd") && !strings.Contains(err.Error(), "without flow exports") {
			t.Errorf("%s, file %d: %v", name, i, err)
		}
		if records > 1000 {
			t.Errorf("%s, file %d: %d records", name, i, records)
		}
		kept += records
	}
	if kept < 500*20 {
		t.Errorf("only %d records are left", kept)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8<<30 {
		t.Errorf("%d MiB were allocated", used>>20)
	}
}

// The error of the sink ends the reading.
func TestEndOfReading(t *testing.T) {
	t.Parallel()
	full := errors.New("full")
	for i, name := range []string{"v9.raw", "v9.pcap", "v9.nfcapd", "v9.json"} {
		data, count := fixture(t, name), 0
		file := &extract.File{Name: "file", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
		err := flow.Forms()[i].Read(context.Background(), file, extract.Sink{Lost: func(string, int, string) {}, Record: func(extract.Record) error {
			count++
			return full
		}})
		if !errors.Is(err, full) || count != 1 {
			t.Errorf("%s: %v after %d records", name, err, count)
		}
	}
}

func fuzz(f *testing.F, form int, seeds ...[]byte) {
	f.Helper()
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		form := flow.Forms()[form]
		if !form.Recognize(data) && len(data) < 64 {
			return
		}
		file := &extract.File{Name: "file", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
		_ = form.Read(context.Background(), file, extract.Sink{ // The error is one of a file that is refused.
			Record: func(r extract.Record) error {
				for _, field := range r.Fields {
					if _, err := ledger.ParseValue([]byte(field.Value)); err != nil {
						t.Errorf("field %q: %q: %v", field.Name, field.Value, err)
					}
				}
				return nil
			},
			Lost: func(string, int, string) {},
		})
	})
}

func FuzzExports(f *testing.F) {
	fuzz(f, 0, fixture(f, "v5.raw")[:200], fixture(f, "v9.raw")[:900], fixture(f, "v10.raw")[:900], v9(3, exported, 7, plain4(256), set(256, flow4(4, 1, 2))))
}

func FuzzCapture(f *testing.F) {
	ip := packet4("10.9.0.1", 2055, v9(3, exported, 7, plain4(256), set(256, flow4(4, 1, 2))))
	fuzz(f, 1, pcapOf(101, ip), pcapngOf(101, ip))
}

func FuzzNfcapd(f *testing.F) { fuzz(f, 2, fixture(f, "v9.nfcapd")[:600]) }

func FuzzCSV(f *testing.F) { fuzz(f, 3, fixture(f, "v9.csv")[:1500]) }

func FuzzSuricata(f *testing.F) {
	fuzz(f, 5, []byte(`{"timestamp":"2026-11-03T10:05:00.000001+0000","event_type":"flow","flow":{"start":"x"},"a":[{"b":1}]}`))
}

// BenchmarkVersion9 reads 100,000 flows.
func BenchmarkVersion9(b *testing.B) {
	one := fixture(b, "v9.raw")
	data := bytes.Repeat(one, 100_000/73+1)
	form := flow.Forms()[0]
	for b.Loop() {
		n := 0
		file := &extract.File{Name: "file", ReaderAt: bytes.NewReader(data), Size: int64(len(data))}
		err := form.Read(context.Background(), file, extract.Sink{Lost: func(string, int, string) {}, Record: func(extract.Record) error {
			n++
			return nil
		}})
		if err != nil || n < 100_000 {
			b.Fatal(n, err)
		}
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	b.ReportMetric(float64(memory.Sys)/(1<<20), "MiB-of-the-system")
}
