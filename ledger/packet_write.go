package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// What is written at once, in bytes, and how large a chunk of facts is unless a fact
// alone is larger.
const (
	writtenAtOnce = 1 << 16
	chunkSize     = 1 << 20
)

// WriteTo writes the packet in its JSON form, a fact a line. The text of a packet is
// always the same, and its digest is that of these bytes.
func (p *Packet) WriteTo(to io.Writer) (int64, error) {
	var written int64
	text := p.appendHead(nil)
	for i := range p.facts.count {
		if i > 0 {
			text = append(text, ',', '\n')
		}
		text = p.appendFact(text, i)
		if len(text) < writtenAtOnce {
			continue
		}
		n, err := to.Write(text)
		written += int64(n)
		if err != nil {
			return written, fmt.Errorf("write packet %s: %w", quoted(p.id), err)
		}
		text = text[:0]
	}
	n, err := to.Write(append(text, "\n]}\n"...))
	written += int64(n)
	if err != nil {
		return written, fmt.Errorf("write packet %s: %w", quoted(p.id), err)
	}
	return written, nil
}

// Freeze closes the packet and returns its digest, "sha256:" and 64 hex digits: that
// of what WriteTo writes. A packet without facts is refused. Freezing twice gives the
// same.
func (p *Packet) Freeze() (string, error) {
	if p.Frozen() {
		return p.digest, nil
	}
	if p.facts.count == 0 {
		return "", p.wrong("facts", "there are none, so that nothing could be said of it")
	}
	sum := sha256.New()
	if _, err := p.WriteTo(sum); err != nil {
		return "", err
	}
	p.facts.close()
	p.digest = digestPrefix + hex.EncodeToString(sum.Sum(nil))
	return p.digest, nil
}

const digestPrefix = "sha256:"

// PacketSeal names a frozen packet without its facts: what a session says of it.
type PacketSeal struct {
	ID   string    `json:"packet_id"`
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
	// Facts is their number, from 1.
	Facts  int    `json:"facts"`
	Digest string `json:"digest"`
}

// Seal names the packet, which must be frozen.
func (p *Packet) Seal() PacketSeal {
	return PacketSeal{ID: p.id, From: p.from, To: p.to, Facts: p.facts.count, Digest: p.digest}
}

// Chunks yields the facts as JSON lists of about 1 MiB each, in their order, so that
// a packet can be kept in pieces, as a session does in events:
//
//	for chunk := range packet.Chunks() { /* one event each */ }
//	seal := packet.Seal()                /* and one behind them */
//
//	packet, err := ledger.RestorePacket(seal, chunks)
//
// A chunk is new and belongs to who gets it. It may be written and read by any JSON
// encoder. A fact that is larger than that has a chunk of its own.
func (p *Packet) Chunks() iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		text := []byte{'['}
		for i := range p.facts.count {
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = p.appendFact(text, i)
			if len(text) < chunkSize && i < p.facts.count-1 {
				continue
			}
			if !yield(append(bytes.Clone(text), ']')) {
				return
			}
			text = text[:1]
		}
	}
}

// RestorePacket puts a packet together again of its chunks, and freezes it. What does
// not come to the number of facts and to the digest of its seal is refused.
func RestorePacket(seal PacketSeal, chunks []json.RawMessage) (*Packet, error) {
	p, err := NewPacket(seal.ID, seal.From, seal.To)
	if err != nil {
		return nil, err
	}
	for _, chunk := range chunks {
		if err := p.AddJSON(chunk); err != nil {
			return nil, err
		}
	}
	digest, err := p.Freeze()
	switch {
	case err != nil:
		return nil, err
	case p.Len() != seal.Facts:
		return nil, p.wrong("facts", "there are %d of them, not %d as it was frozen with", p.Len(), seal.Facts)
	case digest != seal.Digest:
		return nil, p.wrong("digest", "its content has the digest %s, not %s as it was frozen with", digest, quoted(seal.Digest))
	}
	return p, nil
}

// AddJSON adds the facts of a JSON list, as Chunks yields it, and ends at the first
// that is wrong; those before it are added. The error is ErrFrozen or a *PacketError.
func (p *Packet) AddJSON(chunk json.RawMessage) error {
	if p.Frozen() {
		return fmt.Errorf("add facts to packet %s: %w", quoted(p.id), ErrFrozen)
	}
	r := &factReader{packet: p, most: 1, windowed: true, decoder: jsontext.NewDecoder(bytes.NewBuffer(chunk), jsontext.AllowDuplicateNames(true))}
	if err := r.list(); err == nil {
		r.end()
	}
	if len(r.mistakes) > 0 {
		r.mistakes[0].Packet = p.id
		return r.mistakes[0]
	}
	return nil
}

// appendHead writes the packet up to its first fact.
func (p *Packet) appendHead(to []byte) []byte {
	to = appendText(append(to, `{"packet_id":`...), p.id)
	to = appendMoment(append(to, `,"window":[`...), p.from)
	to = appendMoment(append(to, ','), p.to)
	return append(to, "],\"facts\":[\n"...)
}

// appendFact writes the fact at a place with its keys in their order, without white
// space.
func (p *Packet) appendFact(to []byte, place int) []byte {
	f := p.facts.fact(place)
	to = appendText(append(to, `{"id":`...), f.ID)
	to = appendText(append(to, `,"entity":`...), f.Entity)
	to = appendText(append(to, `,"entity_type":`...), string(f.EntityType))
	to = appendText(append(to, `,"field":`...), f.Field)
	to = append(append(to, `,"value":`...), f.Value...)
	to = appendMoment(append(to, `,"timestamp":`...), f.At)
	to = appendText(append(to, `,"source_type":`...), string(f.SourceType))
	to = appendText(append(to, `,"source_id":`...), f.SourceID)
	if f.ParserVersion != "" {
		to = appendText(append(to, `,"parser_version":`...), f.ParserVersion)
	}
	if f.Raw != "" {
		to = appendText(append(to, `,"raw":`...), f.Raw)
	}
	return append(to, '}')
}

// appendMoment writes a time in quotes.
func appendMoment(to []byte, t time.Time) []byte {
	return append(t.UTC().AppendFormat(append(to, '"'), time.RFC3339Nano), '"')
}

// appendText writes a text in quotes, with the escapes that it needs.
func appendText(to []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			// The only error is about what is no UTF-8, which no fact holds.
			to, _ = jsontext.AppendQuote(to, text)
			return to
		}
	}
	return append(append(append(to, '"'), text...), '"')
}
