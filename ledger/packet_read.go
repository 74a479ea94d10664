package ledger

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"moot/enum"

	"moot/lines"
)

// readAtOnce is how many bytes are asked for at once, unless who calls does so by more:
// a bufio.Reader is taken as it is.
const readAtOnce = 1 << 12

// ReadPacket reads a packet in its JSON form, and freezes it:
//
//	{"packet_id":"…","window":["FROM","TO"],"facts":[{"id":"…", …}]}
//
// The keys may stand in any order, of which this one needs the least memory. Times
// are of RFC 3339, and UTC where they name no zone; parser_version and raw may be
// missing or null. Whatever else is there, is there twice or is missing is refused, as
// the digest is to cover all that was given. The name is that of the file. The error
// is a *PacketError, the first, or that of reading.
func ReadPacket(from io.Reader, name string) (*Packet, error) {
	p, wrong, err := CheckPacket(from, name, 1)
	if len(wrong) > 0 {
		return nil, wrong[0]
	}
	return p, err
}

// CheckPacket is ReadPacket that goes on behind what is wrong, and returns up to so
// many of them in their order. The packet is nil where there are any. What is no JSON
// ends it. The error is that of reading.
func CheckPacket(from io.Reader, name string, most int) (*Packet, []*PacketError, error) {
	r := newPacketReader(from, name, max(most, 1))
	failed := r.read()
	for _, wrong := range r.mistakes {
		wrong.Packet = r.packet.id
	}
	switch {
	case r.lines.Failed() != nil:
		return nil, nil, fmt.Errorf("read packet %s: %w", name, r.lines.Failed())
	case len(r.mistakes) > 0:
		return nil, r.mistakes, nil
	case failed != nil:
		return nil, nil, fmt.Errorf("read packet %s: %w", name, failed)
	}
	if _, err := r.packet.Freeze(); err != nil {
		return nil, nil, err
	}
	return r.packet, nil, nil
}

// factReader reads the facts of a list into a packet.
type factReader struct {
	decoder *jsontext.Decoder
	packet  *Packet
	lines   *lines.Counter
	name    string
	// most is how many mistakes are wanted.
	most     int
	mistakes []*PacketError
	// refused are the ids of facts that were wrong, spare room for texts.
	refused map[string]bool
	spare   []byte
	// draft is the fact that is read, index its place in the list, and begins where it
	// begins; wrongs is how many mistakes there were before it.
	draft  draft
	index  int
	begins int64
	wrongs int
	// windowed says that the window is known, which facts are checked against; early
	// are the lines of the facts that stood before it.
	windowed bool
	early    []int32
}

// packetReader reads a packet.
type packetReader struct {
	factReader
	seen map[string]bool
}

const byteOrderMark = "\ufeff"

func newPacketReader(from io.Reader, name string, most int) *packetReader {
	r := &packetReader{seen: map[string]bool{}}
	buffer := bufio.NewReaderSize(from, readAtOnce)
	if head, err := buffer.Peek(len(byteOrderMark)); err == nil && string(head) == byteOrderMark {
		// It is there.
		_, _ = buffer.Discard(len(head))
	}
	r.lines = lines.NewCounter(buffer, 1)
	r.packet = &Packet{}
	r.name, r.most = name, most
	r.decoder = jsontext.NewDecoder(r.lines, jsontext.AllowDuplicateNames(true))
	return r
}

// errEnough ends reading: as many mistakes were found as are wanted, or what comes is
// no JSON.
var errEnough = errors.New("no more is read")

// broken says where bytes are no JSON, and ends reading.
func (r *factReader) broken(err error) error {
	if r.lines != nil && r.lines.Failed() != nil {
		return r.lines.Failed()
	}
	wrong := &PacketError{Name: r.name, Index: r.index, Fact: string(r.draft.id), What: syntaxOf(err)}
	var syntactic *jsontext.SyntacticError
	place := r.decoder.InputOffset()
	if errors.As(err, &syntactic) {
		place = syntactic.ByteOffset
	}
	wrong.Line = r.line(place)
	if !r.full() {
		r.mistakes = append(r.mistakes, wrong)
	}
	return errEnough
}

// line is that of a place, 0 where nobody counts.
func (r *factReader) line(place int64) int {
	if r.lines == nil {
		return 0
	}
	return r.lines.At(place)
}

// wrong notes a mistake at what was read last, which has a length.
func (r *factReader) wrong(length int, field, format string, args ...any) {
	r.wrongAt(r.decoder.InputOffset()-int64(length), field, format, args...)
}

// wrongAt notes a mistake at a place.
func (r *factReader) wrongAt(place int64, field, format string, args ...any) {
	if r.full() {
		return
	}
	r.mistakes = append(r.mistakes, &PacketError{
		Name: r.name, Line: r.line(place), Fact: string(r.draft.id), Index: r.index, Field: field, What: fmt.Sprintf(format, args...),
	})
}

func (r *factReader) full() bool { return len(r.mistakes) >= r.most }

