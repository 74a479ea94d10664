// Package jsonlines reads the JSON objects of an input, one object or one per line, and reports what is wrong
// with an object by its line and the path within it. moot resolve, moot conflicts, moot judge and packets use
// it. It is pure: the caller opens the input and limits its size. Start at Reader; Decode fills a Go value from
// the text of an object.
package jsonlines

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// Largest is how many bytes of input the batch commands read.
	Largest = 64 << 20
	// Deepest is how deep objects and lists may be nested; the JSON library enforces it.
	Deepest = 10_000
)

// Error reports what is wrong with one object, and where.
type Error struct {
	// Line counts from 1 in the whole input.
	Line int
	// Path is the place within the object, such as "artifact.objections[2].severity", or "" for the object itself.
	Path string
	// What reports the mistake, in a clause.
	What string
}

// Error shortens long paths and texts to their beginning and end.
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("line %d: %s", e.Line, shorten(e.What))
	}
	return fmt.Sprintf("line %d: %s: %s", e.Line, shorten(e.Path), shorten(e.What))
}

func shorten(text string) string {
	const end = 300
	if len(text) <= 2*end {
		return text
	}
	return strings.ToValidUTF8(text[:end], "") + " … " + strings.ToValidUTF8(text[len(text)-end:], "")
}

// Dotted formats a pointer as in artifact.objections[2].severity.
func Dotted(at jsontext.Pointer) string {
	var path strings.Builder
	for token := range at.Tokens() {
		switch _, err := strconv.Atoi(token); {
		case err == nil:
			path.WriteString("[" + token + "]")
			continue
		case path.Len() > 0:
			path.WriteByte('.')
		}
		path.WriteString(token)
	}
	return path.String()
}

// Reader returns one JSON object after the other.
type Reader struct {
	text []byte
	// object is the last result of Next, begin its offset and line its line.
	object      jsontext.Value
	begin, line int
	// next is where the search for the next object begins.
	next int
	read int
}

// NewReader returns a Reader of one object or of JSON Lines. A byte order mark at the beginning is skipped.
func NewReader(text []byte) *Reader {
	return &Reader{text: bytes.TrimPrefix(text, []byte("\ufeff")), line: 1}
}

// Next returns the text of the next object, or io.EOF after the last. The object has no duplicate names and is
// valid UTF-8. Any other error is an *Error about one object, and Next continues after it: if the object is not
// JSON at all, with the next line that begins with a brace.
func (r *Reader) Next() (jsontext.Value, error) {
	rest := bytes.TrimLeft(r.text[r.next:], " \t\r\n")
	begin := len(r.text) - len(rest)
	r.line += bytes.Count(r.text[r.begin:begin], []byte("\n"))
	r.begin = begin
	if len(rest) == 0 {
		if r.read++; r.read == 1 {
			return nil, &Error{Line: 1, What: "there is no JSON object"}
		}
		return nil, io.EOF
	}
	r.read++
	value, err := jsontext.NewDecoder(bytes.NewBuffer(rest)).ReadValue()
	if err != nil {
		r.next = len(r.text)
		if i := bytes.Index(rest, []byte("\n{")); i >= 0 {
			r.next = r.begin + i + 1
		}
		return nil, r.malformed(rest, err)
	}
	r.next = r.begin + len(value)
	r.object = value
	if value.Kind() != jsontext.KindBeginObject {
		return nil, r.Locate(Faultf("", "it takes an object, not %s", KindName(value.Kind())))
	}
	return value, nil
}

// malformed turns an error of the JSON library about a text into an *Error. The library's error may lack the
// first name of the path, so the text is read again, token by token.
func (r *Reader) malformed(text []byte, err error) error {
	var syntax, again *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("read the input: %w", err)
	}
	what := syntax.Err.Error()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		what = "the JSON ends before the object does"
	case what == "exceeded max depth":
		what = fmt.Sprintf("objects and lists are nested more than %d deep", Deepest)
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(text))
	for err = nil; err == nil; {
		_, err = decoder.ReadToken()
	}
	path := syntax.JSONPointer
	if errors.As(err, &again) {
		path = again.JSONPointer
	}
	line := r.line + bytes.Count(text[:syntax.ByteOffset], []byte("\n"))
	return &Error{Line: line, Path: Dotted(path), What: what}
}

// Line returns the line on which the last object begins, from 1.
func (r *Reader) Line() int { return r.line }

// Locate converts a *Fault in the last object into an *Error and returns other errors unchanged. For a path
// that does not exist, it uses the line of the innermost existing value.
func (r *Reader) Locate(err error) error {
	var fault *Fault
	if !errors.As(err, &fault) {
		return err
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(r.object))
	offset := int64(0)
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			break
		}
		closes := token.Kind() == jsontext.KindEndObject || token.Kind() == jsontext.KindEndArray
		if !closes && decoder.StackPointer().Contains(fault.At) {
			offset = decoder.InputOffset() - 1
		}
	}
	line := r.line + bytes.Count(r.object[:offset], []byte("\n"))
	return &Error{Line: line, Path: Dotted(fault.At), What: fault.What}
}
