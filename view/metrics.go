package view

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/lists"
	"moot/resolver/conflict"
	"moot/state"
)

// summaries is how many metrics, at the beginning, sum up the others.
const summaries = 5

// metricsSection shows how good the debate was: the summaries and remarks as lines,
// everything as a table. It is empty if nobody raised a point.
func metricsSection(m *state.Metrics, remarks func(*state.Metrics) []string) Section {
	if len(m.Points) == 0 {
		return Section{}
	}
	rows := [][]string{
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
	summed := rows[:summaries]
	if m.RoundsToConsensus != nil && *m.RoundsToConsensus == 0 {
		// There is no consensus to measure.
		rows = slices.Delete(rows, summaries-1, summaries+1)
		summed = rows[:summaries-1]
	}
	parts := lists.Map(summed, func(row []string) string { return row[0] + " " + row[1] })
	return Section{
		Title: "METRICS", Table: append([][]string{{"metric", "value"}}, rows...), Uncounted: true,
		Lines: append([]string{parts[0] + ": " + strings.Join(parts[1:], ", ")}, remarks(m)...),
	}
}

// absent stands for a figure that cannot be computed.
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

// Figures below manySources (sources per verified item) and above farApart (distance
// between confidences) are worth a remark.
const (
	manySources = 0.5
	farApart    = 0.3
)

// DebateRemarks are the remarks of the formats in which points are challenged.
func DebateRemarks(m *state.Metrics) []string {
	remarks := Unchallenged(m, "nobody challenged a point", "never challenged: ")
	say := func(format string, args ...any) { remarks = append(remarks, fmt.Sprintf(format, args...)) }
	switch {
	case m.Verified != nil && *m.Verified == 0:
		say("no point has verified evidence")
	case m.Verified != nil && *m.Verified < 1:
		say("%d %% of the points have verified evidence", conflict.Percent(*m.Verified))
	}
	if m.SourceDiversity != nil && *m.SourceDiversity < manySources {
		say("the evidence comes from few sources: %s for each verified item", Figure(*m.SourceDiversity))
	}
	if m.Survival != nil && *m.Survival < 1 {
		say("%d %% of the points of round 1 are agreed, revised or not", conflict.Percent(*m.Survival))
	}
	if m.Compliance != nil && *m.Compliance < 1 {
		say("%d %% of the moves are without a violation of the constitution", conflict.Percent(*m.Compliance))
	}
	if m.MeanSpread != nil && *m.MeanSpread > farApart {
		spread := func(p state.PointMetrics) float64 {
			if p.Spread == nil {
				return -1
			}
			return *p.Spread
		}
		widest := slices.MaxFunc(m.Points, func(a, b state.PointMetrics) int {
			return cmp.Compare(spread(a), spread(b))
		})
		say("the confidences lie %s apart on average, furthest in %s: %s", Figure(*m.MeanSpread), widest.Point,
			share(widest.Spread))
	}
	return remarks
}

// Unchallenged says that all points, or some, were never challenged.
func Unchallenged(m *state.Metrics, all, some string) []string {
	var ids []string
	for i := range m.Points {
		if m.Points[i].Challenges == 0 {
			ids = append(ids, m.Points[i].Point)
		}
	}
	switch len(ids) {
	case 0:
		return nil
	case len(m.Points):
		return []string{all}
	}
	return []string{some + strings.Join(ids, ", ")}
}
