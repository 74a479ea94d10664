package ledger

import (
	"errors"
	"fmt"
	"iter"
	"time"
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
	facts    []PacketFact
	places   map[string]int32
	digest   string
}

// NewPacket returns an empty packet. The window includes both its ends, and its end
// does not lie before its beginning.
func NewPacket(id string, from, to time.Time) (*Packet, error) {
	p := &Packet{id: id, from: from.UTC(), to: to.UTC(), places: map[string]int32{}}
	switch {
	case id == "":
		return nil, p.wrong("packet_id", "it has no id")
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
func (p *Packet) Len() int { return len(p.facts) }

// At returns the fact at a place, from 0 to Len()-1.
func (p *Packet) At(place int) PacketFact { return p.facts[place] }

// Place returns the place of the fact with the id, or -1.
func (p *Packet) Place(id string) int {
	if place, known := p.places[id]; known {
		return int(place)
	}
	return -1
}

// Fact returns the fact with the id, and whether there is one.
func (p *Packet) Fact(id string) (PacketFact, bool) {
	place, known := p.places[id]
	if !known {
		return PacketFact{}, false
	}
	return p.facts[place], true
}

// All yields the facts in their order, with their places.
func (p *Packet) All() iter.Seq2[int, PacketFact] {
	return func(yield func(int, PacketFact) bool) {
		for place := range p.facts {
			if !yield(place, p.facts[place]) {
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
		return p.wrongFact(&f, "value", "it has no value")
	}
	value, err := ParseValue([]byte(f.Value))
	if err != nil {
		return p.wrongFact(&f, "value", "%s", err)
	}
	f.Value = value
	return p.add(&f)
}

// add takes a fact whose value is canonical.
func (p *Packet) add(f *PacketFact) error {
	if field, what := f.lacks(); what != "" {
		return p.wrongFact(f, field, "%s", what)
	}
	if _, twice := p.places[f.ID]; twice {
		return p.wrongFact(f, "id", "another fact has this id")
	}
	if f.At.Before(p.from) || f.At.After(p.to) {
		return p.wrongFact(f, "timestamp", "%s lies outside of the window, %s to %s", moment(f.At), moment(p.from), moment(p.to))
	}
	f.At = f.At.UTC()
	p.places[f.ID] = int32(len(p.facts)) //nolint:gosec // nobody holds two billion facts
	p.facts = append(p.facts, *f)
	return nil
}

// lacks says what a fact by itself lacks or has wrong; what is "" if nothing is.
func (f *PacketFact) lacks() (field, what string) {
	switch {
	case f.ID == "":
		return "id", "it has no id"
	case f.Entity == "":
		return "entity", "it says of no entity anything"
	case f.Field == "":
		return "field", "it has no field"
	case f.SourceType == "":
		return "source_type", "it has no provenance: source_type and source_id say where it comes from"
	case f.SourceID == "":
		return "source_id", "it has no provenance: source_type and source_id say where it comes from"
	case f.EntityType == "":
		return "entity_type", "it is missing (node or edge)"
	}
	var entityType EntityType
	var sourceType SourceType
	err := errors.Join(entityType.UnmarshalText([]byte(f.EntityType)), sourceType.UnmarshalText([]byte(f.SourceType)))
	if err != nil {
		return "", err.Error()
	}
	return "", ""
}

// wrong is an error about the packet.
func (p *Packet) wrong(field, format string, args ...any) error {
	return &PacketError{Packet: p.id, Index: -1, Field: field, What: fmt.Sprintf(format, args...)}
}

// wrongFact is an error about a fact that was to be the next.
func (p *Packet) wrongFact(f *PacketFact, field, format string, args ...any) error {
	return &PacketError{Packet: p.id, Fact: f.ID, Index: len(p.facts), Field: field, What: fmt.Sprintf(format, args...)}
}

// moment writes a time as packets do.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
