// Package tty reads the terminal for Bubble Tea, which tells keys, replies of the terminal and pastes apart by what
// arrives within 50 ms. Over a slow line that is not enough: the rest of a reply is taken for keys, and a paste without
// brackets presses enter after each line. Filter passes on only what Bubble Tea can't misread: whole sequences, whole
// characters, and pastes in brackets. Filter is pure; start there. Input is a terminal with a Filter.
package tty

import (
	"bytes"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// escapeTime is how long an escape character may be the beginning of a sequence. Then it is the escape key.
	escapeTime = 200 * time.Millisecond
	// quickTime is how soon the rest of a key such as alt+q follows its escape character.
	quickTime = 30 * time.Millisecond
	// burstTime is how close the bytes of a paste are together. Nobody types as fast.
	burstTime = 15 * time.Millisecond
	// pasteTime is how soon after a paste more text is its continuation.
	pasteTime = 100 * time.Millisecond
	// replyTime is how long the rest of a reply is waited for, lostTime how much later it is still recognized.
	replyTime, lostTime = 3 * time.Second, 30 * time.Second
	// maxReply is the length of the longest reply in bytes, maxKeys that of keys that may turn out to be a paste.
	maxReply, maxKeys = 4096, 512
)

const (
	escape     = 0x1b
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	// escapeKey is the escape key in a form that begins nothing else.
	escapeKey = "\x1b[27u"
)

// Filter turns what a terminal sends into what Bubble Tea reads without mistakes. The zero Filter is ready.
type Filter struct {
	out []byte
	// held are bytes that can't be passed on yet; the first came at since. last is when any byte came last.
	held        []byte
	since, last time.Time
	// apart says that an escape character and what followed it were not one key.
	apart bool
	// bracketed says that the terminal is sending a paste in brackets, pasting that Filter has opened brackets itself;
	// pasted is when it closed them. burst says that the last byte was text, up to burstTime ago.
	bracketed, pasting bool
	pasted             time.Time
	burst              bool
	// lost is a beginning of a sequence that was not waited for any longer, since lostAt. Its rest may still come.
	lost   []byte
	lostAt time.Time
	// attributes says that the terminal has reported its attributes.
	attributes bool
}

// Feed takes the bytes of a read and returns those to pass on. They are valid until the next call.
func (f *Filter) Feed(read []byte, now time.Time) []byte {
	f.out = f.out[:0]
	if len(read) == 0 {
		return nil
	}
	gap := now.Sub(f.last)
	f.last = now
	f.burst = f.burst && gap <= burstTime
	switch {
	case len(f.held) == 0, f.bracketed:
	case f.held[0] == escape:
		if !f.continues(read, gap, now) {
			f.giveUp(now)
		}
	case gap > burstTime && utf8.FullRune(f.held):
		f.out = append(f.out, f.held...)
		f.held = nil
	case gap > replyTime:
		// The rest of this character never came.
		f.held = nil
	}
	if len(f.held) == 0 {
		f.since, f.apart = now, false
	}
	b := slices.Concat(f.held, read)
	f.held = nil
	if len(f.lost) > 0 {
		b = b[f.restOfLost(b, now):]
	}
	for len(b) > 0 {
		n := f.step(b, now)
		if n == 0 {
			f.held = bytes.Clone(b)
			break
		}
		b, f.since = b[n:], now
	}
	return f.out
}

// continues reports whether the bytes of a read belong to the sequence whose beginning is held.
func (f *Filter) continues(read []byte, gap time.Duration, now time.Time) bool {
	if len(f.held) > 1 {
		return now.Sub(f.since) <= replyTime
	}
	f.apart = gap > quickTime
	switch read[0] {
	case '[', ']':
		return true
	case 'O', 'P', 'X', '^', '_':
		// A person types a capital letter alone.
		return !f.apart || len(read) > 1
	}
	return !f.apart
}

// giveUp doesn't wait any longer for the rest of a sequence. If its beginning is a key by itself, it is that key.
func (f *Filter) giveUp(now time.Time) {
	switch {
	case len(f.held) == 1:
		f.out = append(f.out, escapeKey...)
	case string(f.held) == "\x1b\x1b":
		f.out = append(f.out, escapeKey+escapeKey...)
	case len(f.held) == 2 && f.apart:
		f.out = append(append(f.out, escapeKey...), f.held[1])
	case len(f.held) == 2:
		f.out = append(f.out, f.held...)
	}
	f.lost, f.lostAt, f.held = f.held, now, nil
}

