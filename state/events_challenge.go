package state

import (
	"fmt"
	"slices"
)

// ChallengeRaised is an attack on a point (RD4).
type ChallengeRaised struct {
	ID    string `json:"id"`
	Point string `json:"point"`
	By    Seat   `json:"by"`
	// What must be SKEPTICAL or REJECT.
	What            Class  `json:"what"`
	Objection       string `json:"objection"`
	UpgradeIf       string `json:"upgrade_if"`
	FlawKind        Kind   `json:"flaw_kind"`
	Grounds         string `json:"grounds"`
	WhyNotSkeptical string `json:"why_not_skeptical"`
	// Narrower is the claim that would stand, as the challenger sees it.
	Narrower string `json:"narrower,omitempty"`
	// Facts are the packet's facts that contradict the claim, in a hearing.
	Facts []string `json:"facts,omitzero"`
}

// Kind implements Payload.
func (*ChallengeRaised) Kind() string { return "challenge-raised" }

// Fold implements Payload.
func (e *ChallengeRaised) Fold(s *State) error {
	if want := NextID('C', s.Challenges.Len()); e.ID != want {
		return fmt.Errorf("the next challenge is %s, not %q", want, e.ID)
	}
	if !s.touchPoint(e.Point, func(p *Point) { p.Challenges = append(slices.Clip(p.Challenges), e.ID) }) {
		return unknown("point", e.Point)
	}
	s.Challenges = s.Challenges.Append(&Challenge{
		ID: e.ID, Point: e.Point, By: e.By, Kind: e.What, Objection: e.Objection, UpgradeIf: e.UpgradeIf,
		FlawKind: e.FlawKind, Grounds: e.Grounds, WhyNotSkeptical: e.WhyNotSkeptical, Narrower: e.Narrower,
		Facts:  slices.Clone(e.Facts),
		Status: StandsOpen, Round: s.Round, Disputed: s.Round, Seq: s.Seq,
	})
	return nil
}

// change updates a challenge and marks its point as touched.
func (s *State) change(id string, f func(*Challenge)) error {
	c := s.Challenge(id)
	if c == nil {
		return unknown("challenge", id)
	}
	s.Challenges = s.Challenges.Update(index(id, 'C'), func(c *Challenge) {
		c.Seq = s.Seq
		f(c)
	})
	s.touchPoint(c.Point, nil)
	return nil
}

// ChallengeAnswered is a defense (CH1).
type ChallengeAnswered struct {
	Challenge string `json:"challenge"`
	By        Seat   `json:"by"`
	Text      string `json:"text"`
	// Facts are the cited facts of the packet, in a hearing.
	Facts []string `json:"facts,omitzero"`
}

// Kind implements Payload.
func (*ChallengeAnswered) Kind() string { return "challenge-answered" }

// Fold implements Payload.
func (e *ChallengeAnswered) Fold(s *State) error {
	return s.change(e.Challenge, func(c *Challenge) {
		c.Status, c.Confirm = StandsDefended, false
		c.Defenses = append(slices.Clip(c.Defenses),
			Defense{Round: s.Round, By: e.By, Text: e.Text, Facts: slices.Clone(e.Facts), Seq: s.Seq})
	})
}

// ChallengeJudged is the challenger's word on the last defense (CH5).
type ChallengeJudged struct {
	Challenge string   `json:"challenge"`
	By        Seat     `json:"by"`
	Judgment  Judgment `json:"judgment"`
	Reason    string   `json:"reason"`
	// Reopens says that the author gets one more window.
	Reopens bool `json:"reopens"`
}

// Kind implements Payload.
func (*ChallengeJudged) Kind() string { return "challenge-judged" }

