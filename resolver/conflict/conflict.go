package conflict

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
)

// Conflict is a Pair as it is told.
type Conflict struct {
	// ID is conflict_1, conflict_2, … among those of the same outputs.
	ID   string
	Type Type
	// Agents are the ids of the two agents, Outputs what they answered.
	Agents  [2]string
	Outputs [2]*Value
	// Similarity is exactly that of the two outputs, 0 to 1.
	Similarity  float64
	Description string
}

// Tell makes the Conflict of the pair that Detect went through as the one of the
// number, from 1.
func Tell(number int, outputs []Output, p Pair) Conflict {
	a, b := &outputs[p.First], &outputs[p.Second]
	return Conflict{
		ID: "conflict_" + strconv.Itoa(number), Type: p.Type,
		Agents: [2]string{a.AgentID, b.AgentID}, Outputs: [2]*Value{&a.Value, &b.Value},
		Similarity: p.Similarity, Description: Describe(outputs, p),
	}
}

// Describe says between whom the conflict is, and how alike the outputs are.
func Describe(outputs []Output, p Pair) string {
	verb := "disagree"
	if p.Type == Contradiction {
		verb = "contradict each other"
	}
	a, b := &outputs[p.First], &outputs[p.Second]
	return fmt.Sprintf("%s and %s %s: their outputs are %d %% alike",
		cmp.Or(a.AgentName, a.AgentID), cmp.Or(b.AgentName, b.AgentID), verb, Percent(p.Similarity))
}

// Percent is a share of 0 to 1 as a whole percent, halves rounded up. A half is
// one of the share that the double stands for: 29/200 is 15, although the double
// next to it lies below.
func Percent(share float64) int {
	halves := math.Round(share * 200)
	if halves/200 == share {
		return int(math.Ceil(halves / 2))
	}
	return int(math.Floor(share*100 + 0.5))
}

// Settle applies a strategy to a pair. Only the outputs of its two agents count.
func Settle(strategy Strategy, outputs []Output, p Pair) Resolution {
	a, b := &outputs[p.First], &outputs[p.Second]
	ballots := [2]Ballot{{Agent: a.AgentID, Key: "first", Weight: a.Tokens}, {Agent: b.AgentID, Key: "second", Weight: b.Tokens}}
	description := ""
	switch strategy {
	case Escalate, Tiered:
		description = Describe(outputs, p)
	case Vote, EvidenceWeight:
	}
	if a.Value.Equal(&b.Value) {
		ballots[1].Key = ballots[0].Key
	}
	return Resolve(strategy, ballots[:], description)
}
