package state

import (
	"encoding/json"
	"errors"
	"slices"

	"moot/ledger"
)

// PacketFacts are facts of the packet, in its order. A large packet takes several.
type PacketFacts struct {
	// Facts is a list of facts, as ledger.Packet.Chunks yields it.
	Facts json.RawMessage `json:"facts"`
}

// Kind implements Payload.
func (*PacketFacts) Kind() string { return "packet-facts" }

// Fold implements Payload.
func (e *PacketFacts) Fold(s *State) error {
	if s.Hearing.Packet != nil {
		return ledger.ErrFrozen
	}
	s.Hearing.parts = append(slices.Clip(s.Hearing.parts), e.Facts)
	return nil
}

// PacketFrozen ends the collection of facts for a hearing. The digest covers all facts
// recorded so far.
type PacketFrozen struct{ ledger.PacketSeal }

// Kind implements Payload.
func (*PacketFrozen) Kind() string { return "packet-frozen" }

// Fold implements Payload. A packet that was changed after it was frozen is refused.
func (e *PacketFrozen) Fold(s *State) error {
	if s.Hearing.Packet != nil {
		return ledger.ErrFrozen
	}
	packet, err := ledger.RestorePacket(e.PacketSeal, s.Hearing.parts)
	if err != nil {
		return err
	}
	s.Hearing.Packet, s.Hearing.parts = packet, nil
	return nil
}

// PacketEvents are the events that put a frozen packet on record.
func PacketEvents(p *ledger.Packet) []Payload {
	var events []Payload
	for chunk := range p.Chunks() {
		events = append(events, &PacketFacts{Facts: chunk})
	}
	return append(events, &PacketFrozen{PacketSeal: p.Seal()})
}

// SchemaViolated says that a move cites facts outside of the packet: it is dropped
// whole, counted and shown.
type SchemaViolated struct {
	Seat  Seat     `json:"seat"`
	Move  string   `json:"move"`
	Text  string   `json:"text"`
	Facts []string `json:"facts"`
}

// Kind implements Payload.
func (*SchemaViolated) Kind() string { return "schema-violated" }

// Fold implements Payload.
func (e *SchemaViolated) Fold(s *State) error {
	if len(e.Facts) == 0 || len(s.Hearing.UnknownFacts(e.Facts)) != len(e.Facts) {
		return errors.New("a violation of the closed world names facts that are not in the packet")
	}
	s.Hearing.Violations = append(slices.Clip(s.Hearing.Violations), SchemaViolation{
		Seat: e.Seat, Round: s.Round, Move: e.Move, Text: e.Text, Facts: slices.Clone(e.Facts),
	})
	return nil
}

// Argued ends the argument of a side in a round: how sure it is of its side of the
// question.
type Argued struct {
	Seat Seat `json:"seat"`
	// Stated is the side's number, Confidence what counts.
	Stated      float64 `json:"stated"`
	Confidence  float64 `json:"confidence"`
	WouldChange string  `json:"would_change"`
}

// Kind implements Payload.
func (*Argued) Kind() string { return "argued" }

// Fold implements Payload.
func (e *Argued) Fold(s *State) error {
	s.Hearing.Arguments = append(slices.Clip(s.Hearing.Arguments), Argument{
		Seat: e.Seat, Round: s.Round, Stated: e.Stated, Confidence: e.Confidence, WouldChange: e.WouldChange,
		Seq: s.Seq,
	})
	return nil
}

// ConfidenceChanged is a change of a side's confidence in a claim of its own, with
// the fact that caused it.
type ConfidenceChanged struct {
	Seat  Seat    `json:"seat"`
	Point string  `json:"point"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Fact  string  `json:"fact"`
}

// Kind implements Payload.
func (*ConfidenceChanged) Kind() string { return "confidence-changed" }

// Fold implements Payload.
func (e *ConfidenceChanged) Fold(s *State) error {
	if s.Point(e.Point) == nil {
		return unknown("point", e.Point)
	}
	s.Hearing.Changes = append(slices.Clip(s.Hearing.Changes), ConfidenceChange{
		Seat: e.Seat, Point: e.Point, Round: s.Round, From: e.From, To: e.To, Fact: e.Fact,
	})
	return nil
}

// RebuttalIgnored says that a side left a contradicting fact unanswered, and neither
// lowered its confidence nor named the fact that would change its mind.
type RebuttalIgnored struct {
	Seat      Seat   `json:"seat"`
	Challenge string `json:"challenge"`
	Fact      string `json:"fact"`
}

// Kind implements Payload.
func (*RebuttalIgnored) Kind() string { return "rebuttal-ignored" }

// Fold implements Payload.
func (e *RebuttalIgnored) Fold(s *State) error {
	c := s.Challenge(e.Challenge)
	if c == nil {
		return unknown("challenge", e.Challenge)
	}
	s.Hearing.Ignored = append(slices.Clip(s.Hearing.Ignored), IgnoredRebuttal{
		Seat: e.Seat, Challenge: e.Challenge, Point: c.Point, Fact: e.Fact, Round: s.Round,
	})
	return nil
}

// Gated is the result of the gate of a selective hearing. verify recomputes it.
type Gated struct{ Gating }

// Kind implements Payload.
func (*Gated) Kind() string { return "gated" }

// Fold implements Payload.
func (e *Gated) Fold(s *State) error {
	if s.Hearing.Gated != nil {
		return errors.New("the gate has spoken already")
	}
	gating := e.Gating
	gating.Flags = slices.Clone(gating.Flags)
	s.Hearing.Gated = &gating
	return nil
}
