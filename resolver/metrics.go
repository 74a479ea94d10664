package resolver

import (
	"math"
	"slices"

	"moot/state"
)

// Measure computes the metrics of a session of any format: how good the debate
// was, by the record alone. Rulings are those of the session as it stands, as Rule
// gives them; a point without one counts as Open. Points that were merged into
// others count as those.
func Measure(s *state.State, rulings []state.Ruling) state.Metrics {
	m := newMeasure(s, rulings)
	var metrics state.Metrics
	m.challenges(&metrics)
	m.evidence(&metrics)
	m.confidence(&metrics)
	metrics.Coverage = m.coverage()
	metrics.RoundsToConsensus = m.settled()
	metrics.Survival = m.survival()
	metrics.Modification = m.modification()
	metrics.Compliance = m.compliance()
	if s.Settings.Format == state.FormatHearing {
		m.heard(&metrics)
	}
	m.summarise(&metrics)
	metrics.Points = m.figures
	return metrics
}

// measure is a session on the way to its metrics.
type measure struct {
	s *state.State
	// seats are those that take part in the rounds.
	seats []state.Seat
	// points are those that were not merged, figures theirs in the same order, and
	// at the place of each by its id, and by the ids that were merged into it.
	points  []*state.Point
	figures []state.PointMetrics
	at      map[string]int
	rulings map[string]*state.Ruling
}

func newMeasure(s *state.State, rulings []state.Ruling) *measure {
	m := &measure{
		s: s, seats: takingPart(s), figures: []state.PointMetrics{},
		at: make(map[string]int, s.Points.Len()), rulings: make(map[string]*state.Ruling, len(rulings)),
	}
	for i := range rulings {
		m.rulings[rulings[i].Point] = &rulings[i]
	}
	for _, p := range s.Points.All() {
		if p.MergedInto == "" && !asksOnly(s, p) {
			m.at[p.ID] = len(m.points)
			m.points = append(m.points, p)
			m.figures = append(m.figures, state.PointMetrics{Point: p.ID})
		}
	}
	for _, p := range s.Points.All() {
		if p.MergedInto == "" {
			continue
		}
		if at, known := m.at[s.Live(p.ID).ID]; known {
			m.at[p.ID] = at
		}
	}
	return m
}

// asksOnly reports whether a point is the question of a hearing, which nobody claims.
func asksOnly(s *state.State, p *state.Point) bool {
	return s.Settings.Format == state.FormatHearing && p.ID == QuestionPoint
}

// takingPart are the seats that take part in the rounds: the arbiter and the oracle
// speak once, and who is missing from a panel does not speak.
func takingPart(s *state.State) []state.Seat {
	var seats []state.Seat
	for _, a := range s.Seats {
		if a.Seat != state.Arbiter && a.Seat != state.Oracle && !s.Panel.Misses(a.Seat) &&
			!slices.Contains(seats, a.Seat) {
			seats = append(seats, a.Seat)
		}
	}
	return seats
}

// bucket is where a point is.
func (m *measure) bucket(point string) state.Bucket {
	if ruling := m.rulings[point]; ruling != nil {
		return ruling.Bucket
	}
	return state.BucketOpen
}

// settled is the round in which the last point left Open; nil where there is none,
// and while one is Open.
func (m *measure) settled() *int {
	for _, p := range m.points {
		if m.bucket(p.ID) == state.BucketOpen {
			return nil
		}
	}
	if len(m.points) == 0 || m.s.SettledRound < 1 {
		return nil
	}
	return new(m.s.SettledRound)
}

// survival is the share of the points of the first round that end Agreed, as they
// are or as what they became; those that became one count once.
func (m *measure) survival() *float64 {
	became := map[string]bool{}
	agreed := 0
	for _, p := range m.s.Points.All() {
		if p.Round > 1 || p.Revises != "" || asksOnly(m.s, p) {
			continue
		}
		if now := m.s.Current(p.ID); !became[now.ID] {
			became[now.ID] = true
			if m.bucket(now.ID) == state.BucketAgreed {
				agreed++
			}
		}
	}
	return ratio(agreed, len(became))
}

