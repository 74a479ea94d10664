package windows

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"

	"moot/research/extract"
)

const (
	fileMagic  = "ElfFile\x00"
	chunkMagic = "ElfChnk\x00"
	// fileHeader is the size of the header and its padding, chunkSize that of each chunk behind it.
	fileHeader = 4096
	chunkSize  = 64 << 10
	// chunkHeader is the size of the header of a chunk, recordHeader that of a record.
	chunkHeader  = 512
	recordHeader = 24
	// written is a flag of files and chunks that are being written, noChecksum one of those without checksums.
	written    = 1
	noChecksum = 4
)

// EVTX is the form of the event logs of Windows since Vista: chunks of 64 KiB with records in binary XML. A chunk is only
// parsed if its checksums are right; the decoder has limits of its own, since the checksum of a hostile file is right.
func EVTX() extract.Form {
	return extract.Form{
		Name: "Windows event log", Takes: "Windows event logs (.evtx)", Parser: "moot evtx 1",
		Recognize: func(head []byte) bool {
			return bytes.HasPrefix(head, []byte(fileMagic)) ||
				len(head) > fileHeader && bytes.HasPrefix(head[fileHeader:], []byte(chunkMagic))
		},
		Read: readEVTX,
	}
}

// log reads the chunks of a file.
type log struct {
	from *extract.File
	into extract.Sink
	data []byte
	// last is the number of the last record of the chunks so far, if known.
	last  uint64
	known bool
	// lost counts damaged chunks whose record numbers are unknown so far; the next chunk tells. where and why describe the
	// first one.
	lost       int
	where, why string
	// blank says that a chunk without anything came after the last one.
	blank bool
	// open is the place of the chunk that was being written when the log was copied, or 0: its checksum may be old.
	open int64
}

