package flow

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/plain"
	"moot/ledger"
	"moot/research/extract"
)

// Bounds of what a record of Zeek or Suricata has besides its flow.
const (
	maxFields = 60
	maxDepth  = 6
	maxValue  = 4 << 10
	maxName   = 200
)

// A source returns the first value that a record has under one of the names.
type source func(names ...string) string

// columns are the names of values in the header of a table, in lower case.
type columns []string

// of returns the values of a line by their names.
func (c columns) of(values []string) source {
	return func(names ...string) string {
		for _, name := range names {
			if at := slices.Index(c, name); at >= 0 && at < len(values) {
				return strings.TrimSpace(values[at])
			}
		}
		return ""
	}
}

// isNfdump reports whether the first object is a flow of nfdump, or the first line the header of nfdump -o csv.
func isNfdump(head []byte) bool {
	keys := extract.FirstKeys(head)
	has := func(key string) bool { return slices.Contains(keys, key) }
	return csvHeader(head) != nil || has("first") && has("last") && (has("in_packets") || has("src4_addr") || has("src6_addr"))
}

// readNfdump reads the flows of nfdump in JSON, or the lines of nfdump -o csv up to its summary.
func readNfdump(_ context.Context, from *extract.File, into extract.Sink) error {
	if isJSON(from) {
		return eachObject(from, into, func(values *scalars) (*extract.Record, string) {
			t, what := nfdumpFlow(values.source(), from.Zone)
			if what != "" {
				return nil, what
			}
			r := t.record()
			return &r, ""
		})
	}
	return readCSV(from, into)
}

// isJSON reports whether a text begins with an object or a list.
func isJSON(from *extract.File) bool {
	head := make([]byte, 64)
	n, _ := io.ReadFull(from.Text(), head) // An error comes again when it is read.
	head = bytes.TrimSpace(head[:n])
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}

// csvHeader returns the names of the columns of nfdump 1.6 and 1.7, if the first line has them.
func csvHeader(line []byte) columns {
	line, _, _ = bytes.Cut(line, []byte("\n"))
	names := columns(strings.Split(strings.ToLower(strings.TrimSpace(string(line))), ","))
	for i := range names {
		names[i] = strings.TrimSpace(names[i])
	}
	has := func(all ...string) bool {
		return !slices.ContainsFunc(all, func(name string) bool { return !slices.Contains(names, name) })
	}
	if has("ts", "sa", "da", "pr") || has("firstseen", "srcaddr", "dstaddr", "proto") {
		return names
	}
	return nil
}

func readCSV(from *extract.File, into extract.Sink) error {
	var names columns
	ended := false
	return from.Lines(into, func(line int, text []byte) error {
		if found := csvHeader(text); found != nil {
			names, ended = found, false
			return nil
		}
		if ended || names == nil || string(text) == "No matching flows" {
			return nil
		}
		if ended = bytes.HasPrefix(text, []byte("Summary")); ended {
			return nil
		}
		values := strings.Split(string(text), ",")
		if len(values) != len(names) {
			into.Lost(fmt.Sprintf("line %d", line), 1, fmt.Sprintf("it has %d values for %d columns", len(values), len(names)))
			return nil
		}
		get := names.of(values)
		t, what := nfdumpFlow(get, from.Zone)
		if what != "" {
			into.Lost(fmt.Sprintf("line %d", line), 1, what)
			return nil
		}
		r := t.record()
		r.Place, r.Raw = strconv.Itoa(line), string(text)
		return into.Record(r)
	})
}

