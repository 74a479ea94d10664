package own

import (
	"strings"
	"unicode/utf8"

	"moot/protocol"
)

// stream makes text of what a program writes, as it comes. What is no UTF-8 becomes
// U+FFFD.
type stream struct {
	watch func(protocol.Delta)
	text  strings.Builder
	// begun is the beginning of a character whose end has not come yet.
	begun []byte
}

// take takes a piece, and tells what is whole of it.
func (s *stream) take(piece []byte) error {
	s.begun = append(s.begun, piece...)
	whole := len(s.begun) - incomplete(s.begun)
	s.tell(s.begun[:whole])
	s.begun = append(s.begun[:0], s.begun[whole:]...)
	return nil
}

// end ends the stream: a character that was not completed is none. It tells
// nothing, since nobody may listen any more.
func (s *stream) end() {
	if len(s.begun) > 0 {
		s.text.WriteRune(utf8.RuneError)
	}
	s.begun = nil
}

func (s *stream) tell(piece []byte) {
	if len(piece) == 0 {
		return
	}
	text := strings.ToValidUTF8(string(piece), string(utf8.RuneError))
	s.text.WriteString(text)
	if s.watch != nil {
		s.watch(protocol.Delta{Text: text})
	}
}

// String is the text so far.
func (s *stream) String() string { return s.text.String() }

// incomplete is how many bytes at the end begin a character that is not whole.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}
