package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/resolver/conflict"
	"moot/state"
)

// metricRow is one metric as it is read.
type metricRow struct {
	// name is in words, value a count, a share from 0 to 1 or "–" where there is none.
	name, value string
}

// metricRows are all metrics of a session but those of single points: the overall
// figure and the four summaries first.
func metricRows(m *state.Metrics) []metricRow {
	return []metricRow{
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
}

// summaries are how many of the rows sum up the others.
const summaries = 5

// absent stands for a figure that there is no ground for.
const absent = "–"

func share(f *float64) string {
	if f == nil {
		return absent
	}
	return number(*f)
}

func count(n *int) string {
	if n == nil {
		return absent
	}
	return strconv.Itoa(*n)
}

// metricsSection is how good the debate was: the summaries and what is remarkable
// as text, all of it as a table in Markdown. It is empty where nobody raised a point.
func metricsSection(m *state.Metrics, format state.Format) section {
	if len(m.Points) == 0 {
		return section{}
	}
	rows := metricRows(m)
	sec := section{title: "METRICS", table: [][]string{{"metric", "value"}}}
	parts := make([]string, 0, summaries)
	for i, row := range rows {
		sec.table = append(sec.table, []string{row.name, row.value})
		if i > 0 && i < summaries {
			parts = append(parts, row.name+" "+row.value)
		}
	}
	remarks := remarkable
	if format == state.FormatHearing {
		remarks = remarkableOfHearing
	}
	sec.brief = append([]string{rows[0].name + " " + rows[0].value + ": " + strings.Join(parts, ", ")}, remarks(m)...)
	return sec
}

// remarkable says in words what of the metrics a reader must see.
func remarkable(m *state.Metrics) []string {
	var said []string
	say := func(format string, args ...any) { said = append(said, fmt.Sprintf(format, args...)) }
	var untested []string
	for i := range m.Points {
		if m.Points[i].Challenges == 0 {
			untested = append(untested, m.Points[i].Point)
		}
	}
	switch n := len(untested); {
	case n == len(m.Points):
		say("nobody challenged a point")
	case n > 0:
		say("never challenged: %s", strings.Join(untested, ", "))
	}
	switch {
	case m.Verified != nil && *m.Verified == 0:
		say("no point has verified evidence")
	case m.Verified != nil && *m.Verified < 1:
		say("%d %% of the points have verified evidence", conflict.Percent(*m.Verified))
	}
	if m.SourceDiversity != nil && *m.SourceDiversity < manySources {
		say("the evidence comes from few sources: %s for each verified item", number(*m.SourceDiversity))
	}
	if m.Survival != nil && *m.Survival < 1 {
		say("%d %% of the points of round 1 are agreed, revised or not", conflict.Percent(*m.Survival))
	}
	if m.Compliance != nil && *m.Compliance < 1 {
		say("%d %% of the moves are without a violation of the constitution", conflict.Percent(*m.Compliance))
	}
	if m.MeanSpread != nil && *m.MeanSpread > farApart {
		widest := slices.MaxFunc(m.Points, func(a,
			b state.PointMetrics,
		) int {
			return cmp.Compare(spreadOf(&a), spreadOf(&b))
		})
		say("the confidences lie %s apart on average, furthest in %s: %s", number(*m.MeanSpread), widest.Point,
			share(widest.Spread))
	}
	return said
}

// From these on a figure is not remarkable: sources for each verified item, and how
// far the confidences in a point lie apart.
const (
	manySources = 0.5
	farApart    = 0.3
)

// spreadOf is how far the confidences in a point lie apart; -1 where it has none.
func spreadOf(p *state.PointMetrics) float64 {
	if p.Spread == nil {
		return -1
	}
	return *p.Spread
}

// remarkableOfHearing is remarkable of a hearing, whose points are claims on facts.
func remarkableOfHearing(m *state.Metrics) []string {
	var said []string
	var unopposed []string
	for i := range m.Points {
		if m.Points[i].Challenges == 0 {
			unopposed = append(unopposed, m.Points[i].Point)
		}
	}
	switch n := len(unopposed); {
	case n == len(m.Points):
		said = append(said, "no fact was cited against a claim")
	case n > 0:
		said = append(said, "no fact was cited against: "+strings.Join(unopposed, ", "))
	}
	switch {
	case m.Verified != nil && *m.Verified == 0:
		said = append(said, "no claim is borne out by its facts")
	case m.Verified != nil && *m.Verified < 1:
		said = append(said, fmt.Sprintf("%d %% of the claims are borne out by their facts",
			conflict.Percent(*m.Verified)))
	}
	if m.Compliance != nil && *m.Compliance < 1 {
		said = append(said, fmt.Sprintf("%d %% of the moves cite only what the packet holds",
			conflict.Percent(*m.Compliance)))
	}
	return said
}