func readEVTX(_ context.Context, from *extract.File, into extract.Sink) error {
	l := &log{from: from, into: into, data: make([]byte, chunkSize)}
	head := make([]byte, 128)
	if n, err := from.ReadAt(head, 0); err != nil && (!errors.Is(err, io.EOF) || n < len(head)) {
		if errors.Is(err, io.EOF) {
			into.Lost("the file", 0, "it ends within its header")
			return nil
		}
		return fmt.Errorf("read %s: %w", from.Name, err)
	}
	// Only the chunks matter; of the header, the number of the next record says how many were lost at the end.
	next := binary.LittleEndian.Uint64(head[24:])
	switch {
	case string(head[:8]) != fileMagic:
		into.Lost("the header of the file", 0, "it does not begin with ElfFile")
		next = 0
	case binary.LittleEndian.Uint32(head[120:])&noChecksum == 0 &&
		crc32.ChecksumIEEE(head[:120]) != binary.LittleEndian.Uint32(head[124:]):
		into.Lost("the header of the file", 0, "its checksum is wrong")
		next = 0
	}
	if binary.LittleEndian.Uint32(head[120:])&written != 0 {
		l.open, next = l.lastChunk(), 0
	}
	for at := int64(fileHeader); at < from.Size; at += chunkSize {
		n, err := from.ReadAt(l.data, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		clear(l.data[n:])
		if err := l.chunk(at, n); err != nil {
			return err
		}
	}
	if l.lost > 0 {
		l.report(next)
	}
	return nil
}

// lastChunk returns the place of the last chunk.
func (l *log) lastChunk() int64 {
	magic := make([]byte, len(chunkMagic))
	for at := (l.from.Size-1-fileHeader)/chunkSize*chunkSize + fileHeader; at >= fileHeader; at -= chunkSize {
		// A place that can't be read is reported when its chunk is.
		if _, err := l.from.ReadAt(magic, at); err == nil && string(magic) == chunkMagic {
			return at
		}
	}
	return 0
}

// chunk reads a chunk, of which n bytes are in the file.
func (l *log) chunk(at int64, n int) error {
	if len(bytes.TrimLeft(l.data, "\x00")) == 0 {
		l.blank = true // Windows allocates chunks before it fills them.
		return nil
	}
	number := func(at int) uint64 { return binary.LittleEndian.Uint64(l.data[at:]) }
	short := func(at int) uint32 { return binary.LittleEndian.Uint32(l.data[at:]) }
	first, last, free := number(24), number(32), int(short(48))
	checked := short(120)&noChecksum == 0
	head := crc32.Update(crc32.ChecksumIEEE(l.data[:120]), crc32.IEEETable, l.data[128:chunkHeader])
	place := fmt.Sprintf("the chunk at byte %d", at)
	unknown := func(why string) {
		if l.lost++; l.lost == 1 {
			l.where, l.why = place, why
		}
	}
	switch {
	case string(l.data[:8]) != chunkMagic:
		unknown("it does not begin with ElfChnk")
		return nil
	case checked && head != short(124):
		unknown("the checksum of its header is wrong")
		return nil
	case last == 0xffffffffffffffff || free == chunkHeader:
		return nil // It has no records yet.
	case free < chunkHeader || free > chunkSize || last < first || last-first > chunkSize/recordHeader:
		unknown("its header contradicts itself")
		return nil
	}
	if l.lost > 0 {
		l.report(first)
	}
	if l.blank && l.known && first > l.last+1 && first-l.last < 1<<31 {
		l.into.Lost(span(l.last+1, first-1), int(first-l.last-1), "their chunk is blank") //nolint:gosec // it was bounded
	}
	l.last, l.known, l.blank = last, true, false
	records := span(first, last)
	wrong := checked && crc32.ChecksumIEEE(l.data[chunkHeader:free]) != short(52)
	switch {
	case n < free:
		l.into.Lost(records, int(last-first+1), "the file ends within their chunk") //nolint:gosec // at most 2,730
	case wrong && at == l.open && short(120)&written != 0:
		l.into.Lost(records, 0, "the log was being written when it was copied, and the checksum of their chunk is an old one; "+
			"those that could be read are in the packet")
		return l.records(first, 0, free)
	case wrong:
		l.into.Lost(records, int(last-first+1), "the checksum of their chunk is wrong") //nolint:gosec // at most 2,730
	default:
		return l.records(first, last, free)
	}
	return nil
}

// records reads the records of a chunk. If one before the last can't be found, the rest is lost.
func (l *log) records(first, last uint64, free int) error {
	d := &decoder{data: l.data, names: map[int]string{}, chunk: maxChunk}
	expected := first
	for at := chunkHeader; at+recordHeader <= free; {
		size := int(binary.LittleEndian.Uint32(l.data[at+4:]))
		if string(l.data[at:at+4]) != "\x2a\x2a\x00\x00" || size < recordHeader+4 || at+size > free {
			break
		}
		id := binary.LittleEndian.Uint64(l.data[at+8:])
		stamp := filetime(binary.LittleEndian.Uint64(l.data[at+16:]))
		place := strconv.FormatUint(id, 10)
		root, err := d.record(at+recordHeader, at+size-4)
		var e event
		if err == nil {
			e, err = eventOf(root)
		}
		at += size
		expected = id + 1
		if err != nil {
			l.into.Lost("record "+place, 1, err.Error())
			continue
		}
		if e.at.IsZero() {
			e.at = stamp
		}
		e.place, e.number = place, cmp.Or(e.number, place)
		if err := l.into.Record(e.record()); err != nil {
			return err
		}
	}
	if expected >= first && expected <= last {
		l.into.Lost(span(expected, last), int(last-expected+1), //nolint:gosec // at most 2,730
			"a record before them has a wrong size")
	}
	return nil
}

// report names the damaged chunks whose numbers were unknown: next is the number behind them, or 0.
func (l *log) report(next uint64) {
	place := l.where
	if l.lost > 1 {
		place += fmt.Sprintf(" and %d more", l.lost-1)
	}
	const most = chunkSize / recordHeader
	first := l.last + 1
	if l.known && next > first && next-first <= uint64(l.lost)*most { //nolint:gosec // lost counts up from 0
		place = span(first, next-1) + ", " + place
		l.into.Lost(place, int(next-first), l.why) //nolint:gosec // it was bounded
	} else {
		l.into.Lost(place, 0, l.why+": it is damaged, or the log has not used it yet; how many records it had is unknown")
	}
	l.lost, l.blank = 0, false
}

// span names records.
func span(first, last uint64) string {
	if first == last {
		return fmt.Sprintf("record %d", first)
	}
	return fmt.Sprintf("records %d to %d", first, last)
}
