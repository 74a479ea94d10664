package resolver

import "moot/state"

// HeavilyFlagged reports whether the arbiter flagged at least half of the points that
// were ruled on (AR).
func HeavilyFlagged(s *state.State, rulings []state.Ruling) bool {
	ruled := 0
	for _, r := range rulings {
		if p := s.Point(r.Point); p != nil && p.MergedInto == "" && r.Bucket != state.BucketNotEvaluated {
			ruled++
		}
	}
	return len(s.Flags) > 0 && 2*len(s.Flags) >= ruled
}
