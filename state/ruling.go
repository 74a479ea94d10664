package state

import "moot/internal/enum"

// Bucket is where a point ended.
type Bucket string

// The buckets. Open only while the session runs.
const (
	BucketAgreed       Bucket = "agreed"
	BucketDismissed    Bucket = "dismissed"
	BucketUnresolved   Bucket = "unresolved"
	BucketNotEvaluated Bucket = "not_evaluated"
	BucketOpen         Bucket = "open"
)

// Buckets returns every Bucket, in the order of the result.
func Buckets() []Bucket {
	return []Bucket{BucketAgreed, BucketDismissed, BucketUnresolved, BucketNotEvaluated, BucketOpen}
}

// String returns the word itself.
func (b Bucket) String() string { return string(b) }

// UnmarshalText refuses a word that is no Bucket.
func (b *Bucket) UnmarshalText(text []byte) error {
	return enum.Unmarshal("bucket", text, Buckets(), b)
}

// Tag says in a word why a point is in its bucket.
type Tag string

// The tags: of Agreed, of Dismissed, of NotEvaluated.
const (
	TagNone          Tag = ""
	TagExecution     Tag = "execution"
	TagTextual       Tag = "textual"
	TagNotApplicable Tag = "n/a"
	// TagFacts is of what facts of a packet bear out.
	TagFacts Tag = "facts"

	TagUser       Tag = "USER"
	TagOutOfScope Tag = "OUT-OF-SCOPE"
	TagViolates   Tag = "VIOLATES-CONSTRAINT"
	TagConceded   Tag = "CONCEDED"
	TagSuperseded Tag = "SUPERSEDED"
	TagUndefended Tag = "UNDEFENDED"
	TagRejected   Tag = "REJECTED"

	TagRaisedLate   Tag = "raised in DEVELOPMENT"
	TagPhaseClosed  Tag = "phase closed"
	TagPhaseUnknown Tag = "phase unknown"
	TagOverLimit    Tag = "over the limit of 7"
)

// Tags returns every Tag.
func Tags() []Tag {
	return []Tag{
		TagNone, TagExecution, TagTextual, TagNotApplicable, TagFacts, TagUser, TagOutOfScope, TagViolates,
		TagConceded, TagSuperseded, TagUndefended, TagRejected, TagRaisedLate, TagPhaseClosed,
		TagPhaseUnknown, TagOverLimit,
	}
}

// String returns the word itself.
func (t Tag) String() string { return string(t) }

// UnmarshalText refuses a word that is no Tag.
func (t *Tag) UnmarshalText(text []byte) error { return enum.Unmarshal("tag", text, Tags(), t) }

// Status says what keeps an unresolved point from an end.
type Status string

// The statuses; none outside Unresolved.
const (
	StatusNone         Status = ""
	StatusBlocked      Status = "blocked"
	StatusUnverified   Status = "unverified"
	StatusFound        Status = "found"
	StatusTradeoff     Status = "tradeoff"
	StatusDefinitional Status = "definitional"
	StatusAnchorShift  Status = "pending-anchor-shift"
	StatusOpen         Status = "open"
)

// Statuses returns every Status.
func Statuses() []Status {
	return []Status{
		StatusNone, StatusBlocked, StatusUnverified, StatusFound, StatusTradeoff, StatusDefinitional, StatusAnchorShift,
		StatusOpen,
	}
}

// String returns the word itself.
func (s Status) String() string { return string(s) }

// UnmarshalText refuses a word that is no Status.
func (s *Status) UnmarshalText(text []byte) error {
	return enum.Unmarshal("status", text, Statuses(), s)
}

// Receipt is the rule that fired and the ids that it read.
type Receipt struct {
	// Rule is the rule's number: "AC16".
	Rule string `json:"rule"`
	// Reads are the ids of what the rule read, in the order it read them.
	Reads []string `json:"reads"`
}

// Ruling is the resolver's verdict on a point.
type Ruling struct {
	Point  string `json:"point"`
	Bucket Bucket `json:"bucket"`
	Tag    Tag    `json:"tag"`
	Status Status `json:"status"`
	// Crux describes what would resolve an unresolved point; "" for other points.
	Crux string `json:"crux"`
	// Reason says in one sentence why, naming what decided.
	Reason string `json:"reason"`
	Receipt
}

// Equal reports whether two rulings are the same, receipts included.
func (r *Ruling) Equal(o *Ruling) bool {
	if r.Point != o.Point || r.Bucket != o.Bucket || r.Tag != o.Tag || r.Status != o.Status ||
		r.Crux != o.Crux || r.Reason != o.Reason || r.Rule != o.Rule || len(r.Reads) != len(o.Reads) {
		return false
	}
	for i, id := range r.Reads {
		if id != o.Reads[i] {
			return false
		}
	}
	return true
}
