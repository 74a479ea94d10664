package resolver

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moot/state"
)

// steps is how finely confidences are tried: in hundredths.
const steps = 100

// levels reports whether CV2 holds of confidences as far as these alone decide it:
// strategist and critic reported, none is too low, none too far from another, and
// the aggregate reaches the threshold.
func levels(scores []state.Score, settings *state.CouncilSettings) bool {
	for _, seat := range []state.Seat{state.Strategist, state.Critic} {
		if !slices.ContainsFunc(scores, func(s state.Score) bool { return s.Seat == seat }) {
			return false
		}
	}
	if slices.ContainsFunc(scores, func(s state.Score) bool { return s.Admitted < leastScore-tolerance }) || spread(scores) > mostSpread+tolerance {
		return false
	}
	aggregate := Aggregate(scores, settings.Weight)
	return aggregate != nil && *aggregate >= settings.Decision-tolerance
}

// leastScores are the least changes of confidences with which these hold nothing up
// any more: one for each seat that can bring it about alone, the nearest first, or
// one of several seats. It is one empty change where nothing has to change.
func leastScores(s *state.State, p *state.Point) [][]state.Score {
	settings, scores := s.CouncilSettings(), Validate(s, p).Scores
	if levels(scores, settings) {
		return [][]state.Score{nil}
	}
	var alone []state.Score
	var ways [][]state.Score
	for _, seat := range seatedInCouncil(s) {
		if to, ok := nearest(scores, seat, settings); ok {
			alone = append(alone, to)
		}
	}
	slices.SortStableFunc(alone, func(a, b state.Score) int { return cmp.Compare(movedBy(p, &a), movedBy(p, &b)) })
	for _, to := range alone {
		ways = append(ways, []state.Score{to})
	}
	if len(ways) > 0 {
		return ways
	}
	return [][]state.Score{together(scores, weighty(s), settings)}
}

// movedBy is how far a report moves a confidence; one where there was none comes
// first.
func movedBy(p *state.Point, to *state.Score) float64 {
	if from := p.Score(to.Seat); from != nil {
		return math.Abs(to.Admitted - from.Admitted)
	}
	return 0
}

// nearest is the confidence of the seat, nearest to what it reported, with which the
// levels hold; the least one where it reported nothing.
func nearest(scores []state.Score, seat state.Seat, settings *state.CouncilSettings) (state.Score, bool) {
	others := slices.DeleteFunc(slices.Clone(scores), func(s state.Score) bool { return s.Seat == seat })
	from := 0.0
	if len(others) < len(scores) {
		from = scores[slices.IndexFunc(scores, func(s state.Score) bool { return s.Seat == seat })].Admitted
	}
	best, found := state.Score{}, false
	for i := range steps + 1 {
		to := state.Score{Seat: seat, Admitted: float64(i) / steps}
		if levels(append(slices.Clip(others), to), settings) && (!found || math.Abs(to.Admitted-from) < math.Abs(best.Admitted-from)) {
			best, found = to, true
		}
	}
	return best, found
}

// together raises what is too low, and adds what has to be there, to the least
// level at which all hold: strategist, critic, and one whose confidence has a weight.
// What is least is looked for from below.
func together(scores []state.Score, weighty []state.Seat, settings *state.CouncilSettings) []state.Score {
	all := slices.Clone(scores)
	needed := []state.Seat{state.Strategist, state.Critic}
	if len(weighty) > 0 && Aggregate(scores, settings.Weight) == nil {
		needed = append(needed, weighty[0])
	}
	for _, seat := range needed {
		if !slices.ContainsFunc(all, func(s state.Score) bool { return s.Seat == seat }) {
			all = append(all, state.Score{Seat: seat, Admitted: -1})
		}
	}
	var raised []state.Score
	for i := range steps + 1 {
		level := float64(i) / steps
		raised = nil
		tried := slices.Clone(all)
		for j := range tried {
			if tried[j].Admitted < level {
				tried[j].Admitted = level
				raised = append(raised, state.Score{Seat: tried[j].Seat, Admitted: level})
			}
		}
		if levels(tried, settings) {
			break
		}
	}
	return raised
}

// unsettlingScores are, for each seat, the nearest lower confidence with which the
// levels no longer hold, the smallest fall first.
func unsettlingScores(s *state.State, p *state.Point) []state.Score {
	settings, scores := s.CouncilSettings(), Validate(s, p).Scores
	if !levels(scores, settings) {
		return nil
	}
	var falls []state.Score
	for _, score := range scores {
		others := slices.DeleteFunc(slices.Clone(scores), func(other state.Score) bool { return other.Seat == score.Seat })
		for i := int(score.Admitted * steps); i >= 0; i-- {
			to := state.Score{Seat: score.Seat, Admitted: float64(i) / steps}
			if !levels(append(slices.Clip(others), to), settings) {
				falls = append(falls, to)
				break
			}
		}
	}
	slices.SortStableFunc(falls, func(a, b state.Score) int { return cmp.Compare(movedBy(p, &a), movedBy(p, &b)) })
	return falls
}

// spanOf is the least and the most that a seat may report for the levels to hold, as
// the others stand. What holds of two confidences holds of all between them.
func spanOf(s *state.State, p *state.Point, seat state.Seat) (least, most float64) {
	settings := s.CouncilSettings()
	others := slices.DeleteFunc(Validate(s, p).Scores, func(other state.Score) bool { return other.Seat == seat })
	least = -1
	for i := range steps + 1 {
		if to := float64(i) / steps; levels(append(slices.Clip(others), state.Score{Seat: seat, Admitted: to}), settings) {
			if least < 0 {
				least = to
			}
			most = to
		}
	}
	return least, most
}

// spanWords are the confidences of a span: "0.62 or more", "between 0.59 and 0.80".
func spanWords(least, most float64) string {
	switch {
	case least == most:
		return twoPlaces(least)
	case most == 1:
		return twoPlaces(least) + " or more"
	}
	return fmt.Sprintf("between %s and %s", twoPlaces(least), twoPlaces(most))
}
