package ledger

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/enum"
	"moot/internal/plain"
)

// PacketFact is one observation of a packet. It observes; it holds no opinion.
type PacketFact struct {
	// ID is not empty and unique in the packet. Arguments cite it.
	ID string `json:"id"`
	// Entity is its subject: a host, an account, "a -> b" for an edge.
	Entity     string     `json:"entity"`
	EntityType EntityType `json:"entity_type"`
	Field      string     `json:"field"`
	// Value is any JSON value, in its canonical form.
	Value Value `json:"value"`
	// At is when it was observed, in UTC, to the nanosecond.
	At time.Time `json:"timestamp"`
	// SourceType and SourceID are required.
	SourceType SourceType `json:"source_type"`
	SourceID   string     `json:"source_id"`
	// ParserVersion is the parser that made the fact, and Raw its input; they may be empty.
	ParserVersion string `json:"parser_version,omitempty"`
	Raw           string `json:"raw,omitempty"`
}

// Packet is the closed world of a hearing: facts of a window of time. After Freeze nothing is added, and its digest
// names its whole content.
type Packet struct {
	id       string
	from, to time.Time
	facts    []PacketFact
	places   map[string]int
	entities map[string][]int
	digest   string
}

// NewPacket returns an empty packet. The window includes both its ends.
func NewPacket(id string, from, to time.Time) (*Packet, error) {
	p := &Packet{id: id, from: from.UTC(), to: to.UTC(), places: map[string]int{}, entities: map[string][]int{}}
	switch {
	case id == "":
		return nil, p.wrong("packet_id", "it is missing")
	case !utf8.ValidString(id):
		return nil, p.wrong("packet_id", "it is not valid UTF-8")
	case !writable(from) || !writable(to):
		return nil, p.wrong("window", "it %s", errYear)
	case to.Before(from):
		return nil, p.wrong("window", "it ends at %s, before it begins at %s", moment(to), moment(from))
	}
	return p, nil
}

// Frozen reports whether the packet is complete.
func (p *Packet) Frozen() bool { return p.digest != "" }

// ID returns the packet's id.
func (p *Packet) ID() string { return p.id }

// Window returns the first and the last moment of the packet, both included.
func (p *Packet) Window() (from, to time.Time) { return p.from, p.to }

// Digest returns the digest of a frozen packet, or "".
func (p *Packet) Digest() string { return p.digest }

// Len returns the number of facts.
func (p *Packet) Len() int { return len(p.facts) }

// At returns the fact at a place, from 0 to Len()-1.
func (p *Packet) At(place int) PacketFact { return p.facts[place] }

// Fact returns the fact with the id, and whether there is one.
func (p *Packet) Fact(id string) (PacketFact, bool) {
	place, known := p.places[id]
	if !known {
		return PacketFact{}, false
	}
	return p.facts[place], true
}

// OfRecord reports whether a fact is a field of a record of a log: its id is the entity, a colon and the field.
func (f *PacketFact) OfRecord() bool { return strings.HasPrefix(f.ID, f.Entity+":") }

// Event is a record of a log as the facts of its fields say it.
type Event struct {
	// Entity names the record by its file and its place there.
	Entity string
	At     time.Time
	// Host is where it happened and Account who did it, or "".
	Host, Account string
	// Words is the record as it was written, or its kind and its other fields if it was no text.
	Words string
	// Facts are its fields in their order.
	Facts []PacketFact
}

// Event returns the record that a fact is a field of, and whether there is one.
func (p *Packet) Event(id string) (e Event, ok bool) {
	cited, known := p.Fact(id)
	if !known || !cited.OfRecord() {
		return Event{}, false
	}
	e.Entity, e.At = cited.Entity, cited.At
	kind := ""
	var fields []string
	for _, at := range p.entities[cited.Entity] {
		f := p.facts[at]
		if !f.OfRecord() || !f.At.Equal(cited.At) {
			continue
		}
		value, text := f.Value.Text()
		if !text {
			value = f.Value.String()
		}
		e.Facts, e.Words = append(e.Facts, f), cmp.Or(e.Words, f.Raw)
		switch name := strings.ToLower(f.Field); name {
		case "kind":
			kind = value
			continue
		case "host", "hostname", "computer":
			e.Host = cmp.Or(e.Host, value)
			continue
		case "account":
			e.Account = cmp.Or(e.Account, value)
			continue
		case "event_id", "provider", "channel", "record_id", "user_id":
			continue // The kind says it, or it says nothing of what happened.
		case "user", "username", "targetusername":
			e.Account = cmp.Or(e.Account, value)
		}
		if value != "" && value != "-" {
			fields = append(fields, f.Field+" "+value)
		}
	}
	said := strings.Join(fields, ", ")
	if kind != "" && said != "" {
		said = ": " + said
	}
	e.Words = cmp.Or(e.Words, kind+said)
	return e, true
}

