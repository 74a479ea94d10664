package state

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
)

// The seats of a council.
const (
	// Strategist holds the claims.
	Strategist Seat = "strategist"
	// Critic looks for flaws of method and evidence.
	Critic Seat = "critic"
	// Adversary looks for what breaks the claims.
	Adversary Seat = "adversary"
	// Moderator merges and narrows, and says whether there is agreement.
	Moderator Seat = "moderator"
	// Expert is asked after the adversary, where somebody sits there.
	Expert Seat = "expert"
)

// CouncilSeats returns the seats of a council in the order in which they speak.
func CouncilSeats() []Seat { return []Seat{Strategist, Critic, Adversary, Expert, Moderator} }

// The rounds of a council.
const (
	DefaultCouncilRounds = 3
	MaxCouncilRounds     = 8
)

// DefaultDecision is the aggregate from which a claim may stand (CV2).
const DefaultDecision = 0.65

// CouncilSettings configure a council. They are fixed when the session opens.
type CouncilSettings struct {
	// Rounds is how often the claims are tested at most, 1 to MaxCouncilRounds.
	Rounds int `json:"rounds"`
	// Parallel asks critic and adversary at once: neither sees what the other says
	// in that round.
	Parallel bool `json:"parallel"`
	// Weights determine how much the confidence of each seat counts. The weights of the
	// seats that reported are scaled to add up to 1.
	Weights []SeatWeight `json:"weights"`
	// Decision is the aggregate from which a claim may stand, 0 to 1 (CV2).
	Decision float64 `json:"decision_threshold"`
	// Constitution binds the seats.
	Constitution Constitution `json:"constitution"`
}

// SeatWeight is how much the confidence of a seat counts, 0 to 1.
type SeatWeight struct {
	Seat   Seat    `json:"seat"`
	Weight float64 `json:"weight"`
}

// DefaultWeights returns how much the confidence of each seat counts by default.
func DefaultWeights() []SeatWeight {
	return []SeatWeight{{Strategist, 0.3}, {Critic, 0.4}, {Adversary, 0.2}, {Moderator, 0.1}}
}

// WeightWords are weights as they are typed: "strategist=0.3,critic=0.4".
func WeightWords(weights []SeatWeight) string {
	words := lists.Map(weights, func(w SeatWeight) string { return fmt.Sprintf("%s=%g", w.Seat, w.Weight) })
	return strings.Join(words, ",")
}

// Weight returns the weight of the seat, or 0.
func (c *CouncilSettings) Weight(seat Seat) float64 {
	if w := first(c.Weights, func(w *SeatWeight) bool { return w.Seat == seat }); w != nil {
		return w.Weight
	}
	return 0
}

// Constitution holds the rules for the seats of a council.
type Constitution struct {
	// Name is "default" or that of the user's file.
	Name        string       `json:"name"`
	Constraints []Constraint `json:"constraints"`
}

// Constraint is one sentence of a constitution.
type Constraint struct {
	ID   string `json:"id"`
	Seat Seat   `json:"seat"`
	// Text goes into the seat's prompt.
	Text string `json:"text"`
	// Check is how code looks after it; CheckNone where it cannot.
	Check Check `json:"check"`
	// Deny are the phrases that CheckNoHarm looks for.
	Deny []string `json:"deny"`
}

// Constraint returns the one with the id, or nil.
func (c *Constitution) Constraint(id string) *Constraint {
	return first(c.Constraints, func(one *Constraint) bool { return one.ID == id })
}

// Check is how code looks after a constraint.
type Check string

// The checks.
const (
	CheckNone Check = ""
	// CheckCites demands a reference of a factual claim.
	CheckCites Check = "cites-evidence"
	// CheckUncertainty demands a limit, a range, or a confidence below 1 with its
	// reason.
	CheckUncertainty Check = "states-uncertainty"
	// CheckMethod demands that a challenge names method, sample, assumption or
	// confounder.
	CheckMethod Check = "challenges-method"
	// CheckDiverse demands references of two sources of a key claim.
	CheckDiverse Check = "diverse-sources"
	// CheckFeasible demands that a proposal says how it is carried out.
	CheckFeasible Check = "feasibility"
	// CheckBias flags a claim whose support is of one source, one seat or one
	// polarity.
	CheckBias Check = "bias"
	// CheckNoHarm blocks claims that hold a phrase of the user's.
	CheckNoHarm Check = "no-harm"
)

// Checks returns every Check but CheckNone.
func Checks() []Check {
	return []Check{CheckCites, CheckUncertainty, CheckMethod, CheckDiverse, CheckFeasible, CheckBias, CheckNoHarm}
}

// Council is the part of a state that only councils use.
type Council struct {
	// Breaches are the violations of the constitution, in the order in which they
	// were found.
	Breaches []Breach
	// Syntheses are the moderator's statements, the oldest first.
	Syntheses []Synthesis
	// Tested are the tests for consensus, the oldest first.
	Tested []Consensus
	// Ended are the states at these tests, in the order of Tested, to look up an earlier
	// round. They share unchanged data; their own Ended is empty.
	Ended []State
}

// Breach is a violation of the constitution, with its round and its event.
type Breach struct {
	ConstitutionViolated
	Round int `json:"round"`
	Seq   int `json:"-"`
}

// Synthesis is the moderator's summary of a round.
type Synthesis struct {
	Synthesized
	Round int `json:"round"`
	Seq   int `json:"-"`
}

