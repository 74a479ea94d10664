package extract

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"moot/internal/jsonlines"
)

// Longest is the longest line or JSON object that is read, in bytes.
const Longest = 1 << 20

// Text reads the text of the file in UTF-8, without a byte order mark. UTF-16 is known by that mark.
func (f *File) Text() io.Reader { return utf8Of(io.NewSectionReader(f, 0, f.Size)) }

func utf8Of(from io.Reader) io.Reader {
	return transform.NewReader(from, unicode.BOMOverride(transform.Nop))
}

// Lines calls take with each line that is not blank, without its end, and its number from 1. Longer lines than Longest are
// lost. A line may be invalid UTF-8, and is valid until the next one only.
func (f *File) Lines(into Sink, take func(number int, line []byte) error) error {
	lines := bufio.NewReaderSize(f.Text(), 64<<10)
	var long []byte
	for number := 1; ; number++ {
		line, err := lines.ReadSlice('\n')
		length := len(line)
		if errors.Is(err, bufio.ErrBufferFull) {
			long = append(long[:0], line...)
			for errors.Is(err, bufio.ErrBufferFull) {
				line, err = lines.ReadSlice('\n')
				if length += len(line); length <= Longest+2 {
					long = append(long, line...)
				}
			}
			line = long
		}
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return fmt.Errorf("read %s: %w", f.Name, err)
		}
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case length > Longest+2 || len(line) > Longest:
			into.Lost("line "+strconv.Itoa(number), 1, fmt.Sprintf("it is longer than %d bytes", Longest))
		case len(bytes.TrimSpace(line)) > 0:
			if err := take(number, line); err != nil {
				return err
			}
		}
		if ended {
			return nil
		}
	}
}

// Objects calls take with each JSON object of the file, whether they stand one per line, one after another, or in a list,
// and its place: its line, and for others on the same line a dot and their number, as in "1.2". An object that is not
// valid JSON, or longer than Longest, is lost, and reading continues with the next one.
func (f *File) Objects(into Sink, take func(place string, object jsontext.Value) error) error {
	s := splitter{from: bufio.NewReaderSize(f.Text(), 64<<10), line: 1, indent: -1}
	before, nth := 0, 1
	for {
		object, line, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		wrong, damaged := errors.AsType[*jsonlines.Error](err)
		if err != nil && !damaged {
			return fmt.Errorf("read %s: %w", f.Name, err)
		}
		if nth++; line != before {
			before, nth = line, 1
		}
		place := strconv.Itoa(line)
		if nth > 1 {
			place += "." + strconv.Itoa(nth)
		}
		if !damaged && !object.IsValid() {
			_, err = jsonlines.NewReader(object).Next()
			wrong, damaged = errors.AsType[*jsonlines.Error](err)
		}
		if damaged {
			what := wrong.What
			if wrong.Path != "" {
				what = wrong.Path + ": " + what
			}
			into.Lost("line "+place, 1, what)
			continue
		}
		if err := take(place, object); err != nil {
			return err
		}
	}
}

// splitter cuts a text into JSON objects by their braces.
type splitter struct {
	from *bufio.Reader
	// line counts from 1. indent is the number of blanks before the first object on its line, -1 before it: where a line
	// begins so with a brace, an object begins, even if the one before it does not end.
	line, indent int
	object       []byte
	// begun says that the brace of the next object was read.
	begun bool
}

// next returns the next object and its line. The error is a *jsonlines.Error for something that is no object.
func (s *splitter) next() (object jsontext.Value, line int, err error) {
	blanks := 0
	for junk := 0; !s.begun; {
		c, err := s.from.ReadByte()
		ended := err != nil || c == '\n' || c == '{'
		if ended && junk > 0 {
			if err == nil {
				_ = s.from.UnreadByte() // It was just read.
			}
			return nil, s.line, &jsonlines.Error{Line: s.line, What: "it is no JSON object"}
		}
		switch {
		case err != nil:
			return nil, 0, err
		case c == '\n':
			s.line++
			blanks = 0
		case c == '{':
			s.begun = true
		case c == ' ' || c == '\t':
			blanks++
		case c != '\r' && c != ',' && c != '[' && c != ']':
			junk++
		}
	}
	if s.indent < 0 {
		s.indent = blanks
	}
	s.begun, s.object, line = false, append(s.object[:0], '{'), s.line
	wrong := func(what string) error { return &jsonlines.Error{Line: line, What: what} }
	depth, inText, escaped, long := 1, false, false, false
	blanks = -1
	for depth > 0 {
		c, err := s.from.ReadByte()
		if errors.Is(err, io.EOF) {
			return nil, line, wrong("the JSON ends before the object does")
		}
		if err != nil {
			return nil, 0, err
		}
		if c == '{' && blanks == s.indent {
			s.begun = true
			return nil, line, wrong("the JSON ends before the object does")
		}
		if long = len(s.object) >= Longest; !long {
			s.object = append(s.object, c)
		}
		switch {
		case c == '\n':
			s.line++
			blanks, inText, escaped = 0, false, false // A text has no line break.
			continue
		case blanks >= 0 && (c == ' ' || c == '\t'):
			blanks++
			continue
		case escaped:
			escaped = false
		case inText && c == '\\':
			escaped = true
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		blanks = -1
	}
	if long {
		return nil, line, wrong(fmt.Sprintf("the object is longer than %d bytes", Longest))
	}
	return s.object, line, nil
}
