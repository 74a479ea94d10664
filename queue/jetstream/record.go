package jetstream

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/nats-io/nats.go"
)

// Limits on what is sent and what is accepted.
const (
	// MaxPayload bounds Task.Payload, in bytes.
	MaxPayload = 512 << 10
	// MaxUnit bounds a unit and the result of an End, in bytes.
	MaxUnit = 64 << 20
	// MaxSession bounds the units of one session together, in bytes.
	MaxSession = 1 << 30
	// MaxUnits bounds the number of units of one session.
	MaxUnits = 1 << 17
	// MaxMaterial bounds one text of Material, in bytes. A task names at most maxDigests of them.
	MaxMaterial = 64 << 20

	maxDigests = 4096
	maxAttempt = 1_000_000
	maxVersion = 200
	maxHeader  = 4 << 10
)

// Key names a session within a batch: an item and the number of the attempt.
type Key struct {
	Item    string `json:"item"`
	Attempt int    `json:"attempt"`
}

func (k Key) String() string { return k.Item + "." + strconv.Itoa(k.Attempt) }

// Task is what a worker needs to hold a session.
type Task struct {
	// Batch is 1 to 64 characters a-z and 0-9.
	Batch string
	// Item is the digest of the item, 8 to 64 lowercase hex digits. Attempt counts from 0.
	Key
	// Version is that of the program that published the task. A worker of another one does not take it.
	Version string
	// Payload is any JSON value of at most MaxPayload bytes.
	Payload jsontext.Value
	// Material lists the digests of texts that the session needs: SHA-256 in 64 lowercase hex digits.
	Material []string
}

// within reports whether a text has least to most characters, all of them in set. It is not a regular expression
// because those cost time at each start of the program.
func within(text string, least, most int, set string) bool {
	return len(text) >= least && len(text) <= most && strings.Trim(text, set) == ""
}

