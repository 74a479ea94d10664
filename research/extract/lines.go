package extract

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"moot/ledger"
)

const (
	// LongestLine is the length of a line that is taken, in bytes.
	LongestLine = 1 << 20
	// lineParser names what made facts of lines.
	lineParser = "moot lines 1"
)

// Lines makes one fact of each line that is not blank: the entity is the file, the field "line", the value its text,
// the id file:line. Its time is the RFC 3339 time at the beginning of the line, in brackets or not (UTC without a
// zone), else the modification time of the file.
type Lines struct{}

// Extract implements Extractor.
func (Lines) Extract(from Source) iter.Seq2[Found, error] {
	return func(yield func(Found, error) bool) {
		lines := &lineReader{from: bufio.NewReaderSize(from.From, readAtOnce)}
		stamps := newStamps()
		for number := 1; ; number++ {
			text, long, err := lines.next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(Found{}, fmt.Errorf("%s: %w", from.Name, err))
				}
				return
			}
			found, what := Found{Line: number}, ""
			switch {
			case long:
				what = fmt.Sprintf("it is longer than %d bytes", LongestLine)
			case len(bytes.TrimSpace(text)) == 0:
				continue
			case !utf8.Valid(text):
				what = "it has bytes that are no UTF-8"
			default:
				found.Fact, found.Dated = stamps.fact(&from, number, string(text))
			}
			switch {
			case what != "" && !yield(Found{}, &Damage{Name: from.Name, Line: number, What: what}):
				return
			case what == "" && !yield(found, nil):
				return
			}
		}
	}
}

// readAtOnce is how much of a file is read at once, in bytes.
const readAtOnce = 1 << 16

// lineReader reads lines, which stand until the next is read.
type lineReader struct {
	from *bufio.Reader
	line []byte
}

// next reads a line without its end. Of a long one nothing is returned.
func (r *lineReader) next() (text []byte, long bool, err error) {
	r.line = r.line[:0]
	for {
		part, err := r.from.ReadSlice('\n')
		long = long || len(r.line)+len(part) > LongestLine
		if !long {
			r.line = append(r.line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && (len(r.line) > 0 || long), err == nil:
			return bytes.TrimPrefix(bytes.TrimRight(r.line, "\r\n"), []byte("\ufeff")), long, nil
		}
		//nolint:wrapcheck // it is worded where the file is known
		return nil, false, err
	}
}

// stamps finds times at the beginnings of lines.
type stamps struct{ pattern *regexp.Regexp }

func newStamps() *stamps {
	return &stamps{regexp.MustCompile(`^\[?(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?` +
		` ?(Z|z|UTC|[+-]\d\d:?\d\d)?(?:\W|$)`)}
}

func (s *stamps) fact(from *Source, number int, text string) (f ledger.PacketFact, dated bool) {
	at, found := s.at(text)
	if !found {
		at = from.Modified
	}
	return ledger.PacketFact{
		ID: from.Name + ":" + strconv.Itoa(number), Entity: from.Name, EntityType: ledger.EntityNode, Field: "line",
		Value: ledger.TextValue(text), At: at, ParserVersion: lineParser,
	}, !found
}

// at is the time at the beginning of a line, and whether there is one.
func (s *stamps) at(text string) (time.Time, bool) {
	parts := s.pattern.FindStringSubmatch(text[:min(len(text), 2*longestStamp)])
	if parts == nil {
		return time.Time{}, false
	}
	written := parts[1]
	if parts[2] != "" {
		written += "." + parts[2]
	}
	zone := parts[3]
	if strings.HasPrefix(zone, "+") || strings.HasPrefix(zone, "-") {
		zone = strings.ReplaceAll(zone, ":", "")
		written += zone[:3] + ":" + zone[3:]
	}
	at, err := ledger.ParseMoment([]byte(written))
	return at, err == nil
}

// longestStamp is more than a time at the beginning of a line takes, in bytes.
const longestStamp = 40
