package state

// Metrics measure how good a debate was. Each is a count or a share from 0 to 1, or nil if
// the session offers no data for it. A merged point counts as the point that it was merged
// into.
type Metrics struct {
	// RoundsToConsensus is the round in which the last point left Open, from 1; 0 for a council without consensus; nil
	// while one is Open.
	RoundsToConsensus *int `json:"rounds_to_consensus"`
	// MeanChallenges and MostChallenges count the distinct challenges of a point:
	// those whose texts differ in more than case, blanks and marks.
	MeanChallenges *float64 `json:"challenge_depth_mean"`
	MostChallenges *int     `json:"challenge_depth_max"`
	// SourceDiversity is the number of distinct sources per verified item. KindEntropy is how
	// evenly the items come from the kinds of sources: the Shannon entropy over the kinds, as a
	// share of the most that so many items can have. One item has 0, several of one kind too; each
	// of another kind is 1.
	SourceDiversity *float64 `json:"source_diversity"`
	KindEntropy     *float64 `json:"kind_entropy"`
	// Coverage is the share of the pairs of a seat and a point in which the seat
	// made a move about the point. The seats are those that take part in the rounds.
	Coverage *float64 `json:"perspective_coverage"`
	// FinalConfidence is the mean of the confidence in what is Agreed.
	FinalConfidence *float64 `json:"final_confidence"`
	// Survival is the share of the points of round 1 that end Agreed, revised or not.
	Survival *float64 `json:"claim_survival"`
	// Modification is revisions among revisions and dismissals.
	Modification *float64 `json:"modification_frequency"`
	// Compliance is the share of moves without a violation of the constitution; nil
	// outside councils.
	Compliance *float64 `json:"constitutional_compliance"`
	// Verified is the share of points with verified evidence, MeanSpread the mean of
	// how far the seats' confidences in a point lie apart.
	Verified   *float64 `json:"verified_share"`
	MeanSpread *float64 `json:"mean_spread"`

	// The four summaries are means of those of the above that are not nil. Rigor: the coverage,
	// half the mean of challenges but at most 1, the compliance. Evidence: the share of points with
	// verified evidence, the diversity of sources. Diversity: the entropy of kinds, the coverage.
	// Consensus: the final confidence, which is 0 here while the seats report and nothing is
	// Agreed, and 1 less the mean spread.
	Rigor     *float64 `json:"process_rigor"`
	Evidence  *float64 `json:"evidence_quality"`
	Diversity *float64 `json:"perspective_diversity"`
	Consensus *float64 `json:"consensus_strength"`
	// Overall is the weighted mean of the summaries that are not nil.
	Overall *float64 `json:"overall"`

	// Points are the figures of each point that was not merged, in their order.
	Points []PointMetrics `json:"points"`
}

// PointMetrics are the figures of one point.
type PointMetrics struct {
	Point string `json:"point"`
	// Challenges counts the distinct challenges to it.
	Challenges int `json:"challenges"`
	// Confidence is the aggregate of the reported confidences, weighted in a council. It is
	// nil if no seat with a weight reported. Spread is the distance between the lowest and
	// the highest report; it is nil for fewer than two reports.
	Confidence *float64 `json:"confidence"`
	Spread     *float64 `json:"spread"`
}

// MetricWeights say how much each summary counts in the overall figure: 0 or more.
type MetricWeights struct {
	Rigor     float64 `json:"process_rigor"`
	Evidence  float64 `json:"evidence_quality"`
	Diversity float64 `json:"perspective_diversity"`
	Consensus float64 `json:"consensus_strength"`
}

// Figure is a metric of a session by the name that it has in the JSON.
type Figure struct {
	Name string
	// Value is nil if the session offers no data for it.
	Value *float64
	// Share says that it is from 0 to 1; else it is a count.
	Share bool
}

// Figures are the metrics of the session as a whole, in their order.
func (m *Metrics) Figures() []Figure {
	return []Figure{
		{"rounds_to_consensus", figureOf(m.RoundsToConsensus), false},
		{"challenge_depth_mean", m.MeanChallenges, false},
		{"challenge_depth_max", figureOf(m.MostChallenges), false},
		{"source_diversity", m.SourceDiversity, true},
		{"kind_entropy", m.KindEntropy, true},
		{"perspective_coverage", m.Coverage, true},
		{"final_confidence", m.FinalConfidence, true},
		{"claim_survival", m.Survival, true},
		{"modification_frequency", m.Modification, true},
		{"constitutional_compliance", m.Compliance, true},
		{"verified_share", m.Verified, true},
		{"mean_spread", m.MeanSpread, true},
		{"process_rigor", m.Rigor, true},
		{"evidence_quality", m.Evidence, true},
		{"perspective_diversity", m.Diversity, true},
		{"consensus_strength", m.Consensus, true},
		{"overall", m.Overall, true},
	}
}

func figureOf(n *int) *float64 {
	if n == nil {
		return nil
	}
	return new(float64(*n))
}
