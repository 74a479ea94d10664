package view

import (
	"slices"
	"strconv"
	"strings"

	"moot/resolver"
	"moot/state"
)

// Metrics returns the metrics of the debate as a table. It is empty if nobody raised a point.
func Metrics(s *state.State, rulings []state.Ruling) Section {
	m := resolver.Measure(s, rulings)
	if len(m.Points) == 0 {
		return Section{}
	}
	rows := [][]string{
		{"metric", "value"},
		{"overall", share(m.Overall)},
		{"process rigor", share(m.Rigor)},
		{"evidence quality", share(m.Evidence)},
		{"perspective diversity", share(m.Diversity)},
		{"consensus strength", share(m.Consensus)},
		{"rounds to consensus", count(m.RoundsToConsensus)},
		{"challenge depth, mean", share(m.MeanChallenges)},
		{"challenge depth, maximum", count(m.MostChallenges)},
		{"source diversity", share(m.SourceDiversity)},
		{"kind entropy", share(m.KindEntropy)},
		{"perspective coverage", share(m.Coverage)},
		{"final confidence", share(m.FinalConfidence)},
		{"claim survival", share(m.Survival)},
		{"modification frequency", share(m.Modification)},
		{"constitutional compliance", share(m.Compliance)},
		{"verified share", share(m.Verified)},
		{"mean spread", share(m.MeanSpread)},
	}
	if m.RoundsToConsensus != nil && *m.RoundsToConsensus == 0 {
		// There is no consensus to measure.
		rows = slices.DeleteFunc(rows, func(row []string) bool { return strings.Contains(row[0], "consensus") })
	}
	return Section{Title: "METRICS", Table: rows, Uncounted: true}
}

// absent is shown for a figure that cannot be computed.
const absent = "–"

func share(f *float64) string {
	if f == nil {
		return absent
	}
	return Figure(*f)
}

func count(n *int) string {
	if n == nil {
		return absent
	}
	return strconv.Itoa(*n)
}
