package extract

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"moot/internal/enum"
	"moot/ledger"
)

// CSV reads one fact per row. The header names the keys of facts, in any order and case; entity, field and value are
// required, and other columns are left out and noted. Columns are separated by commas, semicolons or tabs. A value
// that is JSON is read as JSON, any other as text.
type CSV struct{ unknown unknownKeys }

// LeftOut implements Chooser.
func (c *CSV) LeftOut() []string { return c.unknown }

// Extract implements Extractor.
func (c *CSV) Extract(from Source) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		r := &csvReader{CSV: c, name: from.Name, yield: yield}
		if err := r.open(from.From); err != nil {
			yield(Found{}, fmt.Errorf("%s: %w", from.Name, err))
			return
		}
		for r.next() {
		}
	}
}

// csvReader reads one file.
type csvReader struct {
	*CSV
	name   string
	rows   *csv.Reader
	header []string
	yield  func(Found, error) bool
}

// open reads the header.
func (r *csvReader) open(from io.Reader) error {
	buffer := bufio.NewReaderSize(from, 1<<16)
	if head, err := buffer.Peek(len("\ufeff")); err == nil && string(head) == "\ufeff" {
		_, _ = buffer.Discard(len(head))
	}
	// A header does not exceed the buffer.
	head, _ := buffer.Peek(buffer.Size())
	r.rows = csv.NewReader(buffer)
	r.rows.Comma = separator(string(head))
	r.rows.ReuseRecord = true
	// Where tabs part columns, quotation marks are seldom more than what they are.
	r.rows.LazyQuotes = r.rows.Comma == '\t'
	header, err := r.rows.Read()
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("there is no header: the first row names the columns, as in id,entity,field,value,timestamp")
	case err != nil:
		return fmt.Errorf("read the header: %w", err)
	}
	for _, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		known, _ := setText(&ledger.PacketFact{}, name, "")
		switch {
		case !known && name != "value":
			r.unknown.add(name)
		case slices.Contains(r.header, name):
			return fmt.Errorf("the header has the column %q twice", name)
		}
		r.header = append(r.header, name)
	}
	for _, needed := range []string{"entity", "field", "value"} {
		if slices.Contains(r.header, needed) {
			continue
		}
		if nearest := enum.Nearest(needed, r.header); nearest != "" {
			return fmt.Errorf("the header has no column %q; is it %q?", needed, nearest)
		}
		return fmt.Errorf("the header has no column %q", needed)
	}
	return nil
}

func separator(text string) rune {
	header, _, _ := strings.Cut(text, "\n")
	best, most := ',', strings.Count(header, ",")
	for _, other := range []rune{';', '\t'} {
		if n := strings.Count(header, string(other)); n > most {
			best, most = other, n
		}
	}
	return best
}

// next reads one row, and reports whether there may be more.
func (r *csvReader) next() bool {
	row, err := r.rows.Read()
	parse, damaged := errors.AsType[*csv.ParseError](err)
	switch {
	case errors.Is(err, io.EOF):
		return false
	case damaged && errors.Is(err, csv.ErrFieldCount):
		return r.damage(parse.StartLine, fmt.Sprintf("it has %d columns, and the header %d", len(row), len(r.header)))
	case damaged:
		return r.damage(parse.StartLine, parse.Err.Error())
	case err != nil:
		r.yield(Found{}, fmt.Errorf("%s: %w", r.name, err))
		return false
	}
	line, _ := r.rows.FieldPos(0)
	f := ledger.PacketFact{ID: r.name + ":" + strconv.Itoa(line)}
	for i, text := range row {
		key := r.header[i]
		switch {
		case !utf8.ValidString(text):
			return r.damage(line, key+": it has bytes that are no UTF-8")
		case key == "value":
			f.Value = valueOf(text)
		case key == "id" && text == "":
		default:
			if _, err := setText(&f, key, strings.Clone(text)); err != nil {
				return r.damage(line, key+": "+err.Error())
			}
		}
	}
	return r.yield(Found{Fact: f, Line: line}, nil)
}

func (r *csvReader) damage(line int, what string) bool {
	return r.yield(Found{}, &Damage{Name: r.name, Line: line, What: what})
}

// valueOf reads a text as JSON, or else as a text.
func valueOf(text string) ledger.Value {
	if value, err := ledger.ParseValue([]byte(text)); err == nil {
		return value
	}
	return ledger.TextValue(text)
}
