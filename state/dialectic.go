package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"moot/ledger"
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
	Round int             `json:"round"`
	Value json.RawMessage `json:"value"`
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
	// Supplied is the place of the last event in which a seat brought support against it.
	Supplied int
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

// FieldProposed makes a field of the proposal of a point that was raised just
// before (PROPOSE).
type FieldProposed struct {
	Point string `json:"point"`
	Path  string `json:"path"`
	// Value is any JSON value.
	Value    json.RawMessage `json:"value"`
	Category string          `json:"category"`
	Severity string          `json:"severity"`
	// Grounded says that the value must be found in what it rests on.
	Grounded bool        `json:"grounded"`
	Derived  *Derivation `json:"derived,omitempty"`
	// Cites are ids of evidence that the proposer names.
	Cites []string `json:"cites"`
}

func (e *FieldProposed) Fold(s *State) error {
	p := s.Point(e.Point)
	switch {
	case p == nil:
		return Unknown("point", e.Point)
	case p.Field != nil:
		return fmt.Errorf("point %s is a field already: %s", e.Point, p.Field.Path)
	case e.Path == "" || len(e.Value) == 0:
		return errors.New("a field has a path and a value")
	case s.FieldAt(e.Path) != nil:
		return fmt.Errorf("the field %s is proposed already", e.Path)
	}
	s.touchPoint(e.Point, func(p *Point) {
		p.Scope = InScope
		p.Field = &Field{
			Path: e.Path, Value: e.Value, Category: e.Category, Severity: e.Severity, Grounded: e.Grounded,
			Derived: e.Derived, Cites: slices.Clone(e.Cites), Round: s.Round, Seq: s.Seq,
		}
	})
	return nil
}

// FieldRevised gives a field another value (REVISE), or restores a withdrawn field. Its
// objections and its evidence are kept.
type FieldRevised struct {
	Point string          `json:"point"`
	By    Seat            `json:"by"`
	Value json.RawMessage `json:"value"`
	// Text is the new text of the point.
	Text     string      `json:"text"`
	Severity string      `json:"severity"`
	Grounded bool        `json:"grounded"`
	Derived  *Derivation `json:"derived,omitempty"`
	Cites    []string    `json:"cites"`
	Reason   string      `json:"reason"`
}

func (e *FieldRevised) Fold(s *State) error {
	if len(e.Value) == 0 {
		return errors.New("a field has a value")
	}
	return s.changeField(e.Point, func(p *Point, f *Field) {
		if string(f.Value) != string(e.Value) || f.Withdrawn {
			f.Earlier = append(slices.Clip(f.Earlier), Former{Round: f.Round, Value: f.Value})
			f.Round, f.Seq = s.Round, s.Seq
		}
		f.Value, f.Severity, f.Grounded = e.Value, e.Severity, e.Grounded
		f.Derived, f.Cites = e.Derived, slices.Clone(e.Cites)
		f.Withdrawn, f.Reason = false, e.Reason
		p.Text = e.Text
	})
}

// changeField changes a copy of a point's field and marks the point as touched.
func (s *State) changeField(point string, change func(*Point, *Field)) error {
	p := s.Point(point)
	switch {
	case p == nil:
		return Unknown("point", point)
	case p.Field == nil:
		return fmt.Errorf("point %s is not a field of a proposal", point)
	}
	s.touchPoint(point, func(p *Point) {
		f := *p.Field
		change(p, &f)
		p.Field = &f
	})
	return nil
}

// FieldWithdrawn takes a field out of the proposal (WITHDRAW): objections to it
// are moot from then on (R6).
type FieldWithdrawn struct {
	Point  string `json:"point"`
	By     Seat   `json:"by"`
	Reason string `json:"reason"`
}

func (e *FieldWithdrawn) Fold(s *State) error {
	return s.changeField(e.Point, func(_ *Point, f *Field) {
		f.Withdrawn, f.WithdrawnBy, f.Reason = true, e.By, e.Reason
		f.Round, f.Seq = s.Round, s.Seq
	})
}

// ObjectionFiled types a challenge that was raised just before (OBJECT).
type ObjectionFiled struct {
	Challenge string `json:"challenge"`
	Category  string `json:"category"`
	Severity  string `json:"severity"`
	Predicate string `json:"predicate"`
	// Flag is the red flag of the playbook that it raises, or "".
	Flag string `json:"flag"`
	// Cites are ids of evidence on record that bear on it.
	Cites []string `json:"cites"`
}

func (e *ObjectionFiled) Fold(s *State) error {
	if c := s.Challenge(e.Challenge); c != nil && c.Typed != nil {
		return fmt.Errorf("challenge %s is typed already", e.Challenge)
	}
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) {
		c.Typed = &Objection{
			Category: e.Category, Severity: e.Severity, Predicate: e.Predicate, Flag: e.Flag,
			Evidence: slices.Clone(e.Cites),
		}
	})
}

// EvidenceSupplied brings an item to bear on an objection (SUPPLY_EVIDENCE).
type EvidenceSupplied struct {
	Evidence  string `json:"evidence"`
	Challenge string `json:"challenge"`
}

func (e *EvidenceSupplied) Fold(s *State) error {
	if s.Item(e.Evidence) == nil {
		return Unknown("evidence item", e.Evidence)
	}
	return s.changeObjection(e.Challenge, func(o *Objection) {
		if !slices.Contains(o.Evidence, e.Evidence) {
			o.Evidence = append(slices.Clip(o.Evidence), e.Evidence)
		}
		if item := s.Item(e.Evidence); item.Relation == ledger.Supports && item.OfferedBy != string(User) {
			o.Supplied = s.Seq
		}
	})
}

// changeObjection changes a copy of a challenge's objection and marks both
// challenge and point as touched.
func (s *State) changeObjection(challenge string, change func(*Objection)) error {
	if c := s.Challenge(challenge); c != nil && c.Typed == nil {
		return fmt.Errorf("challenge %s is not an objection to a proposal", challenge)
	}
	return s.ChangeChallenge(challenge, func(c *Challenge) {
		o := *c.Typed
		change(&o)
		c.Typed = &o
	})
}

// ObjectionRuled is the user's word on an objection (R0).
type ObjectionRuled struct {
	Challenge string `json:"challenge"`
	// Verdict is cleared, upheld, or "" to take an earlier one back.
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
}

func (e *ObjectionRuled) Fold(s *State) error {
	return s.changeObjection(e.Challenge, func(o *Objection) { o.Verdict, o.RuledSeq = e.Verdict, s.Seq })
}

// ProposalExamined records that the pressure-tester examined the current proposal, and how
// many objections it raised (NO_OBJECTION: none).
type ProposalExamined struct {
	By Seat `json:"by"`
	// New counts the objections that it brought.
	New int `json:"new"`
	// Reason is why it has none, in its words.
	Reason string `json:"reason"`
}

func (*ProposalExamined) Fold(s *State) error {
	s.Dialectic.Examined = s.Seq
	return nil
}

// RoundResolved is the decision on the proposal at the end of a round, with every receipt.
type RoundResolved struct {
	Resolution
}

func (e *RoundResolved) Fold(s *State) error {
	if e.Round != s.Round {
		return fmt.Errorf("round %d is resolved in round %d", e.Round, s.Round)
	}
	resolved := e.Resolution
	resolved.Seq = s.Seq
	s.Dialectic.Resolved = append(slices.Clip(s.Dialectic.Resolved), resolved)
	return nil
}
