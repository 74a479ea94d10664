package syslog

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"moot/ledger"
	"moot/research/extract"
)

// Fields of an entry that are read by name. journalctl writes numbers as texts.
const (
	realtime       = "__REALTIME_TIMESTAMP"
	sourceRealtime = "_SOURCE_REALTIME_TIMESTAMP"
)

// recognizeJSON reports whether the first object is an entry of a journal.
func recognizeJSON(head []byte) bool { return slices.Contains(extract.FirstKeys(head), realtime) }

// readJSON reads the entries.
func readJSON(_ context.Context, from *extract.File, into extract.Sink) error {
	return from.Objects(into, func(place string, object jsontext.Value) error {
		record, what := entry(object)
		if what != "" {
			into.Lost("line "+place, 1, what)
			return nil
		}
		record.Place, record.Raw = place, strings.ToValidUTF8(string(object), "\ufffd")
		return into.Record(record)
	})
}

// entry reads an entry, or says what is wrong with it.
func entry(line []byte) (extract.Record, string) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(line, &values); err != nil || values == nil {
		return extract.Record{}, "it is not a JSON object"
	}
	text := func(names ...string) string {
		for _, name := range names {
			if value, _ := journalText(values[name]); value != "" {
				return value
			}
		}
		return ""
	}
	// The time that the program gave is the time of the event; the journal's own is when it arrived.
	m := message{tagged: true}
	for _, name := range []string{sourceRealtime, realtime} {
		if micros, err := strconv.ParseInt(text(name), 10, 64); err == nil && m.at.IsZero() {
			m.at = time.UnixMicro(micros).UTC()
		}
	}
	const firstYear, lastYear = 1970, 9999
	if m.at.IsZero() || m.at.Year() < firstYear || m.at.Year() > lastYear {
		return extract.Record{}, "it has no time: no " + realtime
	}
	m.host, m.program, m.pid = text("_HOSTNAME"), text("SYSLOG_IDENTIFIER", "_COMM"), text("SYSLOG_PID", "_PID")
	severity, err := strconv.Atoi(text("PRIORITY"))
	facility, err2 := strconv.Atoi(text("SYSLOG_FACILITY"))
	const severities, facilities = 8, 24
	if severity < 0 || severity >= severities {
		err = strconv.ErrRange
	}
	switch {
	case err == nil && err2 == nil && facility >= 0 && facility < facilities:
		m.setPriority(facility*severities + severity)
	case err == nil:
		m.setPriority(severity)
		m.facility = ""
	}
	m.text = text("MESSAGE")
	for _, pair := range [][2]string{{"_SYSTEMD_UNIT", "unit"}, {"_EXE", "executable"}, {"_CMDLINE", "process_command_line"}} {
		if value := text(pair[0]); value != "" {
			m.data = append(m.data, pair[1], value)
		}
	}
	left := 0
	for _, name := range sorted(values) {
		known := name == "MESSAGE" || name == "PRIORITY" || strings.HasPrefix(name, "SYSLOG_")
		if strings.HasPrefix(name, "_") || known {
			continue
		}
		switch value, _ := journalText(values[name]); {
		case value == "":
		case len(m.data) >= 2*maxFields || len(name) > maxName:
			left++
		default:
			m.data = append(m.data, "journal."+strings.ToLower(name), value)
		}
	}
	m.leftOut(left)
	record := m.record()
	record.Identity = text("__CURSOR")
	if _, isNull := journalText(values["MESSAGE"]); isNull {
		// journalctl leaves long texts out without --all.
		record.Fields = append(record.Fields, extract.Field{Name: "message", Value: ledger.Value("null")})
	}
	return record, ""
}

// journalText returns the text of a field, which is a text, an array of bytes if it is not printable UTF-8, or null if
// it is long, and an array of these if an entry has the field more than once.
func journalText(value json.RawMessage) (text string, isNull bool) {
	if one, ok := textOrBytes(value); ok {
		return one, string(value) == "null"
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return "", false
	}
	var texts []string
	for _, element := range list {
		if one, ok := textOrBytes(element); ok && one != "" {
			texts = append(texts, one)
		}
	}
	return strings.Join(texts, "\n"), false
}

func textOrBytes(value json.RawMessage) (string, bool) {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text, true
	}
	numbers := []byte{}
	var wide []uint16 // encoding/json would take []uint8 from base64 only.
	if json.Unmarshal(value, &wide) != nil {
		return "", false
	}
	for _, n := range wide {
		if n > math.MaxUint8 {
			return "", false
		}
		numbers = append(numbers, byte(n))
	}
	return strings.ToValidUTF8(string(numbers), "\ufffd"), true
}
