package ledger

import (
	"encoding/json"

	"moot/internal/enum"
)

// Tag is the provenance of a fact (LE2).
type Tag string

// The tags. An unverified fact is shown with its seat's name, as in
// "consultee-unverified".
const (
	// TagUser is authoritative: the user said so.
	TagUser Tag = "user"
	// TagVerified was checked; the fact carries the reference.
	TagVerified Tag = "verified"
	// TagUnverified is a seat's hypothesis.
	TagUnverified Tag = "unverified"
	// TagRevision records that a position changed, or that a change was refused.
	TagRevision Tag = "revision"
)

// Tags returns every Tag.
func Tags() []Tag { return []Tag{TagUser, TagVerified, TagUnverified, TagRevision} }

// UnmarshalText refuses a word that is no Tag.
func (t *Tag) UnmarshalText(text []byte) error { return enum.Unmarshal("tag", text, Tags(), t) }

// Predicate is a constraint that code can check: Op compares the value at Path with Value (AC5).
type Predicate struct {
	// Path names what is constrained, as in "queue.max_retries".
	Path string `json:"path"`
	// Op is one of Operators.
	Op string `json:"op"`
	// Value is any JSON value; for "in" an array.
	Value json.RawMessage `json:"value"`
}

// Operators returns every Op of a Predicate.
func Operators() []string { return []string{"=", "≠", "<", "≤", ">", "≥", "in"} }

// Fact is a ledger entry F1, F2, …; entries are only ever added (LE1).
type Fact struct {
	ID  string `json:"id"`
	Tag Tag    `json:"tag"`
	// Seat is the author; it completes the tag of an unverified fact.
	Seat string `json:"seat"`
	// Text is verbatim (LE6).
	Text string `json:"text"`
	// Reference is the source of a verified fact.
	Reference string `json:"reference"`
	// Supersedes is the fact that this one takes out of the live set, or "".
	Supersedes string `json:"supersedes"`
	Round      int    `json:"round"`
	// Live is false once another fact supersedes this one.
	Live bool `json:"live"`
	// Evaluated is set once an unverified fact was verified, dismissed or
	// listed at synthesis (LE5).
	Evaluated bool `json:"evaluated"`
	// Predicate is the form that code can check, or nil.
	Predicate *Predicate `json:"predicate"`
}

// Label is the tag as shown: "user", "verified: path:3", "consultee-unverified",
// "revision".
func (f *Fact) Label() string {
	switch f.Tag {
	case TagVerified:
		if f.Reference == "" {
			return "verified"
		}
		return "verified: " + f.Reference
	case TagUnverified:
		return f.Seat + "-unverified"
	case TagUser, TagRevision:
		return string(f.Tag)
	}
	return string(f.Tag)
}

// MaySupersede reports whether a fact of tag newer may take one of tag older
// out of the live set (LE3): only a user fact supersedes a user fact, and an
// unverified fact supersedes neither user nor verified ones.
func MaySupersede(newer, older Tag) bool {
	switch older {
	case TagUser:
		return newer == TagUser
	case TagVerified:
		return newer == TagUser || newer == TagVerified
	case TagUnverified, TagRevision:
		return true
	}
	return false
}
