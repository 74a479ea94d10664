package resolver

import (
	"math"
	"slices"

	"moot/ledger"
	"moot/state"
)

// challenges counts the distinct challenges of each point.
func (m *measure) challenges(metrics *state.Metrics) {
	sum, most := 0, 0
	for i, p := range m.points {
		n := m.distinctChallenges(p)
		m.figures[i].Challenges = n
		sum, most = sum+n, max(most, n)
	}
	if n := len(m.points); n > 0 {
		metrics.MeanChallenges, metrics.MostChallenges = new(rounded(float64(sum)/float64(n))), &most
	}
}

// distinctChallenges counts the challenges of a point that do not say the same.
func (m *measure) distinctChallenges(p *state.Point) int {
	if len(p.Challenges) < 2 {
		return len(p.Challenges)
	}
	said := make([]string, 0, len(p.Challenges))
	for _, id := range p.Challenges {
		c := m.s.Challenge(id)
		if c == nil {
			continue
		}
		text := ledger.Normalised(c.Objection)
		if c.Typed != nil {
			text += "\n" + ledger.Normalised(c.Typed.Predicate)
		}
		said = append(said, text)
	}
	slices.Sort(said)
	return len(slices.Compact(said))
}

// evidence looks at the items that rulings read.
func (m *measure) evidence(metrics *state.Metrics) {
	items := 0
	sources := map[string]bool{}
	kinds := map[ledger.SourceKind]int{}
	verified := make([]bool, len(m.points))
	for _, item := range m.s.Evidence.All() {
		if !item.Counts() {
			continue
		}
		items++
		sources[SourceOf(item)] = true
		kinds[item.SourceKind]++
		if at, known := m.at[item.Point]; known {
			verified[at] = true
		}
	}
	with := 0
	for _, yes := range verified {
		if yes {
			with++
		}
	}
	metrics.Verified = ratio(with, len(m.points))
	metrics.SourceDiversity = ratio(len(sources), items)
	metrics.KindEntropy = evenness(kinds, items)
}

// evenness is the entropy of items over the kinds of their sources, as a share of
// what it could be: as many kinds as there are items, or as there are kinds of
// sources that can be checked. One item alone has none; nil is for no item.
func evenness(kinds map[ledger.SourceKind]int, items int) *float64 {
	if items == 0 {
		return nil
	}
	entropy := 0.0
	for _, kind := range ledger.SourceKinds() {
		if n := kinds[kind]; n > 0 {
			part := float64(n) / float64(items)
			entropy -= part * math.Log(part)
		}
	}
	// A model's word is no source that can be checked.
	possible := min(items, len(ledger.SourceKinds())-1)
	if possible < 2 {
		return new(0.0)
	}
	return share(entropy / math.Log(float64(possible)))
}

// confidence aggregates what the seats report of each point.
func (m *measure) confidence(metrics *state.Metrics) {
	weight := func(state.Seat) float64 { return 1 }
	seats := m.seats
	if m.s.Settings.Format == state.FormatCouncil {
		weight, seats = m.s.CouncilSettings().Weight, seatedInCouncil(m.s)
	}
	var agreed, spreads []*float64
	var scores []state.Score
	for i, p := range m.points {
		scores = scores[:0]
		for _, seat := range seats {
			if score := p.Score(seat); score != nil {
				scores = append(scores, *score)
			}
		}
		figures := &m.figures[i]
		if aggregate := Aggregate(scores, weight); aggregate != nil {
			figures.Confidence = share(*aggregate)
		}
		if len(scores) > 1 {
			figures.Spread = share(spread(scores))
		}
		if m.bucket(p.ID) == state.BucketAgreed {
			agreed = append(agreed, figures.Confidence)
		}
		spreads = append(spreads, figures.Spread)
	}
	metrics.FinalConfidence, metrics.MeanSpread = mean(agreed...), mean(spreads...)
}
