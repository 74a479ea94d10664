package view

import "moot/state"

// Findings are the defects that a session lists, for the screens: the list, and who looks for them.
type Findings struct {
	// List is in the order of the result.
	List      []Finding
	Reviewers []Reviewer
}

// Finding is a defect with what a screen needs to filter, open and copy it. Its Item has all the words about it.
type Finding struct {
	Item
	// Section is the heading of the result under which it is listed.
	Section string
	// Severity and Status classify it; Status says how it was ruled, such as "single".
	Severity, Status string
	// Path is its file, Place the lines in it as "store.go:4-7". Either is "" if it has none.
	Path, Place string
	// Caution says why the lines may differ in the user's folder, or is "".
	Caution  string
	Why, Fix string
	RaisedBy []state.Seat
}

// Reviewer is a seat that looks for findings, and what it did so far.
type Reviewer struct {
	Seat        state.Seat
	Participant string
	// Said sums up its answers so far, or gives the reason why it does not answer. Role says whether that is good.
	Said string
	Role Role
}

// DiffLine is a line of a diff. Sign is '+', '-' or ' '. Number is its line after the change, or before it for a removed
// one. Named says that the finding is about it.
type DiffLine struct {
	Sign   byte
	Number int
	Text   string
	Named  bool
}

// lister is a Format whose sessions list findings.
type lister interface {
	Findings(s *state.State, rulings []state.Ruling) Findings
}

// ListsFindings reports whether the sessions of the format list findings.
func ListsFindings(s *state.State) bool {
	_, ok := FormatOf(s).(lister)
	return ok
}

// FindingsOf returns the findings of a session. Formats without findings return an empty list.
func FindingsOf(s *state.State, rulings []state.Ruling) Findings {
	if f, ok := FormatOf(s).(lister); ok {
		return f.Findings(s, rulings)
	}
	return Findings{}
}
