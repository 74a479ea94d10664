package extract

import (
	"fmt"
	"io"
	"iter"
	"path"
	"strings"
	"time"

	"moot/ledger"
)

// Extractor makes facts of the records of one form.
type Extractor interface {
	// Extract yields the facts in their order. An error that is a *Damage is about one
	// record, which is skipped; any other ends it. A fact may lack what Defaults has.
	Extract(from Source) iter.Seq2[Found, error]
}

// Chooser is an Extractor that does not take all that a record has.
type Chooser interface {
	// LeftOut returns the names of what was left out, each once, and not too many.
	LeftOut() []string
}

// Source is a file that facts are made of.
type Source struct {
	// Name is how facts name it, with slashes.
	Name string
	From io.Reader
	// Modified is the modification time of the file, zero if unknown.
	Modified time.Time
}

// Found is a fact with its place.
type Found struct {
	Fact ledger.PacketFact
	// Line is where the record begins, from 1, or 0 where the form has no lines.
	Line int
	// Dated says that the time of the fact is not of the record, but of its file.
	Dated bool
}

// Damage is a record that no fact was made of.
type Damage struct {
	// Name is the file's, and Line where the record begins, from 1, or 0.
	Name string
	Line int
	// What reports the mistake, in a clause.
	What string
}

// Error names the place.
func (d *Damage) Error() string {
	if d.Line == 0 {
		return d.Name + ": " + d.What
	}
	return fmt.Sprintf("%s: line %d: %s", d.Name, d.Line, d.What)
}

// Form is the format of a file.
type Form string

// The forms.
const (
	// FormJSON is facts as packets have them: one a line, in a list, or a packet.
	FormJSON Form = "json"
	// FormCSV is a fact a row below a header that names the keys.
	FormCSV Form = "csv"
	// FormText is a fact a line.
	FormText Form = "text"
)

// Forms returns every Form.
func Forms() []Form { return []Form{FormJSON, FormCSV, FormText} }

// FormOf tells the form of a file by the ending of its name; what is neither JSON nor
// CSV is text.
func FormOf(name string) Form {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonl", ".ndjson":
		return FormJSON
	case ".csv", ".tsv":
		return FormCSV
	}
	return FormText
}

// Of returns the extractor of a form.
func Of(form Form) Extractor {
	switch form {
	case FormJSON:
		return &JSON{}
	case FormCSV:
		return &CSV{}
	case FormText:
		return Lines{}
	}
	return nil
}
