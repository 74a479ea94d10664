package resolver

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// Measure computes the metrics of a session of any format from the record alone. The
// rulings are those that Rule gives for the state; a point without a ruling counts as
// Open. Points that were merged into others count as those.
func Measure(s *state.State, rulings []state.Ruling) state.Metrics {
	m := newMeasure(s, rulings)
	var metrics state.Metrics
	m.challenges(&metrics)
	m.evidence(&metrics)
	m.Confidence(&metrics, m.Seats, func(state.Seat) float64 { return 1 })
	metrics.Coverage = m.Coverage(nil)
	metrics.RoundsToConsensus = m.settled()
	metrics.Survival = m.survival()
	metrics.Modification = m.Modification(nil)
	m.format.Measure(m, &metrics)
	m.summarize(&metrics)
	metrics.Points = m.figures
	return metrics
}

// Measurement holds what the metrics of a session are computed from.
type Measurement struct {
	State  *state.State
	format Format
	// adversarial is set if the sides argue against each other by design, so that there
	// is no consensus to measure.
	Adversarial bool
	// Dissent is set if a council ended without consensus.
	Dissent bool
	// Seats are those that take part in the rounds.
	Seats []state.Seat
	// Points are the claims that were not merged into others.
	Points  []*state.Point
	figures []state.PointMetrics
	at      map[string]int
	rulings map[string]*state.Ruling
}

func newMeasure(s *state.State, rulings []state.Ruling) *Measurement {
	m := &Measurement{
		State: s, format: FormatOf(s), Seats: takingPart(s), figures: []state.PointMetrics{},
		at: make(map[string]int, s.Points.Len()), rulings: make(map[string]*state.Ruling, len(rulings)),
	}
	for i := range rulings {
		m.rulings[rulings[i].Point] = &rulings[i]
	}
	for _, p := range s.Points.All() {
		if p.MergedInto == "" && m.format.Claimed(p) {
			m.at[p.ID] = len(m.Points)
			m.Points = append(m.Points, p)
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

// takingPart returns the seats that take part in the rounds. The arbiter speaks once, and a
// missing seat does not speak.
func takingPart(s *state.State) []state.Seat {
	var seats []state.Seat
	for _, a := range s.Seats {
		if a.Seat != state.Arbiter && !s.Misses(a.Seat) && !slices.Contains(seats, a.Seat) {
			seats = append(seats, a.Seat)
		}
	}
	return seats
}

// Bucket returns the bucket of a point.
func (m *Measurement) Bucket(point string) state.Bucket {
	if ruling := m.rulings[point]; ruling != nil {
		return ruling.Bucket
	}
	return state.BucketOpen
}

// settled returns the round in which the last point left Open, or nil while one is Open.
func (m *Measurement) settled() *int {
	if slices.ContainsFunc(m.Points, func(p *state.Point) bool { return m.Bucket(p.ID) == state.BucketOpen }) {
		return nil
	}
	if len(m.Points) == 0 || m.State.SettledRound < 1 {
		return nil
	}
	return new(m.State.SettledRound)
}

// survival returns the share of the points of the first round that end Agreed, revised or not.
// Points that were merged count once.
func (m *Measurement) survival() *float64 {
	became := map[string]bool{}
	agreed := 0
	for _, p := range m.State.Points.All() {
		if p.Round > 1 || p.Revises != "" || !m.format.Claimed(p) {
			continue
		}
		if now := m.State.Current(p.ID); !became[now.ID] {
			became[now.ID] = true
			if m.Bucket(now.ID) == state.BucketAgreed {
				agreed++
			}
		}
	}
	return Ratio(agreed, len(became))
}

// Modification returns the share of revisions among revisions and dismissals. More, which may be
// nil, counts the revisions of a point that only the format knows.
func (m *Measurement) Modification(more func(*state.Point) int) *float64 {
	revised, dismissed := 0, 0
	for _, p := range m.Points {
		if more != nil {
			revised += more(p)
		}
		switch {
		case p.RevisedBy != "":
			revised++
		case m.Bucket(p.ID) == state.BucketDismissed:
			dismissed++
		}
	}
	return Ratio(revised, revised+dismissed)
}

// summarize computes the four summaries and their mean.
func (m *Measurement) summarize(metrics *state.Metrics) {
	var depth, together *float64
	if metrics.MeanChallenges != nil {
		depth = Share(*metrics.MeanChallenges / thoroughDepth)
	}
	if metrics.MeanSpread != nil {
		together = Share(1 - *metrics.MeanSpread)
	}
	metrics.Rigor = mean(metrics.Coverage, depth, metrics.Compliance)
	metrics.Evidence = mean(metrics.Verified, metrics.SourceDiversity)
	metrics.Diversity = mean(metrics.KindEntropy, metrics.Coverage)
	if !m.Adversarial {
		metrics.Consensus = mean(m.agreedConfidence(metrics), together)
	}
	if m.Dissent {
		metrics.RoundsToConsensus = new(0)
		if metrics.Consensus != nil {
			*metrics.Consensus = 0
		}
	}
	metrics.Overall = overall(metrics, m.State.Settings.MetricWeights)
}

// thoroughDepth is the mean number of distinct challenges per point that gives the full score for
// that part of the rigor.
const thoroughDepth = 2

// agreedConfidence returns the final confidence for the consensus: 0 if seats reported a confidence
// but nothing is Agreed.
func (m *Measurement) agreedConfidence(metrics *state.Metrics) *float64 {
	reported := slices.ContainsFunc(m.figures, func(f state.PointMetrics) bool { return f.Confidence != nil })
	agreed := slices.ContainsFunc(m.Points, func(p *state.Point) bool { return m.Bucket(p.ID) == state.BucketAgreed })
	if reported && !agreed {
		return new(0.0)
	}
	return metrics.FinalConfidence
}

// overall returns the weighted mean of the available summaries, or nil if none of them has a
// weight.
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
			// Scaled by the highest weight, so that large weights cannot overflow the sum.
			sum, total = sum+w.weight/highest**w.summary, total+w.weight/highest
		}
	}
	if total == 0 {
		return nil
	}
	return Share(sum / total)
}

