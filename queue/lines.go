package queue

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/plain"
)

// Limits of a file of items.
const (
	// MaxItems is the maximum number of items of a batch, with repeats.
	MaxItems = 1_000_000
	// MaxBytes is the maximum size of the file in bytes, maxLine that of a line of it.
	MaxBytes = 256 << 20
	maxLine  = 1 << 20
	// maxNamed is how many wrong lines an error names; it counts the others.
	maxNamed = 8
)

// Field is a value of an item under the name of its flag, such as "question" or "max-tokens". A list has several
// values, an object has values as name=value.
type Field struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// Line is a line of ITEMS.
type Line struct {
	// Number is the number of the line in its file, from 1.
	Number int
	// ID is the user's name for it, or "".
	ID     string
	Fields []Field
}

// LineError describes a mistake in one line.
type LineError struct {
	Line int
	Err  error
}

// Error implements error.
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the cause.
func (e *LineError) Unwrap() error { return e.Err }

// Wrong collects what is wrong with the lines of a file.
type Wrong struct {
	first []error
	count int
}

// Add adds a mistake.
func (w *Wrong) Add(line int, err error) {
	if w.count++; len(w.first) < maxNamed {
		w.first = append(w.first, &LineError{Line: line, Err: err})
	}
}

// Err returns an error with the first mistakes and the number of the others, or nil if there are none.
func (w *Wrong) Err() error {
	if w.count == 0 {
		return nil
	}
	all := errors.Join(w.first...)
	if more := w.count - len(w.first); more > 0 {
		return fmt.Errorf("%w\nand %s more", all, plain.Counted(more, "mistake"))
	}
	return all
}

// ReadLines reads items: JSON Lines, CSV with a header, or a question on each line. The extension of the name decides;
// a name without a known one, such as - for standard input, is JSON Lines if the text begins with a brace. The error
// names every line that is wrong, up to a limit; nothing is returned then.
func ReadLines(name string, text []byte) ([]Line, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("it is longer than %d MiB: split it into several batches", MaxBytes>>20)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(text) {
		return nil, errors.New("it is not UTF-8 text")
	}
	var lines []Line
	var err error
	switch extension := strings.ToLower(filepath.Ext(name)); {
	case extension == ".csv":
		lines, err = readCSV(text)
	case extension == ".jsonl", extension == ".ndjson", extension == ".json", bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")):
		lines, err = readJSON(text)
	default:
		lines, err = readQuestions(text)
	}
	switch {
	case err != nil:
		return nil, err
	case len(lines) == 0:
		return nil, errors.New("it has no items")
	case len(lines) > MaxItems:
		return nil, fmt.Errorf("it has %d items, and a batch has at most %d: split it into several batches", len(lines), MaxItems)
	}
	return lines, nil
}

// readQuestions reads a question from each line that is not blank.
func readQuestions(text []byte) ([]Line, error) {
	var lines []Line
	var wrong Wrong
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		question := strings.TrimSpace(string(raw))
		switch {
		case question == "":
		case len(question) > maxLine:
			wrong.Add(number, errTooLong())
		default:
			lines = append(lines, Line{Number: number, Fields: []Field{{Name: FieldQuestion, Values: []string{question}}}})
		}
	}
	return lines, wrong.Err()
}

func errTooLong() error { return fmt.Errorf("it is longer than %d KiB", maxLine>>10) }

// readCSV reads a table whose header has the names of the fields. An empty cell gives no value.
func readCSV(text []byte) ([]Line, error) {
	table := csv.NewReader(bytes.NewReader(text))
	table.FieldsPerRecord = -1
	table.TrimLeadingSpace = true
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("its header: %w", err)
	}
	seen := map[string]bool{}
	for i := range header {
		header[i] = fieldName(strings.TrimSpace(header[i]))
		if header[i] == "" || seen[header[i]] {
			return nil, fmt.Errorf("its header: column %d has no name of its own", i+1)
		}
		seen[header[i]] = true
	}
	if !seen[FieldQuestion] && !seen[FieldReview] {
		return nil, fmt.Errorf("its header has no column %s or %s; the first line has the names of the columns",
			FieldQuestion, FieldReview)
	}
	var lines []Line
	var wrong Wrong
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return lines, wrong.Err()
		}
		if syntax, is := errors.AsType[*csv.ParseError](err); is {
			wrong.Add(syntax.Line, syntax.Err)
			return nil, wrong.Err()
		}
		if err != nil {
			return nil, err
		}
		number, _ := table.FieldPos(0)
		if len(row) > len(header) {
			wrong.Add(number, fmt.Errorf("it has %d cells, and the header has %d", len(row), len(header)))
			continue
		}
		line := Line{Number: number}
		for i, cell := range row {
			switch cell = strings.TrimSpace(cell); {
			case cell == "":
			case len(cell) > maxLine:
				wrong.Add(number, errTooLong())
			case header[i] == FieldID:
				line.ID = cell
			default:
				line.Fields = append(line.Fields, Field{Name: header[i], Values: []string{cell}})
			}
		}
		lines = append(lines, line)
	}
}