// All iterates over the facts in their order, with their places.
func (p *Packet) All() iter.Seq2[int, PacketFact] { return slices.All(p.facts) }

// Add adds a fact with its value in canonical form. The error is ErrFrozen or a
// *PacketError, and the packet is unchanged.
func (p *Packet) Add(f PacketFact) error {
	if p.Frozen() {
		return fmt.Errorf("add fact %s to packet %s: %w", quoted(f.ID), quoted(p.id), ErrFrozen)
	}
	wrong := func(field, what string) error {
		return &PacketError{Packet: p.id, Fact: f.ID, Index: len(p.facts), Field: field, What: what}
	}
	for i, field := range FactKeys() {
		text, optional := f.Key(field), i >= requiredKeys
		switch {
		case text == "" && strings.HasPrefix(field, "source"):
			return wrong(field, "it is missing: source_type and source_id say where the fact comes from")
		case text == "" && !optional:
			return wrong(field, "it is missing")
		case !utf8.ValidString(text):
			return wrong(field, "it is not valid UTF-8")
		}
	}
	var err error
	if f.Value, err = ParseValue([]byte(f.Value)); err != nil {
		return wrong("value", err.Error())
	}
	if _, err := enum.Parse("entity type", string(f.EntityType), EntityTypes()); err != nil {
		return wrong("entity_type", err.Error())
	}
	if _, err := enum.Parse("source type", string(f.SourceType), SourceTypes()); err != nil {
		return wrong("source_type", err.Error())
	}
	if _, known := p.places[f.ID]; known {
		return wrong("id", "another fact has this id")
	}
	if f.At = f.At.UTC(); f.At.Before(p.from) || f.At.After(p.to) {
		return wrong("timestamp", fmt.Sprintf("%s is outside of the window, %s to %s", moment(f.At), moment(p.from),
			moment(p.to)))
	}
	p.places[f.ID] = len(p.facts)
	p.entities[f.Entity] = append(p.entities[f.Entity], len(p.facts))
	p.facts = append(p.facts, f)
	return nil
}

// Freeze completes the packet and returns its digest, "sha256:" and 64 hex digits over the bytes of Write. A packet
// without facts is refused.
func (p *Packet) Freeze() (string, error) {
	if p.Frozen() {
		return p.digest, nil
	}
	if len(p.facts) == 0 {
		return "", p.wrong("facts", "there are none")
	}
	sum := sha256.New()
	if err := p.Write(sum); err != nil {
		return "", err
	}
	p.digest = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return p.digest, nil
}

// Write writes the packet in its JSON form, one fact per line. The digest of a packet covers these bytes, which are
// always the same.
func (p *Packet) Write(to io.Writer) error {
	// The writer keeps its first error for Flush.
	out := bufio.NewWriter(to)
	id, err := jsontext.AppendQuote(nil, p.id)
	if err != nil {
		return fmt.Errorf("write packet %s: %w", quoted(p.id), err)
	}
	_, _ = fmt.Fprintf(out, `{"packet_id":%s,"window":["%s","%s"],"facts":[`, id, moment(p.from), moment(p.to))
	separator := "\n"
	for i := range p.facts {
		fact, err := json.Marshal(&p.facts[i])
		if err != nil {
			return fmt.Errorf("write packet %s: %w", quoted(p.id), err)
		}
		_, _ = fmt.Fprintf(out, "%s%s", separator, fact)
		separator = ",\n"
	}
	_, _ = fmt.Fprint(out, "\n]}\n")
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write packet %s: %w", quoted(p.id), err)
	}
	return nil
}

// PacketSeal names a frozen packet without its facts: what a session stores of it.
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
	return PacketSeal{ID: p.id, From: p.from, To: p.to, Facts: len(p.facts), Digest: p.digest}
}

