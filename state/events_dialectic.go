package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

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

// Kind implements Payload.
func (*FieldProposed) Kind() string { return "field-proposed" }

// Fold implements Payload.
func (e *FieldProposed) Fold(s *State) error {
	p := s.Point(e.Point)
	switch {
	case p == nil:
		return unknown("point", e.Point)
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

// Kind implements Payload.
func (*FieldRevised) Kind() string { return "field-revised" }

// Fold implements Payload.
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
		return unknown("point", point)
	case p.Field == nil:
		return fmt.Errorf("point %s is no field of a proposal", point)
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

// Kind implements Payload.
func (*FieldWithdrawn) Kind() string { return "field-withdrawn" }

// Fold implements Payload.
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

// Kind implements Payload.
func (*ObjectionFiled) Kind() string { return "objection-filed" }

// Fold implements Payload.
func (e *ObjectionFiled) Fold(s *State) error {
	if c := s.Challenge(e.Challenge); c != nil && c.Typed != nil {
		return fmt.Errorf("challenge %s is typed already", e.Challenge)
	}
	return s.change(e.Challenge, func(c *Challenge) {
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

// Kind implements Payload.
func (*EvidenceSupplied) Kind() string { return "evidence-supplied" }

// Fold implements Payload.
func (e *EvidenceSupplied) Fold(s *State) error {
	if s.Item(e.Evidence) == nil {
		return unknown("evidence item", e.Evidence)
	}
	return s.changeObjection(e.Challenge, func(o *Objection) {
		if !slices.Contains(o.Evidence, e.Evidence) {
			o.Evidence = append(slices.Clip(o.Evidence), e.Evidence)
		}
	})
}

// changeObjection changes a copy of a challenge's objection and marks both
// challenge and point as touched.
func (s *State) changeObjection(challenge string, change func(*Objection)) error {
	if c := s.Challenge(challenge); c != nil && c.Typed == nil {
		return fmt.Errorf("challenge %s is no objection to a proposal", challenge)
	}
	return s.change(challenge, func(c *Challenge) {
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

// Kind implements Payload.
func (*ObjectionRuled) Kind() string { return "objection-ruled" }

// Fold implements Payload.
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

// Kind implements Payload.
func (*ProposalExamined) Kind() string { return "proposal-examined" }

// Fold implements Payload.
func (*ProposalExamined) Fold(s *State) error {
	s.Dialectic.Examined = s.Seq
	return nil
}

// RoundResolved is the decision on the proposal at the end of a round, with every receipt.
type RoundResolved struct {
	Resolution
}

// Kind implements Payload.
func (*RoundResolved) Kind() string { return "round-resolved" }

// Fold implements Payload.
func (e *RoundResolved) Fold(s *State) error {
	if e.Round != s.Round {
		return fmt.Errorf("round %d is resolved in round %d", e.Round, s.Round)
	}
	resolved := e.Resolution
	resolved.Seq = s.Seq
	s.Dialectic.Resolved = append(slices.Clip(s.Dialectic.Resolved), resolved)
	return nil
}
