package state

import (
	"encoding/json"
	"time"
)

// The seats of the dialectic format.
const (
	Proposer       Seat = "proposer"
	PressureTester Seat = "pressure-tester"
)

// Playbook guides the dialectic format. It is fixed when the session opens, so that a record
// resolves the same wherever it is replayed.
type Playbook struct {
	// Name names a built-in playbook or the one in the user's file.
	Name string `json:"name"`
	// Config is the configuration of the resolver as JSON: thresholds, what may
	// decide, the order of authority, rounds, freshness. It may be empty: the
	// defaults.
	Config json.RawMessage `json:"config,omitempty"`
	// Flags list the problems that the pressure-tester looks for.
	Flags []RedFlag `json:"flags"`
}

// RedFlag is one thing that a playbook has the pressure-tester look for.
type RedFlag struct {
	// ID names the flag: lower-case words joined by hyphens.
	ID    string `json:"id"`
	Title string `json:"title"`
	// Look says what to look for.
	Look     string `json:"look"`
	Category string `json:"category"`
	// Severity is a word of the resolver's list, BLOCKING to LOW.
	Severity string `json:"severity"`
	// Predicate is true if there is nothing to object to. Clears describes the evidence that
	// would clear the objection.
	Predicate string `json:"predicate"`
	Clears    string `json:"clears"`
	// Checks find the flag without a model, in the syntax of package playbook. They are
	// empty for flags that take judgment, and in old sessions.
	Checks json.RawMessage `json:"checks,omitempty"`
}

// Derivation says how a field's value follows from others.
type Derivation struct {
	// Op is sum, diff, ratio, min, max or count.
	Op string `json:"op"`
	// Of are ids of evidence, or paths of fields.
	Of []string `json:"of"`
}

// Field is the part of a point that only the dialectic format uses: a field of the proposal.
type Field struct {
	// Path is the name of the field, as in rollout.percent. No two points have
	// the same.
	Path string
	// Value is its current JSON value.
	Value json.RawMessage
	// Category is a word of the playbook; Severity, BLOCKING to LOW, says which
	// sources may carry the field.
	Category string
	Severity string
	// Grounded says that the value must be found in what it rests on (G3, G4).
	Grounded bool
	Derived  *Derivation
	// Cites are the ids of evidence that the proposer named, whether they exist
	// or not (G2); what it cited along with the field is not among them.
	Cites []string
	// Round and Seq identify the last change of the value.
	Round, Seq int
	// Earlier are the values that it had before, the oldest first.
	Earlier []Former
	// Withdrawn says that the field is no longer proposed; WithdrawnBy took it
	// out, for Reason, which is else that of the last change.
	Withdrawn   bool
	WithdrawnBy Seat
	Reason      string
}

// Former is a value that a field had.
type Former struct {
	Round int
	Value json.RawMessage
}

// Objection is the part of a challenge that only the dialectic format uses.
type Objection struct {
	// Category and Severity, BLOCKING to LOW, say how sure, and of which source,
	// evidence must be that decides it. Predicate is the statement that evidence
	// is for or against.
	Category  string
	Severity  string
	Predicate string
	// Flag is the red flag of the playbook that it raises, or "".
	Flag string
	// Evidence are the ids of the items that were brought for it.
	Evidence []string
	// Verdict is the user's ruling: cleared, upheld, or "". RuledSeq is the number of its
	// event.
	Verdict  string
	RuledSeq int
}

// Dialectic is the part of a state that only the dialectic format uses.
type Dialectic struct {
	// Resolved are the resolutions of the rounds, the oldest first. A round has
	// another one where the user ruled meanwhile.
	Resolved []Resolution
	// Examined is the place of the pressure-tester's last look at the proposal.
	Examined int
}

// Resolution is the decision on the proposal at the end of a round.
type Resolution struct {
	Round int `json:"round"`
	// AsOf is the moment from which the age of evidence is counted (G8).
	AsOf time.Time `json:"as_of"`
	// Decision is ADVANCE, HOLD or ESCALATE.
	Decision string `json:"decision"`
	// Head is the hash of the last receipt.
	Head string `json:"head"`
	// Result is the whole of it, receipts included, in the form of the
	// resolver.
	Result json.RawMessage `json:"result"`
	// Seq is the place of its event.
	Seq int `json:"-"`
}

// Last returns the last resolution, or nil.
func (d *Dialectic) Last() *Resolution {
	if len(d.Resolved) == 0 {
		return nil
	}
	return &d.Resolved[len(d.Resolved)-1]
}

// FieldAt returns the point of the field with the path, or nil.
func (s *State) FieldAt(path string) *Point {
	for _, p := range s.Points.All() {
		if p.Field != nil && p.Field.Path == path {
			return p
		}
	}
	return nil
}
