package jsonlines

import (
	"bytes"
	"errors"
	"io"
	"slices"
)

// errLarge says that one object has more bytes than are taken.
var errLarge = errors.New("the object is too large")

// lineCounter passes bytes on, and remembers where lines begin.
type lineCounter struct {
	from io.Reader
	// line is that of the first byte that is not forgotten; breaks are the offsets
	// of the line breaks behind it.
	line   int
	breaks []int64
	// passed counts the bytes; left is how many more are passed on.
	passed, left int64
	// failed is the error that ended it before the end.
	failed error
}

// Read implements io.Reader.
func (c *lineCounter) Read(into []byte) (int, error) {
	if c.left <= 0 {
		c.failed = errLarge
		return 0, errLarge
	}
	into = into[:min(int64(len(into)), c.left)]
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
	c.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		c.failed = err
	}
	//nolint:wrapcheck // passed on as it is
	return n, err
}

// at is the line of an offset.
func (c *lineCounter) at(offset int64) int {
	before, _ := slices.BinarySearch(c.breaks, offset)
	return c.line + before
}

// forget drops what lies before an offset.
func (c *lineCounter) forget(offset int64) {
	before, _ := slices.BinarySearch(c.breaks, offset)
	c.line += before
	c.breaks = slices.Delete(c.breaks, 0, before)
}
