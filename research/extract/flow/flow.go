// Package flow reads flows of network traffic: NetFlow v5, v9 and IPFIX from datagrams and captures of them, files of
// nfcapd, and what nfdump, Zeek and Suricata print. Start at Forms and transfer.
package flow

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"moot/ledger"
	"moot/research/extract"
)

// Forms are the forms that this package reads.
func Forms() []extract.Form {
	return []extract.Form{
		{Name: "NetFlow", Parser: "moot netflow 1", Takes: "datagrams of NetFlow v5, v9 and IPFIX", Recognize: isExport, Read: readExports},
		{Name: "pcap", Parser: "moot netflow 1", Takes: "captures of such datagrams (pcap, pcapng)", Recognize: isCapture, Read: readCapture},
		{Name: "nfcapd", Parser: "moot nfcapd 1", Takes: "files of nfcapd", Recognize: isNfcapd, Read: readNfcapd},
		{Name: "nfdump", Parser: "moot nfdump 1", Takes: "nfdump -o csv or json", Recognize: isNfdump, Read: readNfdump},
		{Name: "Zeek conn.log", Parser: "moot zeek 1", Takes: "Zeek's conn.log", Recognize: isZeek, Read: readZeek},
		{Name: "Suricata", Parser: "moot suricata 1", Takes: "Suricata's eve.json", Recognize: isSuricata, Read: readSuricata},
	}
}

// transfer is a flow: what went from a source to a destination, and for flows in both directions what came back.
type transfer struct {
	source, destination netip.Addr
	// A port may be missing: -1.
	sourcePort, destinationPort int
	// protocol is its name, as in "TCP", or its number.
	protocol string
	// Counts that are unknown are -1. In counts the way back.
	packets, bytes, packetsIn, bytesIn int64
	// first and last may be zero. exported is when the exporter sent it.
	first, last, exported time.Time
	// assumed says what first and last lack, as in "the zone".
	assumed string
	flags   string
	// sampling is one packet in how many was looked at, or 0.
	sampling uint64
	// more are other fields: names and values.
	more []extract.Field
}

func newTransfer() transfer {
	return transfer{sourcePort: -1, destinationPort: -1, packets: -1, bytes: -1, packetsIn: -1, bytesIn: -1}
}

// record makes the record of a flow without its place. The field "flow" has the form that rules read, with the counts of
// the way to the destination.
func (t *transfer) record() extract.Record {
	r := extract.Record{At: t.first, Assumed: t.assumed, Kind: "flow", Source: ledger.SourceNetflow}
	if r.At.IsZero() {
		r.At = t.last
	}
	if r.At.IsZero() {
		r.At, r.Assumed = t.exported, "the start of the flow"
	}
	add := func(name, value string) {
		if value != "" {
			r.Fields = append(r.Fields, extract.Field{Name: name, Value: ledger.TextValue(value)})
		}
	}
	number := func(name string, n int64) {
		if n >= 0 {
			r.Fields = append(r.Fields, extract.Field{Name: name, Value: ledger.Value(strconv.FormatInt(n, 10))})
		}
	}
	if t.source.IsValid() && t.destination.IsValid() {
		text := endpoint(t.source, t.sourcePort) + " -> " + endpoint(t.destination, t.destinationPort)
		if t.protocol != "" {
			text += "/" + t.protocol
		}
		switch {
		case t.packets >= 0 && t.bytes >= 0:
			text += fmt.Sprintf(" (%d pkts, %d bytes)", t.packets, t.bytes)
		case t.bytes >= 0:
			text += fmt.Sprintf(" (%d bytes)", t.bytes)
		}
		add("flow", text)
	}
	if t.source.IsValid() {
		r.Host = t.source.String()
		add("source_address", r.Host)
	}
	number("source_port", int64(t.sourcePort))
	if t.destination.IsValid() {
		add("destination_address", t.destination.String())
	}
	number("destination_port", int64(t.destinationPort))
	add("protocol", t.protocol)
	number("packets", t.packets)
	number("bytes", t.bytes)
	number("packets_in", t.packetsIn)
	number("bytes_in", t.bytesIn)
	for _, one := range []struct {
		name string
		at   time.Time
	}{{"first", t.first}, {"last", t.last}} {
		if !one.at.IsZero() {
			add(one.name, one.at.UTC().Format(time.RFC3339Nano))
		}
	}
	add("flags", t.flags)
	if t.sampling > 1 {
		add("sampling", fmt.Sprintf("1 in %d packets; packets and bytes are those of the sample", t.sampling))
	}
	r.Fields = append(r.Fields, t.more...)
	return r
}

// also adds a text to the other fields, alsoNumber a number.
func (t *transfer) also(name, value string) {
	if value != "" {
		t.more = append(t.more, extract.Field{Name: name, Value: ledger.TextValue(value)})
	}
}

func (t *transfer) alsoNumber(name string, n uint64) {
	t.more = append(t.more, extract.Field{Name: name, Value: ledger.Value(strconv.FormatUint(n, 10))})
}

func endpoint(a netip.Addr, port int) string {
	if port < 0 {
		return a.String()
	}
	return netip.AddrPortFrom(a, uint16(port)).String() //nolint:gosec // 16 bits
}

// protocolName is the name of an IP protocol, as nfdump writes it, or its number.
func protocolName(n uint64) string {
	switch n {
	case 1:
		return "ICMP"
	case 2:
		return "IGMP"
	case tcp:
		return "TCP"
	case udp:
		return "UDP"
	case 41:
		return "IPv6"
	case 47:
		return "GRE"
	case 50:
		return "ESP"
	case 51:
		return "AH"
	case icmp6:
		return "ICMP6"
	case 132:
		return "SCTP"
	}
	return strconv.FormatUint(n, 10)
}

const tcp, udp, icmp, icmp6 = 6, 17, 1, 58

// setProtocol sets the protocol and what of the rest depends on it: only TCP has flags, and ICMP has its type and code
// where others have the port of the destination.
func (t *transfer) setProtocol(n, flags uint64) {
	t.protocol = protocolName(n)
	if n == tcp {
		const letters = "CEUAPRSF"
		var b strings.Builder
		for i := range letters {
			if flags>>(len(letters)-1-i)&1 == 1 {
				b.WriteByte(letters[i])
			} else {
				b.WriteByte('.')
			}
		}
		t.flags = b.String()
	}
	if n == icmp || n == icmp6 {
		if t.destinationPort >= 0 {
			t.alsoNumber("icmp_type", uint64(t.destinationPort)>>8)
			t.alsoNumber("icmp_code", uint64(t.destinationPort)&0xff)
		}
		t.sourcePort, t.destinationPort = -1, -1
	}
}

// switched is the time that a counter of milliseconds since the start of the exporter means, which the exporter sent
// when the counter was uptime. Both wrap after 49.7 days. A flow is not later than its export, except by clocks that are
// not quite the same.
func switched(exported time.Time, uptime, at uint32) time.Time {
	const wrap, ahead = int64(1) << 32, int64(time.Hour / time.Millisecond)
	delta := int64(at) - int64(uptime)
	switch {
	case delta > ahead:
		delta -= wrap
	case delta < ahead-wrap:
		delta += wrap
	}
	return exported.Add(time.Duration(delta) * time.Millisecond)
}
