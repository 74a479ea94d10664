package resolver

import (
	"math"

	"moot/ledger"
	"moot/state"
)

// heard fits the metrics to a hearing: its points are the claims, and not the question;
// its evidence is the facts that are cited; and two sides that argue against each other
// by design come to a verdict, not to a consensus.
func (m *measure) heard(metrics *state.Metrics) {
	m.facts(metrics)
	metrics.MeanSpread, metrics.FinalConfidence = nil, nil
	if v, judged := VerdictOf(m.s); judged {
		metrics.FinalConfidence = share(v.Confidence)
	}
	borne := 0
	for _, p := range m.points {
		if m.bucket(p.ID) == state.BucketAgreed {
			borne++
		}
	}
	metrics.Verified = nil
	if m.s.Over() {
		metrics.Verified = ratio(borne, len(m.points))
	}
	moves := len(m.s.Hearing.Violations)
	for _, c := range m.s.Moves {
		moves += c.Count
	}
	metrics.Compliance = ratio(moves-len(m.s.Hearing.Violations), moves)
}

// facts looks at the sources of the distinct facts that are cited.
func (m *measure) facts(metrics *state.Metrics) {
	if m.s.Hearing.Packet == nil {
		return
	}
	seen := map[string]bool{}
	sources := map[string]bool{}
	kinds := map[ledger.SourceType]int{}
	for _, seat := range []state.Seat{state.Architect, state.Skeptic, state.Oracle} {
		for _, id := range FactsOf(m.s, seat, m.s.Round) {
			f, there := m.s.Hearing.Packet.Fact(id)
			if !there || seen[id] {
				continue
			}
			seen[id] = true
			sources[string(f.SourceType)+"\x00"+f.SourceID] = true
			kinds[f.SourceType]++
		}
	}
	metrics.SourceDiversity = ratio(len(sources), len(seen))
	metrics.KindEntropy = entropyOf(kinds, len(seen))
}

// entropyOf is the entropy of facts over the types of their sources, as a share of what
// it could be; nil for no fact, 0 for one.
func entropyOf(kinds map[ledger.SourceType]int, facts int) *float64 {
	if facts == 0 {
		return nil
	}
	entropy := 0.0
	for _, kind := range ledger.SourceTypes() {
		if n := kinds[kind]; n > 0 {
			part := float64(n) / float64(facts)
			entropy -= part * math.Log(part)
		}
	}
	possible := min(facts, len(ledger.SourceTypes()))
	if possible < 2 {
		return new(0.0)
	}
	return share(entropy / math.Log(float64(possible)))
}