func isBatch(text string) bool  { return within(text, 1, 64, "abcdefghijklmnopqrstuvwxyz0123456789") }
func isItem(text string) bool   { return within(text, 8, 64, "0123456789abcdef") }
func isDigest(text string) bool { return within(text, 64, 64, "0123456789abcdef") }
func isNonce(text string) bool  { return within(text, 26, 26, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") }

func (t Task) check() error {
	switch {
	case !isBatch(t.Batch):
		return errors.New("the name of a batch is 1 to 64 characters a-z and 0-9")
	case !isItem(t.Item):
		return errors.New("the digest of an item is 8 to 64 lowercase hex digits")
	case t.Attempt < 0 || t.Attempt > maxAttempt:
		return fmt.Errorf("attempt %d is not from 0 to %d", t.Attempt, maxAttempt)
	case len(t.Version) > maxVersion:
		return fmt.Errorf("the version has %d bytes, at most %d fit", len(t.Version), maxVersion)
	case len(t.Payload) > MaxPayload:
		return fmt.Errorf("the payload has %d bytes, at most %d fit", len(t.Payload), MaxPayload)
	case !t.Payload.IsValid():
		return errors.New("the payload is not one JSON value")
	case len(t.Material) > maxDigests:
		return fmt.Errorf("%d texts are too many, at most %d fit", len(t.Material), maxDigests)
	}
	for _, digest := range t.Material {
		if !isDigest(digest) {
			return errors.New("the digest of a text is 64 lowercase hex digits")
		}
	}
	return nil
}

// wireTask is a message of the stream of items.
type wireTask struct {
	Generation string         `json:"generation"`
	Batch      string         `json:"batch"`
	Item       string         `json:"item"`
	Attempt    int            `json:"attempt"`
	Version    string         `json:"version"`
	Payload    jsontext.Value `json:"payload"`
	Material   []string       `json:"material"`
}

func (t Task) encode(generation string) ([]byte, error) {
	return json.Marshal(wireTask{generation, t.Batch, t.Item, t.Attempt, t.Version, t.Payload, t.Material})
}

// decodeTask reads an item, which anyone with the token may have written.
func decodeTask(subject string, text []byte) (task Task, generation string, err error) {
	var wire wireTask
	if err := json.Unmarshal(text, &wire, json.RejectUnknownMembers(true)); err != nil {
		return Task{}, "", err
	}
	task = Task{wire.Batch, Key{wire.Item, wire.Attempt}, wire.Version, wire.Payload, wire.Material}
	if err := task.check(); err != nil {
		return Task{}, "", err
	}
	if subject != itemSubject(task.Batch, task.Key) || !isNonce(wire.Generation) {
		return Task{}, "", errors.New("it has another name inside")
	}
	return task, wire.Generation, nil
}

// sum identifies a task without its generation.
func (t Task) sum() (string, error) {
	text, err := t.encode("")
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), err
}

// Names on the server. The streams of items, presence and limits are shared by all batches of a server.
const (
	itemsStream    = "MOOT-ITEMS"
	presenceBucket = "MOOT-PRESENCE"
	limitsBucket   = "MOOT-LIMITS"
	workers        = "workers"
)

func unitsStream(batch string) string    { return "MOOT-UNITS-" + batch }
func materialBucket(batch string) string { return "MOOT-MATERIAL-" + batch }

func itemSubject(batch string, key Key) string { return "moot.items." + batch + "." + key.String() }
func unitSubject(batch string, key Key) string { return "moot.units." + batch + "." + key.String() }

// keyOf reads the key from the subject of an item or a unit of a batch.
func keyOf(subject string) (batch string, key Key, ok bool) {
	tokens := strings.Split(subject, ".")
	if len(tokens) != 5 {
		return "", Key{}, false
	}
	attempt, err := strconv.Atoi(tokens[4])
	key = Key{tokens[3], attempt}
	ok = err == nil && attempt >= 0 && attempt <= maxAttempt && strconv.Itoa(attempt) == tokens[4] &&
		isBatch(tokens[2]) && isItem(key.Item)
	return tokens[2], key, ok
}

// kind is what a message on the subject of a session is.
type kind string

const (
	// begin is the first message, by the coordinator. It exists so that no writer ever expects an empty subject: after
	// a purge, every expectation from before fails.
	begin kind = "begin"
	// part is a piece of a unit or an end that is larger than a message; its last piece has the kind unit or end.
	part kind = "part"
	unit kind = "unit"
	end  kind = "end"
	// withdrawn is by the coordinator: nobody should continue. It needs no expectation, and every later one fails.
	withdrawn kind = "withdrawn"
	// damaged is by a worker that cannot read the session, for the coordinator to publish it again.
	damaged kind = "damaged"
)

// headerName is the one header of our messages.
const headerName = "Moot"

// header says what a message is.
type header struct {
	Kind kind `json:"kind"`
	// Index is the number of the unit; that of an end is the number of units before it.
	Index int `json:"index"`
	// Part counts the pieces of a unit or end from 0. Parts is set in the last one.
	Part  int `json:"part"`
	Parts int `json:"parts"`
	// ID names the attempt to append, so that a writer recognizes its own message.
	ID string `json:"id"`
	// Chain is the digest of this unit and all before it; see next. In begin it is that of the generation.
	Chain string `json:"chain"`
	// Task is in begin the digest of the task.
	Task string `json:"task,omitempty"`
}

// same reports whether two messages are copies of one: their writer gave them the same name.
func (h header) same(other header) bool {
	return h.ID != "" && h.ID == other.ID && h.Kind == other.Kind && h.Part == other.Part && h.Chain == other.Chain
}

func (h header) message(subject string, data []byte) (*nats.Msg, error) {
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	return &nats.Msg{Subject: subject, Data: data, Header: nats.Header{headerName: []string{string(text)}}}, nil
}

func decodeHeader(from nats.Header) (header, error) {
	var h header
	text := from.Get(headerName)
	if len(text) == 0 || len(text) > maxHeader {
		return h, errors.New("it has no header of moot")
	}
	if err := json.Unmarshal([]byte(text), &h, json.RejectUnknownMembers(true)); err != nil {
		return h, fmt.Errorf("its header: %w", err)
	}
	if h.Index < 0 || h.Index > MaxUnits || h.Part < 0 || h.Part > MaxUnit>>10 {
		return h, errors.New("its header has numbers out of range")
	}
	return h, nil
}

// link is a digest of the chain over the units of a session.
type link [sha256.Size]byte

// next is the link after one more unit or end.
func (l link) next(k kind, data []byte) link {
	hash := sha256.New()
	hash.Write(l[:])
	hash.Write([]byte(k))
	hash.Write([]byte{0})
	var size [8]byte
	binary.BigEndian.PutUint64(size[:], uint64(len(data)))
	hash.Write(size[:])
	hash.Write(data)
	return link(hash.Sum(nil))
}

// first is the link of begin.
func first(generation string) link { return link{}.next(begin, []byte(generation)) }

func (l link) String() string { return hex.EncodeToString(l[:]) }

// standing is how far the record of a session is.
type standing int

const (
	absent standing = iota
	open
	ended
	recalled
	broken
)

// record is what the subject of a session holds, read message by message. A sequence of messages that no writer of
// ours produces makes it broken: the server lost or damaged some.
type record struct {
	standing   standing
	generation string
	task       string
	// links[i] is the link after i units; links[0] is that of begin.
	links []link
	// pieces are those of a unit whose last one is missing.
	pieces struct {
		id   string
		many int
		data []byte
	}
	// last is the sequence of the last message, header what it says, and messages how many there are.
	last     uint64
	header   header
	messages int
}

// whole is a unit, an end or a withdrawal that is complete.
type whole struct {
	kind  kind
	index int
	link  link
	data  []byte
}

// units is how many units there are.
func (r *record) units() int { return max(0, len(r.links)-1) }

// add reads the next message of the subject. It returns nil if nothing is complete with it. After an error the record
// is broken until the next begin.
func (r *record) add(sequence uint64, from nats.Header, data []byte) (*whole, error) {
	r.last = sequence
	r.messages++
	h, err := decodeHeader(from)
	r.header = h
	if err != nil {
		return nil, r.fail(err.Error())
	}
	if h.Kind == begin {
		generation := string(data)
		if !isNonce(generation) || h.Chain != first(generation).String() {
			return nil, r.fail("its first message is damaged")
		}
		if generation == r.generation && r.standing != broken {
			return nil, nil // the same message twice changes nothing
		}
		*r = record{
			standing: open, generation: generation, task: h.Task, links: []link{first(generation)},
			last: sequence, header: h, messages: 1,
		}
		return nil, nil // nothing is complete with it
	}
	switch r.standing {
	case absent:
		if h.Kind == withdrawn {
			r.standing = recalled
			return &whole{kind: withdrawn}, nil
		}
		return nil, r.fail("its first message is missing")
	case broken, recalled:
		return nil, nil // nothing counts any more
	case open, ended:
	}
	switch h.Kind {
	case part:
		if r.standing == ended {
			return nil, nil // nothing counts after the end
		}
		return nil, r.addPart(h, data)
	case unit, end:
		if data, err = r.assemble(h, data); err != nil {
			return nil, err
		}
		return r.addWhole(h, data)
	case withdrawn:
		if r.standing == ended {
			return nil, nil // it came too late
		}
		r.standing = recalled
		return &whole{kind: withdrawn, index: r.units()}, nil
	case damaged:
		return nil, r.fail("a worker could not read it")
	case begin:
	}
	return nil, r.fail("it has a message of an unknown kind")
}

func (r *record) addPart(h header, data []byte) error {
	p := &r.pieces
	if h.Part == 0 {
		p.id, p.many, p.data = h.ID, 0, nil
	}
	if p.id == h.ID && h.Part == p.many-1 && p.many > 0 {
		return nil // the same message twice
	}
	if p.id != h.ID || h.Part != p.many || len(p.data)+len(data) > MaxUnit {
		return r.fail("a piece of a unit is missing")
	}
	p.many++
	p.data = append(p.data, data...)
	return nil
}

// assemble returns the whole data of a unit whose last piece has come. Pieces that a former writer left are dropped.
func (r *record) assemble(h header, data []byte) ([]byte, error) {
	p := r.pieces
	if h.Parts <= 1 {
		r.pieces.data, r.pieces.many, r.pieces.id = nil, 0, ""
		return data, nil
	}
	if r.standing == open && h.Index == r.units() && (p.id != h.ID || p.many != h.Parts-1 || len(p.data)+len(data) > MaxUnit) {
		return nil, r.fail("a piece of a unit is missing")
	}
	r.pieces.data, r.pieces.many, r.pieces.id = nil, 0, ""
	return append(p.data, data...), nil
}

func (r *record) addWhole(h header, data []byte) (*whole, error) {
	// A message that was delivered before changes nothing.
	if h.Kind == unit && h.Index < r.units() {
		if r.links[h.Index+1].String() == h.Chain {
			return nil, nil // the same message twice
		}
		return nil, r.fail("two units have the same number")
	}
	if r.standing == ended {
		return nil, nil // nothing counts after the end
	}
	if h.Index != r.units() || h.Index >= MaxUnits {
		return nil, r.fail("a unit is missing")
	}
	link := r.links[h.Index].next(h.Kind, data)
	if link.String() != h.Chain {
		return nil, r.fail("a unit is damaged, or does not follow the one before it")
	}
	if h.Kind == unit {
		r.links = append(r.links, link)
	} else {
		r.standing = ended
	}
	return &whole{h.Kind, h.Index, link, data}, nil
}

// brokenError says why the record of a session cannot be continued.
type brokenError struct{ why string }

func (b *brokenError) Error() string { return b.why }

func (r *record) fail(why string) error {
	if r.standing == broken {
		return nil
	}
	r.standing = broken
	return &brokenError{why}
}

// chained returns the links of units in a generation.
func chained(generation string, units [][]byte) []link {
	links := slices.Grow([]link{first(generation)}, len(units))
	for i, data := range units {
		links = append(links, links[i].next(unit, data))
	}
	return links
}

// nonce returns 26 random characters A-Z and 2-7.
func nonce() string { return rand.Text() }
