package ledger

import (
	"fmt"
	"iter"
	"time"
	"unicode/utf8"

	"moot/enum"
)

// PacketFact is one observation of a packet. It observes; it holds no opinion.
type PacketFact struct {
	// ID is how it is cited: not empty, and no other of the packet has it.
	ID string `json:"id"`
	// Entity is what it is about: a host, an account, "a -> b" for an edge.
	Entity     string     `json:"entity"`
	EntityType EntityType `json:"entity_type"`
	Field      string     `json:"field"`
	// Value is any JSON value, in its canonical form.
	Value Value `json:"value"`
	// At is when it was observed, in UTC, to the nanosecond.
	At time.Time `json:"timestamp"`
	// SourceType and SourceID are its provenance: no fact is without them.
	SourceType SourceType `json:"source_type"`
	SourceID   string     `json:"source_id"`
	// ParserVersion and Raw say what made the fact of which bytes; "" where nobody
	// said so.
	ParserVersion string `json:"parser_version,omitempty"`
	Raw           string `json:"raw,omitempty"`
}

// Packet is the closed world of a hearing: facts of a window of time. Once it is
// frozen nothing is added, and its digest names its whole content. What it returns are
// copies, so that nobody changes what it holds.
type Packet struct {
	id       string
	from, to time.Time
	facts    keeper
	ids      idIndex
	digest   string
}

// NewPacket returns an empty packet. The window includes both its ends, and its end
// does not lie before its beginning.
func NewPacket(id string, from, to time.Time) (*Packet, error) {
	p := &Packet{id: id, from: from.UTC(), to: to.UTC()}
	switch {
	case id == "":
		return nil, p.wrong("packet_id", "it is missing")
	case !utf8.ValidString(id):
		return nil, p.wrong("packet_id", "it has bytes that are no UTF-8")
	case !writable(from) || !writable(to):
		return nil, p.wrong("window", "it %s", errYear)
	case to.Before(from):
		return nil, p.wrong("window", "it ends at %s, before it begins at %s", moment(to), moment(from))
	}
	return p, nil
}

// Frozen reports whether the packet takes no further fact.
func (p *Packet) Frozen() bool { return p.digest != "" }

// ID returns the packet's id.
func (p *Packet) ID() string { return p.id }

// Window returns the first and the last moment of the packet, both included.
func (p *Packet) Window() (from, to time.Time) { return p.from, p.to }

// Digest returns that of a frozen packet, else "".
func (p *Packet) Digest() string { return p.digest }

// Len returns the number of facts.
func (p *Packet) Len() int { return p.facts.count }

// At returns the fact at a place, from 0 to Len()-1.
func (p *Packet) At(place int) PacketFact { return p.facts.fact(place) }

// Place returns the place of the fact with the id, or -1.
func (p *Packet) Place(id string) int {
	return p.ids.find(&p.facts, hashOf([]byte(id)), []byte(id))
}

// Fact returns the fact with the id, and whether there is one.
func (p *Packet) Fact(id string) (PacketFact, bool) {
	place := p.Place(id)
	if place < 0 {
		return PacketFact{}, false
	}
	return p.facts.fact(place), true
}

// Has reports whether the packet holds a fact with the id.
func (p *Packet) Has(id string) bool { return p.Place(id) >= 0 }

// All yields the facts in their order, with their places.
func (p *Packet) All() iter.Seq2[int, PacketFact] {
	return func(yield func(int, PacketFact) bool) {
		for place := range p.facts.count {
			if !yield(place, p.facts.fact(place)) {
				return
			}
		}
	}
}

// Add takes a further fact: its id must be new, its time in the window, its
// provenance said, its types known, and its value JSON; it is kept in canonical form.
// The error is ErrFrozen or a *PacketError, and the packet is as it was.
func (p *Packet) Add(f PacketFact) error {
	if p.Frozen() {
		return fmt.Errorf("add fact %s to packet %s: %w", quoted(f.ID), quoted(p.id), ErrFrozen)
	}
	if f.Value == "" {
		return p.wrongFact(&f, "value", "it is missing")
	}
	value, err := ParseValue([]byte(f.Value))
	if err != nil {
		return p.wrongFact(&f, "value", "%s", err)
	}
	if field, what := f.lacks(); what != "" {
		return p.wrongFact(&f, field, "%s", what)
	}
	if p.Has(f.ID) {
		return p.wrongFact(&f, "id", "%s", anotherFact)
	}
	if what := p.outside(f.At); what != "" {
		return p.wrongFact(&f, "timestamp", "%s", what)
	}
	p.take(&draft{
		id: []byte(f.ID), value: []byte(value), raw: []byte(f.Raw), at: f.At,
		entity: []byte(f.Entity), entityType: f.EntityType, field: []byte(f.Field),
		sourceType: f.SourceType, sourceID: []byte(f.SourceID), parser: []byte(f.ParserVersion),
	}, hashOf([]byte(f.ID)))
	return nil
}

// draft is a fact that is being read; its texts are lost when the next one is.
type draft struct {
	id, entity, field, value, sourceID, parser, raw []byte

	entityType EntityType
	sourceType SourceType
	at         time.Time
	// dated says that the time was read.
	dated bool
}

// take keeps a fact that was checked, with the hash of its id.
func (p *Packet) take(d *draft, hash uint32) {
	p.ids.add(hash, p.facts.count)
	p.facts.take(d)
}

// outside says that a time lies outside of the window, or "".
func (p *Packet) outside(at time.Time) string {
	if !at.Before(p.from) && !at.After(p.to) {
		return ""
	}
	return fmt.Sprintf("%s lies outside of the window, %s to %s", moment(at), moment(p.from), moment(p.to))
}

// What is wrong with facts wherever they come from.
const (
	anotherFact  = "another fact has this id"
	noProvenance = "without source_type and source_id nobody knows where the fact comes from"
)

// lacks says what a fact by itself lacks or has wrong; what is "" if nothing is.
func (f *PacketFact) lacks() (field, what string) {
	const missing = "it is missing"
	for _, has := range []struct{ field, text, what string }{
		{"id", f.ID, missing},
		{"entity", f.Entity, missing},
		{"field", f.Field, missing},
		{"source_type", string(f.SourceType), noProvenance},
		{"source_id", f.SourceID, noProvenance},
		{"parser_version", f.ParserVersion, ""},
		{"raw", f.Raw, ""},
	} {
		switch {
		case has.text == "" && has.what != "":
			return has.field, has.what
		case !utf8.ValidString(has.text):
			return has.field, "it has bytes that are no UTF-8"
		}
	}
	if _, err := enum.Parse("entity type", string(f.EntityType), EntityTypes()); err != nil {
		return "entity_type", err.Error()
	}
	if _, err := enum.Parse("source type", string(f.SourceType), SourceTypes()); err != nil {
		return "source_type", err.Error()
	}
	return "", ""
}

// wrong is an error about the packet.
func (p *Packet) wrong(field, format string, args ...any) error {
	return &PacketError{Packet: p.id, Index: -1, Field: field, What: fmt.Sprintf(format, args...)}
}

// wrongFact is an error about a fact that was to be the next.
func (p *Packet) wrongFact(f *PacketFact, field, format string, args ...any) error {
	return &PacketError{Packet: p.id, Fact: f.ID, Index: p.facts.count, Field: field, What: fmt.Sprintf(format, args...)}
}

// moment writes a time as packets do.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