// readJSON reads an object from each line that is not blank.
func readJSON(text []byte) ([]Line, error) {
	var lines []Line
	var wrong Wrong
	number := 0
	for raw := range bytes.Lines(text) {
		number++
		if raw = bytes.TrimSpace(raw); len(raw) == 0 {
			continue
		}
		line, err := parseObject(raw)
		if err != nil {
			wrong.Add(number, err)
			continue
		}
		line.Number = number
		lines = append(lines, line)
	}
	return lines, wrong.Err()
}

// parseObject reads the fields of one object. Duplicate names and malformed UTF-8 are errors of the decoder.
func parseObject(raw []byte) (Line, error) {
	var line Line
	if len(raw) > maxLine {
		return line, errTooLong()
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	if d.PeekKind() != jsontext.KindBeginObject {
		return line, errors.New(`it is not a JSON object such as {"question": "…"}`)
	}
	if _, err := d.ReadToken(); err != nil {
		return line, invalidJSON(err)
	}
	seen := map[string]bool{}
	for d.PeekKind() != jsontext.KindEndObject {
		name, err := d.ReadToken()
		if err != nil {
			return line, invalidJSON(err)
		}
		field := Field{Name: fieldName(name.String())}
		if seen[field.Name] {
			return line, fmt.Errorf("it has the field %s twice", plain.Line(field.Name))
		}
		seen[field.Name] = true
		value, err := d.ReadValue()
		if err != nil {
			return line, invalidJSON(err)
		}
		if field.Values, err = valuesOf(value); err != nil {
			return line, fmt.Errorf("%s: %w", plain.Line(field.Name), err)
		}
		if field.Name != FieldID {
			line.Fields = append(line.Fields, field)
			continue
		}
		if len(field.Values) != 1 || strings.TrimSpace(field.Values[0]) == "" {
			return line, errors.New("id: it is a text")
		}
		line.ID = field.Values[0]
	}
	if _, err := d.ReadToken(); err != nil {
		return line, invalidJSON(err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return line, errors.New("something follows the object")
	}
	return line, nil
}

func invalidJSON(err error) error {
	if syntax, is := errors.AsType[*jsontext.SyntacticError](err); is && syntax.Err != nil {
		return fmt.Errorf("it is not valid JSON: %w, at character %d", syntax.Err, syntax.ByteOffset+1)
	}
	return fmt.Errorf("it is not valid JSON: %w", err)
}

// valuesOf returns the values of a field as flags take them.
func valuesOf(value jsontext.Value) ([]string, error) {
	scalar := func(value jsontext.Value) (string, error) {
		switch kind := value.Kind(); {
		case kind == jsontext.KindString:
			var text string
			err := json.Unmarshal(value, &text)
			return text, err
		case kind == jsontext.KindNumber, kind == jsontext.KindTrue, kind == jsontext.KindFalse:
			return string(value), nil
		case kind == jsontext.KindNull:
			return "", errors.New("it is null; leave the field out")
		}
		return "", errors.New("it is nested too deeply")
	}
	switch kind := value.Kind(); {
	case kind == jsontext.KindBeginArray:
		var list []jsontext.Value
		if err := json.Unmarshal(value, &list); err != nil {
			return nil, err
		}
		values := make([]string, len(list))
		for i, one := range list {
			var err error
			if values[i], err = scalar(one); err != nil {
				return nil, err
			}
		}
		return values, nil
	case kind == jsontext.KindBeginObject:
		var values []string
		d := jsontext.NewDecoder(bytes.NewReader(value))
		if _, err := d.ReadToken(); err != nil {
			return nil, err
		}
		for d.PeekKind() != jsontext.KindEndObject {
			token, err := d.ReadToken()
			if err != nil {
				return nil, err
			}
			name := token.String()
			one, err := d.ReadValue()
			if err != nil {
				return nil, err
			}
			text, err := scalar(one)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", plain.Line(name), err)
			}
			values = append(values, name+"="+text)
		}
		return values, nil
	}
	text, err := scalar(value)
	return []string{text}, err
}

// The fields that are no flags of moot ask, and those that lists of them are short for.
const (
	FieldID       = "id"
	FieldQuestion = "question"
	FieldReview   = "review"
	FieldRevision = "revision"
)

// fieldName returns the name of the flag for a field: JSON writes max_tokens and facts, the command line --max-tokens
// and --fact.
func fieldName(name string) string {
	name = strings.ReplaceAll(name, "_", "-")
	switch name {
	case "facts":
		return "fact"
	case "seats":
		return "seat"
	}
	return name
}