// mean returns the mean of the shares that are not nil, or nil.
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
	return Share(sum / float64(n))
}

// Ratio returns part/whole, 0 to 1, or nil if whole is 0.
func Ratio(part, whole int) *float64 {
	if whole <= 0 {
		return nil
	}
	return Share(float64(part) / float64(whole))
}

// Share returns a figure limited to 0 to 1 and rounded, or nil for NaN.
func Share(figure float64) *float64 {
	if math.IsNaN(figure) {
		return nil
	}
	return new(Rounded(min(1, max(0, figure))))
}

// Coverage returns the share of the pairs of a seat and a point in which the seat made a move about
// the point. more, which may be nil, adds pairs that only the format knows.
func (m *Measurement) Coverage(more func(by func(seat state.Seat, point string))) *float64 {
	type pair struct {
		seat state.Seat
		at   int
	}
	moved := map[pair]bool{}
	// Seats that do not take part, such as the user's and the protocol's, are left out.
	note := func(seat state.Seat, point string) {
		if at, known := m.at[point]; known && slices.Contains(m.Seats, seat) {
			moved[pair{seat, at}] = true
		}
	}
	for _, p := range m.State.Points.All() {
		for _, seat := range p.Authors {
			note(seat, p.ID)
		}
		note(p.WordedBy, p.ID)
		// A seat that rewords a claim also moves the old one.
		note(cmp.Or(p.WordedBy, p.Authors[0]), p.Revises)
		for i := range p.Classes {
			note(p.Classes[i].Seat, p.ID)
		}
		for i := range p.Scores {
			note(p.Scores[i].Seat, p.ID)
		}
		for i := range p.Concessions {
			note(p.Concessions[i].Seat, p.ID)
		}
		for i := range p.Violates {
			note(p.Violates[i].By, p.ID)
		}
		if p.Blocked != nil {
			note(p.Blocked.By, p.ID)
		}
	}
	for _, c := range m.State.Challenges.All() {
		note(c.By, c.Point)
		for i := range c.Defenses {
			note(c.Defenses[i].By, c.Point)
			if c.Defenses[i].Judgment != state.Unjudged {
				note(JudgeOf(m.State, c), c.Point)
			}
		}
	}
	for _, item := range m.State.Evidence.All() {
		note(state.Seat(item.OfferedBy), item.Point)
		for _, a := range item.Accepted {
			note(state.Seat(a.Seat), item.Point)
		}
		for _, c := range item.Contests {
			note(state.Seat(c.Seat), item.Point)
		}
	}
	for _, r := range m.State.Requests.All() {
		note(r.By, r.Point)
		if r.Answered && len(r.Of) == 1 {
			// If several seats were asked, it is not recorded which of them answered.
			note(r.Of[0], r.Point)
		}
	}
	for _, pair := range m.State.Pairs.All() {
		note(pair.By, pair.A)
		note(pair.By, pair.B)
	}
	if more != nil {
		more(note)
	}
	return Ratio(len(moved), len(m.Seats)*len(m.Points))
}

