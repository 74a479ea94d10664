package store

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"moot/ledger"
	"moot/state"
)

// MaxLine is the maximum length of a line in bytes, including the newline: 16 MiB. Longer lines are neither written
// nor read.
const MaxLine = 16 << 20

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
	// channel comes from the event, and is left out if it is "".
	channel state.Channel
	data    []byte
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
	rest, ok := bytes.CutPrefix(open, []byte(`{"seq":`))
	for _, part := range []struct {
		into *[]byte
		end  string
	}{{&seq, `,"at":"`}, {&at, `","prev":"`}, {&prev, `"`}, {&left, `,"kind":"`}, {&kind, `","data":`}} {
		if ok {
			*part.into, rest, ok = bytes.Cut(rest, []byte(part.end))
		}
	}
	if !ok || len(prev) != hashDigits {
		return line{}, errLayout
	}
	kind, channel, named := bytes.Cut(kind, []byte(`","channel":"`))
	l.prev, l.kind, l.channel, l.data = string(prev), string(kind), state.Channel(channel), rest
	if named && (l.channel == "" || !slices.Contains(state.Channels(), l.channel)) {
		return line{}, errLayout
	}
	if l.seq, ok = number(seq); !ok {
		return line{}, errLayout
	}
	if len(left) > 0 {
		left, ok = bytes.CutPrefix(left, []byte(`,"left":`))
		if l.left, _ = number(left); !ok || l.left < 1 {
			return line{}, errLayout
		}
	}
	l.at, err = time.Parse(time.RFC3339Nano, string(at))
	if l.at = l.at.UTC(); err != nil || !bytes.Equal(appendTime(make([]byte, 0, 64), l.at), at) {
		return line{}, errLayout
	}
	return l, nil
}

// number parses a whole number in the form that moot writes.
func number(digits []byte) (int, bool) {
	n, err := strconv.Atoi(string(digits))
	if err != nil || !bytes.Equal(strconv.AppendInt(make([]byte, 0, 20), int64(n), 10), digits) {
		return 0, false
	}
	return n, true
}

// appendTime appends a time as in a line.
func appendTime(to []byte, at time.Time) []byte { return at.UTC().AppendFormat(to, time.RFC3339Nano) }

// chain is the end of a chain of lines: the last seq, the hash of the last line, and how many lines its unit still
// lacks.
type chain struct {
	seq  int
	head string
	left int
	// refuse keeps words out that could not be read again. It is made for the first event that is added.
	refuse json.Options
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

// encode appends the lines of events to lines as one unit, each with its newline, and returns the chain after them.
func (c chain) encode(lines *bytes.Buffer, events []state.Event) (chain, error) {
	for i, e := range events {
		begin := lines.Len()
		if err := c.add(lines, e, len(events)-1-i); err != nil {
			return c, fmt.Errorf("event %d: %w", e.Seq, err)
		}
		if size := lines.Len() - begin; size > MaxLine {
			return c, fmt.Errorf("event %d: its line of %d bytes is over the limit of %d", e.Seq, size, MaxLine)
		}
	}
	return c, nil
}

// add appends the line of an event to lines, and advances the chain.
func (c *chain) add(lines *bytes.Buffer, e state.Event, left int) error {
	if e.Data == nil {
		return errors.New("it carries no data")
	}
	kind := state.KindOf(e.Data)
	switch {
	case e.Seq != c.seq+1:
		return fmt.Errorf("after event %d: %w", c.seq, state.ErrOrder)
	case (e.Seq == 1) != (kind == opening):
		return fmt.Errorf("its kind is %s; the first event of a session, and only that, is %s", kind, opening)
	case e.At.UTC().Year() < 0 || e.At.UTC().Year() > 9999:
		return fmt.Errorf("its time %v is outside the years 0 to 9999", e.At)
	}
	if c.refuse == nil {
		c.refuse = state.RefuseWords()
	}
	l := line{seq: e.Seq, at: e.At, left: left, kind: kind, channel: e.Channel}
	return l.appendTo(lines, c, func() error { return state.Encode(lines, e.Data, c.refuse) })
}

// appendTo appends the line to lines, with its newline, and advances the chain. write appends the data of the event.
func (l *line) appendTo(lines *bytes.Buffer, c *chain, write func() error) error {
	begin := lines.Len()
	head := strconv.AppendInt(append(lines.AvailableBuffer(), `{"seq":`...), int64(l.seq), 10)
	head = append(appendTime(append(head, `,"at":"`...), l.at), `","prev":"`...)
	head = append(append(head, c.head...), '"')
	if l.left > 0 {
		head = strconv.AppendInt(append(head, `,"left":`...), int64(l.left), 10)
	}
	head = append(append(head, `,"kind":"`...), l.kind...)
	if l.channel != "" {
		head = append(append(head, `","channel":"`...), l.channel...)
	}
	head = append(head, `","data":`...)
	lines.Write(head)
	if err := write(); err != nil {
		return err
	}
	c.seq, c.left, c.head = l.seq, l.left, ledger.Seal(lines, begin)
	return lines.WriteByte('\n')
}
