package state

// Metrics say how good a debate was. Each is a plain count or from 0 to 1. Of a
// figure that the session gives no ground for there is none: nil.
type Metrics struct {
	// RoundsToConsensus is the round in which the last point left Open, nil while
	// one is.
	RoundsToConsensus *int `json:"rounds_to_consensus"`
	// MeanChallenges and MostChallenges count the distinct challenges of a point.
	MeanChallenges *float64 `json:"challenge_depth_mean"`
	MostChallenges *int     `json:"challenge_depth_max"`
	// SourceDiversity is how many distinct sources there are for each verified item,
	// KindEntropy how evenly they come from the kinds of sources.
	SourceDiversity *float64 `json:"source_diversity"`
	KindEntropy     *float64 `json:"kind_entropy"`
	// Coverage is the share of the pairs of a seat and a point in which the seat
	// made a move about the point.
	Coverage *float64 `json:"perspective_coverage"`
	// FinalConfidence is the mean of the confidence in what is Agreed.
	FinalConfidence *float64 `json:"final_confidence"`
	// Survival is the share of the points of round 1 that end Agreed, revised or not.
	Survival *float64 `json:"claim_survival"`
	// Modification is revisions among revisions and dismissals.
	Modification *float64 `json:"modification_frequency"`
	// Compliance is the share of moves without a violation of the constitution.
	Compliance *float64 `json:"constitutional_compliance"`
	// Verified is the share of points with verified evidence, MeanSpread the mean of
	// how far the seats' confidences in a point lie apart.
	Verified   *float64 `json:"verified_share"`
	MeanSpread *float64 `json:"mean_spread"`

	// The four summaries, and their weighted mean.
	Rigor     *float64 `json:"process_rigor"`
	Evidence  *float64 `json:"evidence_quality"`
	Diversity *float64 `json:"perspective_diversity"`
	Consensus *float64 `json:"consensus_strength"`
	Overall   *float64 `json:"overall"`

	// Points are the figures of each point that was not merged, in their order.
	Points []PointMetrics `json:"points"`
}

// PointMetrics are the figures of one point.
type PointMetrics struct {
	Point string `json:"point"`
	// Challenges counts the distinct challenges to it.
	Challenges int `json:"challenges"`
	// Confidence is the aggregate of what the seats report, Spread how far these lie
	// apart; nil where nobody reported.
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
