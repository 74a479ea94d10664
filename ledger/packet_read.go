package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/jsonlines"
)

// LargestPacket is how many bytes of JSON a packet may have.
const LargestPacket = 512 << 20

// ReadPacket reads a packet in its JSON form, and freezes it:
//
//	{"packet_id":"…","window":["FROM","TO"],"facts":[{"id":"…", …}]}
//
// Times are of RFC 3339, and UTC if they name no zone; parser_version and raw may be missing or null. Unknown,
// repeated and missing keys are refused, as the digest covers everything. name is the file name in errors. The error is
// the first *PacketError, or a read error.
func ReadPacket(from io.Reader, name string) (*Packet, error) {
	p, wrong, err := CheckPacket(from, name, 1)
	if len(wrong) > 0 {
		return nil, wrong[0]
	}
	return p, err
}

// CheckPacket is like ReadPacket, but continues with the next fact after a mistake and returns up to most mistakes, the
// first of each fact. The packet is nil if there are any. A mistake outside of the facts ends the check. err is a read
// error.
func CheckPacket(from io.Reader, name string, most int) (*Packet, []*PacketError, error) {
	text, err := io.ReadAll(io.LimitReader(from, LargestPacket+1))
	if err == nil && len(text) > LargestPacket {
		err = fmt.Errorf("it has more than %d MiB", LargestPacket>>20)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read packet %s: %w", name, err)
	}
	objects := jsonlines.NewReader(text)
	object, err := objects.Next()
	line := objects.Line()
	var parts packetParts
	if err == nil {
		err = objects.Locate(jsonlines.Decode(object, &parts))
	}
	if err == nil {
		if _, more := objects.Next(); !errors.Is(more, io.EOF) {
			err = &jsonlines.Error{Line: objects.Line(), What: "there is more after the end"}
		}
	}
	if wrong, is := errors.AsType[*jsonlines.Error](err); is {
		mistake := &PacketError{
			Name: name, Line: wrong.Line, Packet: parts.ID, Index: -1, Field: wrong.Path, What: wrong.What,
		}
		return nil, []*PacketError{mistake}, nil
	}
	p, err := parts.packet()
	var mistakes []*PacketError
	add := func(err error, offset int64) {
		if mistake, is := errors.AsType[*PacketError](err); is && len(mistakes) < most {
			mistake.Name = name
			mistake.Line = line + bytes.Count(object[:offset], []byte("\n"))
			mistakes = append(mistakes, mistake)
		}
	}
	if add(err, 0); err == nil {
		for i, f := range parts.Facts {
			f.index = i
			add(p.addText(f), f.offset)
		}
	}
	if len(mistakes) == 0 {
		_, err = p.Freeze()
		add(err, 0)
	}
	if len(mistakes) > 0 {
		return nil, mistakes, nil
	}
	return p, nil, err
}

// AddJSON adds the facts of a JSON list from Chunks, up to the first invalid one. The error is ErrFrozen or a
// *PacketError.
func (p *Packet) AddJSON(chunk []byte) error {
	var facts []factText
	if err := jsonlines.Decode(chunk, &facts); err != nil {
		return p.wrong("facts", "%s", strings.TrimPrefix(err.Error(), ": "))
	}
	for i, f := range facts {
		f.index = i
		if err := p.addText(f); err != nil {
			return err
		}
	}
	return nil
}

// packetParts is the JSON form of a packet, with its facts still as text.
type packetParts struct {
	ID     string     `json:"packet_id"`
	Window []string   `json:"window"`
	Facts  []factText `json:"facts"`
}

// packet returns the packet without its facts.
func (parts *packetParts) packet() (*Packet, error) {
	p := &Packet{id: parts.ID}
	if parts.ID == "" {
		return nil, p.wrong("packet_id", "it is missing")
	}
	if len(parts.Window) != 2 {
		return nil, p.wrong("window", "it takes a list of two times, the first and the last moment")
	}
	var window [2]time.Time
	for i, written := range parts.Window {
		var err error
		if window[i], err = ParseMoment([]byte(written)); err != nil {
			return nil, p.wrong("window", "%v", err)
		}
	}
	return NewPacket(parts.ID, window[0], window[1])
}

// factText is the JSON text of a fact, with its offset in the packet's text and its place among the facts.
type factText struct {
	text   jsontext.Value
	offset int64
	index  int
}

// UnmarshalJSONFrom keeps the text.
func (f *factText) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	text, err := from.ReadValue()
	f.text, f.offset = text.Clone(), from.InputOffset()-int64(len(text))
	return err
}

// addText reads one fact and adds it. The error is a *PacketError.
func (p *Packet) addText(text factText) error {
	f, err := DecodeFact(text.text)
	if err == nil {
		err = p.Add(f)
	}
	mistake, is := errors.AsType[*PacketError](err)
	if fault, wrong := errors.AsType[*jsonlines.Fault](err); wrong {
		mistake, is = &PacketError{Packet: p.id, Fact: f.ID, Field: jsonlines.Dotted(fault.At), What: fault.What}, true
	}
	if !is {
		return err
	}
	mistake.Index = text.index
	return mistake
}

// DecodeFact reads one fact from its JSON form. Missing and null keys are left empty. The error is a *jsonlines.Fault.
func DecodeFact(text jsontext.Value) (PacketFact, error) {
	var f PacketFact
	err := jsonlines.Decode(text, &f, json.UnmarshalFromFunc(decodeMoment))
	return f, err
}

// decodeMoment reads a time as ParseMoment does.
func decodeMoment(from *jsontext.Decoder, at *time.Time) error {
	token, err := from.ReadToken()
	if err != nil {
		return err
	}
	if token.Kind() != jsontext.KindString {
		return jsonlines.Faultf("", "it takes a text, not %s", jsonlines.KindName(token.Kind()))
	}
	if *at, err = ParseMoment([]byte(token.String())); err != nil {
		return jsonlines.Faultf("", "%v", err)
	}
	return nil
}

// ParseMoment reads a time of RFC 3339, to the nanosecond, and returns it in UTC. Without a zone it is UTC. A blank
// may separate date and time.
func ParseMoment(text []byte) (time.Time, error) {
	written := strings.ToUpper(string(text))
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
	} {
		at, err := time.Parse(layout, written)
		if err == nil && !writable(at) {
			return time.Time{}, fmt.Errorf("%s %w", quoted(string(text)), errYear)
		}
		if err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is not a time of RFC 3339, as in 2026-11-21T10:00:00Z", quoted(string(text)))
}

// errYear means that RFC 3339 has no way to write a time.
var errYear = errors.New("is outside of the years 0 to 9999 in UTC")

func writable(at time.Time) bool { return at.UTC().Year() >= 0 && at.UTC().Year() <= 9999 }

// moment formats a time for packets.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
