package conflict

import (
	"fmt"
	"math"
	"strings"

	"moot/internal/enum"
)

// Thresholds classify the similarity of two outputs: below Contradiction they contradict each other, below
// Agreement they disagree, else there is no conflict. 0 ≤ Contradiction ≤ Agreement ≤ 1.
type Thresholds struct{ Contradiction, Agreement float64 }

// Check rejects thresholds that are out of range or out of order.
func (t Thresholds) Check() error {
	switch {
	case math.IsNaN(t.Contradiction) || t.Contradiction < 0 || t.Contradiction > 1:
		return fmt.Errorf("the contradiction threshold is %v: it must be from 0 to 1", t.Contradiction)
	case math.IsNaN(t.Agreement) || t.Agreement < 0 || t.Agreement > 1:
		return fmt.Errorf("the agreement threshold is %v: it must be from 0 to 1", t.Agreement)
	case t.Contradiction > t.Agreement:
		return fmt.Errorf("the contradiction threshold %v is above the agreement threshold %v", t.Contradiction,
			t.Agreement)
	}
	return nil
}

// Classify returns the type of conflict for a similarity, or false without a conflict.
func (t Thresholds) Classify(similarity float64) (kind Type, conflict bool) {
	switch {
	case similarity < t.Contradiction:
		return Contradiction, true
	case similarity < t.Agreement:
		return Disagreement, true
	}
	return "", false
}

// Preset is a named pair of thresholds.
type Preset string

// The presets: three degrees, and three domains.
const (
	Strict   Preset = "strict"
	Default  Preset = "default"
	Lenient  Preset = "lenient"
	Security Preset = "security"
	Code     Preset = "code"
	Creative Preset = "creative"
)

// Presets returns every Preset.
func Presets() []Preset { return []Preset{Strict, Default, Lenient, Security, Code, Creative} }

// UnmarshalText rejects an unknown word.
func (p *Preset) UnmarshalText(text []byte) error {
	return enum.Unmarshal("preset", text, Presets(), p)
}

// Thresholds returns the thresholds of the preset.
func (p Preset) Thresholds() Thresholds {
	switch p {
	case Strict, Security:
		return Thresholds{0.5, 0.9}
	case Lenient:
		return Thresholds{0.15, 0.7}
	case Creative:
		return Thresholds{0.15, 0.6}
	case Default, Code:
	}
	return Thresholds{0.3, 0.8}
}

// Type is how two outputs differ.
type Type string

// The types of conflicts. In a panel, the comparison of the answers decides (RD1b).
const (
	// Contradiction is opposite polarity on one subject.
	Contradiction Type = "contradiction"
	// Disagreement is different content on one subject.
	Disagreement Type = "disagreement"
)

// Types returns every Type.
func Types() []Type { return []Type{Contradiction, Disagreement} }

// UnmarshalText rejects an unknown word.
func (t *Type) UnmarshalText(text []byte) error {
	return enum.Unmarshal("type of conflict", text, Types(), t)
}

// Strategy is how a conflict is settled.
type Strategy string

// The strategies.
const (
	// Vote takes the largest group of equal outputs, on a tie the one that came first.
	Vote Strategy = "vote"
	// EvidenceWeight takes the agent that processed the most tokens, on a tie the first.
	EvidenceWeight Strategy = "evidence_weight"
	// Escalate settles nothing.
	Escalate Strategy = "escalate"
	// Tiered takes the vote if it is clear, else the weight if that is, else escalates.
	Tiered Strategy = "tiered"
)

// Strategies returns every Strategy.
func Strategies() []Strategy { return []Strategy{Vote, EvidenceWeight, Escalate, Tiered} }

// UnmarshalText rejects an unknown word.
func (s *Strategy) UnmarshalText(text []byte) error {
	return enum.Unmarshal("strategy", text, Strategies(), s)
}

// Ballot is an agent's output in the form that strategies use.
type Ballot struct {
	Agent string
	// Key is the same for equal outputs, and for no others.
	Key string
	// Weight is compared by evidence_weight: the tokens that the agent processed.
	Weight float64
}

