package flow

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"time"

	"moot/ledger"
	"moot/research/extract"
)

// A file of nfcapd (nfdump 1.7, layout 2) is little-endian on all machines in use: a header, then blocks of records, each
// record of elements with a type and a length. Compressed ones and those of nfdump 1.6 are refused.
const (
	nfMagic, nfLayout                          = 0xa50c, 2
	nfFileHeader, nfBlockHeader                = 40, 12
	nfDataBlock                                = 3
	nfLargestBlock                             = 5 << 20
	nfFlow, nfSampled                          = 11, 2
	nfGeneric, nfIPv4, nfIPv6, nfMisc, nfCount = 1, 2, 3, 4, 5
	nfVLAN, nfAS                               = 6, 7
	nfRouter4, nfRouter6                       = 12, 13
)

// isNfcapd reports whether a file is one of nfcapd, of any layout and byte order.
func isNfcapd(head []byte) bool {
	if len(head) < nfFileHeader {
		return false
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if order.Uint16(head) == nfMagic && order.Uint16(head[2:]) <= nfLayout {
			return true
		}
	}
	return false
}

// readNfcapd reads the flows of a file.
func readNfcapd(ctx context.Context, from *extract.File, into extract.Sink) error {
	head := make([]byte, nfFileHeader)
	if n, err := from.ReadAt(head, 0); n < len(head) && err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: %w", from.Name, err)
	}
	const instead = "; print it first: nfdump -r FILE -o json"
	little := binary.LittleEndian
	compression, encryption := head[16], head[17]
	switch {
	case little.Uint16(head) != nfMagic || little.Uint16(head[2:]) != nfLayout:
		return fmt.Errorf("%s: a file of an nfcapd that moot doesn't read%s", from.Name, instead)
	case compression != 0 || encryption != 0:
		return fmt.Errorf("%s: a compressed or encrypted file of nfcapd%s", from.Name, instead)
	}
	// An appendix with the file's statistics may follow the blocks.
	count, end := little.Uint32(head[36:]), from.Size
	if appendix := int64(little.Uint32(head[24:])) | int64(little.Uint32(head[28:]))<<32; appendix > nfFileHeader && appendix < end {
		end = appendix
	}
	in := newParts(from, nfFileHeader, nfLargestBlock)
	number := 0
	for block := 1; in.at < end; block++ {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		at := in.at
		head, err := in.take(nfBlockHeader)
		if err != nil {
			return err
		}
		if len(head) < nfBlockHeader {
			into.Lost(fmt.Sprintf("bytes %d to %d", at, end-1), 0, "the file ends inside of a block")
			return nil
		}
		records, size, kind := little.Uint32(head), little.Uint32(head[4:]), little.Uint16(head[8:])
		if size > nfLargestBlock || int64(size) > end-in.at {
			into.Lost(fmt.Sprintf("bytes %d to %d", at, end-1), 0, "a block has a wrong length, so it and what follows can't be read")
			return nil
		}
		body, err := in.take(int(size))
		if err != nil {
			return err
		}
		if kind != nfDataBlock {
			continue
		}
		if number, err = nfBlock(into, number, block, records, body); err != nil {
			return err
		}
		if uint32(block) == count {
			return nil
		}
	}
	return nil
}

// nfBlock reads the records of a block, and returns the number of the last flow.
func nfBlock(into extract.Sink, number, block int, records uint32, body []byte) (int, error) {
	little := binary.LittleEndian
	const header = 4
	for nth := uint32(1); nth <= records; nth++ {
		if len(body) < header || int(little.Uint16(body[2:])) < header || int(little.Uint16(body[2:])) > len(body) {
			into.Lost(fmt.Sprintf("block %d, record %d to %d", block, nth, records), int(records-nth)+1, "the length of the first is wrong")
			return number, nil
		}
		size := int(little.Uint16(body[2:]))
		record := body[:size]
		isFlow := little.Uint16(body) == nfFlow
		body = body[size:]
		if !isFlow {
			continue // Of exporters and their samplers.
		}
		number++
		t := nfFlowOf(record)
		if t == nil {
			into.Lost(fmt.Sprintf("flow %d", number), 1, "an element has a wrong length, or there is no time")
			continue
		}
		r := t.record()
		r.Place = strconv.Itoa(number)
		if err := into.Record(r); err != nil {
			return number, err
		}
	}
	return number, nil
}

// nfFlowOf reads a flow, or nil.
func nfFlowOf(record []byte) *transfer {
	const header, elementHeader = 12, 4
	little := binary.LittleEndian
	if len(record) < header {
		return nil
	}
	t := newTransfer()
	if record[10]&nfSampled != 0 {
		t.more = append(t.more, extract.Field{Name: "sampled", Value: ledger.Value("true")})
	}
	var protocol, flags, input, output, asFrom, asTo uint64
	exporter := ""
	elements, rest := int(little.Uint16(record[4:])), record[header:]
	for range elements {
		if len(rest) < elementHeader {
			return nil
		}
		kind, size := little.Uint16(rest), int(little.Uint16(rest[2:]))
		if size < elementHeader || size > len(rest) {
			return nil
		}
		data := rest[elementHeader:size]
		rest = rest[size:]
		least := map[uint16]int{nfGeneric: 48, nfIPv4: 8, nfIPv6: 32, nfMisc: 16, nfCount: 24, nfVLAN: 4, nfAS: 8, nfRouter4: 4, nfRouter6: 16}[kind]
		if len(data) < least {
			return nil
		}
		millis := func(at int) time.Time { return time.UnixMilli(int64(little.Uint64(data[at:]) & (1<<52 - 1))).UTC() }
		count := func(at int) int64 { return int64(little.Uint64(data[at:]) & (1<<62 - 1)) }
		address4 := func(at int) netip.Addr { return ipv4(little.Uint32(data[at:])) }
		address6 := func(at int) netip.Addr {
			return netip.AddrFrom16([16]byte(binary.BigEndian.AppendUint64(
				binary.BigEndian.AppendUint64(nil, little.Uint64(data[at:])), little.Uint64(data[at+8:]))))
		}
		switch kind {
		case nfGeneric:
			t.first, t.last, t.exported = millis(0), millis(8), millis(16)
			t.packets, t.bytes = count(24), count(32)
			t.sourcePort, t.destinationPort = int(little.Uint16(data[40:])), int(little.Uint16(data[42:]))
			protocol, flags = uint64(data[44]), uint64(data[45])
		case nfIPv4:
			t.source, t.destination = address4(0), address4(4)
		case nfIPv6:
			t.source, t.destination = address6(0), address6(16)
		case nfMisc:
			input, output = uint64(little.Uint32(data)), uint64(little.Uint32(data[4:]))
		case nfCount:
			if count(8) > 0 || count(16) > 0 {
				t.packetsIn, t.bytesIn = count(8), count(16)
			}
		case nfVLAN:
			if vlan := little.Uint32(data); vlan > 0 {
				t.alsoNumber("vlan", uint64(vlan))
			}
		case nfAS:
			asFrom, asTo = uint64(little.Uint32(data)), uint64(little.Uint32(data[4:]))
		case nfRouter4:
			exporter = address4(0).String()
		case nfRouter6:
			exporter = address6(0).String()
		}
	}
	if t.packets < 0 {
		return nil
	}
	t.setProtocol(protocol, flags)
	t.common(exporter, input, output, asFrom, asTo)
	return &t
}
