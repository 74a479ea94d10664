package extract

import (
	"context"
	"io"
	"time"

	"moot/ledger"
)

// Form is a form of telemetry, as Windows event logs or NetFlow. It is known by what a file holds, never by its name.
type Form struct {
	// Name is the short name in messages, as in "syslog", "EVTX".
	Name string
	// Parser is the parser version of its facts, as in "moot syslog 1".
	Parser string
	// Takes names the files of the form in the list of a refusal, as in "Windows event logs (.evtx)".
	Takes string
	// Recognize reports whether a file that begins with head, up to HeadSize bytes of it, is of this form. A head of
	// UTF-16 text with a byte order mark comes as UTF-8, and never with the mark.
	Recognize func(head []byte) bool
	// Read reads all records of a file in their order. A record that can't be read is reported to lost, and reading
	// continues behind it. An error is one of the file as a whole, of the context, or of the sink.
	Read func(ctx context.Context, from *File, into Sink) error
}

// HeadSize is how much of a file its form is recognized by, in bytes.
const HeadSize = 64 << 10

// File is a file of telemetry. Make ends its reading with the context. For texts, Lines and Objects read it.
type File struct {
	// Name is how facts name it, with slashes.
	Name string
	io.ReaderAt
	// Size is the size in bytes when the file was opened: what a growing file gets later is not read.
	Size int64
	// Modified completes times without a year.
	Modified time.Time
	// Zone applies to times that name none. Make sets it.
	Zone *time.Location
}

// Sink takes what is read of a file.
type Sink struct {
	// Record takes a record; its error ends the reading.
	Record func(Record) error
	// Lost takes a place, as in "line 12" or "records 4711 to 4790", how many records that are, 0 if nobody knows,
	// and what is wrong with them.
	Lost func(place string, records int, what string)
}

// Record is one record of a file: an event, which becomes an entity with a fact per field.
type Record struct {
	// Place is its place in the file, and part of the entity and of the facts' ids: "12" is a line or the number
	// that the file itself gives a record.
	Place string
	// At is the time of the event in UTC.
	At time.Time
	// Assumed says what of the time the record does not hold, as in "the year" or "the zone", or is empty.
	Assumed string
	// Host is where it happened, Account who did it, both for filters, and both also among the fields if the record
	// has them. Kind is the kind of event for filters and counts, as in "4624 logon", "sshd", "flow".
	Host, Account, Kind string
	Source              ledger.SourceType
	Fields              []Field
	// Raw is the record as it was written, if that is text. The first fact has it.
	Raw string
	// Identity tells records of one source apart, as the log, its computer and the number of an event do: records
	// with one identity are one record, in whatever files they are. Without it, records are the same if all of them is.
	Identity string
	// Facts replaces Fields if the record holds facts already.
	Facts []ledger.PacketFact
}

// Field is a field of a record.
type Field struct {
	Name  string
	Value ledger.Value
}
