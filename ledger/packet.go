package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"moot/enum"
)

// EntityType is whether a fact is about a thing or about what lies between two.
type EntityType string

// The types of entities.
const (
	EntityNode EntityType = "node"
	EntityEdge EntityType = "edge"
)

// EntityTypes returns every EntityType.
func EntityTypes() []EntityType { return []EntityType{EntityNode, EntityEdge} }

// String returns the word itself.
func (t EntityType) String() string { return string(t) }

// UnmarshalText refuses a word that is no EntityType.
func (t *EntityType) UnmarshalText(text []byte) error {
	return enum.Unmarshal("entity type", text, EntityTypes(), t)
}

// SourceType is the kind of source that a fact of a packet comes from.
type SourceType string

// The types of sources.
const (
	SourceNetflow     SourceType = "netflow"
	SourceSyslog      SourceType = "syslog"
	SourceProcessList SourceType = "process_list"
	SourceDNSLog      SourceType = "dns_log"
	SourceAuthLog     SourceType = "auth_log"
	SourceGraph       SourceType = "graph_computation"
	SourceManual      SourceType = "manual"
	SourceUnknown     SourceType = "unknown"
)

// SourceTypes returns every SourceType.
func SourceTypes() []SourceType {
	return []SourceType{
		SourceNetflow, SourceSyslog, SourceProcessList, SourceDNSLog, SourceAuthLog, SourceGraph, SourceManual, SourceUnknown,
	}
}

// String returns the word itself.
func (t SourceType) String() string { return string(t) }

// UnmarshalText refuses a word that is no SourceType.
func (t *SourceType) UnmarshalText(text []byte) error {
	return enum.Unmarshal("source type", text, SourceTypes(), t)
}

// PacketFact is one observation of a packet. It observes; it holds no opinion.
type PacketFact struct {
	// ID is how it is cited: not empty, and no other of the packet has it.
	ID string `json:"id"`
	// Entity is what it is about: a host, an account, "a -> b" for an edge.
	Entity     string     `json:"entity"`
	EntityType EntityType `json:"entity_type"`
	Field      string     `json:"field"`
	// Value is any JSON value, in its canonical form once the packet holds it.
	Value json.RawMessage `json:"value"`
	At    time.Time       `json:"timestamp"`
	// SourceType and SourceID are its provenance: no fact is without them.
	SourceType SourceType `json:"source_type"`
	SourceID   string     `json:"source_id"`
	// ParserVersion and Raw say what made the fact of which bytes; "" where nobody
	// said so.
	ParserVersion string `json:"parser_version,omitempty"`
	Raw           string `json:"raw,omitempty"`
}

// PacketError says what is wrong with a packet, or with one of its facts.
type PacketError struct {
	// Packet is its id, Fact that of the fact, "" where it is about the packet, or
	// the fact has none; Index is the place of the fact, from 0, -1 for the packet.
	Packet, Fact string
	Index        int
	What         string
}

// Error names the packet and the fact.
func (e *PacketError) Error() string {
	switch {
	case e.Index < 0:
		return fmt.Sprintf("packet %q: %s", e.Packet, e.What)
	case e.Fact == "":
		return fmt.Sprintf("packet %q: fact %d: %s", e.Packet, e.Index+1, e.What)
	}
	return fmt.Sprintf("packet %q: fact %q: %s", e.Packet, e.Fact, e.What)
}

// ErrFrozen says that a packet takes no further fact.
var ErrFrozen = errors.New("the packet is frozen: it takes no further fact; make another one")

// Packet is the closed world of a hearing: facts of a window of time. Once it is
// frozen nothing is added, and its digest names its whole content.
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
	if id == "" {
		return nil, &PacketError{Index: -1, What: "it has no packet_id"}
	}
	if to.Before(from) {
		return nil, &PacketError{Packet: id, Index: -1, What: fmt.Sprintf("its window ends at %s, before it begins at %s", to.Format(time.RFC3339Nano), from.Format(time.RFC3339Nano))}
	}
	return &Packet{id: id, from: from.UTC(), to: to.UTC(), places: map[string]int32{}}, nil
}

// Add takes a further fact: its id must be new, its time in the window, its
// provenance said, and its value JSON. The error is ErrFrozen or a *PacketError.
func (p *Packet) Add(f PacketFact) error {
	if p.Frozen() {
		return fmt.Errorf("add fact %q to packet %q: %w", f.ID, p.id, ErrFrozen)
	}
	wrong := func(format string, args ...any) error {
		return &PacketError{Packet: p.id, Fact: f.ID, Index: len(p.facts), What: fmt.Sprintf(format, args...)}
	}
	_, twice := p.places[f.ID]
	switch {
	case f.ID == "":
		return wrong("it has no id")
	case twice:
		return wrong("another fact has this id")
	case f.Entity == "" || f.Field == "":
		return wrong("it needs an entity and a field")
	case f.SourceType == "" || f.SourceID == "":
		return wrong("it has no provenance: source_type and source_id say where it comes from")
	case f.At.Before(p.from) || f.At.After(p.to):
		return wrong("its time %s lies outside of the window, %s to %s", f.At.Format(time.RFC3339Nano), p.from.Format(time.RFC3339Nano), p.to.Format(time.RFC3339Nano))
	case !json.Valid(f.Value):
		return wrong("its value is no JSON")
	}
	f.At = f.At.UTC()
	p.places[f.ID] = int32(len(p.facts))
	p.facts = append(p.facts, f)
	return nil
}

// Frozen reports whether the packet takes no further fact.
func (p *Packet) Frozen() bool { return p.digest != "" }

// Freeze closes the packet and returns its digest, "sha256:" and 64 hex digits over
// everything in it. A packet without facts is refused. Freezing twice gives the same.
func (p *Packet) Freeze() (string, error) {
	if p.Frozen() {
		return p.digest, nil
	}
	if len(p.facts) == 0 {
		return "", &PacketError{Packet: p.id, Index: -1, What: "it has no facts, so that nothing could be said of it"}
	}
	text, err := json.Marshal(p.head())
	if err != nil {
		return "", fmt.Errorf("freeze packet %q: %w", p.id, err)
	}
	for i := range p.facts {
		line, err := json.Marshal(&p.facts[i])
		if err != nil {
			return "", fmt.Errorf("freeze packet %q: %w", p.id, err)
		}
		text = append(append(text, '\n'), line...)
	}
	p.digest = Digest(text)
	return p.digest, nil
}

func (p *Packet) head() []any { return []any{"moot.packet/1", p.id, p.from, p.to, len(p.facts)} }

// ID returns the packet's id.
func (p *Packet) ID() string { return p.id }

// Window returns the first and the last moment of the packet, both included.
func (p *Packet) Window() (from, to time.Time) { return p.from, p.to }

// Digest returns that of a frozen packet, else "".
func (p *Packet) Digest() string { return p.digest }

// Len returns the number of facts.
func (p *Packet) Len() int { return len(p.facts) }

// At returns the fact at a place, from 0. It is not to be changed.
func (p *Packet) At(place int) *PacketFact { return &p.facts[place] }

// Fact returns the fact with the id, or nil. It is not to be changed.
func (p *Packet) Fact(id string) *PacketFact {
	if place, known := p.places[id]; known {
		return &p.facts[place]
	}
	return nil
}
