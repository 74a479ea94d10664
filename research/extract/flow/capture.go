package flow

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"

	"moot/research/extract"
)

// largestPacket is the longest packet or block of a capture that is read, in bytes.
const largestPacket = 1 << 20

// isCapture reports whether a file is a capture, pcap or pcapng.
func isCapture(head []byte) bool {
	return len(head) >= 24 && (pcapOrder(head) != nil || ngOrder(head) != nil)
}

// pcapOrder is the byte order of a pcap file, with times in microseconds or nanoseconds, or nil.
func pcapOrder(head []byte) binary.ByteOrder {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if magic := order.Uint32(head); magic == 0xa1b2c3d4 || magic == 0xa1b23c4d {
			return order
		}
	}
	return nil
}

// ngOrder is the byte order of a section of a pcapng file, or nil.
func ngOrder(block []byte) binary.ByteOrder {
	if len(block) < 12 || binary.BigEndian.Uint32(block) != 0x0a0d0d0a {
		return nil
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if order.Uint32(block[8:]) == 0x1a2b3c4d {
			return order
		}
	}
	return nil
}

// readCapture reads the datagrams of flows in a capture. A capture without any is refused.
func readCapture(ctx context.Context, from *extract.File, into extract.Sink) error {
	c := &capture{decoder: newDecoder(into, "packet"), exporters: map[netip.AddrPort]bool{}}
	read := eachPacket
	head := make([]byte, 24)
	if _, err := from.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: %w", from.Name, err)
	}
	if ngOrder(head) != nil {
		read = eachBlock
	}
	number := 0
	err := read(ctx, from, into, func(link uint32, data []byte, cut bool) error {
		number++
		return c.packet(number, link, data, cut)
	})
	if err != nil {
		return err
	}
	if c.fragments > 0 {
		into.Lost("from packet "+strconv.Itoa(c.firstFragment), 0, strconv.Itoa(c.fragments)+" fragments of UDP packets, which are not put together")
	}
	c.decoder.end()
	if c.datagrams == 0 {
		return fmt.Errorf("%s: a capture without flow exports; export flows from it, e.g. with softflowd or nfpcapd", from.Name)
	}
	return nil
}

// eachPacket calls each with every packet of a pcap file.
func eachPacket(ctx context.Context, from *extract.File, into extract.Sink, each func(link uint32, data []byte, cut bool) error) error {
	const fileHeader, packetHeader = 24, 16
	in := newParts(from, 0, packetHeader+largestPacket)
	head, err := in.take(fileHeader)
	if err != nil {
		return err
	}
	order := pcapOrder(append(bytes.Clone(head), make([]byte, fileHeader)...))
	if order == nil || len(head) < fileHeader {
		return fmt.Errorf("%s: it is no capture", from.Name)
	}
	link := order.Uint32(head[20:]) & 0xffff
	for {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		at := in.at
		head, err := in.peek(packetHeader)
		if err != nil || len(head) == 0 {
			return err
		}
		wrong := "the file ends inside of a packet"
		if len(head) == packetHeader {
			size, original := order.Uint32(head[8:]), order.Uint32(head[12:])
			if size > largestPacket {
				wrong = fmt.Sprintf("a packet is longer than %d bytes, so it and what follows can't be read", largestPacket)
			} else {
				data, err := in.take(packetHeader + int(size))
				if err != nil {
					return err
				}
				if len(data) == packetHeader+int(size) {
					if err := each(link, data[packetHeader:], original > size); err != nil {
						return err
					}
					continue
				}
			}
		}
		into.Lost(fmt.Sprintf("bytes %d to %d", at, from.Size-1), 0, wrong)
		return nil
	}
}