// Chunks yields the facts as JSON lists of about 1 MiB each, in their order, so that a session can keep them in
// events. RestorePacket reverses it.
func (p *Packet) Chunks() iter.Seq[stdjson.RawMessage] {
	return func(yield func(stdjson.RawMessage) bool) {
		text := []byte{'['}
		for i := range p.facts {
			fact, err := json.Marshal(&p.facts[i])
			if err != nil {
				// Add refused what cannot be written.
				return
			}
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(text, fact...)
			if len(text) < 1<<20 && i < len(p.facts)-1 {
				continue
			}
			if !yield(append(text, ']')) {
				return
			}
			text = []byte{'['}
		}
	}
}

// RestorePacket assembles and freezes a packet from its chunks. It fails if the result does not match the seal.
func RestorePacket(seal PacketSeal, chunks []stdjson.RawMessage) (*Packet, error) {
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
	case len(p.facts) != seal.Facts:
		return nil, p.wrong("facts", "there are %d of them, not %d", len(p.facts), seal.Facts)
	case digest != seal.Digest:
		return nil, p.wrong("digest", "its content has the digest %s, not %s", digest, quoted(seal.Digest))
	}
	return p, nil
}

// wrong returns an error about the packet.
func (p *Packet) wrong(field, format string, args ...any) error {
	return &PacketError{Packet: p.id, Index: -1, Field: field, What: fmt.Sprintf(format, args...)}
}

// ErrFrozen means that a fact was added to a frozen packet.
var ErrFrozen = errors.New("the packet is frozen; create another one to add facts")

// PacketError reports what is wrong with a packet, or with one of its facts, and where.
type PacketError struct {
	// Name is the name of the file and Line the line in it, from 1; "" and 0 if the packet was not read from a file.
	Name string
	Line int
	// Packet is its id and Fact that of the fact, "" if unknown.
	Packet, Fact string
	// Index is the place of the fact, from 0, -1 for the packet.
	Index int
	// Field is the key that is wrong, or "".
	Field string
	// What reports the mistake, in a clause.
	What string
}

// Error includes the known parts of the place, and shortens long texts.
func (e *PacketError) Error() string {
	var out strings.Builder
	if e.Name != "" {
		out.WriteString(e.Name + ": ")
	}
	if e.Line > 0 {
		fmt.Fprintf(&out, "line %d: ", e.Line)
	}
	if e.Packet != "" || e.Name == "" {
		fmt.Fprintf(&out, "packet %s: ", quoted(e.Packet))
	}
	switch {
	case e.Index < 0:
	case e.Fact == "":
		fmt.Fprintf(&out, "fact %d: ", e.Index+1)
	default:
		fmt.Fprintf(&out, "fact %s: ", quoted(e.Fact))
	}
	if e.Field != "" {
		out.WriteString(cut(e.Field) + ": ")
	}
	out.WriteString(e.What)
	return out.String()
}

// cut shortens a long text.
func cut(text string) string { return plain.Cut(text, 200) }

// quoted quotes and shortens a text.
func quoted(text string) string { return strconv.Quote(cut(text)) }

// EntityType is whether a fact is about an entity or a connection between two.
type EntityType string

// The types of entities.
const (
	EntityNode EntityType = "node"
	EntityEdge EntityType = "edge"
)

// EntityTypes returns every EntityType.
func EntityTypes() []EntityType { return []EntityType{EntityNode, EntityEdge} }

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
		SourceNetflow, SourceSyslog, SourceProcessList, SourceDNSLog, SourceAuthLog, SourceGraph, SourceManual,
		SourceUnknown,
	}
}

// requiredKeys counts the first keys of FactKeys that every fact has.
const requiredKeys = 8

// FactKeys are the keys of a fact in the JSON form, in their order.
func FactKeys() []string {
	return []string{
		"id", "entity", "entity_type", "field", "value", "timestamp", "source_type", "source_id", "parser_version",
		"raw",
	}
}

// Key returns the value under a key of the JSON form as text, "" for an unknown key.
func (f *PacketFact) Key(key string) string {
	switch key {
	case "id":
		return f.ID
	case "entity":
		return f.Entity
	case "entity_type":
		return string(f.EntityType)
	case "field":
		return f.Field
	case "value":
		return string(f.Value)
	case "timestamp":
		if f.At.IsZero() {
			return ""
		}
		return moment(f.At)
	case "source_type":
		return string(f.SourceType)
	case "source_id":
		return f.SourceID
	case "parser_version":
		return f.ParserVersion
	case "raw":
		return f.Raw
	}
	return ""
}
