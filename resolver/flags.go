package resolver

import (
	"slices"

	"moot/state"
)

// ShownConfidence returns the confidence in a point to display: a flag of the arbiter halves it
// (AR).
func ShownConfidence(s *state.State, point string, confidence float64) float64 {
	if slices.ContainsFunc(s.Flags, func(f state.Flag) bool { return f.Point == point }) {
		return confidence / 2 //nolint:mnd // half
	}
	return confidence
}

// HeavilyFlagged reports whether the arbiter flagged at least half of the points that
// were ruled on (AR).
func HeavilyFlagged(s *state.State, rulings []state.Ruling) bool {
	ruled, flagged := 0, 0
	for _, r := range rulings {
		if p := s.Point(r.Point); p != nil && p.MergedInto == "" && r.Bucket != state.BucketNotEvaluated {
			ruled++
			if slices.ContainsFunc(s.Flags, func(f state.Flag) bool { return f.Point == p.ID }) {
				flagged++
			}
		}
	}
	return flagged > 0 && 2*flagged >= ruled
}
