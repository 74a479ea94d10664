package council

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/protocol/claims"
	"moot/protocol/council/constitution"
	"moot/state"
)

// Format is the council. Four seats test claims in four phases: the strategist presents
// them, the critic examines method and evidence, the adversary looks for failure cases,
// and the moderator draws conclusions. Code decides whether there is consensus; without it
// another round follows.
type Format struct{ claims.Base }

// The stages of a council beside propose, answer, rebut, remind and judge.
const (
	// StageCritique is the critic's look at the claims, StageAttack the adversary's, StageAdvise the expert's.
	StageCritique state.Stage = "critique"
	StageAttack   state.Stage = "attack"
	StageAdvise   state.Stage = "advise"
	// StageFix asks a seat to fix what violates the constitution.
	StageFix        state.Stage = "fix"
	StageSynthesize state.Stage = "synthesize"
)

// The rounds of a council.
const (
	DefaultRounds = 3
	MaxRounds     = 8
)

// DefaultDecision is the default of Settings.Decision.
const DefaultDecision = 0.65

// Settings configure a council. They are fixed when the session opens.
type Settings struct {
	// Rounds is how often the claims are tested at most, 1 to MaxRounds.
	Rounds int `json:"rounds"`
	// Parallel asks critic and adversary at once: neither sees what the other says
	// in that round.
	Parallel bool `json:"parallel"`
	// Weights determine how much the confidence of each seat counts. The weights of the
	// seats that reported are scaled to add up to 1.
	Weights []SeatWeight `json:"weights"`
	// Decision is the minimum aggregate for a claim to be accepted, 0 to 1 (CV2).
	Decision float64 `json:"decision_threshold"`
	// Constitution binds the seats.
	Constitution constitution.Constitution `json:"constitution"`
}

// LastRound is the last round in which a reopened claim could be looked at again.
func (c *Settings) LastRound() int { return c.Rounds }

// SeatWeight is the weight of a seat's confidence, 0 to 1.
type SeatWeight struct {
	Seat   state.Seat `json:"seat"`
	Weight float64    `json:"weight"`
}

// DefaultWeights returns the default weights of the seats.
func DefaultWeights() []SeatWeight {
	return []SeatWeight{
		{constitution.Strategist, 0.3},
		{constitution.Critic, 0.4},
		{constitution.Adversary, 0.2},
		{constitution.Moderator, 0.1},
	}
}

// WeightWords are weights as they are typed: "strategist=0.3,critic=0.4".
func WeightWords(weights []SeatWeight) string {
	words := lists.Map(weights, func(w SeatWeight) string { return fmt.Sprintf("%s=%g", w.Seat, w.Weight) })
	return strings.Join(words, ",")
}

// Weight returns the weight of the seat, or 0.
func (c *Settings) Weight(seat state.Seat) float64 {
	for _, w := range c.Weights {
		if w.Seat == seat {
			return w.Weight
		}
	}
	return 0
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
}

