package dialectic

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/enum"
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

// locate returns an offset within the value that a pointer names, or within the
// innermost one that is there.
func locate(text []byte, at jsontext.Pointer) int64 {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	var nearest int64
	for depth := -1; ; {
		name := decoder.StackDepth() > 0 && isName(decoder)
		if _, err := decoder.ReadToken(); err != nil {
			return nearest
		}
		here := decoder.StackPointer()
		switch {
		case here == at && !name:
			return decoder.InputOffset() - 1
		case here.Contains(at):
			if len(here) > depth {
				nearest, depth = decoder.InputOffset()-1, len(here)
			}
		case name:
			if decoder.SkipValue() != nil {
				return nearest
			}
		}
	}
}

// brokenAt is the place within a value where its bytes are no JSON any more. The
// error of the decoder that read the values before may lack the first name of it.
func brokenAt(text []byte) jsontext.Pointer {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		_, err := decoder.ReadToken()
		var syntactic *jsontext.SyntacticError
		if errors.As(err, &syntactic) {
			return syntactic.JSONPointer
		}
		if err != nil {
			return ""
		}
	}
}

// isName reports whether the next token is the name of a member.
func isName(decoder *jsontext.Decoder) bool {
	kind, read := decoder.StackIndex(decoder.StackDepth())
	return kind == '{' && read%2 == 0 && decoder.PeekKind() == '"'
}

// UnmarshalJSONFrom refuses a proposal that is too large before it is looked at.
func (p *Proposal) UnmarshalJSONFrom(from *jsontext.Decoder) error {
	type plain Proposal
	begins := from.InputOffset()
	if err := json.UnmarshalDecode(from, (*plain)(p)); err != nil {
		//nolint:wrapcheck // the decoder knows the place
		return err
	}
	if n := from.InputOffset() - begins; n > LargestProposal {
		return largeError(n)
	}
	return nil
}

// largeError is the size of a proposal that is too large.
type largeError int64

// Error implements error.
func (e largeError) Error() string {
	return fmt.Sprintf("the proposal has %d bytes, more than %d MiB", int64(e), LargestProposal>>20)
}

// explain puts the decoder's error in words.
func explain(e *json.SemanticError) string {
	var unknown *enum.UnknownError
	var large largeError
	switch {
	case errors.As(e, &unknown):
		return unknown.Error()
	case errors.As(e, &large):
		return large.Error()
	case errors.Is(e, errNull):
		return errNull.Error()
	case errors.Is(e, json.ErrUnknownName):
		name := e.JSONPointer.LastToken()
		known := fieldNames(e.GoType)
		if nearest := enum.Nearest(name, known); nearest != "" {
			return fmt.Sprintf("there is no such field; did you mean %q?", nearest)
		}
		return "there is no such field (known: " + strings.Join(known, ", ") + ")"
	case e.Err != nil && len(e.JSONValue) > 0:
		return fmt.Sprintf("%s is not %s", e.JSONValue, kindOf(e.GoType))
	case e.Err != nil && e.JSONKind == '"':
		return e.Err.Error()
	}
	return "it takes " + kindOf(e.GoType) + ", not " + kindNamed(e.JSONKind)
}

// fieldNames are the names that an object of a type may have.
func fieldNames(of reflect.Type) []string {
	var names []string
	for of != nil && of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if of == nil || of.Kind() != reflect.Struct {
		return names
	}
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			names = append(names, fieldNames(field.Type)...)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// kindOf names what a type is read from.
func kindOf(t reflect.Type) string {
	if t == nil {
		return "a value"
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "a text"
	}
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number that a double can hold"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	}
	return "a value"
}

// kindNamed names what a JSON value is.
func kindNamed(kind jsontext.Kind) string {
	switch byte(kind) {
	case '"':
		return "a text"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "a truth value"
	case 'n':
		return "null"
	}
	return "a value"
}
