// Package syslog reads syslog: RFC 3164 and RFC 5424, one message per line or with the length before each, lines
// without a priority as rsyslog and journalctl write them, and the JSON of journalctl. It takes apart what sshd, sudo,
// su, cron, PAM and the programs that change accounts write. Start at Forms.
package syslog

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/leodido/go-syslog/v4/rfc5424"

	"moot/research/extract"
)

// Forms are the forms that this package reads.
func Forms() []extract.Form {
	return []extract.Form{
		{
			Name: "syslog", Parser: "moot syslog 1", Takes: "syslog (RFC 3164, RFC 5424, files of rsyslog, text of journalctl)",
			Recognize: recognize, Read: read,
		},
		{
			Name: "journald JSON", Parser: "moot journald 1", Takes: "journalctl -o json",
			Recognize: recognizeJSON, Read: readJSON,
		},
	}
}

const (
	// maxFields is how many fields of structured data or of a journal's entry a record has.
	maxFields = 40
	// maxName is the longest name of such a field, in bytes.
	maxName = 200
	// maxText is the longest message with the lines that continue it, in bytes.
	maxText = 64 << 10
)

// frame is the beginning of a message with its length before it (RFC 6587), cutFrame what is left of one at the end of
// a file. heading is a line that journalctl adds.
var (
	frame    = regexp.MustCompile(`^([1-9]\d{0,6}) <\d{1,3}>`)
	cutFrame = regexp.MustCompile(`^(?:\d{1,7}(?: (?:<\d{0,3})?)?)?$`)
	next     = regexp.MustCompile(`[1-9]\d{0,6} <\d{1,3}>`)
	heading  = regexp.MustCompile(`^-- (?:Logs begin|Journal begins|Boot |Reboot|No entries|Suspend)`)
)

// recognize reports whether most lines are syslog, except for indented ones, which continue a message.
func recognize(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	if frame.Match(head) {
		return true
	}
	machine := rfc5424.NewMachine()
	tagged, others := 0, 0
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		if !whole && tagged+others > 0 && len(head) > 0 {
			break // It may be cut.
		}
		head, line = rest, bytes.TrimRight(line, "\r")
		if len(bytes.TrimSpace(line)) == 0 || line[0] == ' ' || line[0] == '\t' || heading.Match(line) {
			continue
		}
		m, what := readMessage(line, machine)
		switch {
		case what != "":
			others++
		case m.tagged:
			tagged++
		case !m.noYear:
			others++
		}
	}
	return tagged > others
}

// reader reads the messages of a file.
type reader struct {
	from *extract.File
	into extract.Sink
	// pending is the message that the next line may continue, previous the one that "last message repeated" means.
	pending, previous *found
	// from, to and what are lines that are no messages.
	lostFrom, lostTo int
	lostWhat         string
}

// found is a message with its place.
type found struct {
	message

	number int
	raw    []byte
}

// read reads lines or frames twice: the years of times without one follow from the last of them, which is not after
// the file's own time.
func read(_ context.Context, from *extract.File, into extract.Sink) error {
	start := make([]byte, 16)
	n, err := from.ReadAt(start, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("read %s: %w", from.Name, err)
	}
	each, unit := from.Lines, "line"
	if frame.Match(start[:n]) {
		each, unit = func(into extract.Sink, take func(int, []byte) error) error { return eachFrame(from, into, take) }, "message"
	}
	var years calendar
	ignore := extract.Sink{Lost: func(string, int, string) {}}
	if err := each(ignore, func(_ int, text []byte) error {
		text = text[len(priority.Find(text)):]
		var m message
		if _, what := m.readStamp(text); what == "" && m.noYear {
			years.first(m.at)
		}
		return nil
	}); err != nil {
		return err
	}
	years.settle(from.Modified)
	r := &reader{from: from, into: into}
	machine := rfc5424.NewMachine()
	if err := each(into, func(number int, text []byte) error {
		m, what := readMessage(text, machine)
		switch {
		case heading.Match(text):
			return nil
		case what != "" && (text[0] == ' ' || text[0] == '\t') && r.continues(text):
			return nil
		case what == "" && m.noYear && !years.date(&m.at):
			what = "no year near the file's time has February 29"
		}
		if what != "" {
			r.lose(unit, number, what)
			return nil
		}
		switch {
		case m.assumed == noTime:
			m.at = from.Modified
		case m.assumed != "" && from.Zone != nil:
			m.at = time.Date(m.at.Year(), m.at.Month(), m.at.Day(), m.at.Hour(), m.at.Minute(), m.at.Second(), m.at.Nanosecond(), from.Zone).UTC()
		}
		if m.noYear {
			m.assumed = "the year and the zone"
		}
		if err := r.flush(); err != nil {
			return err
		}
		r.pending = &found{m, number, bytes.Clone(text)}
		return nil
	}); err != nil {
		return err
	}
	r.lose(unit, 0, "")
	return r.flush()
}

// continues adds an indented line to the message before it, if there is one and it has room.
func (r *reader) continues(text []byte) bool {
	if r.pending == nil || len(r.pending.raw)+len(text) >= maxText || r.lostTo > r.pending.number {
		return false
	}
	r.pending.raw = append(append(r.pending.raw, '\n'), text...)
	r.pending.text += "\n" + string(bytes.TrimSpace(text))
	return true
}