// Resolution is the result of a strategy on one conflict.
type Resolution struct {
	// Method is the strategy that decided, for Tiered the one that it chose.
	Method Strategy `json:"method"`
	// Winner is an agent, or "".
	Winner     string  `json:"winner"`
	Reasoning  string  `json:"reasoning"`
	Confidence float64 `json:"confidence"`
}

// Resolve applies a strategy to the ballots of a conflict. The description of the conflict becomes the reason
// of an escalation.
func Resolve(strategy Strategy, ballots []Ballot, description string) Resolution {
	return choose(strategy, vote(ballots), weigh(ballots), description)
}

func choose(strategy Strategy, vote, weight Resolution, description string) Resolution {
	switch {
	case strategy == Vote, strategy == Tiered && Clear(&vote):
		return vote
	case strategy == EvidenceWeight, strategy == Tiered && Clear(&weight):
		return weight
	}
	return Resolution{Method: Escalate, Reasoning: "left to the user: " + strings.TrimSpace(description)}
}

// Clear reports whether Tiered accepts the result of a vote (from 0.6) or a weight (from 0.7).
func Clear(r *Resolution) bool {
	switch r.Method {
	case Vote:
		return r.Winner != "" && r.Confidence >= 0.6
	case EvidenceWeight:
		return r.Winner != "" && r.Confidence >= 0.7
	case Escalate, Tiered:
	}
	return false
}

func vote(ballots []Ballot) Resolution {
	if len(ballots) == 0 {
		return Resolution{Method: Vote, Reasoning: "no output to count"}
	}
	sizes := map[string]int{}
	for _, b := range ballots {
		sizes[b.Key]++
	}
	winner := ballots[0]
	for _, b := range ballots[1:] {
		if sizes[b.Key] > sizes[winner.Key] {
			winner = b
		}
	}
	return voted(winner.Agent, sizes[winner.Key], len(ballots))
}

func voted(winner string, size, of int) Resolution {
	return Resolution{
		Method: Vote, Winner: winner, Confidence: float64(size) / float64(of),
		Reasoning: fmt.Sprintf("%d/%d agents agreed", size, of),
	}
}

func weigh(ballots []Ballot) Resolution {
	if len(ballots) == 0 {
		return Resolution{Method: EvidenceWeight, Reasoning: "no output to weigh"}
	}
	winner, total := ballots[0], 0.0
	for _, b := range ballots {
		total += b.Weight
		if b.Weight > winner.Weight {
			winner = b
		}
	}
	if total == 0 {
		return Resolution{
			Method: EvidenceWeight, Winner: winner.Agent, Confidence: 0.5,
			Reasoning: "no tokens are counted for either agent",
		}
	}
	return Resolution{
		Method: EvidenceWeight, Winner: winner.Agent, Confidence: winner.Weight / total,
		Reasoning: fmt.Sprintf("%s processed %.0f of %.0f tokens", winner.Agent, winner.Weight, total),
	}
}

// Review is the result of all conflicts together.
type Review struct {
	// Agreed means that there is no conflict.
	Agreed bool `json:"agreed"`
	// Escalated means that a resolution has no winner, or a confidence under a half.
	Escalated bool `json:"escalated"`
	// Winner is the winner of the first resolution, "" if agreed or escalated.
	Winner string `json:"winner"`
}

// Reviewer collects resolutions into a Review. The zero value is ready to use.
type Reviewer struct {
	seen      int
	first     string
	escalated bool
}

// Add adds a resolution.
func (r *Reviewer) Add(resolution *Resolution) {
	if r.seen == 0 {
		r.first = resolution.Winner
	}
	r.seen++
	r.escalated = r.escalated || resolution.Winner == "" || resolution.Confidence < 0.5
}

// Review returns the review of the resolutions so far.
func (r *Reviewer) Review() Review {
	switch {
	case r.seen == 0:
		return Review{Agreed: true}
	case r.escalated:
		return Review{Escalated: true}
	}
	return Review{Winner: r.first}
}