// challenges counts the distinct challenges of each point.
func (m *Measurement) challenges(metrics *state.Metrics) {
	sum, most := 0, 0
	for i, p := range m.Points {
		n := m.distinctChallenges(p)
		m.figures[i].Challenges = n
		sum, most = sum+n, max(most, n)
	}
	if n := len(m.Points); n > 0 {
		metrics.MeanChallenges, metrics.MostChallenges = new(Rounded(float64(sum)/float64(n))), &most
	}
}

// distinctChallenges counts the challenges of a point with different contents.
func (m *Measurement) distinctChallenges(p *state.Point) int {
	if len(p.Challenges) < 2 {
		return len(p.Challenges)
	}
	said := make([]string, 0, len(p.Challenges))
	for _, id := range p.Challenges {
		c := m.State.Challenge(id)
		if c == nil {
			continue
		}
		said = append(said, ledger.Normalized(c.Objection))
	}
	slices.Sort(said)
	return len(slices.Compact(said))
}

// evidence looks at the items that rulings read.
func (m *Measurement) evidence(metrics *state.Metrics) {
	items := 0
	sources := map[string]bool{}
	kinds := map[ledger.SourceKind]int{}
	verified := map[int]bool{}
	for _, item := range m.State.Evidence.All() {
		if !item.Proven() {
			continue
		}
		items++
		sources[SourceOf(item)] = true
		kinds[item.SourceKind]++
		if at, known := m.at[item.Point]; known {
			verified[at] = true
		}
	}
	metrics.Verified = Ratio(len(verified), len(m.Points))
	metrics.SourceDiversity = Ratio(len(sources), items)
	// What a model says is not a source that can be checked.
	metrics.KindEntropy = Evenness(ledger.SourceKinds(), kinds, items, len(ledger.SourceKinds())-1)
}

// Evenness returns the entropy of n items over their kinds, divided by the maximum for that many
// items and possible kinds. It is 0 for one item, and nil without any.
func Evenness[K comparable](kinds []K, counts map[K]int, n, possible int) *float64 {
	if n == 0 {
		return nil
	}
	if possible = min(n, possible); possible < 2 {
		return new(0.0)
	}
	entropy := 0.0
	for _, kind := range kinds {
		if count := counts[kind]; count > 0 {
			part := float64(count) / float64(n)
			entropy -= part * math.Log(part)
		}
	}
	return Share(entropy / math.Log(float64(possible)))
}

// Confidence aggregates the reported confidences in each point.
func (m *Measurement) Confidence(metrics *state.Metrics, seats []state.Seat, weight func(state.Seat) float64) {
	var agreed, spreads []*float64
	var scores []state.Score
	for i, p := range m.Points {
		scores = scores[:0]
		for _, seat := range seats {
			if score := p.Score(seat); score != nil {
				scores = append(scores, *score)
			}
		}
		figures := &m.figures[i]
		if aggregate := Aggregate(scores, weight); aggregate != nil {
			figures.Confidence = Share(ShownConfidence(m.State, p.ID, *aggregate))
		}
		if len(scores) > 1 {
			figures.Spread = Share(Spread(scores))
		}
		if m.Bucket(p.ID) == state.BucketAgreed {
			agreed = append(agreed, figures.Confidence)
		}
		spreads = append(spreads, figures.Spread)
	}
	metrics.FinalConfidence, metrics.MeanSpread = mean(agreed...), mean(spreads...)
}

// Aggregate returns the weighted mean of the admitted confidences, 0 to 1, or nil if no seat that
// reported has a weight. Rounding cannot lift it above the highest confidence.
func Aggregate(scores []state.Score, weight func(state.Seat) float64) *float64 {
	sum, total, highest := 0.0, 0.0, 0.0
	for _, score := range scores {
		if w := weight(score.Seat); w > 0 {
			sum, total, highest = sum+w*score.Admitted, total+w, max(highest, score.Admitted)
		}
	}
	if total == 0 {
		return nil
	}
	aggregate := min(sum/total, highest)
	return &aggregate
}

// Spread returns the difference between the highest and the lowest confidence.
func Spread(scores []state.Score) float64 {
	if len(scores) == 0 {
		return 0
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, score := range scores {
		low, high = min(low, score.Admitted), max(high, score.Admitted)
	}
	return high - low
}

// Rounded rounds a figure to nine decimals, which removes floating-point noise.
func Rounded(figure float64) float64 { return math.Round(figure*1e9) / 1e9 }

// SourceOf returns the source of an item: its file without line numbers, or the whole reference of another kind.
func SourceOf(item *ledger.Evidence) string {
	reference := strings.TrimSpace(item.Reference)
	if !item.Kind.IsPlace() {
		return reference
	}
	at := strings.LastIndexByte(reference, ':')
	if at > 0 && strings.Trim(reference[at+1:], "0123456789-,–") == "" {
		return reference[:at]
	}
	return reference
}

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