// lose notes that a line is lost, and reports the lines before it that are lost for another reason.
func (r *reader) lose(unit string, number int, what string) {
	if r.lostWhat != "" && (number != r.lostTo+1 || what != r.lostWhat) {
		place := unit + " " + strconv.Itoa(r.lostFrom)
		if r.lostTo > r.lostFrom {
			place = fmt.Sprintf("%ss %d to %d", unit, r.lostFrom, r.lostTo)
		}
		r.into.Lost(place, r.lostTo-r.lostFrom+1, r.lostWhat)
		r.lostWhat = ""
	}
	if r.lostWhat == "" {
		r.lostFrom, r.lostWhat = number, what
	}
	r.lostTo = number
}

// flush hands over the pending message.
func (r *reader) flush() error {
	f := r.pending
	if f == nil {
		return nil
	}
	r.pending = nil
	shown := f.message
	if times := again.FindStringSubmatch(f.text); times != nil && r.previous != nil && r.previous.host == f.host {
		shown = r.previous.message
		shown.at, shown.text = f.at, "message repeated "+times[1]+" times: [ "+shown.text+"]"
	} else {
		r.previous = f
	}
	record := shown.record()
	record.Place, record.Raw = strconv.Itoa(f.number), strings.ToValidUTF8(string(f.raw), "\ufffd")
	return r.into.Record(record)
}

// calendar gives years to times in their order. A step of more than half a year back is a new year.
type calendar struct {
	// last is the last time, in years that count from zeroYear, and latest the latest.
	last, latest time.Time
	// leaps are the years, so counted, that have a February 29.
	leaps map[int]bool
	// base is added to such a year.
	base int
}

// zeroYear is a leap year.
const zeroYear = 4000

// first takes a time of the first reading.
func (c *calendar) first(at time.Time) {
	c.step(at)
	if c.last.After(c.latest) {
		c.latest = c.last
	}
	const few = 100
	if at.Month() == time.February && at.Day() == 29 && len(c.leaps) < few {
		if c.leaps == nil {
			c.leaps = map[int]bool{}
		}
		c.leaps[c.last.Year()] = true
	}
}

// step places a time in the year in which it is nearest to the one before it.
func (c *calendar) step(at time.Time) {
	year := zeroYear
	if !c.last.IsZero() {
		year = c.last.Year()
	}
	in := func(y int) time.Time { return at.AddDate(y-at.Year(), 0, 0) }
	distance := func(y int) time.Duration { return in(y).Sub(c.last).Abs() }
	if !c.last.IsZero() {
		for _, y := range []int{year - 1, year + 1} {
			if distance(y) < distance(year) {
				year = y
			}
		}
	}
	c.last = in(year)
}

// settle finds the latest years in which no time is more than a day after the file's, and February 29 exists.
func (c *calendar) settle(modified time.Time) {
	const day, cycle = 24 * time.Hour, 8
	base := modified.Year() - c.latest.Year()
	if c.latest.AddDate(base, 0, 0).After(modified.Add(day)) {
		base--
	}
	c.base = base
	for back := range cycle {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(c.leaps)), func(y int) bool { return !isLeap(y + base - back) }) {
			c.base = base - back
			break
		}
	}
	c.last = time.Time{}
}

// date gives a time its year in the second reading, and reports whether that year has the day.
func (c *calendar) date(at *time.Time) bool {
	c.step(*at)
	month := at.Month()
	*at = at.AddDate(c.last.Year()+c.base-at.Year(), 0, 0)
	return at.Month() == month
}

func isLeap(year int) bool { return time.Date(year, time.March, 0, 0, 0, 0, 0, time.UTC).Day() == 29 }

// eachFrame calls each with every message of a file that has the length before each message (RFC 6587). Behind a wrong
// length it looks for the next message.
func eachFrame(from *extract.File, into extract.Sink, each func(number int, text []byte) error) error {
	buffer := make([]byte, extract.Longest+2*len("1234567 <191>"))
	number, at, bad := 1, int64(0), int64(-1)
	lost := func(end int64) {
		if bad >= 0 {
			into.Lost(fmt.Sprintf("bytes %d to %d", bad, end-1), 0, "there is no message with its length before it")
			bad = -1
		}
	}
	for at < from.Size {
		n, err := from.ReadAt(buffer[:min(int64(len(buffer)), from.Size-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read %s: %w", from.Name, err)
		}
		if n == 0 {
			break
		}
		window, used := buffer[:n], 0
		for used < len(window) {
			rest := window[used:]
			if skip := len(rest) - len(bytes.TrimLeft(rest, "\r\n")); skip > 0 && bad < 0 {
				used += skip
				continue
			}
			size, begin := 0, 0
			if found := frame.FindSubmatch(rest); found != nil {
				size, _ = strconv.Atoi(string(found[1]))
				begin = len(found[1]) + 1
			}
			if size > 0 && size <= extract.Longest && begin+size > len(rest) && at+int64(len(window)) < from.Size && used > 0 {
				break // The rest of it is behind the buffer.
			}
			end := begin + size
			if size > 0 && end <= len(rest) && size <= extract.Longest && follows(rest[end:]) {
				lost(at + int64(used))
				if text := bytes.TrimRight(rest[begin:end], "\r\n"); len(text) > 0 {
					if err := each(number, text); err != nil {
						return err
					}
				}
				number, used = number+1, used+end
				continue
			}
			if bad < 0 {
				bad = at + int64(used)
			}
			step := next.FindIndex(rest[1:])
			if step == nil {
				used = max(used+1, len(window)-len("1234567 <191>"))
				break
			}
			used += 1 + step[0]
		}
		if used == 0 {
			break
		}
		at += int64(used)
	}
	lost(from.Size)
	return nil
}

// follows reports whether a message can end here.
func follows(rest []byte) bool {
	rest = bytes.TrimLeft(rest, "\r\n")
	return frame.Match(rest) || cutFrame.Match(rest)
}

// sorted returns the keys of a map in order.
func sorted[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
