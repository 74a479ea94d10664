package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"moot/ledger"
	"moot/state"
)

// MaxLine is the maximum length of a line in bytes, including the newline: 16 MiB. Longer lines are neither written
// nor read.
const MaxLine = 16 << 20

// The fixed parts of a line, in order.
const (
	beginSeq  = `{"seq":`
	beginAt   = `,"at":"`
	beginPrev = `","prev":"`
	closePrev = `"`
	beginLeft = `,"left":`
	beginKind = `,"kind":"`
	beginData = `","data":`
)

// hashDigits is the length of a hash in hex digits.
const hashDigits = len(ledger.ZeroHash)

// opening is the kind of every first line.
const opening = "session-opened"

// line is one line of a session file.
type line struct {
	seq  int
	at   time.Time
	prev string
	// left is the number of lines of the unit that follow this one.
	left int
	kind string
	data []byte
	// hash is the hash of the whole line.
	hash string
}

// errLayout reports a line that matches its sum but not the layout.
var errLayout = errors.New("the line does not have the layout of a session line")

// parseLine checks a line's sum and splits it. The layout is strict, so that no two lines mean the same. data may
// share memory with raw.
func parseLine(raw []byte) (line, error) {
	open, hash, err := ledger.Unseal(raw)
	if err != nil {
		return line{}, err
	}
	l := line{hash: hash}
	var seq, at, prev, left, kind []byte
	rest, ok := bytes.CutPrefix(open, []byte(beginSeq))
	for _, part := range []struct {
		into *[]byte
		end  string
	}{{&seq, beginAt}, {&at, beginPrev}, {&prev, closePrev}, {&left, beginKind}, {&kind, beginData}} {
		if ok {
			*part.into, rest, ok = bytes.Cut(rest, []byte(part.end))
		}
	}
	if !ok || len(prev) != hashDigits {
		return line{}, errLayout
	}
	l.prev, l.kind = string(prev), string(kind)
	l.data = rest
	if l.seq, ok = number(seq); !ok {
		return line{}, errLayout
	}
	if len(left) > 0 {
		left, ok = bytes.CutPrefix(left, []byte(beginLeft))
		if l.left, _ = number(left); !ok || l.left < 1 {
			return line{}, errLayout
		}
	}
	if l.at, err = time.Parse(time.RFC3339Nano, string(at)); err != nil || stamp(l.at) != string(at) {
		return line{}, errLayout
	}
	l.at = l.at.UTC()
	return l, nil
}

// number parses a whole number in the form that moot writes.
func number(digits []byte) (int, bool) {
	n, err := strconv.Atoi(string(digits))
	if err != nil || strconv.Itoa(n) != string(digits) {
		return 0, false
	}
	return n, true
}

// stamp formats a time as in a line.
func stamp(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

// chain is the end of a chain of lines: the last seq, the hash of the last line, and how many lines its unit still
// lacks.
type chain struct {
	seq  int
	head string
	left int
}

func newChain() chain { return chain{head: ledger.ZeroHash} }

// follow checks that a line is the next one of the chain, and advances the chain.
func (c *chain) follow(raw []byte) (line, error) {
	l, err := parseLine(raw)
	if err != nil {
		return line{}, err
	}
	if err := ledger.CheckLink(l.seq, c.seq+1, l.prev, c.head); err != nil {
		return line{}, err
	}
	if c.left > 0 && l.left != c.left-1 {
		return line{}, fmt.Errorf("left is %d, want %d", l.left, c.left-1)
	}
	c.seq, c.head, c.left = l.seq, l.hash, l.left
	return l, nil
}

// writer encodes events as lines.
type writer struct {
	chain   chain
	decoder *state.Decoder
}

func newWriter(at chain) *writer { return &writer{chain: at, decoder: state.NewDecoder()} }

// encode returns the lines of events as one unit, each with its newline, and the chain after them. It does not
// advance the writer. An event that cannot be read back is refused: a session must never contain what moot cannot
// replay.
func (w *writer) encode(events []state.Event) ([]byte, chain, error) {
	var lines []byte
	at := w.chain
	for i, e := range events {
		raw, hash, err := w.line(at, e, len(events)-1-i)
		if err != nil {
			return nil, w.chain, fmt.Errorf("event %d: %w", e.Seq, err)
		}
		lines = append(append(lines, raw...), '\n')
		at = chain{seq: e.Seq, head: hash}
	}
	return lines, at, nil
}

func (w *writer) line(at chain, e state.Event, left int) (raw []byte, hash string, err error) {
	if e.Data == nil {
		return nil, "", errors.New("it carries no data")
	}
	kind := state.KindOf(e.Data)
	switch {
	case e.Seq != at.seq+1:
		return nil, "", fmt.Errorf("after event %d: %w", at.seq, state.ErrOrder)
	case (e.Seq == 1) != (kind == opening):
		return nil, "", fmt.Errorf("its kind is %s; the first event of a session, and only that, is %s", kind,
			opening)
	case e.At.UTC().Year() < 0 || e.At.UTC().Year() > 9999:
		return nil, "", fmt.Errorf("its time %v is outside the years 0 to 9999", e.At)
	}
	data, err := marshal(e.Data)
	if err != nil {
		return nil, "", fmt.Errorf("write the data of %s: %w", kind, err)
	}
	if err := w.readBack(e.Data, data); err != nil {
		return nil, "", err
	}
	raw, hash = line{seq: e.Seq, at: e.At, prev: at.head, left: left, kind: kind, data: data}.seal()
	if len(raw)+1 > MaxLine {
		return nil, "", fmt.Errorf("its line of %d bytes is over the limit of %d", len(raw)+1, MaxLine)
	}
	return raw, hash, nil
}

// seal returns the line with its sum, without a newline, and its hash.
func (l line) seal() (raw []byte, hash string) {
	open := make([]byte, 0, len(l.data)+len(l.kind)+256)
	open = strconv.AppendInt(append(open, beginSeq...), int64(l.seq), 10)
	open = append(append(open, beginAt...), stamp(l.at)...)
	open = append(append(append(open, beginPrev...), l.prev...), closePrev...)
	if l.left > 0 {
		open = strconv.AppendInt(append(open, beginLeft...), int64(l.left), 10)
	}
	open = append(append(open, beginKind...), l.kind...)
	open = append(append(open, beginData...), l.data...)
	return ledger.Seal(open)
}

// readBack makes sure that data can be decoded: it has only known words and valid seats. Prompts, replies and usage
// are most of a file and written by moot itself, so they are not checked.
func (w *writer) readBack(payload state.Payload, data []byte) error {
	switch payload.(type) {
	case *state.PromptSent, *state.ReplyReceived, *state.UsageCounted:
		return nil
	}
	if _, err := w.decoder.Decode(state.KindOf(payload), data); err != nil {
		return fmt.Errorf("it could not be read back: %w", err)
	}
	return nil
}

// marshal encodes a payload as JSON on one line. Bytes that are not UTF-8 become U+FFFD.
func marshal(payload state.Payload) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(payload); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}
