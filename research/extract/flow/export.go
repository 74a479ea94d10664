package flow

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/netsampler/goflow2/v2/decoders/netflow"
	"github.com/netsampler/goflow2/v2/decoders/netflowlegacy"

	"moot/research/extract"
)

// Sizes of datagrams and of their parts.
const (
	largestDatagram = 65535
	v5Header        = 24
	v5Record        = 48
	// v5Most is more records than any exporter sends in a datagram of version 5.
	v5Most      = 100
	v9Header    = 20
	ipfixHeader = 16
	setHeader   = 4
	// firstData is the lowest id of a set of data. Lower ones are reserved except for those of templates.
	firstData = 256
	// maxTemplateFields bounds the fields of all templates of a file.
	maxTemplateFields = 1 << 18
)

// exportLength returns the length of the datagram that data begins with, or 0 if it begins with another thing. whole means that
// nothing follows data. The length of version 9 is not in its header: its sets end where the id of the next one is the
// version of the next datagram, because sets have no such ids.
func exportLength(data []byte, whole bool) int {
	if len(data) < ipfixHeader {
		return 0
	}
	number := func(at int) int { return int(binary.BigEndian.Uint16(data[at:])) }
	switch number(0) {
	case 5:
		n := v5Header + number(2)*v5Record
		if len(data) < v5Header || number(2) == 0 || number(2) > v5Most || n > len(data) {
			return 0
		}
		return n
	case 10:
		n := number(2)
		if n < ipfixHeader+setHeader || n > len(data) || setLength(data[ipfixHeader:n], 10) == 0 {
			return 0
		}
		return n
	case 9:
		at := v9Header
		for at+setHeader <= min(len(data), largestDatagram) {
			if id := number(at); at > v9Header && (id == 5 || id == 9 || id == 10) {
				return at
			}
			n := setLength(data[at:], 9)
			if n == 0 {
				break
			}
			at += n
		}
		if at > v9Header && (at == len(data) && whole) {
			return at
		}
	}
	return 0
}

// setLength returns the length of the set that data begins with, or 0.
func setLength(data []byte, version uint16) int {
	if len(data) < setHeader {
		return 0
	}
	id, n := binary.BigEndian.Uint16(data), int(binary.BigEndian.Uint16(data[2:]))
	templates := version == 9 && id < 2 || version == 10 && (id == 2 || id == 3)
	if id < firstData && !templates || n < setHeader || n > len(data) {
		return 0
	}
	return n
}

// isExport reports whether a file begins with a datagram of flows.
func isExport(head []byte) bool {
	n := exportLength(head, len(head) < extract.HeadSize)
	if n == 0 {
		return false
	}
	rest := head[n:]
	if len(rest) < 2 {
		return len(rest) == 0
	}
	next := binary.BigEndian.Uint16(rest)
	return next == 5 || next == 9 || next == 10
}