// restOfLost returns the length of the rest of the sequence that was given up, 0 if b doesn't begin with it.
func (f *Filter) restOfLost(b []byte, now time.Time) int {
	lost := f.lost
	f.lost = nil
	if b[0] == escape && len(lost) <= 2 {
		// The escape key, and a later key such as down.
		return 0
	}
	n, how := sequence(append(bytes.Clone(lost), b...))
	// One character alone is typed by a person.
	if n -= len(lost); how != whole || n < 2 || now.Sub(f.lostAt) > lostTime {
		return 0
	}
	return n
}

// Wait returns how long to wait for more bytes before Expire, or 0 if nothing depends on that.
func (f *Filter) Wait() time.Duration {
	switch {
	case f.bracketed:
	case f.pasting:
		return burstTime
	case len(f.held) == 0:
	case f.held[0] == escape && len(f.held) <= 2:
		return escapeTime
	case f.held[0] != escape && utf8.FullRune(f.held):
		return burstTime
	}
	return 0
}

// Expire notes that nothing came for the time of Wait, and returns the bytes to pass on.
func (f *Filter) Expire(now time.Time) []byte {
	f.out = f.out[:0]
	switch {
	case f.pasting:
		f.pasting, f.pasted = false, now
		f.out = append(f.out, pasteEnd...)
		if len(f.held) > 0 && f.held[0] == escape {
			f.held = nil
		}
	case len(f.held) > 0 && f.held[0] == escape:
		f.giveUp(now)
	default:
		f.out = append(f.out, f.held...)
		f.held = nil
	}
	f.burst = false
	return f.out
}

// step passes on the beginning of b and returns its length, or 0 if more is needed.
func (f *Filter) step(b []byte, now time.Time) int {
	switch {
	case f.bracketed:
		return f.inBrackets(b)
	case b[0] == escape:
		n, how := sequence(b)
		switch how {
		case open:
			return 0
		case broken:
			f.lost, f.lostAt = bytes.Clone(b[:n]), now
		case whole:
			f.pass(b[:n])
		}
		return n
	case isText(b[0]):
		return f.text(b, now)
	}
	f.out, f.burst = append(f.out, b[0]), false
	return 1
}

// pass passes on a sequence, but no report that nobody has asked for.
func (f *Filter) pass(s []byte) {
	f.burst = false
	switch {
	case f.pasting && (string(s) == pasteStart || string(s) == pasteEnd):
		return
	case string(s) == pasteStart:
		f.bracketed = true
	case s[1] == ']' && len(s) > 5 && (string(s[2:5]) == "10;" || string(s[2:5]) == "11;" || string(s[2:5]) == "12;"):
		// A color of the terminal.
	case s[1] == ']', len(s) > 2 && (s[1] == 'P' || s[1] == 'X' || s[1] == '^' || s[1] == '_'):
		return
	case s[1] == '[' && len(s) > 3:
		switch s[len(s)-1] {
		case 'c':
			f.attributes = f.attributes || s[2] == '?'
			return
		case 'n', 't':
			return
		case 'R':
			// A position of the cursor in the first row looks like F3 with a modifier.
			return
		}
	}
	f.out = append(f.out, s...)
}

// inBrackets passes on a paste in brackets.
func (f *Filter) inBrackets(b []byte) int {
	if i := bytes.Index(b, []byte(pasteEnd)); i >= 0 {
		f.bracketed = false
		f.out = append(f.out, b[:i+len(pasteEnd)]...)
		return i + len(pasteEnd)
	}
	// The end may be cut.
	n := len(b)
	for i := max(0, len(b)-len(pasteEnd)+1); i < len(b); i++ {
		if bytes.HasPrefix([]byte(pasteEnd), b[i:]) {
			n = i
			break
		}
	}
	f.out = append(f.out, b[:n]...)
	return n
}