// nfdumpFlow makes a flow of what nfdump prints, or says what is wrong.
func nfdumpFlow(get source, zone *time.Location) (*transfer, string) {
	t := newTransfer()
	var ok [2]bool
	first, last := get("ts", "firstseen", "first"), get("te", "lastseen", "last")
	if t.first, ok[0] = moment(first, zone); !ok[0] {
		return nil, "it has no time"
	}
	if t.last, ok[1] = moment(last, zone); !ok[1] {
		if seconds, err := strconv.ParseFloat(get("td", "duration"), 64); err == nil && seconds >= 0 && seconds < math.MaxInt32 {
			t.last = t.first.Add(time.Duration(seconds * float64(time.Second)))
		}
	}
	if !hasZone(first) {
		t.assumed = "the zone"
	}
	var errs [2]error
	t.source, errs[0] = netip.ParseAddr(get("sa", "srcaddr", "src4_addr", "src6_addr"))
	t.destination, errs[1] = netip.ParseAddr(get("da", "dstaddr", "dst4_addr", "dst6_addr"))
	if errs[0] != nil || errs[1] != nil {
		return nil, "it has no addresses"
	}
	packets, octets := get("ipkt", "packets", "in_packets"), get("ibyt", "bytes", "in_bytes")
	t.packets, t.bytes = counted(packets), counted(octets)
	if packets != "" && t.packets < 0 || octets != "" && t.bytes < 0 {
		return nil, "its packets or bytes are no whole numbers"
	}
	if back := counted(get("obyt", "out_bytes")); back > 0 {
		t.packetsIn, t.bytesIn = counted(get("opkt", "out_packets")), back
	}
	t.sourcePort = port(get("sp", "srcport", "src_port"))
	// For ICMP it is the type and the code, with a dot between them.
	destination := get("dp", "dstport", "dst_port")
	t.destinationPort = port(destination)
	if kind, code, isICMP := strings.Cut(destination, "."); isICMP {
		if k, c := port(kind), port(code); k >= 0 && k < 256 && c >= 0 && c < 256 {
			t.destinationPort = k<<8 | c
		}
	}
	if kind := port(get("icmp_type")); kind >= 0 && kind < 256 {
		t.destinationPort = kind<<8 | max(port(get("icmp_code")), 0)&0xff
	}
	protocol := get("pr", "proto")
	switch n, err := strconv.ParseUint(protocol, 10, 8); {
	case err == nil:
		t.setProtocol(n, 0)
	case strings.EqualFold(protocol, "ICMP"):
		t.setProtocol(icmp, 0)
	case strings.EqualFold(protocol, "ICMP6"):
		t.setProtocol(icmp6, 0)
	default:
		t.protocol = strings.ToUpper(protocol)
	}
	t.flags = ""
	if flags := get("flg", "flags", "tcp_flags"); t.protocol == "TCP" {
		t.flags = flags
	}
	if exporter := get("ra", "ip4_router", "ip6_router"); exporter != "0.0.0.0" {
		t.also("exporter", exporter)
	}
	for _, one := range [][3]string{
		{"input_interface", "in", "input_snmp"},
		{"output_interface", "out", "output_snmp"},
		{"source_as", "sas", "src_as"},
		{"destination_as", "das", "dst_as"},
	} {
		if n, err := strconv.ParseUint(get(one[1], one[2]), 10, 64); err == nil && n > 0 {
			t.alsoNumber(one[0], n)
		}
	}
	if get("sampled") == "1" {
		t.more = append(t.more, extract.Field{Name: "sampled", Value: ledger.Value("true")})
	}
	return &t, ""
}

// counted reads a count, or returns -1.
func counted(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// port reads a port, or -1.
func port(text string) int {
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return -1
	}
	return int(n)
}

// layouts are the forms of times in texts.
func layouts() []string {
	return []string{"2006-01-02 15:04:05", "2006-01-02T15:04:05", time.RFC3339, "2006-01-02T15:04:05Z0700"}
}

// moment reads a time: a date and a time, or seconds or milliseconds since 1970.
func moment(text string, zone *time.Location) (time.Time, bool) {
	if zone == nil {
		zone = time.UTC
	}
	for _, layout := range layouts() {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at.UTC(), true
		}
	}
	whole, fraction, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	const largest, millis = 1 << 42, 100_000_000_000
	if err != nil || n < 0 || n > largest || strings.Trim(fraction, "0123456789") != "" {
		return time.Time{}, false
	}
	if n >= millis {
		return time.UnixMilli(n).UTC(), true
	}
	nanos, _ := strconv.Atoi((fraction + "000000000")[:9])
	return time.Unix(n, int64(nanos)).UTC(), true
}

// hasZone reports whether the text of a time names its zone.
func hasZone(text string) bool {
	if !strings.Contains(text, ":") {
		return true // It is a number of seconds.
	}
	return strings.HasSuffix(text, "Z") || strings.LastIndexAny(text, "+-") > strings.IndexByte(text, ':')
}

// scalars are the values of an object that are no objects or lists, as texts. Objects inside are flattened: their names
// are joined with dots.
type scalars struct {
	values map[string]string
	// dropped counts the values that are too many or too deep.
	dropped int
}

func scalarsOf(object []byte) (*scalars, bool) {
	decoder := json.NewDecoder(bytes.NewReader(object))
	decoder.UseNumber()
	var value map[string]any
	if decoder.Decode(&value) != nil || value == nil {
		return nil, false
	}
	all := &scalars{values: map[string]string{}}
	all.take("", value, 0)
	return all, true
}

