package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/enum"
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

// CheckPacket is like ReadPacket, but continues after a mistake and returns up to most mistakes in order. The packet is
// nil if there are any. A JSON syntax error ends the check. err is a read error.
func CheckPacket(from io.Reader, name string, most int) (*Packet, []*PacketError, error) {
	text, err := io.ReadAll(io.LimitReader(from, LargestPacket+1))
	if err == nil && len(text) > LargestPacket {
		err = fmt.Errorf("it has more than %d MiB", LargestPacket>>20)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read packet %s: %w", name, err)
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	r := &packetReader{
		text: text, name: name, most: max(most, 1), packet: &Packet{places: map[string]int{}},
		decoder: jsontext.NewDecoder(bytes.NewBuffer(text)), refused: map[string]bool{},
	}
	r.read()
	if len(r.mistakes) > 0 {
		return nil, r.mistakes, nil
	}
	_, err = r.packet.Freeze()
	return r.packet, nil, err
}

// AddJSON adds the facts of a JSON list from Chunks, up to the first invalid one. The error is ErrFrozen or a
// *PacketError.
func (p *Packet) AddJSON(chunk []byte) error {
	if p.Frozen() {
		return fmt.Errorf("add facts to packet %s: %w", quoted(p.id), ErrFrozen)
	}
	r := &packetReader{
		packet: p, most: 1, decoder: jsontext.NewDecoder(bytes.NewBuffer(chunk)), refused: map[string]bool{},
	}
	if r.list(); len(r.mistakes) == 0 {
		r.end()
	}
	for _, f := range r.facts {
		if len(r.mistakes) == 0 {
			r.fact(f.text, f.offset, f.index)
		}
	}
	if len(r.mistakes) > 0 {
		return r.mistakes[0]
	}
	return nil
}

// packetReader reads a packet: it finds the parts, then reads the id and the window, then the facts.
type packetReader struct {
	// text is the whole input, or nil if lines are not needed. line is the line at the offset counted.
	text    []byte
	line    int
	counted int64
	name    string
	decoder *jsontext.Decoder
	packet  *Packet
	facts   []factText
	// refused has the ids of invalid facts.
	refused  map[string]bool
	most     int
	mistakes []*PacketError
}

// factText is the text of a fact with its offset.
type factText struct {
	text   jsontext.Value
	offset int64
	index  int
}

// wrong reports a mistake at an offset. Offsets do not decrease by much, so lines are counted from the last one.
func (r *packetReader) wrong(offset int64, index int, field, what string) {
	if len(r.mistakes) >= r.most {
		return
	}
	line := 0
	if r.text != nil {
		if offset < r.counted {
			r.line, r.counted = 0, 0
		}
		r.line += bytes.Count(r.text[r.counted:offset], []byte("\n"))
		r.counted = offset
		line = r.line + 1
	}
	r.mistakes = append(r.mistakes, &PacketError{
		Name: r.name, Line: line, Packet: r.packet.id, Index: index, Field: field, What: what,
	})
}

// malformed reports invalid JSON, with the fact and the key if the library knows them.
func (r *packetReader) malformed(err error) {
	offset := r.decoder.InputOffset()
	at := slices.Collect(r.decoder.StackPointer().Tokens())
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		offset = syntactic.ByteOffset
		if longer := slices.Collect(syntactic.JSONPointer.Tokens()); len(longer) > len(at) {
			at = longer
		}
	}
	// A chunk of a session is the list of facts alone.
	if len(at) > 0 && at[0] == "facts" {
		at = at[1:]
	}
	index, field := -1, ""
	if len(at) > 0 {
		if place, err := strconv.Atoi(at[0]); err == nil {
			index = place
		}
	}
	if len(at) > 1 {
		field = at[1]
	}
	r.wrong(min(offset, int64(len(r.text))), index, field, syntaxOf(err))
}