// eachBlock calls each with every packet of a pcapng file.
func eachBlock(ctx context.Context, from *extract.File, into extract.Sink, each func(link uint32, data []byte, cut bool) error) error {
	const description, obsolete, simple, enhanced = 1, 2, 3, 6
	const header, maxInterfaces = 12, 10_000
	in := newParts(from, 0, largestPacket)
	var order binary.ByteOrder = binary.LittleEndian
	var links []uint32
	for {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		at := in.at
		head, err := in.peek(header)
		if err != nil || len(head) == 0 {
			return err
		}
		if found := ngOrder(head); found != nil {
			order, links = found, nil
		}
		kind, size := uint32(0), uint32(0)
		if len(head) == header {
			kind, size = order.Uint32(head), order.Uint32(head[4:])
		}
		if size < header || size%4 != 0 || size > largestPacket {
			into.Lost(fmt.Sprintf("bytes %d to %d", at, from.Size-1), 0, "a block has a wrong length, so it and what follows can't be read")
			return nil
		}
		block, err := in.take(int(size))
		if err != nil {
			return err
		}
		if len(block) < int(size) {
			into.Lost(fmt.Sprintf("bytes %d to %d", at, from.Size-1), 0, "the file ends inside of a block")
			return nil
		}
		body := block[8 : size-4] // Its kind and length stand before it, and its length again behind it.
		var index, length uint32
		var skip int
		switch kind {
		case description:
			if len(body) >= 4 && len(links) < maxInterfaces {
				links = append(links, uint32(order.Uint16(body)))
			}
			continue
		case enhanced, obsolete:
			if skip = 20; len(body) >= skip {
				index, length = order.Uint32(body), order.Uint32(body[12:])
				if kind == obsolete {
					index = uint32(order.Uint16(body))
				}
			}
		case simple:
			if skip = 4; len(body) >= skip {
				length = min(order.Uint32(body), uint32(len(body)-skip)) //nolint:gosec // at most largestPacket
			}
		default:
			continue
		}
		if len(body) < skip || int64(index) >= int64(len(links)) || int64(length) > int64(len(body)-skip) {
			into.Lost(fmt.Sprintf("bytes %d to %d", at, in.at-1), 1, "a packet's length or interface is wrong")
			continue
		}
		original := order.Uint32(body[skip-4:])
		if err := each(links[index], body[skip:skip+int(length)], original > length); err != nil {
			return err
		}
	}
}

// parts reads the parts of a file one after another.
type parts struct {
	from *extract.File
	in   *bufio.Reader
	at   int64
}

// newParts reads from at on. No part is longer than most.
func newParts(from *extract.File, at int64, most int) *parts {
	return &parts{from, bufio.NewReaderSize(io.NewSectionReader(from, at, from.Size-at), most), at}
}

// peek returns the next n bytes, or fewer at the end of the file, and stays before them. They are valid until the next
// call only.
func (p *parts) peek(n int) ([]byte, error) {
	data, err := p.in.Peek(n)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", p.from.Name, err)
	}
	return data, nil
}

// take is peek, and goes behind what it returns.
func (p *parts) take(n int) ([]byte, error) {
	data, err := p.peek(n)
	_, _ = p.in.Discard(len(data)) // It has them.
	p.at += int64(len(data))
	return data, err
}

// capture decodes the datagrams of flows in packets.
type capture struct {
	decoder                  *decoder
	datagrams                int
	fragments, firstFragment int
	// exporters are the ends from which datagrams of flows came.
	exporters map[netip.AddrPort]bool
}

// Numbers of link types and of protocols in Ethernet.
const (
	linkNull, linkEthernet, linkRaw, linkLoop, linkCooked, linkCooked2 = 0, 1, 101, 108, 113, 276
	linkIPv4, linkIPv6, linkRaw12, linkRaw14                           = 228, 229, 12, 14
	etherIPv4, etherIPv6, etherVLAN, etherQinQ, etherOldQinQ           = 0x0800, 0x86dd, 0x8100, 0x88a8, 0x9100
)

