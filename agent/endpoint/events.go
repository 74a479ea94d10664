package endpoint

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

var (
	// errDone is the end that a stream announces with [DONE].
	errDone = errors.New("the stream is done")
	// errLongLine says that a line is longer than any reply may be.
	errLongLine = errors.New("the server sent a line longer than the limit on a reply")
	// errIdleLines says that a server sends lines without end and no data.
	errIdleLines = errors.New("the server sends comments and no data")
)

// events reads the data of server-sent events from a stream. The library's
// reader is passed by: it collects comments and takes them for the beginning
// of an error, which it then loses; it does not see an error that is written
// with a space after the brace; and it reads a line of any length into memory.
// Each data line is an event of its own, as all servers send it and some
// without the blank line in between.
type events struct {
	reader *bufio.Reader
	// maxLine is the longest line in bytes, maxIdle the most lines in a row
	// without data.
	maxLine, maxIdle int
	// long holds a line that does not fit the reader's buffer.
	long []byte
}

// next returns the data of the next event. It is valid until the next call.
// The end of a stream is errDone if it was announced, else io.EOF.
func (e *events) next() ([]byte, error) {
	for range e.maxIdle {
		line, err := e.line()
		if err != nil && (!errors.Is(err, io.EOF) || len(line) == 0) {
			return nil, err
		}
		// A field ends at the colon; one space after it does not count.
		name, value, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
		value = bytes.TrimSpace(value)
		switch {
		case len(value) == 0:
		case string(name) == "data" && string(value) == "[DONE]":
			return nil, errDone
		case string(name) == "data":
			return value, nil
		case string(name) == "error":
			// Older llama.cpp servers tell an error in a field of that name.
			return fmt.Appendf(nil, `{"error":%s}`, value), nil
		}
	}
	return nil, errIdleLines
}

// line returns the next line with its end, or with io.EOF what the stream
// ended on.
func (e *events) line() ([]byte, error) {
	e.long = e.long[:0]
	for {
		part, err := e.reader.ReadSlice('\n')
		if len(e.long)+len(part) > e.maxLine {
			return nil, errLongLine
		}
		if err == nil && len(e.long) == 0 {
			return part, nil
		}
		e.long = append(e.long, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return e.long, err
		}
	}
}

// firstByte skips white space and a byte order mark and returns the first byte
// of a body without taking it: what a body is, shows there, and not in its
// Content-Type, which many servers get wrong.
func firstByte(reader *bufio.Reader) (byte, error) {
	for {
		next, err := reader.Peek(1)
		if err != nil {
			return 0, err
		}
		switch next[0] {
		case ' ', '\t', '\r', '\n', 0xEF, 0xBB, 0xBF:
			_, _ = reader.Discard(1) // It was peeked at.
		default:
			return next[0], nil
		}
	}
}
