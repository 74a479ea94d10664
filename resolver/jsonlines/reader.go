package jsonlines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// LargestObject is the size of one object that a Reader takes, in bytes.
	LargestObject = 512 << 20
	// Deepest is how many objects and lists may lie in each other, the object
	// itself included.
	Deepest = 10_000
)

// Reader finds one JSON object after the other. It holds one at a time.
type Reader struct {
	lines   *source
	decoder *jsontext.Decoder
	// limit is that of one object.
	limit int64
	// failed says that the bytes of an object could not be taken apart: the next
	// one must be looked for.
	failed bool
	read   int
	// text is the object that was read last; it begins at an offset.
	text   jsontext.Value
	begins int64
}

// NewReader returns a Reader of JSON Lines, or of one object. A byte order mark
// at the beginning is no part of it.
func NewReader(from io.Reader) *Reader {
	r := &Reader{limit: LargestObject}
	r.start(&unmarked{from: from}, 1)
	return r
}

// start begins to decode what comes, at a line.
func (r *Reader) start(from io.Reader, line int) {
	r.lines = newSource(from, line)
	r.decoder = jsontext.NewDecoder(r.lines)
}

// Next returns the text of the next object, which stands until Next is called
// again, or io.EOF behind the last. It has no name twice and no bytes that are no
// UTF-8. An *Error is about one object, and Next goes on behind it: with the next
// line that begins with a brace, where the bytes of the object could not be taken
// apart. Any other error is that of reading.
func (r *Reader) Next() (jsontext.Value, error) {
	if r.failed {
		if err := r.resume(); err != nil {
			return nil, err
		}
	}
	r.lines.Forget(r.decoder.InputOffset())
	r.lines.left = r.limit
	text, err := r.decoder.ReadValue()
	switch {
	case err == nil:
	case errors.Is(err, io.EOF) && r.read > 0:
		return nil, io.EOF
	default:
		return nil, r.broken(err)
	}
	r.read++
	r.text, r.begins = text, r.decoder.InputOffset()-int64(len(text))
	if text.Kind() != jsontext.KindBeginObject {
		return nil, r.Wrong("", "it takes an object, not "+kindNamed(text.Kind()))
	}
	return text, nil
}

// Wrong is the Error that something is wrong at a place of the object that Next
// returned last.
func (r *Reader) Wrong(at jsontext.Pointer, what string) *Error {
	return &Error{Line: r.lines.At(r.begins + locate(r.text, at)), Path: Dotted(at), What: what}
}

// Line is where the object begins that Next returned last, from 1.
func (r *Reader) Line() int { return r.lines.At(r.begins) }

// broken says where bytes are no JSON.
func (r *Reader) broken(err error) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case r.lines.large:
		r.failed, r.read = true, r.read+1
		blanks := len(r.decoder.UnreadBuffer()) - len(bytes.TrimLeft(r.decoder.UnreadBuffer(), " \t\r\n"))
		return &Error{Line: r.lines.At(r.decoder.InputOffset() + int64(blanks)), What: fmt.Sprintf("the object has more than %d bytes", r.limit)}
	case r.lines.Failed() != nil:
		return fmt.Errorf("read the input: %w", r.lines.Failed())
	case errors.As(err, &syntactic):
		r.failed, r.read = true, r.read+1
		return &Error{Line: r.lines.At(syntactic.ByteOffset), Path: Dotted(brokenAt(r.decoder.UnreadBuffer())), What: syntax(syntactic)}
	case errors.Is(err, io.EOF):
		r.read++
		return &Error{Line: 1, What: "there is no JSON object"}
	}
	return fmt.Errorf("read the input: %w", err)
}

// tooDeep is what the decoder says of what lies deeper than Deepest.
const tooDeep = "exceeded max depth"

// syntax puts in words why bytes are no JSON.
func syntax(e *jsontext.SyntacticError) string {
	switch {
	case errors.Is(e, io.ErrUnexpectedEOF):
		return "the JSON ends before the object does"
	case e.Err.Error() == tooDeep:
		return fmt.Sprintf("more than %d objects and lists lie in each other", Deepest)
	}
	return e.Err.Error()
}

// resume looks for the next object behind one that is broken, which begins
// behind the blanks that were not read yet.
func (r *Reader) resume() error {
	line := r.lines.At(r.decoder.InputOffset())
	rest := bufio.NewReader(io.MultiReader(bytes.NewReader(r.decoder.UnreadBuffer()), r.lines.from))
	begun, fresh := false, false
	for {
		b, err := rest.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			r.failed = false
			r.start(rest, line)
			return nil
		case err != nil:
			return fmt.Errorf("read the input: %w", err)
		case b == '\n':
			line++
			fresh = begun
			continue
		case b == '{' && fresh:
			r.failed = false
			r.start(io.MultiReader(strings.NewReader("{"), rest), line)
			return nil
		}
		begun = begun || b != ' ' && b != '\t' && b != '\r'
		fresh = false
	}
}

// byteOrderMark is what some editors begin a file with.
const byteOrderMark = "\ufeff"

// unmarked passes bytes on, without a byte order mark at their beginning.
type unmarked struct {
	from  io.Reader
	begun bool
}

// Read implements io.Reader.
func (u *unmarked) Read(into []byte) (int, error) {
	if !u.begun {
		u.begun = true
		head := make([]byte, len(byteOrderMark))
		n, err := io.ReadFull(u.from, head)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			//nolint:wrapcheck // passed on as it is
			return 0, err
		}
		u.from = io.MultiReader(bytes.NewReader(bytes.TrimPrefix(head[:n], []byte(byteOrderMark))), u.from)
	}
	//nolint:wrapcheck // passed on as it is
	return u.from.Read(into)
}
