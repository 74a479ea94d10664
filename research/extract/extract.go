// Package extract makes packets of files: of facts in JSON, one per line, or of the lines of a text. It reports what a
// record says and draws no conclusion; damaged records are skipped and counted with their places. It is pure. Start at
// Make.
package extract

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"moot/internal/jsonlines"
	"moot/ledger"
)

const (
	// MaxDamage is how many damaged records are listed with their places.
	MaxDamage = 100
	// LongestLine is the longest line of a text that becomes a fact, in bytes.
	LongestLine = 1 << 20
	// lineParser is the parser version of facts made of lines.
	lineParser = "moot lines 1"
)

// Options describe the packet, and complete its facts.
type Options struct {
	ID string
	// From and To are the window: facts outside are left out. If both are zero it is the span of the facts.
	From, To time.Time
	// EntityType, SourceType and SourceID are the defaults of facts; the default of SourceID is the name of the file.
	EntityType ledger.EntityType
	SourceType ledger.SourceType
	SourceID   string
}

// Source is a file that facts are made of.
type Source struct {
	// Name is how facts name it, with slashes.
	Name string
	Text []byte
	// JSON means that each line is a fact in JSON; otherwise each line of the text becomes a fact.
	JSON bool
	// Modified is the time of facts made of lines that have none.
	Modified time.Time
}

// Made is a packet with what was left out of it.
type Made struct {
	Packet *ledger.Packet
	// Damage describes the first damaged records, up to MaxDamage of them; Damaged counts all.
	Damage  []string
	Damaged int
	// Outside counts the facts outside of the window, and Dated those with the time of their file.
	Outside, Dated int
}

func (m *Made) damage(file string, line int, what string) {
	m.Damaged++
	if len(m.Damage) < MaxDamage {
		m.Damage = append(m.Damage, fmt.Sprintf("%s: line %d: %s", file, line, what))
	}
}

// found is a fact with its place.
type found struct {
	fact ledger.PacketFact
	file string
	line int
}

// errNoFact says that there is nothing to make a packet of.
var errNoFact = errors.New("there is no fact to make a packet of")

// Make makes a packet of the facts of all sources, and freezes it. If there is no fact, the error says so, and Made
// says what was damaged.
func Make(o Options, sources []Source) (Made, error) {
	var made Made
	var facts []found
	for i := range sources {
		if sources[i].JSON {
			facts = append(facts, readJSON(&made, &sources[i])...)
		} else {
			facts = append(facts, readLines(&made, &sources[i])...)
		}
	}
	if len(facts) == 0 {
		return made, errNoFact
	}
	from, to := o.From, o.To
	if from.IsZero() && to.IsZero() {
		from, to = facts[0].fact.At, facts[0].fact.At
		for i := range facts {
			if at := facts[i].fact.At; at.Before(from) {
				from = at
			} else if at.After(to) {
				to = at
			}
		}
	}
	packet, err := ledger.NewPacket(o.ID, from, to)
	if err != nil {
		return made, fmt.Errorf("make the packet: %w", err)
	}
	for i := range facts {
		f, place := facts[i].fact, &facts[i]
		if f.At.Before(from) || f.At.After(to) {
			made.Outside++
			continue
		}
		f.EntityType, f.SourceType = cmp.Or(f.EntityType, o.EntityType), cmp.Or(f.SourceType, o.SourceType)
		f.SourceID = cmp.Or(f.SourceID, o.SourceID, place.file)
		err := packet.Add(f)
		if wrong, is := errors.AsType[*ledger.PacketError](err); is {
			made.damage(place.file, place.line, fmt.Sprintf("fact %q: %s: %s", wrong.Fact, wrong.Field, wrong.What))
		} else if err != nil {
			return made, fmt.Errorf("make the packet: %w", err)
		}
	}
	if packet.Len() == 0 {
		return made, errNoFact
	}
	if _, err := packet.Freeze(); err != nil {
		return made, fmt.Errorf("make the packet: %w", err)
	}
	made.Packet = packet
	return made, nil
}

// readJSON reads the facts of JSON Lines. The id of a fact without one is its file and line.
func readJSON(made *Made, from *Source) []found {
	var facts []found
	for objects := jsonlines.NewReader(from.Text); ; {
		object, err := objects.Next()
		if errors.Is(err, io.EOF) {
			return facts
		}
		var f ledger.PacketFact
		if err == nil {
			f, err = ledger.DecodeFact(object)
			err = objects.Locate(err)
		}
		line := objects.Line()
		f.ID = cmp.Or(f.ID, from.Name+":"+strconv.Itoa(line))
		wrong, damaged := errors.AsType[*jsonlines.Error](err)
		switch {
		case damaged && wrong.Path != "":
			made.damage(from.Name, wrong.Line, wrong.Path+": "+wrong.What)
		case damaged:
			made.damage(from.Name, wrong.Line, wrong.What)
		case err != nil:
			made.damage(from.Name, line, err.Error())
		case f.At.IsZero():
			made.damage(from.Name, line, "it has no timestamp")
		default:
			facts = append(facts, found{f, from.Name, line})
		}
	}
}

// readLines makes one fact of each line that is not blank: the entity is the file, the field "line", the value its
// text, the id file:line. Its time is the RFC 3339 time at the beginning of the line, in brackets or not (UTC without
// a zone), else the modification time of the file.
func readLines(made *Made, from *Source) []found {
	stamp := regexp.MustCompile(`^\[?(\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?` +
		` ?(Z|z|UTC|[+-]\d\d:?\d\d)?(?:\W|$)`)
	var facts []found
	line := 0
	for text := range bytes.Lines(bytes.TrimPrefix(from.Text, []byte("\ufeff"))) {
		line++
		switch text = bytes.TrimRight(text, "\r\n"); {
		case len(text) > LongestLine:
			made.damage(from.Name, line, fmt.Sprintf("it is longer than %d bytes", LongestLine))
			continue
		case len(bytes.TrimSpace(text)) == 0:
			continue
		case !utf8.Valid(text):
			made.damage(from.Name, line, "it is not UTF-8 text")
			continue
		}
		at, dated := timeOf(stamp, string(text))
		if !dated {
			at = from.Modified
			made.Dated++
		}
		facts = append(facts, found{ledger.PacketFact{
			ID: from.Name + ":" + strconv.Itoa(line), Entity: from.Name, EntityType: ledger.EntityNode, Field: "line",
			Value: ledger.TextValue(string(text)), At: at, ParserVersion: lineParser,
		}, from.Name, line})
	}
	return facts
}

// timeOf returns the time at the beginning of a line, and whether there is one.
func timeOf(stamp *regexp.Regexp, line string) (time.Time, bool) {
	const longest = 80
	parts := stamp.FindStringSubmatch(line[:min(len(line), longest)])
	if parts == nil {
		return time.Time{}, false
	}
	written := parts[1]
	if parts[2] != "" {
		written += "." + parts[2]
	}
	if zone := strings.ReplaceAll(parts[3], ":", ""); strings.HasPrefix(zone, "+") || strings.HasPrefix(zone, "-") {
		written += zone[:3] + ":" + zone[3:]
	}
	at, err := ledger.ParseMoment([]byte(written))
	return at, err == nil
}
