package jsonlines

import (
	"errors"
	"io"

	"moot/lines"
)

// errLarge says that one object has more bytes than are taken.
var errLarge = errors.New("the object is too large")

// source is what is read: it knows its lines, and ends where an object is too large.
type source struct {
	*lines.Counter
	// from is what the counter reads: a search goes on there.
	from io.Reader
	// left is how many more bytes are passed on.
	left  int64
	large bool
}

func newSource(from io.Reader, line int) *source {
	return &source{Counter: lines.NewCounter(from, line), from: from}
}

// Read implements io.Reader.
func (s *source) Read(into []byte) (int, error) {
	if s.left <= 0 {
		s.large = true
		return 0, errLarge
	}
	n, err := s.Counter.Read(into[:min(int64(len(into)), s.left)])
	s.left -= int64(n)
	//nolint:wrapcheck // passed on as it is
	return n, err
}
