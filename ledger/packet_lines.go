package ledger

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// lineCounter passes bytes on, and remembers where lines begin.
type lineCounter struct {
	from io.Reader
	// line is that of the first byte that is not forgotten; breaks are the places of
	// the line breaks behind it.
	line   int
	breaks []int64
	// passed counts the bytes.
	passed int64
	// failed is the error that ended it before the end.
	failed error
}

// Read implements io.Reader.
func (c *lineCounter) Read(into []byte) (int, error) {
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

// at is the line of a place that is not forgotten, from 1.
func (c *lineCounter) at(place int64) int {
	before, _ := slices.BinarySearch(c.breaks, place)
	return c.line + before
}

// forget drops what lies before a place.
func (c *lineCounter) forget(place int64) {
	before, _ := slices.BinarySearch(c.breaks, place)
	c.line += before
	c.breaks = slices.Delete(c.breaks, 0, before)
}
