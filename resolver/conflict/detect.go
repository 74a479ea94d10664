package conflict

import (
	"fmt"
	"iter"
	"math"
)

// Output is what an agent answered.
type Output struct {
	AgentID string
	// AgentName is what descriptions call the agent; where it is empty, AgentID.
	AgentName string
	Value     Value
	// Tokens are those that the agent processed, for EvidenceWeight.
	Tokens float64
}

// Pair is a conflict between two outputs.
type Pair struct {
	// First and Second are the positions of the outputs; First < Second.
	First, Second int
	Type          Type
	// Similarity is exactly that of the two values, 0 to 1.
	Similarity float64
}

// Detect goes through the conflicts between outputs by the thresholds, in the
// order (0,1), (0,2), …, (1,2), …; of fewer than two outputs there are none. Each
// time it reads the outputs anew; they must not change meanwhile. The thresholds
// must be ones that Check accepts.
func Detect(outputs []Output, t Thresholds) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		nodes := index(outputs)
		for i := range nodes {
			nodes[i].compare()
			for j := i + 1; j < len(nodes); j++ {
				similarity := nodes[i].similarity(&nodes[j])
				kind, found := t.Classify(similarity)
				if found && !yield(Pair{First: i, Second: j, Type: kind, Similarity: similarity}) {
					return
				}
			}
		}
	}
}

// mostTokens is what an agent may say that it processed; the sum of as many as
// there can be is a finite number.
const mostTokens = 1e300

// Check refuses outputs that cannot be told apart or weighed: an agent without
// id, one that is there twice, and tokens that are no number from 0 to 1e300.
func Check(outputs []Output) error {
	seen := make(map[string]int, len(outputs))
	for i := range outputs {
		o := &outputs[i]
		if o.AgentID == "" {
			return fmt.Errorf("output %d has no agent id", i+1)
		}
		if first, twice := seen[o.AgentID]; twice {
			return fmt.Errorf("outputs %d and %d are both of the agent %q: each agent has one output", first, i+1, o.AgentID)
		}
		seen[o.AgentID] = i + 1
		if math.IsNaN(o.Tokens) || o.Tokens < 0 || o.Tokens > mostTokens {
			return fmt.Errorf("output %d says that %q processed %v tokens: it must be a number from 0 to %v", i+1, o.AgentID, o.Tokens, mostTokens)
		}
	}
	return nil
}