func (r *packetReader) read() {
	parts := map[string]factText{}
	var unknown []string
	listed := false
	switch token, err := r.decoder.ReadToken(); {
	case errors.Is(err, io.EOF):
		r.wrong(int64(0), -1, "", "there is no JSON")
		return
	case err != nil:
		r.malformed(err)
		return
	case token.Kind() != jsontext.KindBeginObject:
		r.wrong(r.decoder.InputOffset()-1, -1, "", "a packet is a JSON object, not "+jsonlines.KindName(token.Kind()))
		return
	}
	known := []string{"packet_id", "window", "facts"}
	for r.decoder.PeekKind() == jsontext.KindString {
		token, err := r.decoder.ReadToken()
		if err != nil {
			r.malformed(err)
			return
		}
		key, offset := token.String(), r.decoder.InputOffset()
		if key == "facts" && r.decoder.PeekKind() == jsontext.KindBeginArray {
			listed = true
			if !r.list() {
				r.head(parts)
				return
			}
			continue
		}
		value, err := r.decoder.ReadValue()
		if err != nil {
			r.malformed(err)
			return
		}
		parts[key] = factText{text: value, offset: offset}
		if !slices.Contains(known, key) {
			unknown = append(unknown, key)
		}
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		r.malformed(err)
		return
	}
	ends := r.decoder.InputOffset()
	windowed := r.head(parts)
	for _, key := range unknown {
		r.wrong(parts[key].offset, -1, key, unknownKey("a packet", key, known))
	}
	if facts, there := parts["facts"]; there {
		r.wrong(facts.offset, -1, "facts", "it takes a list, not "+jsonlines.KindName(facts.text.Kind()))
	}
	for _, key := range known {
		if _, there := parts[key]; !there && (key != "facts" || !listed) {
			r.wrong(ends-1, -1, key, "it is missing")
		}
	}
	if listed && len(r.facts) == 0 && len(r.mistakes) == 0 {
		r.wrong(ends-1, -1, "facts", "there are none")
	}
	if windowed {
		for _, f := range r.facts {
			r.fact(f.text, f.offset, f.index)
		}
	}
	r.end()
}

// head reads the id and the window, and adds the id to earlier mistakes.
func (r *packetReader) head(parts map[string]factText) (windowed bool) {
	if id, there := parts["packet_id"]; there {
		text, what := textOf(id.text)
		if what != "" {
			r.wrong(id.offset, -1, "packet_id", what)
		}
		r.packet.id = text
	}
	for _, m := range r.mistakes {
		m.Packet = r.packet.id
	}
	window, there := parts["window"]
	if !there {
		return false
	}
	var written []string
	what := "it takes a list of two times, the first and the last moment"
	if json.Unmarshal(window.text, &written) == nil && len(written) == 2 {
		from, err := ParseMoment([]byte(written[0]))
		to, also := ParseMoment([]byte(written[1]))
		err = errors.Join(err, also)
		if err == nil && to.Before(from) {
			err = fmt.Errorf("it ends at %s, before it begins at %s", moment(to), moment(from))
		}
		if err == nil {
			r.packet.from, r.packet.to = from, to
			return true
		}
		what, _, _ = strings.Cut(err.Error(), "\n")
	}
	r.wrong(window.offset, -1, "window", what)
	return false
}

// list finds the texts of the facts, and reports whether they are JSON.
func (r *packetReader) list() bool {
	token, err := r.decoder.ReadToken()
	if err == nil && token.Kind() != jsontext.KindBeginArray {
		r.wrong(0, -1, "facts", "it takes a list, not "+jsonlines.KindName(token.Kind()))
		return false
	}
	for index := 0; err == nil && r.decoder.PeekKind() != jsontext.KindEndArray; index++ {
		var value jsontext.Value
		value, err = r.decoder.ReadValue()
		r.facts = append(r.facts, factText{value, r.decoder.InputOffset() - int64(len(value)), index})
	}
	if err == nil {
		_, err = r.decoder.ReadToken()
	}
	if err != nil {
		r.malformed(err)
	}
	return err == nil
}

// end reports data after the packet.
func (r *packetReader) end() {
	token, err := r.decoder.ReadToken()
	switch {
	case err == nil:
		r.wrong(r.decoder.InputOffset()-1, -1, "", "there is more after the end: "+jsonlines.KindName(token.Kind()))
	case !errors.Is(err, io.EOF):
		r.malformed(err)
	}
}

// FactKeys are the keys of a fact in the JSON form, in their order.
func FactKeys() []string {
	return []string{
		"id", "entity", "entity_type", "field", "value", "timestamp", "source_type", "source_id", "parser_version",
		"raw",
	}
}

