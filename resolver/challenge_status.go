package resolver

import (
	"slices"
	"strconv"
	"strings"

	"moot/state"
)

// StatusOf returns the status of a challenge (CH). It is "ended" if its point was revised, merged,
// ruled on by the user, not evaluated, or dismissed by a rule that did not read the challenge.
func StatusOf(s *state.State, rulings []state.Ruling, c *state.Challenge) state.ChallengeStatus {
	status := c.Status
	switch status {
	case state.StandsDefended, state.StandsUndefended, state.StandsConceded, state.StandsGranted, state.StandsBlocked,
		state.StandsEnded:
		return status
	case state.StandsOpen, state.StandsAnswered, state.StandsUpheld, state.StandsDropped, state.StandsReminded:
	}
	p := s.Point(c.Point)
	if p == nil {
		return status
	}
	r := RulingOn(rulings, p.ID)
	if p.RevisedBy != "" || p.MergedInto != "" || p.UserRuling != nil ||
		r != nil && (r.Bucket == state.BucketNotEvaluated ||
			r.Bucket == state.BucketDismissed && !slices.Contains(r.Reads, c.ID)) {
		return state.StandsEnded
	}
	return status
}

// RulingOn returns the ruling on a point, or nil.
func RulingOn(rulings []state.Ruling, point string) *state.Ruling {
	// The rulings of a session are in the order of its points.
	if n, err := strconv.Atoi(strings.TrimPrefix(point, "P")); err == nil && 0 < n && n <= len(rulings) &&
		rulings[n-1].Point == point {
		return &rulings[n-1]
	}
	i := slices.IndexFunc(rulings, func(r state.Ruling) bool { return r.Point == point })
	if i < 0 {
		return nil
	}
	return &rulings[i]
}
