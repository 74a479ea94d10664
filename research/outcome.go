package research

import "moot/internal/enum"

// Outcome is how the check of a citation came out, as a word that a caller can
// decide by; the finding's reason says the same to a person.
type Outcome string

// The outcomes. Only InPlace and Moved are verified.
const (
	// InPlace: the quote is verbatim at the cited lines.
	InPlace Outcome = "in-place"
	// Moved: the quote is verbatim in the file, at other lines.
	Moved Outcome = "moved"
	// Absent: the file was read and does not hold the quote.
	Absent Outcome = "absent"
	// OutOfBounds: a cited line is past the end of the file.
	OutOfBounds Outcome = "out-of-bounds"
	// NoQuote: there is nothing to compare.
	NoQuote Outcome = "no-quote"
	// TooShort: the quote would match almost anything, and is no whole line.
	TooShort Outcome = "too-short"
	// TooLong: the quote is over MaxQuote bytes.
	TooLong Outcome = "too-long"
	// BadReference: the reference is in none of the forms of ParseReference.
	BadReference Outcome = "bad-reference"
	// OtherCommit: a permalink's commit is not the work tree's present one.
	OtherCommit Outcome = "other-commit"
	// Outside: the path leaves the workspace, by its name or by a symlink.
	Outside Outcome = "outside"
	// Missing: no file has that path.
	Missing Outcome = "missing"
	// NotRegular: the path names a directory, device, pipe or socket.
	NotRegular Outcome = "not-regular"
	// TooLarge: the file is over MaxFile bytes.
	TooLarge Outcome = "too-large"
	// Binary: the file holds a NUL byte.
	Binary Outcome = "binary"
	// Unreadable: the system refused to read the file.
	Unreadable Outcome = "unreadable"
	// Ended: the context ended before the check did.
	Ended Outcome = "ended"
)

// Outcomes returns every Outcome, the verified ones first.
func Outcomes() []Outcome {
	return []Outcome{
		InPlace, Moved, Absent, OutOfBounds, NoQuote, TooShort, TooLong, BadReference,
		OtherCommit, Outside, Missing, NotRegular, TooLarge, Binary, Unreadable, Ended,
	}
}

// String returns the word itself.
func (o Outcome) String() string { return string(o) }

// UnmarshalText refuses a word that is no Outcome.
func (o *Outcome) UnmarshalText(text []byte) error {
	return enum.Unmarshal("outcome", text, Outcomes(), o)
}

// Verified reports whether a finding with this outcome is verified.
func (o Outcome) Verified() bool { return o == InPlace || o == Moved }

// refusal is an outcome that is not verified, with its reason in one clause. At
// the edge of the package it becomes a finding.
type refusal struct {
	outcome Outcome
	reason  string
}