// take takes the values of an object before those of the objects and lists in it.
func (s *scalars) take(path string, value any, depth int) {
	const most, mostOfList = 500, 50
	if depth > maxDepth || len(s.values) >= most {
		s.dropped++
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, nested := range []bool{false, true} {
			for _, key := range slices.Sorted(maps.Keys(v)) {
				_, isObject := v[key].(map[string]any)
				_, isList := v[key].([]any)
				name := key
				if path != "" {
					name = path + "." + key
				}
				if (isObject || isList) == nested {
					s.take(name, v[key], depth+1)
				}
			}
		}
	case []any:
		for i, one := range v[:min(len(v), mostOfList)] {
			s.take(path+"."+strconv.Itoa(i), one, depth+1)
		}
		s.dropped += max(0, len(v)-mostOfList)
	case string:
		s.values[path] = v
	case json.Number:
		s.values[path] = v.String()
	case bool:
		s.values[path] = strconv.FormatBool(v)
	}
}

func (s *scalars) source() source {
	return func(names ...string) string {
		for _, name := range names {
			if s.values[name] != "" {
				return strings.TrimSpace(s.values[name])
			}
		}
		return ""
	}
}

// rest returns the values that no other field has, up to maxFields of them. Long ones are named only.
func (s *scalars) rest(used ...string) []extract.Field {
	var fields []extract.Field
	var left []string
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		switch value := s.values[name]; {
		case slices.Contains(used, name) || value == "":
		case name == "" || len(name) > maxName:
			left = append(left, fmt.Sprintf("a name of %d bytes", len(name)))
		case len(value) > maxValue:
			left = append(left, fmt.Sprintf("%s (%d bytes)", name, len(value)))
		case len(fields) >= maxFields:
			left = append(left, name)
		default:
			fields = append(fields, extract.Field{Name: name, Value: ledger.TextValue(value)})
		}
	}
	if s.dropped > 0 {
		left = append([]string{plain.Counted(s.dropped, "value") + " of long lists or deep objects"}, left...)
	}
	if len(left) > 0 {
		const shown = 20
		text := strings.Join(left[:min(len(left), shown)], ", ")
		if more := len(left) - shown; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		fields = append(fields, extract.Field{Name: "left_out", Value: ledger.TextValue(text)})
	}
	return fields
}

// eachObject calls take with the values of every object of a file.
func eachObject(from *extract.File, into extract.Sink, take func(*scalars) (*extract.Record, string)) error {
	return from.Objects(into, func(place string, object jsontext.Value) error {
		values, ok := scalarsOf(object)
		what := "it is not a JSON object"
		var r *extract.Record
		if ok {
			r, what = take(values)
		}
		if what != "" {
			into.Lost("line "+place, 1, what)
			return nil
		}
		r.Place = place
		if r.Raw = string(object); !utf8.ValidString(r.Raw) {
			r.Raw = strings.ToValidUTF8(r.Raw, "\ufffd")
		}
		return into.Record(*r)
	})
}

// isZeek reports whether a file is a conn.log of Zeek, with its header or in JSON.
func isZeek(head []byte) bool {
	keys := extract.FirstKeys(head)
	if slices.Contains(keys, "id.orig_h") && slices.Contains(keys, "ts") && slices.Contains(keys, "conn_state") {
		return true
	}
	for line := range bytes.Lines(head) {
		if len(line) == 0 || line[0] != '#' {
			return false
		}
		if names, ok := zeekFields(line); ok {
			return slices.Contains(names, "id.orig_h") && slices.Contains(names, "ts") && slices.Contains(names, "conn_state")
		}
	}
	return false
}

func zeekFields(line []byte) (columns, bool) {
	rest, ok := bytes.CutPrefix(bytes.TrimRight(line, "\r\n"), []byte("#fields"))
	if !ok || len(rest) == 0 {
		return nil, false
	}
	return strings.Split(string(rest[1:]), string(rest[:1])), true
}

// readZeek reads the lines of a conn.log. Its header says what separates the values, and what stands for none.
func readZeek(_ context.Context, from *extract.File, into extract.Sink) error {
	if isJSON(from) {
		return eachObject(from, into, zeekRecord)
	}
	var names columns
	separator, unset, empty := "\t", "-", "(empty)"
	return from.Lines(into, func(line int, text []byte) error {
		if text[0] == '#' {
			if found, ok := zeekFields(text); ok {
				names, separator = found, string(text[len("#fields"):len("#fields")+1])
			}
			for name, value := range map[string]*string{"#unset_field": &unset, "#empty_field": &empty} {
				if rest, ok := strings.CutPrefix(string(text), name); ok && len(rest) > 1 {
					*value = rest[1:]
				}
			}
			return nil
		}
		parts := strings.Split(string(text), separator)
		if len(parts) != len(names) {
			into.Lost(fmt.Sprintf("line %d", line), 1, fmt.Sprintf("it has %d values for %d columns", len(parts), len(names)))
			return nil
		}
		values := &scalars{values: map[string]string{}}
		for i, name := range names {
			if parts[i] != unset && parts[i] != empty {
				values.values[name] = parts[i]
			}
		}
		r, what := zeekRecord(values)
		if what != "" {
			into.Lost(fmt.Sprintf("line %d", line), 1, what)
			return nil
		}
		r.Place, r.Raw = strconv.Itoa(line), strings.ToValidUTF8(string(text), "\ufffd")
		return into.Record(*r)
	})
}

