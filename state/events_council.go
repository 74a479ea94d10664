package state

import (
	"fmt"
	"slices"
)

// ConstitutionViolated says that a claim or a challenge violates a constraint:
// found by code, and given back to the seat once.
type ConstitutionViolated struct {
	Constraint string `json:"constraint"`
	Seat       Seat   `json:"seat"`
	// Point is the claim that it is about; Challenge the challenge to it, or "".
	Point     string `json:"point"`
	Challenge string `json:"challenge"`
	// Text says what is missing, or what matched.
	Text string `json:"text"`
}

// About names what it is about: "P2", or "C1 on P2".
func (e *ConstitutionViolated) About() string { return aboutBreach(e.Point, e.Challenge) }

// Kind implements Payload.
func (*ConstitutionViolated) Kind() string { return "constitution-violated" }

// Fold implements Payload.
func (e *ConstitutionViolated) Fold(s *State) error {
	if s.Settings.Council == nil || s.Settings.Council.Constitution.Constraint(e.Constraint) == nil {
		return unknown("constraint", e.Constraint)
	}
	if e.Challenge != "" && s.Challenge(e.Challenge) == nil {
		return unknown("challenge", e.Challenge)
	}
	if !s.touchPoint(e.Point, nil) {
		return unknown("point", e.Point)
	}
	s.Council.Breaches = append(slices.Clip(s.Council.Breaches), Breach{
		Constraint: e.Constraint, Seat: e.Seat, Point: e.Point, Challenge: e.Challenge, Text: e.Text, Round: s.Round,
		Seq: s.Seq,
	})
	return nil
}

// ClaimMarkedKey says that much rests on a claim, or not so much after all: a key
// claim needs verified evidence of two sources (CV1).
type ClaimMarkedKey struct {
	Point string `json:"point"`
	By    Seat   `json:"by"`
	Key   bool   `json:"key"`
}

// Kind implements Payload.
func (*ClaimMarkedKey) Kind() string { return "claim-marked-key" }

// Fold implements Payload.
func (e *ClaimMarkedKey) Fold(s *State) error {
	if !s.touchPoint(e.Point, func(p *Point) { p.Key, p.KeyBy, p.KeyRound = e.Key, e.By, s.Round }) {
		return unknown("point", e.Point)
	}
	return nil
}

// ClaimLimited records what a claim does not cover (CV4).
type ClaimLimited struct {
	Point string `json:"point"`
	By    Seat   `json:"by"`
	Limit string `json:"limit"`
}

// Kind implements Payload.
func (*ClaimLimited) Kind() string { return "claim-limited" }

// Fold implements Payload.
func (e *ClaimLimited) Fold(s *State) error {
	if !s.touchPoint(e.Point, func(p *Point) { p.Limit = e.Limit }) {
		return unknown("point", e.Point)
	}
	return nil
}

// ChallengeMended replaces the text of a challenge that violated the constitution. Its seat
// rewrote it.
type ChallengeMended struct {
	Challenge string `json:"challenge"`
	By        Seat   `json:"by"`
	Objection string `json:"objection"`
	UpgradeIf string `json:"upgrade_if"`
	Grounds   string `json:"grounds"`
}

// Kind implements Payload.
func (*ChallengeMended) Kind() string { return "challenge-mended" }

// Fold implements Payload.
func (e *ChallengeMended) Fold(s *State) error {
	c := s.Challenge(e.Challenge)
	if c == nil {
		return unknown("challenge", e.Challenge)
	}
	point := c.Point
	s.Challenges = s.Challenges.Update(index(e.Challenge, 'C'), func(c *Challenge) {
		c.Objection, c.UpgradeIf, c.Grounds, c.Seq = e.Objection, e.UpgradeIf, e.Grounds, s.Seq
	})
	s.touchPoint(point, nil)
	return nil
}

// Synthesized is the moderator's summary of a round: what follows, what is still open, and
// whether the moderator sees agreement. The rules decide whether there is any.
type Synthesized struct {
	By        Seat     `json:"by"`
	Text      string   `json:"text"`
	Agreement bool     `json:"agreement"`
	Open      []string `json:"open"`
}

// Kind implements Payload.
func (*Synthesized) Kind() string { return "synthesized" }

// Fold implements Payload.
func (e *Synthesized) Fold(s *State) error {
	for _, id := range e.Open {
		if s.Point(id) == nil {
			return unknown("point", id)
		}
	}
	s.Council.Syntheses = append(slices.Clip(s.Council.Syntheses), Synthesis{
		By: e.By, Text: e.Text, Agreement: e.Agreement, Open: slices.Clone(e.Open), Round: s.Round, Seq: s.Seq,
	})
	return nil
}

// ConsensusTested is the result of the consensus test at the end of a round. verify
// recomputes it.
type ConsensusTested struct{ Consensus }

// Kind implements Payload.
func (*ConsensusTested) Kind() string { return "consensus-tested" }

// Fold implements Payload.
func (e *ConsensusTested) Fold(s *State) error {
	if e.Round != s.Round {
		return fmt.Errorf("consensus of round %d is tested in round %d", e.Round, s.Round)
	}
	for _, id := range e.Unsettled {
		if s.Point(id) == nil {
			return unknown("point", id)
		}
	}
	tested := e.Consensus
	tested.Unsettled = slices.Clone(tested.Unsettled)
	s.Council.Tested = append(slices.Clip(s.Council.Tested), tested)
	ended := *s
	ended.Council.Ended = nil
	s.Council.Ended = append(slices.Clip(s.Council.Ended), ended)
	return nil
}