// text passes on text: typed, or a paste without brackets. Text before and behind a line break that comes in one burst
// is a paste.
func (f *Filter) text(b []byte, now time.Time) int {
	end := 0
	for end < len(b) && isText(b[end]) {
		end++
	}
	run := b[:end]
	if end == len(b) {
		// The last character may be cut.
		end = wholeRunes(run)
	}
	first := bytes.IndexAny(run, "\r\n")
	if first >= 0 && !f.pasting {
		rest := bytes.TrimLeft(run[first:], "\r\n")
		switch before := first > 0 || f.burst; {
		case now.Sub(f.pasted) <= pasteTime,
			before && len(rest) > 0,
			bytes.ContainsAny(bytes.TrimRight(rest, "\r\n"), "\r\n"):
			f.pasting = true
			f.out = append(f.out, pasteStart...)
		case before && len(run) == len(b) && len(run) <= maxKeys:
			// It is a paste if text follows.
			return 0
		case !before:
			// The user has pressed enter before the rest.
			end = len(run) - len(rest)
		}
	}
	f.out = append(f.out, b[:end]...)
	f.burst = end > 0 && !isBreak(b[end-1])
	return end
}

func isBreak(c byte) bool { return c == '\r' || c == '\n' }

// isText reports whether a byte is part of typed or pasted text rather than of another key.
func isText(c byte) bool { return c >= ' ' && c != 0x7f || c == '\t' || isBreak(c) }

// wholeRunes returns the length of b without the beginning of a character at its end.
func wholeRunes(b []byte) int {
	for i := len(b) - 1; i >= max(0, len(b)-utf8.UTFMax); i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return i
			}
			break
		}
	}
	return len(b)
}

// extent says how far a sequence was recognized.
type extent int

const (
	// whole is a complete sequence, open the beginning of one, broken one that is followed by something else.
	whole extent = iota
	open
	broken
)

// sequence measures the sequence at the beginning of b, whose first byte is an escape character.
func sequence(b []byte) (int, extent) {
	if len(b) == 1 {
		return 1, open
	}
	switch b[1] {
	case '[':
		return controlSequence(b)
	case ']', 'P', 'X', '^', '_':
		return controlString(b)
	case 'O':
		if len(b) == 2 {
			return 2, open
		}
		if b[2] < ' ' || b[2] > '~' {
			return 2, whole
		}
		return 3, whole
	case escape:
		if len(b) == 2 {
			return 2, open
		}
		n, how := sequence(b[1:])
		return n + 1, how
	}
	if !utf8.FullRune(b[1:]) {
		return len(b), open
	}
	_, n := utf8.DecodeRune(b[1:])
	return 1 + n, whole
}

// controlSequence measures a sequence such as a cursor key or a report: ESC [, parameters, and a final byte.
func controlSequence(b []byte) (int, extent) {
	i := 2
	if i < len(b) && b[i] == '[' {
		// A function key of the Linux console: ESC [ [ A.
		i++
	}
	for i < len(b) && b[i] >= ' ' && b[i] <= '?' {
		i++
	}
	switch {
	case i > maxKeys:
		return i, broken
	case i == len(b):
		return i, open
	case b[i] < '@' || b[i] > '~':
		return i, broken
	case b[i] == 'M' && i == 2:
		// A mouse event in the oldest form, with three bytes behind it.
		if len(b) < 6 {
			return len(b), open
		}
		return 6, whole
	}
	return i + 1, whole
}

// controlString measures a string such as the report of a color: ESC ], the text, and BEL or ESC \.
func controlString(b []byte) (int, extent) {
	color := len(b) > 4 && b[1] == ']' && b[2] == '1' && b[4] == ';'
	for i := 2; i < len(b) && i <= maxReply; i++ {
		switch c := b[i]; {
		case c == '\a':
			return i + 1, whole
		case c == escape && i+1 == len(b):
			return i, open
		case c == escape && b[i+1] == '\\':
			return i + 2, whole
		case c < ' ' || c == 0x7f, color && (i > maxKeys || i > 4 && strings.IndexByte("0123456789abcdefABCDEFrgb:/#;?", c) < 0):
			return i, broken
		}
	}
	if len(b) > maxReply {
		return len(b), broken
	}
	return len(b), open
}
