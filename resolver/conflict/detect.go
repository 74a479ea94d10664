package conflict

import "iter"

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
// must be ones that their Check accepts.
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