// network returns what a packet has behind its header of the link: IPv4 or IPv6, or nil.
func network(link uint32, data []byte) []byte {
	at, ether := 0, uint16(0)
	switch link {
	case linkEthernet:
		at = 14
	case linkCooked:
		at = 16
	case linkCooked2:
		if at = 20; len(data) >= at {
			ether = binary.BigEndian.Uint16(data)
		}
	case linkNull, linkLoop:
		at = 4
	case linkRaw, linkRaw12, linkRaw14, linkIPv4, linkIPv6:
	default:
		return nil
	}
	if len(data) <= at {
		return nil
	}
	if link == linkEthernet || link == linkCooked {
		ether = binary.BigEndian.Uint16(data[at-2:])
	}
	data = data[at:]
	for ether == etherVLAN || ether == etherQinQ || ether == etherOldQinQ {
		if len(data) <= 4 {
			return nil
		}
		ether, data = binary.BigEndian.Uint16(data[2:]), data[4:]
	}
	if ether != 0 && ether != etherIPv4 && ether != etherIPv6 {
		return nil
	}
	return data
}

// packet decodes a packet. cut means that the capture does not have all of it.
func (c *capture) packet(number int, link uint32, data []byte, cut bool) error {
	var from, to netip.Addr
	var protocol byte
	fragment := false
	ip := network(link, data)
	if len(ip) == 0 {
		return nil
	}
	switch header := int(ip[0]&15) * 4; {
	case ip[0]>>4 == 4 && header >= 20 && len(ip) >= header:
		if total := int(binary.BigEndian.Uint16(ip[2:])); total >= header && total < len(ip) {
			ip = ip[:total] // Behind it is padding of the link.
		}
		const moreOrOffset = 0x3fff
		fragment = binary.BigEndian.Uint16(ip[6:])&moreOrOffset != 0
		from, to, protocol = netip.AddrFrom4([4]byte(ip[12:])), netip.AddrFrom4([4]byte(ip[16:])), ip[9]
		ip = ip[header:]
	case ip[0]>>4 == 6 && len(ip) >= 40:
		if total := 40 + int(binary.BigEndian.Uint16(ip[4:])); total < len(ip) {
			ip = ip[:total]
		}
		from, to, protocol = netip.AddrFrom16([16]byte(ip[8:])), netip.AddrFrom16([16]byte(ip[24:])), ip[6]
		ip = ip[40:]
		const hopByHop, routing, fragments, options = 0, 43, 44, 60
		for protocol == hopByHop || protocol == routing || protocol == fragments || protocol == options {
			if len(ip) < 8 {
				return nil
			}
			size := 8 + 8*int(ip[1])
			if protocol == fragments {
				size, fragment = 8, true
			}
			if len(ip) < size {
				return nil
			}
			protocol, ip = ip[0], ip[size:]
		}
	default:
		return nil
	}
	if protocol != udp {
		return nil
	}
	if fragment {
		if c.fragments++; c.fragments == 1 {
			c.firstFragment = number
		}
		return nil
	}
	const header = 8
	if len(ip) < header {
		return nil
	}
	source := netip.AddrPortFrom(from, binary.BigEndian.Uint16(ip))
	size := int(binary.BigEndian.Uint16(ip[4:]))
	payload := ip[header:]
	if size >= header && size-header <= len(payload) {
		payload = payload[:size-header]
	} else {
		cut = true
	}
	port := binary.BigEndian.Uint16(ip[2:])
	place := fmt.Sprintf("packet %d", number)
	if n := exportLength(payload, true); n == 0 || n < len(bytes.TrimRight(payload, "\x00")) {
		known := c.exporters[source] || port == 2055 || port == 4739 || port == 9995 || port == 9996
		version := uint16(0)
		if len(payload) > 2 {
			version = binary.BigEndian.Uint16(payload)
		}
		switch {
		case !known || version != 5 && version != 9 && version != 10:
			return nil
		case cut:
			c.decoder.into.Lost(place, 0, "the capture has only a part of its datagram of flows")
		default:
			c.decoder.into.Lost(place, 0, fmt.Sprintf("it is no whole datagram of version %d from %s to %s", version, source, netip.AddrPortFrom(to, port)))
		}
		c.datagrams++
		return nil
	}
	const most = 10_000
	if len(c.exporters) < most {
		c.exporters[source] = true
	}
	c.datagrams++
	return c.decoder.datagram(number, from.Unmap().String(), payload)
}