// Consensus is the result of the consensus test at the end of a round.
type Consensus struct {
	Round int `json:"round"`
	// Reached says that a claim is Agreed and no live claim is unsettled.
	Reached bool `json:"reached"`
	// Reported is the moderator's opinion on agreement in this round: yes, no, or "" if it gave
	// none.
	Reported string `json:"reported"`
	// Unsettled are the live claims for which CV1 to CV4 do not hold.
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

// Name is the format's name in session files.
const Name state.Format = "council"

// Own implements state.Rules.
func (Format) Own() state.Own {
	return state.Own{
		Claims:   true,
		Stages:   []state.Stage{StageCritique, StageAttack, StageAdvise, StageFix, StageSynthesize},
		Settings: defaults(), State: &Council{}, OnePhase: true,
		Kinds: []func() state.Payload{
			state.Create[ConstitutionViolated], state.Create[ClaimMarkedKey], state.Create[ClaimLimited],
			state.Create[ChallengeReworded], state.Create[Synthesized], state.Create[ConsensusTested],
		},
	}
}

func defaults() *Settings {
	return &Settings{Rounds: DefaultRounds, Weights: DefaultWeights(), Decision: DefaultDecision}
}

// Of returns the council's own part of a state.
func Of(s *state.State) *Council { return state.OwnOf[Council](s) }

// SettingsOf returns the council's own settings.
func SettingsOf(s *state.State) *Settings {
	if own, ok := s.Settings.Own.(*Settings); ok {
		return own
	}
	return defaults()
}

// onlyFlags reports whether a violation of the constraint is shown but blocks nothing: it
// may be legitimate that all support of a claim is of one kind.
func onlyFlags(s *state.State, constraint string) bool {
	c := SettingsOf(s).Constitution.Constraint(constraint)
	return c != nil && c.Check == constitution.CheckBias
}

// Breached reports whether the violation is recorded.
func (c *Council) Breached(constraint, point, challenge string) bool {
	return slices.ContainsFunc(c.Breaches, func(b Breach) bool {
		return b.Constraint == constraint && b.Point == point && b.Challenge == challenge
	})
}

// Synthesis returns what the moderator said in the round, or nil.
func (c *Council) Synthesis(round int) *Synthesis {
	return lists.Last(c.Syntheses, func(y *Synthesis) bool { return y.Round == round })
}

// Consensus returns the test at the end of the round, or nil.
func (c *Council) Consensus(round int) *Consensus {
	return lists.Last(c.Tested, func(test *Consensus) bool { return test.Round == round })
}

// ConstitutionViolated says that a claim or a challenge violates a constraint:
// found by code, and given back to the seat once.
type ConstitutionViolated struct {
	// Constraint is the id of the constraint, Seat the one that must fix the violation.
	Constraint string     `json:"constraint"`
	Seat       state.Seat `json:"seat"`
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

// Fold implements state.Payload.
func (e *ConstitutionViolated) Fold(s *state.State) error {
	if SettingsOf(s).Constitution.Constraint(e.Constraint) == nil {
		return state.Unknown("constraint", e.Constraint)
	}
	if e.Challenge != "" && s.Challenge(e.Challenge) == nil {
		return state.Unknown("challenge", e.Challenge)
	}
	if err := s.ChangePoint(e.Point, nil); err != nil {
		return err
	}
	return state.ChangeOwn(s, func(c *Council) {
		c.Breaches = append(slices.Clip(c.Breaches), Breach{*e, s.Round, s.Seq})
	})
}

// Claim is the part of a point that only councils use.
type Claim struct {
	// Key says that much depends on the claim (CV1). keyBy and keyRound say who marked it, and
	// when.
	Key      bool
	keyBy    state.Seat
	keyRound int
	// Limit says what the claim does not cover (CV4).
	Limit string
}

// ClaimOf returns the council's part of a point, together with that of the points merged into it.
func ClaimOf(s *state.State, p *state.Point) Claim {
	claim, _ := p.Own.(Claim)
	for _, id := range p.Aliases {
		merged, _ := s.Point(id).Own.(Claim)
		claim.Key = claim.Key || merged.Key
		claim.Limit = cmp.Or(claim.Limit, merged.Limit)
	}
	return claim
}

// changeClaim changes a copy of the council's part of a point.
func changeClaim(s *state.State, point string, change func(*Claim)) error {
	return s.ChangePoint(point, func(p *state.Point) {
		claim, _ := p.Own.(Claim)
		change(&claim)
		p.Own = claim
	})
}

// ClaimMarkedKey says that much depends on a claim: a key claim needs verified evidence from two sources
// (CV1).
type ClaimMarkedKey struct {
	Point string     `json:"point"`
	By    state.Seat `json:"by"`
}

// Fold implements state.Payload.
func (e *ClaimMarkedKey) Fold(s *state.State) error {
	return changeClaim(s, e.Point, func(c *Claim) { c.Key, c.keyBy, c.keyRound = true, e.By, s.Round })
}

// ClaimLimited records what a claim does not cover (CV4).
type ClaimLimited struct {
	Point string     `json:"point"`
	By    state.Seat `json:"by"`
	Limit string     `json:"limit"`
}

// Fold implements state.Payload.
func (e *ClaimLimited) Fold(s *state.State) error {
	return changeClaim(s, e.Point, func(c *Claim) { c.Limit = e.Limit })
}

// ChallengeReworded replaces the text of a challenge that violated the constitution. Its seat
// rewrote it.
type ChallengeReworded struct {
	Challenge string     `json:"challenge"`
	By        state.Seat `json:"by"`
	Objection string     `json:"objection"`
	UpgradeIf string     `json:"upgrade_if"`
	Grounds   string     `json:"grounds"`
}

// Fold implements state.Payload.
func (e *ChallengeReworded) Fold(s *state.State) error {
	return s.ChangeChallenge(e.Challenge, func(c *state.Challenge) {
		c.Objection, c.UpgradeIf, c.Grounds = e.Objection, e.UpgradeIf, e.Grounds
	})
}

// Synthesized is the moderator's summary of a round: what follows, what is still open, and
// whether the moderator sees agreement. The rules decide whether there is any.
type Synthesized struct {
	By   state.Seat `json:"by"`
	Text string     `json:"text"`
	// Agreement is the moderator's opinion; code decides.
	Agreement bool `json:"agreement"`
	// Open are the claims on which it sees no agreement.
	Open []string `json:"open"`
}

// Fold implements state.Payload.
func (e *Synthesized) Fold(s *state.State) error {
	for _, id := range e.Open {
		if s.Point(id) == nil {
			return state.Unknown("point", id)
		}
	}
	return state.ChangeOwn(s, func(c *Council) {
		c.Syntheses = append(slices.Clip(c.Syntheses), Synthesis{*e, s.Round})
	})
}

// ConsensusTested is the result of the consensus test at the end of a round. verify
// recomputes it.
type ConsensusTested struct{ Consensus }

// Fold implements state.Payload.
func (e *ConsensusTested) Fold(s *state.State) error {
	if e.Round != s.Round {
		return fmt.Errorf("consensus of round %d is tested in round %d", e.Round, s.Round)
	}
	for _, id := range e.Unsettled {
		if s.Point(id) == nil {
			return state.Unknown("point", id)
		}
	}
	tested := e.Consensus
	tested.Unsettled = slices.Clone(tested.Unsettled)
	return state.ChangeOwn(s, func(c *Council) { c.Tested = append(slices.Clip(c.Tested), tested) })
}
