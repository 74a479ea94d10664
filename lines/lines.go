// Package lines tells in which line of a stream a byte stands, for readers that know
// the offset of what is wrong: those of packets, and of JSON Lines. It is pure and
// imports nothing of moot. Start at NewCounter.
package lines

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// Counter passes bytes on, and remembers where lines begin.
type Counter struct {
	from io.Reader
	// line is that of the first byte that is not forgotten; breaks are the offsets of
	// the line breaks behind it.
	line   int
	breaks []int64
	// passed counts the bytes.
	passed int64
	failed error
}

// NewCounter returns a Counter of a stream whose first byte stands in a line, from 1.
func NewCounter(from io.Reader, line int) *Counter { return &Counter{from: from, line: line} }

// Read implements io.Reader.
func (c *Counter) Read(into []byte) (int, error) {
	n, err := c.from.Read(into)
	for from := 0; ; {
		at := bytes.IndexByte(into[from:n], '\n')
		if at < 0 {
			break
		}
		c.breaks = append(c.breaks, c.passed+int64(from+at))
		from += at + 1
	}
	c.passed += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.failed = err
	}
	//nolint:wrapcheck // passed on as it is
	return n, err
}

// Failed returns the error that ended the stream before its end, or nil.
func (c *Counter) Failed() error { return c.failed }

// At is the line of an offset that is not forgotten, from 1.
func (c *Counter) At(offset int64) int {
	before, _ := slices.BinarySearch(c.breaks, offset)
	return c.line + before
}

// Forget drops what lies before an offset.
func (c *Counter) Forget(offset int64) {
	before, _ := slices.BinarySearch(c.breaks, offset)
	c.line += before
	c.breaks = slices.Delete(c.breaks, 0, before)
}
