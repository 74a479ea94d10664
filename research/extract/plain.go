package extract

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/jsonlines"
	"moot/ledger"
)

// Facts is the form of facts in JSON, with the keys of a packet's facts.
func Facts() Form {
	return Form{
		Name: "facts", Takes: "facts in JSON (docs/packet.md)",
		Recognize: func(head []byte) bool {
			keys := FirstKeys(head)
			return slices.Contains(keys, "entity") && slices.Contains(keys, "field")
		},
		Read: func(_ context.Context, from *File, into Sink) error {
			return from.Objects(into, func(place string, object jsontext.Value) error {
				f, err := ledger.DecodeFact(object)
				fault, wrong := errors.AsType[*jsonlines.Fault](err)
				switch {
				case wrong && fault.At == "":
					into.Lost("line "+place, 1, fault.What)
					return nil
				case err != nil:
					into.Lost("line "+place, 1, err.Error())
					return nil
				case f.At.IsZero():
					into.Lost("line "+place, 1, "it has no timestamp")
					return nil
				}
				record := Record{Place: place, At: f.At, Kind: f.Field}
				if f.ID != "" {
					record.Identity = string(object)
				}
				if f.EntityType != ledger.EntityEdge {
					record.Host = f.Entity
				}
				f.ID = cmp.Or(f.ID, from.Name+":"+place)
				record.Facts = []ledger.PacketFact{f}
				return into.Record(record)
			})
		},
	}
}

// stamp is a time at the beginning of a line.
var stamp = regexp.MustCompile(`^\[?(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(?:[.,](\d{1,9})\d*)?` +
	` ?(Z|z|UTC|[+-]\d\d:?\d\d)?(?:\W|$)`)

// Lines is the form of logs of any program whose lines begin with a time of RFC 3339. Lines without one belong to the
// line above them, as the calls after an error do.
func Lines() Form {
	const firstLines = 8
	return Form{
		Name: "lines", Takes: "logs whose lines begin with a time as in 2026-11-21T10:00:00Z", Parser: "moot lines 2",
		Recognize: func(head []byte) bool {
			seen := 0
			for line := range bytes.Lines(head) {
				continues := seen > 0 && (line[0] == ' ' || line[0] == '\t')
				if seen == firstLines || len(bytes.TrimSpace(line)) == 0 || continues {
					continue
				}
				if _, _, dated := timeOf(line, time.UTC); !dated {
					return false
				}
				seen++
			}
			return seen > 0 && bytes.IndexByte(head, 0) < 0
		},
		Read: readLines,
	}
}

func readLines(_ context.Context, from *File, into Sink) error {
	var record Record
	var text []byte
	flush := func() error {
		if record.Place == "" {
			return nil
		}
		record.Fields = []Field{{"line", ledger.TextValue(string(text))}}
		return into.Record(record)
	}
	err := from.Lines(into, func(number int, line []byte) error {
		place := strconv.Itoa(number)
		at, assumed, dated := timeOf(line, from.Zone)
		switch {
		case !utf8.Valid(line):
			into.Lost("line "+place, 1, "it is not UTF-8 text")
			return nil
		case !dated && record.Place == "":
			into.Lost("line "+place, 1, "it has no time at the beginning, and no line above it has one")
			return nil
		case !dated && len(text)+len(line) < Longest:
			text = append(append(text, '\n'), line...)
			return nil
		case !dated:
			into.Lost("line "+place, 1, "the lines without a time above it are too long")
			return nil
		}
		if err := flush(); err != nil {
			return err
		}
		record = Record{Place: place, At: at, Assumed: assumed, Kind: "line"}
		text = append(text[:0], line...)
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// timeOf returns the time at the beginning of a line, what of it the line does not hold, and whether there is one.
func timeOf(line []byte, zone *time.Location) (at time.Time, assumed string, dated bool) {
	const longest = 80
	parts := stamp.FindSubmatch(line[:min(len(line), longest)])
	if parts == nil {
		return at, "", false
	}
	written := string(parts[1]) + "T" + string(parts[2])
	if len(parts[3]) > 0 {
		written += "." + string(parts[3])
	}
	if sign := strings.ReplaceAll(string(parts[4]), ":", ""); strings.HasPrefix(sign, "+") || strings.HasPrefix(sign, "-") {
		written += sign[:3] + ":" + sign[3:]
	}
	at, err := ledger.ParseMoment([]byte(written))
	if err != nil {
		return at, "", false
	}
	if len(parts[4]) == 0 {
		assumed = "the zone"
		at = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), zone).UTC()
	}
	return at, assumed, true
}
