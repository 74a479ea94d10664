package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// bounds are how long a recording and a line of it may be, in bytes.
type bounds struct{ file, line int }

// usualBounds leave room for the line that says that a recording is full.
func usualBounds() bounds { return bounds{file: MaxFile + 1<<10, line: 48 << 20} }

// LineError says what is wrong with a line of a recording.
type LineError struct {
	// Path is the file, Line counts from 1.
	Path string
	Line int
	Err  error
}

// Error names the line.
func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Err) }

// Unwrap returns what is wrong.
func (e *LineError) Unwrap() error { return e.Err }

// Recording is a recording that was read.
type Recording struct {
	Head  Head
	Calls []*Made
}

// Made is a call of a recording.
type Made struct {
	// Begin and End are its lines; End is zero where the recording ends before it.
	Begin, End Line
	// Reply is the line of the reply, nil where there was none.
	Reply *Line
	// Exchanges are its requests to an endpoint, in order.
	Exchanges []*Exchange
}

// Exchange is a request and what came of it.
type Exchange struct {
	Request Line
	// Response is nil where there was no answer: then Failed says why.
	Response, Failed *Line
	Chunks           []Line
	// Closed is nil where the recording ends before the body did.
	Closed *Line
}

// beginning is how every recording begins.
const beginning = `{"recording":`

// Is reports whether a file begins as a recording does.
func Is(content []byte) bool { return bytes.HasPrefix(content, []byte(beginning)) }

// Open reads a recording. What is wrong with a line is a *LineError.
func Open(path string) (*Recording, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the recording: %w", err)
	}
	defer file.Close()
	return Read(file, path)
}

// Read reads a recording; path is for errors.
func Read(r io.Reader, path string) (*Recording, error) { return usualBounds().read(r, path) }

func (b bounds) read(r io.Reader, path string) (*Recording, error) {
	lines := bufio.NewReaderSize(io.LimitReader(r, int64(b.file)+1), 64<<10)
	recording := &Recording{}
	total := 0
	for number := 1; ; number++ {
		line, err := b.readLine(lines)
		if total += len(line) + 1; total > b.file {
			err = fmt.Errorf("the recording has more than %d bytes", b.file)
		}
		switch {
		case errors.Is(err, io.EOF) && len(line) == 0 && number > 1:
			return recording, nil
		case errors.Is(err, io.EOF) && number > 1:
			err = errors.New("the line is cut: the recording ends inside of it; take it away to use what stands before it")
		case errors.Is(err, io.EOF) || err == nil && number == 1:
			err = recording.begin(line)
		case err == nil:
			err = recording.add(line)
		}
		if err != nil {
			return nil, &LineError{Path: path, Line: number, Err: err}
		}
	}
}

// readLine reads a line without its end; io.EOF says that it has none.
func (b bounds) readLine(lines *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > b.line:
			return line, fmt.Errorf("the line has more than %d bytes", b.line)
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// begin reads the head.
func (r *Recording) begin(line []byte) error {
	var head header
	if !Is(line) || json.Unmarshal(line, &head) != nil {
		return errors.New("this is no recording of moot: it does not begin with its head")
	}
	if head.Recording != Version {
		return fmt.Errorf("the recording has version %d, and this moot reads version %d: read it with moot %s", head.Recording, Version, head.Moot)
	}
	r.Head = Head{Moot: head.Moot, Session: head.Session, At: head.At}
	return nil
}

// add reads a line of a call.
func (r *Recording) add(text []byte) error {
	var line Line
	if err := json.Unmarshal(text, &line); err != nil {
		return fmt.Errorf("this is no line of a recording: %w", err)
	}
	if line.Kind == KindStopped {
		return nil
	}
	if line.Kind == KindBegin {
		if line.Call != len(r.Calls)+1 {
			return fmt.Errorf("call %d begins, where call %d is due", line.Call, len(r.Calls)+1)
		}
		if line.Seat == "" || line.Stage == "" {
			return errors.New("the call names no seat and stage")
		}
		r.Calls = append(r.Calls, &Made{Begin: line})
		return nil
	}
	if line.Call < 1 || line.Call > len(r.Calls) {
		return fmt.Errorf("the line belongs to call %d, which did not begin", line.Call)
	}
	return r.Calls[line.Call-1].add(&line)
}

// add takes a line of the call.
func (m *Made) add(line *Line) error {
	switch line.Kind {
	case KindRequest:
		m.Exchanges = append(m.Exchanges, &Exchange{Request: *line})
	case KindResponse, KindFailed, KindChunk, KindClosed:
		return m.answer(line)
	case KindReply:
		m.Reply = line
	case KindEnd:
		m.End = *line
	case KindNote, KindProgram, KindStdin, KindStdout, KindStderr, KindExit:
	case KindBegin, KindStopped:
	default:
		return fmt.Errorf("a line of an unknown kind, %q", line.Kind)
	}
	_, err := line.Data()
	return err
}

// answer takes a line of an answer.
func (m *Made) answer(line *Line) error {
	for _, exchange := range m.Exchanges {
		if exchange.Request.Request != line.Request {
			continue
		}
		exchange.add(line)
		_, err := line.Data()
		return err
	}
	return fmt.Errorf("an answer to request %d of call %d, which was not sent", line.Request, line.Call)
}

// add takes a line of the answer.
func (e *Exchange) add(line *Line) {
	if line.Kind == KindResponse {
		e.Response = line
	}
	if line.Kind == KindFailed {
		e.Failed = line
	}
	if line.Kind == KindChunk {
		e.Chunks = append(e.Chunks, *line)
	}
	if line.Kind == KindClosed {
		e.Closed = line
	}
}