// read reads the whole of the input.
func (r *packetReader) read() error {
	r.index = -1
	token, err := r.decoder.ReadToken()
	switch {
	case errors.Is(err, io.EOF):
		r.wrong(0, "", "there is no JSON")
		return errEnough
	case err != nil:
		return r.broken(err)
	case token.Kind() != '{':
		r.wrong(1, "", "a packet is a JSON object, not %s", kindNamed(byte(token.Kind())))
		return errEnough
	}
	for r.decoder.PeekKind() == '"' {
		if err := r.member(); err != nil {
			return err
		}
	}
	if _, err := r.decoder.ReadToken(); err != nil {
		return r.broken(err)
	}
	r.complete()
	r.end()
	return nil
}

// end says that something follows, where it does.
func (r *factReader) end() {
	token, err := r.decoder.ReadToken()
	switch {
	case err == nil:
		r.wrong(1, "", "something follows behind the end: %s", kindNamed(byte(token.Kind())))
	case !errors.Is(err, io.EOF):
		// What it says is in the mistakes.
		_ = r.broken(err)
	}
}

// packetKeys are the keys of a packet, in their order.
func packetKeys() []string { return []string{"packet_id", "window", "facts"} }

// member reads one key of the packet with its value.
func (r *packetReader) member() error {
	raw, err := r.decoder.ReadValue()
	if err != nil {
		return r.broken(err)
	}
	key, size := r.string(raw), len(raw)
	if r.seen[key] {
		r.wrong(size, key, "it is there twice")
		return r.skip()
	}
	r.seen[key] = true
	switch key {
	case "packet_id":
		return r.id()
	case "window":
		return r.window()
	case "facts":
		return r.list()
	}
	r.wrong(size, key, "%s", unknownKey("a packet", key, packetKeys()))
	return r.skip()
}

// unknownKey says that something has no such key.
func unknownKey(what, key string, known []string) string {
	if nearest := enum.Nearest(key, known); nearest != "" {
		return fmt.Sprintf("%s has no such key; did you mean %q?", what, nearest)
	}
	return fmt.Sprintf("%s has no such key (known: %s)", what, strings.Join(known, ", "))
}

func (r *factReader) skip() error {
	if err := r.decoder.SkipValue(); err != nil {
		return r.broken(err)
	}
	return nil
}

func (r *packetReader) id() error {
	raw, err := r.decoder.ReadValue()
	switch {
	case err != nil:
		return r.broken(err)
	case raw.Kind() != '"':
		r.wrong(len(raw), "packet_id", "it takes a text, not %s", kindNamed(byte(raw.Kind())))
	case len(raw) == len(`""`):
		r.wrong(len(raw), "packet_id", "it is empty")
	default:
		r.packet.id = r.string(raw)
	}
	return nil
}

func (r *packetReader) window() error {
	raw, err := r.decoder.ReadValue()
	if err != nil {
		return r.broken(err)
	}
	size := len(raw)
	ends, what := windowOf(raw)
	if what == "" && ends[1].Before(ends[0]) {
		what = fmt.Sprintf("it ends at %s, before it begins at %s", moment(ends[1]), moment(ends[0]))
	}
	if what != "" {
		r.wrong(size, "window", "%s", what)
		return nil
	}
	r.packet.from, r.packet.to = ends[0], ends[1]
	r.windowed = true
	return nil
}

// windowOf reads the two times of a window, or says what is wrong with them.
func windowOf(raw jsontext.Value) (ends [2]time.Time, what string) {
	const takes = "it takes a list of two times, its first and its last moment"
	if raw.Kind() != '[' {
		return ends, takes
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(raw))
	// The text was found to be JSON.
	_, _ = decoder.ReadToken()
	for i := range ends {
		token, _ := decoder.ReadToken()
		if token.Kind() != '"' {
			return ends, takes
		}
		var err error
		if ends[i], err = ParseMoment([]byte(token.String())); err != nil {
			return ends, err.Error()
		}
	}
	if decoder.PeekKind() != ']' {
		return ends, takes
	}
	return ends, ""
}

// complete says what the packet lacks as a whole, and checks against the window the
// facts that stood before it.
func (r *packetReader) complete() {
	r.index = -1
	r.draft.clear()
	for _, key := range packetKeys() {
		if !r.seen[key] {
			r.wrong(1, key, "it is missing")
		}
	}
	if r.seen["facts"] && r.packet.Len() == 0 && len(r.mistakes) == 0 {
		r.wrong(1, "facts", "there are none, so that nothing could be said of it")
	}
	if !r.windowed {
		return
	}
	for place, line := range r.early {
		f := r.packet.facts.fact(place)
		if what := r.packet.outside(f.At); what != "" && !r.full() {
			r.mistakes = append(r.mistakes, &PacketError{
				Name: r.name, Line: int(line), Fact: f.ID, Index: place, Field: "timestamp", What: what,
			})
		}
	}
}

// string is what a JSON text says.
func (r *factReader) string(raw jsontext.Value) string {
	text, _ := jsontext.AppendUnquote(nil, raw)
	return string(text)
}
