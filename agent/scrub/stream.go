package scrub

import (
	"bytes"
	"slices"
	"strings"
)

const (
	// maxLine is how much of a line without an end is held back, in bytes, to be
	// read as JSON once it is whole.
	maxLine = 256 << 10
	// maxHeld is how far back a piece of JSON is held that may begin a secret.
	maxHeld = 16 << 10
	// maxWord is how long a word may be that is held because it may be a secret
	// with its middle starred out.
	maxWord = 4 << 10
)

// Piece is a part of a stream that holds no secret any more.
type Piece struct {
	Data []byte
	// At is the mark that came with it.
	At int64
}

// Stream takes secrets out of bytes as they come. It holds back what may be the
// beginning of one. It is used by one goroutine at a time.
type Stream struct {
	scrubber *Scrubber
	// held are bytes that were not given out yet, from offset base on; marks say
	// where each piece of them ends.
	held  []byte
	base  int
	marks []mark
	// lineAt is where the first line begins that was not read yet; no line ends
	// before looked.
	lineAt, looked int
	// strings are the ends of the JSON strings that came, by their names.
	strings map[string]*spelling
	// hidden are ranges of the stream to be replaced, in no order.
	hidden []span
}

// mark is where a piece ends.
type mark struct {
	end int
	at  int64
}

// span is a range of the stream and what stands for it.
type span struct {
	start, end int
	text       string
}

// Stream returns a stream that is scrubbed.
func (s *Scrubber) Stream() *Stream {
	return &Stream{scrubber: s, strings: map[string]*spelling{}}
}

// Write takes the next bytes, with a mark of the caller's, and returns what can
// be given out.
func (s *Stream) Write(data []byte, at int64) []Piece {
	s.held = append(s.held, data...)
	s.marks = append(s.marks, mark{s.base + len(s.held), at})
	return s.out(false)
}

// Close returns the rest.
func (s *Stream) Close() []Piece { return s.out(true) }

func (s *Stream) out(last bool) []Piece {
	set := s.scrubber.current()
	end := s.base + len(s.held)
	if len(set.forms) == 0 {
		s.lineAt, s.looked = end, end
		return s.give(end, nil)
	}
	s.readLines(set, last)
	if s.lineHold() == s.base && !last {
		return nil
	}
	spans := s.spans(set)
	cut := end
	if !last {
		cut = min(s.lineHold(), s.base+set.hold(s.held), s.spellingHold(set))
	}
	for _, span := range spans {
		if span.start < cut && cut < span.end {
			cut = span.start
		}
	}
	return s.give(cut, spans)
}

// lineHold is where the line begins that is not whole, unless it is very long.
func (s *Stream) lineHold() int {
	if end := s.base + len(s.held); end-s.lineAt > maxLine {
		s.lineAt = end
	}
	return max(s.lineAt, s.base)
}

// hold is where in the text something begins that may become a secret.
func (set *secrets) hold(text []byte) int {
	at := max(0, len(text)-set.longest)
	for ; at < len(text); at++ {
		rest := text[at:]
		for _, form := range set.byFirst[rest[0]] {
			if len(rest) < len(form) && form[:len(rest)] == string(rest) {
				return set.holdWord(text, at)
			}
		}
	}
	return set.holdWord(text, len(text))
}

// holdWord is where the last word begins, if it may be a masked secret.
func (set *secrets) holdWord(text []byte, at int) int {
	word := bytes.LastIndexAny(text, delimiters) + 1
	if word < at && len(text)-word <= maxWord && set.begins(string(text[word:])) {
		return word
	}
	return at
}

// spans are the ranges to be replaced in what is held, in order and apart.
func (s *Stream) spans(set *secrets) []span {
	found := slices.Clone(s.hidden)
	text := string(s.held)
	for at := 0; at < len(text); {
		length := set.formAt(text[at:])
		if length == 0 {
			at++
			continue
		}
		found = append(found, span{s.base + at, s.base + at + length, Redacted})
		at += length
	}
	found = append(found, s.masked(set, text)...)
	return apart(found)
}

// formAt is how long the secret is that the text begins with, or 0.
func (set *secrets) formAt(text string) int {
	for _, form := range set.byFirst[text[0]] {
		if strings.HasPrefix(text, form) {
			return len(form)
		}
	}
	return 0
}

// masked are the words that look like a secret with its middle starred out.
func (s *Stream) masked(set *secrets, text string) []span {
	if !strings.Contains(text, "**") && !strings.Contains(text, "...") {
		return nil
	}
	var found []span
	for at := 0; at < len(text); {
		end := strings.IndexAny(text[at:], delimiters)
		if end < 0 {
			end = len(text) - at
		}
		if set.masked(text[at : at+end]) {
			found = append(found, span{s.base + at, s.base + at + end, Redacted})
		}
		at += end + 1
	}
	return found
}

// give returns the pieces of what is held up to a place, with the spans replaced.
func (s *Stream) give(cut int, spans []span) []Piece {
	var pieces []Piece
	at := s.base
	for len(s.marks) > 0 && at < cut {
		end := min(s.marks[0].end, cut)
		var data []byte
		for at < end {
			for len(spans) > 0 && spans[0].end <= at {
				spans = spans[1:]
			}
			switch {
			case len(spans) == 0 || spans[0].start >= end:
				data = append(data, s.held[at-s.base:end-s.base]...)
				at = end
			case at < spans[0].start:
				data = append(data, s.held[at-s.base:spans[0].start-s.base]...)
				at = spans[0].start
			default:
				if at == spans[0].start {
					data = append(data, spans[0].text...)
				}
				at = min(spans[0].end, end)
			}
		}
		if len(data) > 0 {
			pieces = append(pieces, Piece{Data: data, At: s.marks[0].at})
		}
		if s.marks[0].end <= cut {
			s.marks = s.marks[1:]
		}
	}
	s.held = append([]byte(nil), s.held[cut-s.base:]...)
	s.base = cut
	s.forget()
	return pieces
}

// forget drops what was hidden in what was given out.
func (s *Stream) forget() {
	left := s.hidden[:0]
	for _, span := range s.hidden {
		if span.end > s.base {
			left = append(left, span)
		}
	}
	s.hidden = left
}