// zeekRecord makes a record of a connection, which has both directions, or says what is wrong.
func zeekRecord(values *scalars) (*extract.Record, string) {
	get := values.source()
	t := newTransfer()
	at, ok := moment(get("ts"), nil)
	if !ok {
		return nil, "it has no time"
	}
	t.first = at
	if seconds, err := strconv.ParseFloat(get("duration"), 64); err == nil && seconds >= 0 && seconds < math.MaxInt32 {
		t.last = at.Add(time.Duration(math.Round(seconds*1e6)) * time.Microsecond)
	}
	var errs [2]error
	t.source, errs[0] = netip.ParseAddr(get("id.orig_h"))
	t.destination, errs[1] = netip.ParseAddr(get("id.resp_h"))
	if errs[0] != nil || errs[1] != nil {
		return nil, "it has no addresses"
	}
	t.packets, t.packetsIn = counted(get("orig_pkts")), counted(get("resp_pkts"))
	t.bytes, t.bytesIn = counted(get("orig_bytes")), counted(get("resp_bytes"))
	t.sourcePort, t.destinationPort = port(get("id.orig_p")), port(get("id.resp_p"))
	t.protocol = strings.ToUpper(get("proto"))
	if t.protocol == "ICMP" { // The type of the message stands where the ports of others do.
		if t.sourcePort >= 0 {
			t.alsoNumber("icmp_type", uint64(t.sourcePort))
		}
		t.sourcePort, t.destinationPort = -1, -1
	}
	t.more = append(t.more, values.rest("ts", "duration", "id.orig_h", "id.resp_h", "id.orig_p", "id.resp_p", "proto",
		"orig_pkts", "resp_pkts", "orig_bytes", "resp_bytes")...)
	r := t.record()
	return &r, ""
}

// isSuricata reports whether the first object is an event of Suricata.
func isSuricata(head []byte) bool {
	keys := extract.FirstKeys(head)
	return slices.Contains(keys, "event_type") && slices.Contains(keys, "timestamp")
}

// readSuricata reads eve.json: flows as such, other events with their values.
func readSuricata(_ context.Context, from *extract.File, into extract.Sink) error {
	return eachObject(from, into, func(values *scalars) (*extract.Record, string) {
		return suricataRecord(values, from.Zone)
	})
}

func suricataRecord(values *scalars, zone *time.Location) (*extract.Record, string) {
	get := values.source()
	written := get("timestamp")
	at, ok := moment(written, zone)
	kind := get("event_type")
	if !ok || kind == "" {
		return nil, "it has no time or no event_type"
	}
	t := newTransfer()
	t.exported = at
	if !hasZone(written) {
		t.assumed = "the zone"
	}
	t.source, _ = netip.ParseAddr(get("src_ip"))
	t.destination, _ = netip.ParseAddr(get("dest_ip"))
	t.sourcePort, t.destinationPort = port(get("src_port")), port(get("dest_port"))
	t.protocol = strings.ToUpper(get("proto"))
	used := []string{"timestamp", "event_type", "src_ip", "dest_ip", "src_port", "dest_port", "proto"}
	isFlow := (kind == "flow" || kind == "netflow") && t.source.IsValid() && t.destination.IsValid()
	if isFlow {
		names := [][]string{
			{"flow.pkts_toserver", "netflow.pkts"},
			{"flow.bytes_toserver", "netflow.bytes"},
			{"flow.pkts_toclient"},
			{"flow.bytes_toclient"},
			{"flow.start", "netflow.start"},
			{"flow.end", "netflow.end"},
		}
		t.packets, t.bytes = counted(get(names[0]...)), counted(get(names[1]...))
		t.packetsIn, t.bytesIn = counted(get(names[2]...)), counted(get(names[3]...))
		t.first, _ = moment(get(names[4]...), zone)
		t.last, _ = moment(get(names[5]...), zone)
		used = append(used, slices.Concat(names...)...)
	}
	t.more = values.rest(used...)
	r := t.record()
	if isFlow {
		return &r, ""
	}
	r.At, r.Assumed, r.Kind = at, t.assumed, "suricata "+kind
	if kind == "dns" {
		r.Source = ledger.SourceDNSLog
	}
	// An event about packets does not count as a flow.
	r.Fields = slices.DeleteFunc(r.Fields, func(f extract.Field) bool { return f.Name == "flow" })
	r.Fields = append([]extract.Field{{Name: "event", Value: ledger.TextValue(r.Kind)}}, r.Fields...)
	return &r, ""
}
