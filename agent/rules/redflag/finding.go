package redflag

import (
	"strings"
	"unicode/utf8"

	"moot/playbook"
)

const (
	// mostFindings is how many findings of one flag are told.
	mostFindings = 20
	// longestQuote is how much of a line is quoted, in bytes.
	longestQuote = 400
)

// Finding is a red flag at one place of a change.
type Finding struct {
	// Flag is the id of the flag, Kind the check that found it.
	Flag string
	Kind playbook.Kind
	// Path and Line are where it is: in the file as the change leaves it, or,
	// where Removed is set, as it was. Line is 0 for the file as a whole.
	Path    string
	Line    int
	Removed bool
	// About is what it is about, such as the name of a function; it may be "".
	About string
	// What says in one sentence what was found.
	What string
	// Reference and Quote are a citation of the line: in the workspace where
	// the file stands there as the change leaves it, else in the diff. Quote is
	// "" where nothing of the line can be quoted, as with a secret.
	Reference, Quote string
	// Predicate is that of the flag: what evidence would have to show.
	Predicate string
	// More is how many further places of the flag were left out; it is set on
	// the last finding of a flag.
	More int
}

// hit is what a check reports: a line of a file, or the file as a whole.
type hit struct {
	file *subject
	line *line
	// about and what are those of the Finding.
	about, what string
}

// finding makes a hit into a Finding.
func (e *examination) finding(flag *playbook.Flag, kind playbook.Kind, h *hit) Finding {
	f := Finding{Flag: flag.ID, Kind: kind, Path: h.file.Name(), About: h.about, What: h.what, Predicate: flag.Predicate}
	if h.line == nil {
		f.Reference, f.Quote = place(e.change.Name, h.file.Line), e.quotable(h.file.Head)
		return f
	}
	f.Line, f.Removed = h.line.New, h.line.Side == Dropped
	if f.Removed {
		f.Line = h.line.Old
	}
	switch {
	case h.file.hides(e, h.line):
		f.Reference = place(e.change.Name, h.line.Diff)
	case !f.Removed && h.file.look(e.workspace).inPlace:
		f.Reference, f.Quote = place(h.file.Path, h.line.New), e.quotable(h.line.Text)
	case e.change.document:
		f.Reference, f.Quote = place(e.change.Name, h.line.Diff), e.quotable(h.line.Text)
	default:
		f.Reference, f.Quote = place(e.change.Name, h.line.Diff), e.quotable(string(h.line.Side)+h.line.Text)
	}
	return f
}

// quotable is as much of a line as can be quoted: it ends before a secret,
// before what is no text, and before it gets too long. The secret is looked for
// first: half of one looks like none.
func (e *examination) quotable(text string) string {
	const shortest = 3
	cleaned, _ := e.redactor.Text(text)
	text, _, _ = strings.Cut(cleaned, "[REDACTED:")
	if len(strings.TrimSpace(text)) < shortest && cleaned != text {
		return ""
	}
	if len(text) > longestQuote {
		text = text[:longestQuote]
	}
	for i, c := range text {
		if c == utf8.RuneError {
			return text[:i]
		}
	}
	return text
}
