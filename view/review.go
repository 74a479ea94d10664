package view

import "moot/state"

// Reviews is a Format whose sessions are about the lines of a change. Comments in pull requests and programs that show
// findings beside lines ask it for a Review.
type Reviews interface {
	Format
	Review(s *state.State, rulings []state.Ruling) Review
}

// Review is a session about a change.
type Review struct {
	// Lead is the decision with its reason. Decided says that there is one.
	Lead    string
	Decided bool
	// Head is the hash of the reviewed commit, or "" if the change has none.
	Head string
	// Silent says that nothing is open. It is "" if something is.
	Silent string
	// Urgent are the sections that need the reader, and Rest all others.
	Urgent, Rest []Section
	// Annotations are the findings that stand or are unresolved, in the order of the result.
	Annotations []Annotation
}

// Level is how bad a finding is, in the words of programs that show findings beside lines.
type Level string

// The levels, the worst first.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelNote    Level = "note"
)

// Annotation is a finding for programs that show it beside the lines.
type Annotation struct {
	ID    string
	Level Level
	// Kind is the category, or "".
	Kind string
	// Path is the file. Line and End are its lines after the change, or 0 if the finding is about the whole file or
	// about lines that the change removes.
	Path      string
	Line, End int
	// Text are the paragraphs of its message: what is wrong first, in the words of a reviewer.
	Text []string
	// Fingerprint names the finding over several reviews.
	Fingerprint string
}
