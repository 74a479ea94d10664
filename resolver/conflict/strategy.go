package conflict

import (
	"fmt"
	"strings"

	"moot/internal/enum"
)

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

// String returns the word itself.
func (s Strategy) String() string { return string(s) }

// UnmarshalText refuses an unknown word.
func (s *Strategy) UnmarshalText(text []byte) error {
	return enum.Unmarshal("strategy", text, Strategies(), s)
}

// Ballot is an agent's output as a strategy sees it.
type Ballot struct {
	Agent string
	// Key is the same for equal outputs, and for no others.
	Key string
	// Weight is compared by evidence_weight: the tokens that the agent processed.
	Weight float64
}

// Resolution is the result of a strategy on one conflict.
type Resolution struct {
	// Method is the strategy that decided; that of tiered is the one it took.
	Method Strategy `json:"method"`
	// Winner is an agent, or "".
	Winner     string  `json:"winner"`
	Reasoning  string  `json:"reasoning"`
	Confidence float64 `json:"confidence"`
}

// Resolve applies a strategy to the ballots that count for a conflict. Description says what the conflict is, for
// the reason of an escalation.
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

// Clear reports whether tiered takes a vote (from 0.6 on) or a weight (from 0.7 on).
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
			Method: EvidenceWeight, Winner: winner.Agent, Confidence: 0.5, Reasoning: "no agent processed any tokens",
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
	// Winner is that of the first resolution, "" if agreed or escalated.
	Winner string `json:"winner"`
}

// Reviewer makes a Review of resolutions as they come. The zero Reviewer has seen none.
type Reviewer struct {
	seen      int
	first     string
	escalated bool
}

// Add takes one resolution in.
func (r *Reviewer) Add(resolution *Resolution) {
	if r.seen == 0 {
		r.first = resolution.Winner
	}
	r.seen++
	r.escalated = r.escalated || resolution.Winner == "" || resolution.Confidence < 0.5
}

// Review returns that of the resolutions so far.
func (r *Reviewer) Review() Review {
	switch {
	case r.seen == 0:
		return Review{Agreed: true}
	case r.escalated:
		return Review{Escalated: true}
	}
	return Review{Winner: r.first}
}
