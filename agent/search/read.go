package search

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"strings"
)

// A reader reads whole files into one buffer, and belongs to one goroutine.
type reader struct {
	buffer []byte
	limit  int64
}

// read returns the content of a file, valid until the next read, or the reason
// why it is not to be searched. The file is judged by what was opened, not by
// what the folder listed, since the two can differ by then.
func (r *reader) read(root *os.Root, name string, named bool) ([]byte, Reason) {
	file, err := root.OpenFile(name, openFlags, 0)
	if err != nil {
		return nil, ReasonUnreadable
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, ReasonUnreadable
	case !info.Mode().IsRegular():
		return nil, ReasonSpecial
	case info.Size() > r.limit:
		return nil, ReasonTooLarge
	}
	if need := int(min(info.Size(), r.limit)) + 1; cap(r.buffer) < need {
		r.buffer = make([]byte, need, need*3/2)
	}
	r.buffer = r.buffer[:cap(r.buffer)]
	n, err := io.ReadFull(file, r.buffer)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, ReasonUnreadable
	}
	data := r.buffer[:n]
	switch {
	case int64(n) > r.limit || err == nil:
		return nil, ReasonTooLarge // it grew while it was read
	case bytes.IndexByte(data, 0) >= 0:
		return nil, ReasonBinary
	case !named && hasLongLines(name, data):
		return nil, ReasonLongLines
	}
	return data, ""
}

// hasLongLines says whether a file was not written to be read: minified code,
// data in one line. Prose may keep a paragraph on a line.
func hasLongLines(name string, data []byte) bool {
	const longMean, longProse, small = 250, 2000, 4000
	if len(data) < small {
		return false
	}
	mean := len(data) / (bytes.Count(data, []byte{'\n'}) + 1)
	if isProse(name) {
		return mean > longProse
	}
	return mean > longMean
}

// isProse says by a file's name whether it is written text rather than code.
func isProse(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".rst", ".txt", ".adoc", ".org", ".tex":
		return true
	case "":
		base := strings.ToUpper(path.Base(name))
		return strings.HasPrefix(base, "README") || strings.HasPrefix(base, "CHANGELOG") || strings.HasPrefix(base, "LICENSE")
	default:
		return false
	}
}