// Consensus is the result of the consensus test at the end of a round.
type Consensus struct {
	Round int `json:"round"`
	// Reached says that no live claim is unsettled.
	Reached bool `json:"reached"`
	// Reported says that the moderator spoke of agreement in this round: yes, no,
	// or "" where it said nothing.
	Reported string `json:"reported"`
	// Unsettled are the live claims that CV1 to CV4 do not hold of.
	Unsettled []string `json:"unsettled"`
}

// The moderator's opinions on agreement.
const (
	AgreementYes = "yes"
	AgreementNo  = "no"
)

// Contradicted reports whether the rules contradict the moderator's opinion on agreement.
func (c *Consensus) Contradicted() bool {
	return c.Reported == AgreementYes && !c.Reached || c.Reported == AgreementNo && c.Reached
}

// CouncilSettings are how the session's council decides; a session without them has
// the usual ones.
func (s *State) CouncilSettings() *CouncilSettings {
	if s.Settings.Council != nil {
		return s.Settings.Council
	}
	return &CouncilSettings{Rounds: DefaultCouncilRounds, Weights: DefaultWeights(), Decision: DefaultDecision}
}

// OnlyFlags reports whether a violation of the constraint is shown but blocks nothing: it
// may be legitimate that all support of a claim is of one kind.
func (s *State) OnlyFlags(constraint string) bool {
	c := s.CouncilSettings().Constitution.Constraint(constraint)
	return c != nil && c.Check == CheckBias
}

// Breached reports whether the violation is on the record.
func (c *Council) Breached(constraint, point, challenge string) bool {
	return slices.ContainsFunc(c.Breaches, func(b Breach) bool {
		return b.Constraint == constraint && b.Point == point && b.Challenge == challenge
	})
}

// Synthesis returns what the moderator said in the round, or nil.
func (c *Council) Synthesis(round int) *Synthesis {
	return last(c.Syntheses, func(y *Synthesis) bool { return y.Round == round })
}

// Consensus returns the test at the end of the round, or nil.
func (c *Council) Consensus(round int) *Consensus {
	return last(c.Tested, func(test *Consensus) bool { return test.Round == round })
}

// At returns the state at the end of the round, or nil.
func (c *Council) At(round int) *State {
	return last(c.Ended, func(s *State) bool { return s.Round == round })
}

// ConstitutionViolated says that a claim or a challenge violates a constraint:
// found by code, and given back to the seat once.
type ConstitutionViolated struct {
	// Constraint is the id of the constraint, Seat the one that must fix the violation.
	Constraint string `json:"constraint"`
	Seat       Seat   `json:"seat"`
	// Point is the claim that it is about; Challenge the challenge to it, or "".
	Point     string `json:"point"`
	Challenge string `json:"challenge"`
	// Text says what is missing, or what matched.
	Text string `json:"text"`
}

// About names what it is about: "P2", or "C1 on P2".
func (e *ConstitutionViolated) About() string {
	if e.Challenge == "" {
		return e.Point
	}
	return e.Challenge + " on " + e.Point
}

func (e *ConstitutionViolated) Fold(s *State) error {
	if s.Settings.Council == nil || s.Settings.Council.Constitution.Constraint(e.Constraint) == nil {
		return Unknown("constraint", e.Constraint)
	}
	if e.Challenge != "" && s.Challenge(e.Challenge) == nil {
		return Unknown("challenge", e.Challenge)
	}
	if err := s.ChangePoint(e.Point, nil); err != nil {
		return err
	}
	s.Council.Breaches = append(slices.Clip(s.Council.Breaches), Breach{*e, s.Round, s.Seq})
	return nil
}

// ClaimMarkedKey says that much rests on a claim, or not so much after all: a key
// claim needs verified evidence of two sources (CV1).
type ClaimMarkedKey struct {
	Point string `json:"point"`
	By    Seat   `json:"by"`
	Key   bool   `json:"key"`
}

func (e *ClaimMarkedKey) Fold(s *State) error {
	return s.ChangePoint(e.Point, func(p *Point) { p.Key, p.KeyBy, p.KeyRound = e.Key, e.By, s.Round })
}

// ClaimLimited records what a claim does not cover (CV4).
type ClaimLimited struct {
	Point string `json:"point"`
	By    Seat   `json:"by"`
	Limit string `json:"limit"`
}

func (e *ClaimLimited) Fold(s *State) error {
	return s.ChangePoint(e.Point, func(p *Point) { p.Limit = e.Limit })
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

func (e *ChallengeMended) Fold(s *State) error {
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) {
		c.Objection, c.UpgradeIf, c.Grounds = e.Objection, e.UpgradeIf, e.Grounds
	})
}

// Synthesized is the moderator's summary of a round: what follows, what is still open, and
// whether the moderator sees agreement. The rules decide whether there is any.
type Synthesized struct {
	By   Seat   `json:"by"`
	Text string `json:"text"`
	// Agreement is the moderator's opinion; code decides.
	Agreement bool `json:"agreement"`
	// Open are the claims on which it sees none.
	Open []string `json:"open"`
}

func (e *Synthesized) Fold(s *State) error {
	for _, id := range e.Open {
		if s.Point(id) == nil {
			return Unknown("point", id)
		}
	}
	s.Council.Syntheses = append(slices.Clip(s.Council.Syntheses), Synthesis{*e, s.Round, s.Seq})
	return nil
}

// ConsensusTested is the result of the consensus test at the end of a round. verify
// recomputes it.
type ConsensusTested struct{ Consensus }

func (e *ConsensusTested) Fold(s *State) error {
	if e.Round != s.Round {
		return fmt.Errorf("consensus of round %d is tested in round %d", e.Round, s.Round)
	}
	for _, id := range e.Unsettled {
		if s.Point(id) == nil {
			return Unknown("point", id)
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