// Fold implements Payload.
func (e *ChallengeJudged) Fold(s *State) error {
	if c := s.Challenge(e.Challenge); c != nil && len(c.Defenses) == 0 {
		return fmt.Errorf("challenge %s has no defense to judge", e.Challenge)
	}
	return s.change(e.Challenge, func(c *Challenge) {
		defenses := slices.Clone(c.Defenses)
		last := &defenses[len(defenses)-1]
		last.Judgment, last.Reason = e.Judgment, e.Reason
		c.Defenses = defenses
		if e.Reopens {
			// The author gets a fresh window, with a reminder of its own.
			c.Status, c.ReminderSent = StandsOpen, false
		}
	})
}

// ChallengeDropped says that an author's reply did not reference it (CH2).
type ChallengeDropped struct {
	Challenge string `json:"challenge"`
}

// Kind implements Payload.
func (*ChallengeDropped) Kind() string { return "challenge-dropped" }

// Fold implements Payload.
func (e *ChallengeDropped) Fold(s *State) error {
	return s.change(e.Challenge, func(c *Challenge) { c.Status = StandsDropped })
}

// ChallengeReminded says that a reminder went out: one more window (CH2).
type ChallengeReminded struct {
	Challenge string `json:"challenge"`
}

// Kind implements Payload.
func (*ChallengeReminded) Kind() string { return "challenge-reminded" }

// Fold implements Payload.
func (e *ChallengeReminded) Fold(s *State) error {
	return s.change(e.Challenge, func(c *Challenge) { c.Status, c.ReminderSent = StandsReminded, true })
}

// ChallengeUnconfirmed says that a passage seems to answer the challenge
// without its id: the author is asked to confirm (CH4).
type ChallengeUnconfirmed struct {
	Challenge string `json:"challenge"`
	Text      string `json:"text"`
}

// Kind implements Payload.
func (*ChallengeUnconfirmed) Kind() string { return "challenge-unconfirmed" }

// Fold implements Payload.
func (e *ChallengeUnconfirmed) Fold(s *State) error {
	return s.change(e.Challenge, func(c *Challenge) { c.Confirm, c.Unconfirmed = true, e.Text })
}

// ChallengeUndefended says that the last window passed without an answer
// (CH2, CH3).
type ChallengeUndefended struct {
	Challenge string `json:"challenge"`
	Reason    string `json:"reason"`
}

// Kind implements Payload.
func (*ChallengeUndefended) Kind() string { return "challenge-undefended" }

// Fold implements Payload.
func (e *ChallengeUndefended) Fold(s *State) error {
	return s.change(e.Challenge, func(c *Challenge) { c.Status = StandsUndefended })
}

// ChallengeConceded is an explicit concession (CH1). The author gives up
// the point that was challenged.
type ChallengeConceded struct {
	Challenge string `json:"challenge"`
	By        Seat   `json:"by"`
	Reason    string `json:"reason"`
}

// Kind implements Payload.
func (*ChallengeConceded) Kind() string { return "challenge-conceded" }

// Fold implements Payload.
func (e *ChallengeConceded) Fold(s *State) error {
	c := s.Challenge(e.Challenge)
	if c == nil {
		return unknown("challenge", e.Challenge)
	}
	p := s.Point(c.Point)
	all := p != nil && slices.Equal(p.Authors, []Seat{e.By})
	if p != nil {
		s.touchPoint(c.Point, func(p *Point) { concede(p, e.By, s) })
		all = everyAuthorConceded(s.Point(c.Point))
	}
	if !all {
		// With authors left that hold the point, the challenge stays with them.
		return nil
	}
	return s.change(e.Challenge, func(c *Challenge) { c.Status = StandsConceded })
}

func everyAuthorConceded(p *Point) bool {
	for _, a := range p.Authors {
		if !slices.ContainsFunc(p.Concessions, func(c Concession) bool { return c.Seat == a }) {
			return false
		}
	}
	return len(p.Authors) > 0
}

// Conceded reports whether all authors of the point conceded it (AC6), and in
// which round the last did.
func (p *Point) Conceded() (int, bool) {
	if !everyAuthorConceded(p) {
		return 0, false
	}
	round := 0
	for _, c := range p.Concessions {
		round = max(round, c.Round)
	}
	return round, true
}