// fact reads one fact, and adds it if it is valid.
func (r *packetReader) fact(text jsontext.Value, offset int64, index int) {
	var f PacketFact
	before := len(r.mistakes)
	wrong := func(at int64, field, what string) { r.wrong(offset+at, index, field, what) }
	if text.Kind() != jsontext.KindBeginObject {
		wrong(0, "", "a fact is an object, not "+jsonlines.KindName(text.Kind()))
		return
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(text))
	known, dated := FactKeys(), false
	var seen [10]bool
	// The text was read before, so that the decoder finds no error.
	for _, err := decoder.ReadToken(); err == nil && decoder.PeekKind() == jsontext.KindString; {
		var token jsontext.Token
		var raw jsontext.Value
		if token, err = decoder.ReadToken(); err != nil {
			break
		}
		key, at := token.String(), decoder.InputOffset()
		if raw, err = decoder.ReadValue(); err != nil {
			break
		}
		place := slices.Index(known, key)
		if place < 0 {
			wrong(at, key, unknownKey("a fact", key, known))
			continue
		}
		seen[place] = true
		if failed := f.set(key, raw); failed != nil {
			wrong(at, key, failed.Error())
		} else if key == "timestamp" {
			dated = true
		}
	}
	for i, key := range known[:len(known)-2] {
		if !seen[i] {
			wrong(0, key, missing(key))
		}
	}
	if r.packet.Has(f.ID) || r.refused[f.ID] {
		wrong(0, "id", anotherFact)
	}
	if what := r.packet.outside(f.At); what != "" && dated {
		wrong(0, "timestamp", what)
	}
	if len(r.mistakes) == before {
		r.packet.take(f)
		return
	}
	r.refused[f.ID] = f.ID != ""
	for _, m := range r.mistakes[before:] {
		m.Fact = f.ID
	}
}

// set sets the value of a key.
func (f *PacketFact) set(key string, raw jsontext.Value) (err error) {
	if key == "value" {
		f.Value, err = ParseValue(raw)
		return err
	}
	optional := key == "parser_version" || key == "raw"
	if optional && (raw.Kind() == jsontext.KindNull || string(raw) == `""`) {
		return nil
	}
	text, what := textOf(raw)
	if what != "" {
		return errors.New(what)
	}
	switch key {
	case "entity_type":
		return f.EntityType.UnmarshalText([]byte(text))
	case "timestamp":
		f.At, err = ParseMoment([]byte(text))
		return err
	case "source_type":
		return f.SourceType.UnmarshalText([]byte(text))
	}
	*f.text(key) = text
	return nil
}

// textOf reads a JSON text that is not empty, or describes the mistake.
func textOf(raw jsontext.Value) (text, what string) {
	if raw.Kind() != jsontext.KindString {
		return "", "it takes a text, not " + jsonlines.KindName(raw.Kind())
	}
	unquoted, err := jsontext.AppendUnquote(nil, raw)
	switch {
	case err != nil:
		return "", syntaxOf(err)
	case len(unquoted) == 0:
		return "", "it is empty"
	}
	return string(unquoted), ""
}

func unknownKey(what, key string, known []string) string {
	if nearest := enum.Nearest(key, known); nearest != "" {
		return fmt.Sprintf("%s has no such key; did you mean %q?", what, nearest)
	}
	return fmt.Sprintf("%s has no such key (known: %s)", what, strings.Join(known, ", "))
}

// ParseMoment reads a time of RFC 3339, to the nanosecond, and returns it in UTC. Without a zone it is UTC. A blank
// may separate date and time.
func ParseMoment(text []byte) (time.Time, error) {
	const date = len("2006-01-02")
	written := strings.ToUpper(string(text))
	if len(written) <= date || len(written) > 64 {
		return time.Time{}, fmt.Errorf("%s is not a time of RFC 3339, as in 2026-11-21T10:00:00Z", quoted(string(text)))
	}
	clock := written[date+1:]
	if !strings.HasSuffix(clock, "Z") && !strings.ContainsAny(clock, "+-") {
		clock += "Z"
	}
	separator := written[date : date+1]
	if separator == " " {
		separator = "T"
	}
	var at time.Time
	if err := at.UnmarshalText([]byte(written[:date] + separator + clock)); err != nil {
		return time.Time{}, fmt.Errorf("%s is not a time of RFC 3339, as in 2026-11-21T10:00:00Z", quoted(string(text)))
	}
	if _, fraction, _ := strings.Cut(clock, "."); len(fraction) > 9 {
		digits := strings.TrimRight(fraction[:strings.IndexAny(fraction, "Z+-")], "0")
		if len(digits) > 9 {
			return time.Time{}, fmt.Errorf("%s is finer than a nanosecond", quoted(string(text)))
		}
	}
	if at = at.UTC(); !writable(at) {
		return time.Time{}, fmt.Errorf("%s %w", quoted(string(text)), errYear)
	}
	return at, nil
}

// errYear means that RFC 3339 has no way to write a time.
var errYear = errors.New("is outside of the years 0 to 9999 in UTC")

func writable(at time.Time) bool { return at.UTC().Year() >= 0 && at.UTC().Year() <= 9999 }

// moment formats a time for packets.
func moment(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