// modification is revisions among revisions and dismissals. A field of a proposal
// keeps its point when its value changes, and counts each change.
func (m *measure) modification() *float64 {
	revised, dismissed := 0, 0
	for _, p := range m.points {
		if p.Field != nil {
			revised += len(p.Field.Earlier)
		}
		switch {
		case p.RevisedBy != "":
			revised++
		case m.bucket(p.ID) == state.BucketDismissed:
			dismissed++
		}
	}
	return ratio(revised, revised+dismissed)
}

// compliance is the share of moves without a violation of the constitution. A
// claim or a challenge that violates several constraints is one move.
func (m *measure) compliance() *float64 {
	if m.s.Settings.Format != state.FormatCouncil {
		return nil
	}
	moves := 0
	for _, c := range m.s.Moves {
		moves += c.Count
	}
	type move struct{ point, challenge string }
	violating := map[move]bool{}
	for _, b := range m.s.Council.Breaches {
		if !m.s.OnlyFlags(b.Constraint) {
			violating[move{b.Point, b.Challenge}] = true
		}
	}
	return ratio(moves-len(violating), moves)
}

// summarise fills the four summaries and their mean.
func (m *measure) summarise(metrics *state.Metrics) {
	var depth, together *float64
	if metrics.MeanChallenges != nil {
		depth = share(*metrics.MeanChallenges / thoroughDepth)
	}
	if metrics.MeanSpread != nil {
		together = share(1 - *metrics.MeanSpread)
	}
	metrics.Rigor = mean(metrics.Coverage, depth, metrics.Compliance)
	metrics.Evidence = mean(metrics.Verified, metrics.SourceDiversity)
	metrics.Diversity = mean(metrics.KindEntropy, metrics.Coverage)
	if m.s.Settings.Format != state.FormatHearing {
		metrics.Consensus = mean(m.held(metrics), together)
	}
	metrics.Overall = overall(metrics, m.s.Settings.MetricWeights)
}

// thoroughDepth is how many distinct challenges a point needs on average for all of
// that part of the rigor.
const thoroughDepth = 2

// held is the final confidence as consensus counts it: 0 where the seats reported
// and nothing is Agreed.
func (m *measure) held(metrics *state.Metrics) *float64 {
	reported := slices.ContainsFunc(m.figures, func(f state.PointMetrics) bool { return f.Confidence != nil })
	agreed := slices.ContainsFunc(m.points, func(p *state.Point) bool { return m.bucket(p.ID) == state.BucketAgreed })
	if reported && !agreed {
		return new(0.0)
	}
	return metrics.FinalConfidence
}

// overall is the weighted mean of the summaries that there are; nil where none of
// them has a weight.
func overall(metrics *state.Metrics, weights *state.MetricWeights) *float64 {
	if weights == nil {
		return mean(metrics.Rigor, metrics.Evidence, metrics.Diversity, metrics.Consensus)
	}
	weighted := []struct {
		summary *float64
		weight  float64
	}{
		{metrics.Rigor, weights.Rigor},
		{metrics.Evidence, weights.Evidence},
		{metrics.Diversity, weights.Diversity},
		{metrics.Consensus, weights.Consensus},
	}
	highest := 0.0
	for _, w := range weighted {
		highest = max(highest, w.weight)
	}
	sum, total := 0.0, 0.0
	for _, w := range weighted {
		if w.summary != nil && w.weight > 0 {
			// By the highest weight: no weights are too large to add up.
			sum, total = sum+w.weight/highest**w.summary, total+w.weight/highest
		}
	}
	if total == 0 {
		return nil
	}
	return share(sum / total)
}

// mean is that of the shares that there are, nil where there is none.
func mean(shares ...*float64) *float64 {
	sum, n := 0.0, 0
	for _, one := range shares {
		if one != nil {
			sum, n = sum+*one, n+1
		}
	}
	if n == 0 {
		return nil
	}
	return share(sum / float64(n))
}

// ratio is part of whole, 0 to 1; nil where there is no whole.
func ratio(part, whole int) *float64 {
	if whole <= 0 {
		return nil
	}
	return share(float64(part) / float64(whole))
}

// share is a figure within 0 to 1, rounded; nil for what is no number.
func share(figure float64) *float64 {
	if math.IsNaN(figure) {
		return nil
	}
	return new(rounded(min(1, max(0, figure))))
}