// readExports reads datagrams that stand one after another.
func readExports(ctx context.Context, from *extract.File, into extract.Sink) error {
	in := bufio.NewReaderSize(io.NewSectionReader(from, 0, from.Size), 4*largestDatagram)
	d := newDecoder(into, "datagram")
	at, bad := int64(0), int64(-1)
	lost := func() {
		if bad >= 0 {
			into.Lost(fmt.Sprintf("bytes %d to %d", bad, at-1), 0, "there is no whole datagram of flows")
			bad = -1
		}
	}
	for number := 1; ; {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		const window = 2 * largestDatagram
		data, err := in.Peek(window)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		if len(data) == 0 {
			break
		}
		n := exportLength(data, err != nil)
		if n > 0 {
			lost()
			if err := d.datagram(number, "", data[:n]); err != nil {
				return err
			}
			number++
		} else {
			if bad < 0 {
				bad = at
			}
			n = 1
			for n < len(data)-1 && (data[n] != 0 || data[n+1] != 5 && data[n+1] != 9 && data[n+1] != 10) {
				n++
			}
			if n == len(data)-1 && err != nil {
				n++
			}
		}
		if _, err := in.Discard(n); err != nil {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		at += int64(n)
	}
	lost()
	d.end()
	return nil
}

// decoder decodes datagrams. What exporters say about the following ones is kept by exporter and domain.
type decoder struct {
	into extract.Sink
	// unit names what the numbers of datagrams count.
	unit      string
	templates map[templateKey]template
	// fields counts the fields of all templates.
	fields int
	// domains keep the options of exporters.
	domains map[domainKey]*domainState
	// early counts sets of data without a template, by template; first is the first datagram with one.
	early map[templateKey]*early
}

type domainKey struct {
	exporter string
	version  uint16
	domain   uint32
}

type templateKey struct {
	domainKey

	id uint16
}

// template lists the fields of the records of a set, for options with those of their scope.
type template struct {
	fields  []netflow.Field
	options bool
}

type domainState struct {
	sampling uint64
	// started is when the counter of milliseconds of an IPFIX exporter was 0.
	started time.Time
}

type early struct{ sets, first int }

func newDecoder(into extract.Sink, unit string) *decoder {
	return &decoder{
		into: into, unit: unit, templates: map[templateKey]template{}, domains: map[domainKey]*domainState{}, early: map[templateKey]*early{},
	}
}

// datagram decodes a datagram of an exporter.
func (d *decoder) datagram(number int, exporter string, data []byte) error {
	switch binary.BigEndian.Uint16(data) {
	case 5:
		return d.version5(number, exporter, data)
	case 9:
		key, uptime := domainKey{exporter, 9, binary.BigEndian.Uint32(data[16:])}, binary.BigEndian.Uint32(data[4:])
		return d.sets(number, key, time.Unix(int64(binary.BigEndian.Uint32(data[8:])), 0).UTC(), uptime, data[v9Header:])
	}
	key := domainKey{exporter, 10, binary.BigEndian.Uint32(data[12:])}
	return d.sets(number, key, time.Unix(int64(binary.BigEndian.Uint32(data[4:])), 0).UTC(), 0, data[ipfixHeader:])
}

// version5 decodes a datagram of version 5, whose count was compared with its length.
func (d *decoder) version5(number int, exporter string, data []byte) error {
	var p netflowlegacy.PacketNetFlowV5
	if err := netflowlegacy.DecodeMessageVersion(bytes.NewBuffer(data), &p); err != nil {
		d.into.Lost(fmt.Sprintf("%s %d", d.unit, number), 0, err.Error())
		return nil
	}
	exported := time.Unix(int64(p.UnixSecs), int64(p.UnixNSecs)).UTC()
	for i := range p.Records {
		from := &p.Records[i]
		t := newTransfer()
		t.source, t.destination = ipv4(uint32(from.SrcAddr)), ipv4(uint32(from.DstAddr))
		t.sourcePort, t.destinationPort = int(from.SrcPort), int(from.DstPort)
		t.packets, t.bytes = int64(from.DPkts), int64(from.DOctets)
		t.exported = exported
		t.first, t.last = switched(exported, p.SysUptime, from.First), switched(exported, p.SysUptime, from.Last)
		t.setProtocol(uint64(from.Proto), uint64(from.TCPFlags))
		const interval = 1<<14 - 1 // The two bits above are the mode.
		t.sampling = uint64(p.SamplingInterval & interval)
		t.common(exporter, uint64(from.Input), uint64(from.Output), uint64(from.SrcAS), uint64(from.DstAS))
		if err := d.record(number, i+1, &t); err != nil {
			return err
		}
	}
	return nil
}

func ipv4(n uint32) netip.Addr {
	return netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, n)))
}

func (t *transfer) common(exporter string, input, output, sourceAS, destinationAS uint64) {
	t.also("exporter", exporter)
	for _, one := range []struct {
		name string
		n    uint64
	}{{"input_interface", input}, {"output_interface", output}, {"source_as", sourceAS}, {"destination_as", destinationAS}} {
		if one.n > 0 {
			t.alsoNumber(one.name, one.n)
		}
	}
}

func (d *decoder) record(datagram, nth int, t *transfer) error {
	r := t.record()
	r.Place = fmt.Sprintf("%d.%d", datagram, nth)
	return d.into.Record(r)
}

// sets decodes the sets of a datagram of version 9 or of IPFIX.
func (d *decoder) sets(number int, key domainKey, exported time.Time, uptime uint32, data []byte) error {
	nth := 0
	for set := 1; len(data) >= setHeader; set++ {
		place := fmt.Sprintf("%s %d, set %d", d.unit, number, set)
		n := setLength(data, key.version)
		if n == 0 {
			d.into.Lost(place, 0, "its length or id is wrong, so it and the sets behind it can't be read")
			return nil
		}
		id, body := binary.BigEndian.Uint16(data), data[setHeader:n]
		data = data[n:]
		if id < firstData {
			if what := d.templateSet(key, id, body); what != "" {
				d.into.Lost(place, 0, what)
			}
			continue
		}
		known, ok := d.templates[templateKey{key, id}]
		if !ok {
			d.withoutTemplate(templateKey{key, id}, number)
			continue
		}
		for len(body) > 0 {
			size, zeros := recordLength(known.fields, body), len(bytes.Trim(body, "\x00")) == 0
			if size > len(body) {
				if !zeros { // Zeros are padding.
					d.into.Lost(place, 0, "it ends inside of a record")
				}
				break
			}
			values, err := netflow.DecodeDataSetUsingFields(key.version, bytes.NewBuffer(body[:size]), known.fields)
			if err != nil {
				d.into.Lost(place, 0, err.Error())
				break
			}
			body = body[size:]
			t := d.transfer(key, exported, uptime, values, known.options)
			if t == nil {
				continue
			}
			nth++
			if err := d.record(number, nth, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// recordLength is the length of the record that data begins with, which is more than there is if it is cut.
func recordLength(fields []netflow.Field, data []byte) int {
	const variable, long = 0xffff, 0xff
	n := 0
	for i := range fields {
		size := int(fields[i].Length)
		if size == variable {
			if n >= len(data) {
				return len(data) + 1
			}
			size = int(data[n])
			n++
			if size == long {
				if n+2 > len(data) {
					return len(data) + 1
				}
				size = int(binary.BigEndian.Uint16(data[n:]))
				n += 2
			}
		}
		n += size
	}
	return n
}

// templateSet takes the templates of a set, or says what is wrong with it. The counts of their fields are compared with
// its length first.
func (d *decoder) templateSet(key domainKey, id uint16, body []byte) string {
	if !templatesFit(key.version, id, body) {
		return "a template has more fields than there are bytes for"
	}
	var made map[uint16]template
	var err error
	buffer := bytes.NewBuffer(body)
	switch {
	case id == 0 || id == 2:
		var records []netflow.TemplateRecord
		records, err = netflow.DecodeTemplateSet(key.version, buffer)
		made = map[uint16]template{}
		for i := range records {
			made[records[i].TemplateId] = template{records[i].Fields, false}
		}
	case key.version == 9:
		var records []netflow.NFv9OptionsTemplateRecord
		records, err = netflow.DecodeNFv9OptionsTemplateSet(buffer)
		made = map[uint16]template{}
		for i := range records {
			// The ids of scopes are not those of fields.
			for j := range records[i].Scopes {
				records[i].Scopes[j].PenProvided, records[i].Scopes[j].Pen = true, noField
			}
			made[records[i].TemplateId] = template{slices.Concat(records[i].Scopes, records[i].Options), true}
		}
	default:
		var records []netflow.IPFIXOptionsTemplateRecord
		records, err = netflow.DecodeIPFIXOptionsTemplateSet(buffer)
		made = map[uint16]template{}
		for i := range records {
			made[records[i].TemplateId] = template{slices.Concat(records[i].Scopes, records[i].Options), true}
		}
	}
	what := ""
	if err != nil {
		what = err.Error()
	}
	for _, id := range slices.Sorted(maps.Keys(made)) {
		one, at := made[id], templateKey{key, id}
		size := 0
		for i := range one.fields {
			size += int(one.fields[i].Length)
		}
		d.fields -= len(d.templates[at].fields)
		delete(d.templates, at)
		switch {
		case id < firstData:
			what = fmt.Sprintf("the id %d of a template is reserved", id)
		case len(one.fields) == 0 && key.version == 10: // It is withdrawn.
		case size == 0:
			what = fmt.Sprintf("template %d has no fields", id)
		case d.fields+len(one.fields) > maxTemplateFields:
			what = fmt.Sprintf("template %d is left out: the templates before it have %d fields", id, d.fields)
		default:
			d.fields += len(one.fields)
			d.templates[at] = one
		}
	}
	return what
}

// noField is an enterprise number that no field has.
const noField = 1<<32 - 1

// templatesFit compares the counts of fields of the templates of a set with its length.
func templatesFit(version, id uint16, body []byte) bool {
	for len(body) >= setHeader {
		count := int(binary.BigEndian.Uint16(body[2:]))
		header := setHeader
		switch {
		case id == 1:
			if header = 6; len(body) < header {
				return len(bytes.Trim(body, "\x00")) == 0
			}
			count = (count + int(binary.BigEndian.Uint16(body[4:]))) / 4
		case id == 3 && count > 0:
			if header = 6; len(body) < header || int(binary.BigEndian.Uint16(body[4:])) > count {
				return false
			}
		}
		body = body[header:]
		for range count {
			size := 4
			if version == 10 && len(body) > 0 && body[0]&0x80 != 0 {
				size = 8
			}
			if len(body) < size {
				return false
			}
			body = body[size:]
		}
	}
	return true
}

// withoutTemplate counts a set of data whose template has not come.
func (d *decoder) withoutTemplate(key templateKey, number int) {
	const most = 1000
	one := d.early[key]
	if one == nil {
		if len(d.early) >= most {
			d.into.Lost(fmt.Sprintf("%s %d", d.unit, number), 0, fmt.Sprintf("a set of data has no template %d before it", key.id))
			return
		}
		one = &early{first: number}
		d.early[key] = one
	}
	one.sets++
}

// end reports the sets of data without a template.
func (d *decoder) end() {
	keys := slices.SortedFunc(maps.Keys(d.early), func(a, b templateKey) int {
		if n := d.early[a].first - d.early[b].first; n != 0 {
			return n
		}
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	for _, key := range keys {
		one := d.early[key]
		of := fmt.Sprintf("domain %d", key.domain)
		if key.exporter != "" {
			of = key.exporter + ", " + of
		}
		sets := "sets of data have"
		if one.sets == 1 {
			sets = "set of data has"
		}
		d.into.Lost(fmt.Sprintf("from %s %d", d.unit, one.first), 0, fmt.Sprintf("%d %s no template %d of %s before it", one.sets, sets, key.id, of))
	}
}

// Numbers of fields of version 9 and IPFIX, as IANA lists them.
const (
	inBytes, inPackets, protocolID, tcpFlags, sourcePortID, source4 = 1, 2, 4, 6, 7, 8
	inputID, destinationPortID, destination4, outputID              = 10, 11, 12, 14
	sourceAS, destinationAS, lastSwitched, firstSwitched            = 16, 17, 21, 22
	outBytes, outPackets, source6, destination6                     = 23, 24, 27, 28
	icmpTypeCode, samplingInterval, samplerInterval                 = 32, 34, 50
	sourceVLAN, direction, bytesTotal, packetsTotal                 = 58, 61, 85, 86
	icmp6TypeCode                                                   = 139
	startSeconds, endSeconds, startMillis, endMillis                = 150, 151, 152, 153
	startMicros, endMicros, startNanos, endNanos                    = 154, 155, 156, 157
	startDelta, endDelta, systemStart, durationMillis               = 158, 159, 160, 161
	udpSource, udpDestination, tcpSource, tcpDestination            = 180, 181, 182, 183
	initiatorBytes, responderBytes                                  = 231, 232
	initiatorPackets, responderPackets                              = 298, 299
	samplingPackets, observedMillis                                 = 305, 323
	// reverse is the enterprise number of fields of the way back (RFC 5103).
	reverse = 29305
)

// values holds the fields of a record: its flow and the rest.
type values struct {
	transfer

	state                                           *domainState
	options, hasProtocol                            bool
	protocol, tcpFlags, input, output, asFrom, asTo uint64
	// start and end are counters of milliseconds. They and duration are -1 if the record has none.
	start, end, duration int64
}

// transfer makes a flow of the values of a record, or nil if it has none: options, which are kept for the flows after
// them.
func (d *decoder) transfer(key domainKey, exported time.Time, uptime uint32, fields []netflow.DataField, options bool) *transfer {
	state := d.domains[key]
	if state == nil {
		const most = 100_000
		state = &domainState{}
		if len(d.domains) < most {
			d.domains[key] = state
		}
	}
	v := values{transfer: newTransfer(), state: state, options: options, start: -1, end: -1, duration: -1}
	v.exported, v.sampling = exported, state.sampling
	for i := range fields {
		data, _ := fields[i].Value.([]byte)
		n, isNumber := unsigned(data)
		switch {
		case fields[i].PenProvided && fields[i].Pen == reverse && isNumber:
			switch fields[i].Type {
			case inBytes, bytesTotal:
				v.bytesIn = bounded(n)
			case inPackets, packetsTotal:
				v.packetsIn = bounded(n)
			}
		case fields[i].PenProvided:
		case v.text(fields[i].Type, data):
		case isNumber:
			v.number(fields[i].Type, n)
		}
	}
	if options || !v.source.IsValid() && !v.destination.IsValid() {
		return nil
	}
	for _, one := range []struct {
		counter int64
		at      *time.Time
	}{{v.start, &v.first}, {v.end, &v.last}} {
		switch {
		case one.counter < 0:
		case key.version == 9:
			*one.at = switched(exported, uptime, uint32(one.counter)) //nolint:gosec // 32 bits
		case !state.started.IsZero():
			*one.at = switched(exported, uint32(exported.Sub(state.started).Milliseconds()&(1<<32-1)), uint32(one.counter)) //nolint:gosec // 32 bits
		}
	}
	if v.duration >= 0 && v.last.IsZero() && !v.first.IsZero() {
		v.last = v.first.Add(time.Duration(v.duration) * time.Millisecond)
	}
	t := v.transfer
	if t.bytes < 0 && t.packets < 0 { // An exporter that counts what leaves it.
		t.bytes, t.packets, t.bytesIn, t.packetsIn = t.bytesIn, t.packetsIn, -1, -1
	}
	if v.hasProtocol {
		t.setProtocol(v.protocol, v.tcpFlags)
	}
	t.common(key.exporter, v.input, v.output, v.asFrom, v.asTo)
	return &t
}

func bounded(n uint64) int64 { return int64(min(n, 1<<62)) }

func millis(n uint64) time.Time { return time.UnixMilli(int64(min(n, 1<<52))).UTC() }

// text reads a field that is no number, and reports whether it is one.
func (v *values) text(field uint16, data []byte) bool {
	switch field {
	case source4, source6, destination4, destination6:
		into := &v.source
		if field == destination4 || field == destination6 {
			into = &v.destination
		}
		// A template may have both versions of an address, of which one is 0.
		if address, ok := netip.AddrFromSlice(data); ok && (!address.IsUnspecified() || !into.IsValid()) {
			*into = address
		}
	case startMicros, startNanos, endMicros, endNanos:
		if len(data) != 8 {
			return true
		}
		const from1900 = 2208988800
		seconds, fraction := binary.BigEndian.Uint32(data), binary.BigEndian.Uint32(data[4:])
		at := time.Unix(int64(seconds)-from1900, int64(fraction)*1e9>>32).UTC()
		if field == startMicros || field == startNanos {
			v.first = at
		} else {
			v.last = at
		}
	default:
		return false
	}
	return true
}

// number reads a field that is a number.
func (v *values) number(field uint16, n uint64) {
	const low32 = 1<<32 - 1
	switch field {
	case inBytes:
		v.bytes = bounded(n)
	case inPackets:
		v.packets = bounded(n)
	case bytesTotal, initiatorBytes:
		if v.bytes < 0 { // What was counted since the last record goes before a total.
			v.bytes = bounded(n)
		}
	case packetsTotal, initiatorPackets:
		if v.packets < 0 {
			v.packets = bounded(n)
		}
	case outBytes, responderBytes:
		v.bytesIn = bounded(n)
	case outPackets, responderPackets:
		v.packetsIn = bounded(n)
	case protocolID:
		v.protocol, v.hasProtocol = n, true
	case tcpFlags:
		v.tcpFlags = n
	case sourcePortID, udpSource, tcpSource:
		v.sourcePort = int(n & 0xffff)
	case destinationPortID, udpDestination, tcpDestination:
		v.destinationPort = int(n & 0xffff)
	case icmpTypeCode, icmp6TypeCode:
		if n != 0 || v.destinationPort < 0 {
			v.destinationPort = int(n & 0xffff)
		}
	case inputID:
		v.input = n
	case outputID:
		v.output = n
	case sourceAS:
		v.asFrom = n
	case destinationAS:
		v.asTo = n
	case sourceVLAN:
		if n > 0 {
			v.alsoNumber("vlan", n)
		}
	case direction:
		if n == 1 {
			v.also("direction", "egress")
		}
	case samplingInterval, samplerInterval, samplingPackets:
		v.sampling = n
		if v.options {
			v.state.sampling = n
		}
	case systemStart:
		v.state.started = millis(n)
	case firstSwitched:
		v.start = int64(n & low32)
	case lastSwitched:
		v.end = int64(n & low32)
	case startSeconds:
		v.first = millis(min(n, low32) * 1000)
	case endSeconds:
		v.last = millis(min(n, low32) * 1000)
	case startMillis:
		v.first = millis(n)
	case endMillis:
		v.last = millis(n)
	case observedMillis:
		if v.first.IsZero() {
			v.first = millis(n)
		}
	case startDelta:
		v.first = v.exported.Add(-time.Duration(n&low32) * time.Microsecond)
	case endDelta:
		v.last = v.exported.Add(-time.Duration(n&low32) * time.Microsecond)
	case durationMillis:
		v.duration = int64(n & low32)
	}
}

// unsigned reads a number of up to eight bytes.
func unsigned(data []byte) (uint64, bool) {
	if len(data) == 0 || len(data) > 8 {
		return 0, false
	}
	n := uint64(0)
	for _, b := range data {
		n = n<<8 | uint64(b)
	}
	return n, true
}
