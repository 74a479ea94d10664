package tui

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"moot/plain"
	"moot/state"
)

// metricRow is a metric as it is listed: a share or a count, with what it means,
// and why there is none where there is none.
type metricRow struct {
	name, means, none string
	share             func(m *state.Metrics) *float64
	count             func(m *state.Metrics) *int
}

// summaryRows are the four summaries and what they make together.
func summaryRows() []metricRow {
	return []metricRow{
		{name: "Overall", share: func(m *state.Metrics) *float64 { return m.Overall }},
		{name: "Process rigor", share: func(m *state.Metrics) *float64 { return m.Rigor }},
		{name: "Evidence quality", share: func(m *state.Metrics) *float64 { return m.Evidence }},
		{name: "Perspective diversity", share: func(m *state.Metrics) *float64 { return m.Diversity }},
		{name: "Consensus strength", share: func(m *state.Metrics) *float64 { return m.Consensus }},
	}
}

// metricRows are all other metrics, in the order of their page.
func metricRows() []metricRow {
	return []metricRow{
		{name: "rounds to consensus", means: "the round in which the last point left Open", none: "a point is open, or there is none", count: func(m *state.Metrics) *int { return m.RoundsToConsensus }},
		{name: "challenges, mean", means: "distinct challenges of a point", none: "there is no point", share: func(m *state.Metrics) *float64 { return m.MeanChallenges }},
		{name: "challenges, most", means: "of the point that has the most", none: "there is no point", count: func(m *state.Metrics) *int { return m.MostChallenges }},
		{name: "source diversity", means: "distinct sources for each verified item", none: "nothing was verified", share: func(m *state.Metrics) *float64 { return m.SourceDiversity }},
		{name: "kind entropy", means: "how evenly items come from the kinds of sources", none: "nothing was verified", share: func(m *state.Metrics) *float64 { return m.KindEntropy }},
		{name: "coverage", means: "pairs of seat and point with a move", none: "there is no point", share: func(m *state.Metrics) *float64 { return m.Coverage }},
		{name: "final confidence", means: "mean of what is Agreed", none: "nothing is Agreed, or nobody reported", share: func(m *state.Metrics) *float64 { return m.FinalConfidence }},
		{name: "claim survival", means: "points of round 1 that end Agreed", none: "round 1 has no point", share: func(m *state.Metrics) *float64 { return m.Survival }},
		{name: "modification", means: "revisions among revisions and dismissals", none: "there was neither", share: func(m *state.Metrics) *float64 { return m.Modification }},
		{name: "compliance", means: "moves without a violation of the constitution", none: "no move was under a constitution", share: func(m *state.Metrics) *float64 { return m.Compliance }},
		{name: "verified share", means: "points with verified evidence", none: "there is no point", share: func(m *state.Metrics) *float64 { return m.Verified }},
		{name: "mean spread", means: "how far confidences in a point lie apart", none: "no two seats reported on one point", share: func(m *state.Metrics) *float64 { return m.MeanSpread }},
	}
}

// heardRows says of the metrics that mean another thing in a hearing what they mean there.
func heardRows(rows []metricRow) []metricRow {
	for i := range rows {
		r := &rows[i]
		switch r.name {
		case "challenges, mean":
			r.means = "contradictions of a claim"
		case "source diversity":
			r.means, r.none = "distinct sources for each cited fact", "no fact was cited"
		case "kind entropy":
			r.means, r.none = "how evenly cited facts come from the kinds of sources", "no fact was cited"
		case "final confidence":
			r.means, r.none = "that of the verdict", "there is no verdict"
		case "compliance":
			r.means, r.none = "moves that cite only what the packet holds", "no move was made"
		case "verified share":
			r.means, r.none = "claims that their facts bear out", "not before the end"
		case "mean spread":
			r.none = "two sides that argue against each other have none"
		}
	}
	return rows
}

// value is the metric in figures, "" where there is none.
func (r *metricRow) value(m *state.Metrics) string {
	if r.count != nil {
		if n := r.count(m); n != nil {
			return strconv.Itoa(*n)
		}
		return ""
	}
	if v := r.share(m); v != nil {
		return hundredths(*v)
	}
	return ""
}

// listed lists what was measured.
func (p *metricsPane) listed() []metricsItem {
	silent := func(rows func(width int) []string) metricsItem {
		return metricsItem{rows: func(width int, _ span) []string { return rows(width) }}
	}
	items := []metricsItem{silent(p.summaries), silent(p.table)}
	if p.measured.state.Settings.Format == state.FormatCouncil {
		items = append(items, silent(p.violations))
	}
	points := p.measured.Points
	if len(points) == 0 {
		return items
	}
	items = append(items, silent(func(width int) []string { return p.pointsHead(width, len(points)) }))
	for i := range points {
		one := &points[i]
		text := ""
		if point := p.measured.state.Point(one.Point); point != nil {
			text = point.Text
		}
		items = append(items, metricsItem{
			id: one.Point, rows: func(width int, mark span) []string { return []string{p.pointRow(one, text, width, mark)} },
			text: plain.Line(strings.Join([]string{one.Point, pointFigures(one), text}, "  ")),
		})
	}
	return items
}

// The cells of the columns: what a metric is called, its figure, how it moved.
const metricName, metricFigure, metricMoved = 22, 6, 8

// summaries draws the bars of the summaries.
func (p *metricsPane) summaries(width int) []string {
	l := p.look
	var rows []string
	for i, r := range summaryRows() {
		spans := []span{{text: " "}, {when(i == 0, l.bold, l.text), l.padded(r.name, min(metricName, max(width/2, 0)))}}
		v := r.share(&p.measured.Metrics)
		if v == nil {
			rows = append(rows, l.row(width, append(spans, span{l.faint, rightly("n/a", metricFigure) + "  nothing to measure yet"}), nil))
			continue
		}
		sign, st, word := gradeSign(l, *v)
		spans = append(spans, span{l.bold, rightly(hundredths(*v), metricFigure)}, span{st, "  " + sign + " "})
		if room := width - metricName - metricFigure - metricMoved - 14; room >= 10 {
			room = min(room, 60)
			full := min(int(*v*float64(room)+0.5), room)
			spans = append(spans, span{st, l.padded(word, 7) + strings.Repeat(l.glyphs.heavy, full)}, span{l.border, strings.Repeat(l.glyphs.light, room-full)})
		} else {
			spans = append(spans, span{st, l.padded(word, 6)})
		}
		rows = append(rows, l.row(width, append(spans, p.shifted(&r)), nil))
	}
	return rows
}

// gradeSign is the sign, the style and the word of how good a summary is.
func gradeSign(l *look, share float64) (sign string, st style, word string) {
	switch {
	case share >= 0.75:
		return l.glyphs.agreed, l.agreed, "strong"
	case share >= 0.5:
		return l.glyphs.open, l.open, "fair"
	}
	return l.glyphs.warn, l.warn, "weak"
}

// shifted is how far a share moved since the end of the round before.
func (p *metricsPane) shifted(r *metricRow) span {
	if p.measured.before == nil || r.share == nil {
		return span{}
	}
	now, then := r.share(&p.measured.Metrics), r.share(p.measured.before)
	if now == nil || then == nil {
		return span{}
	}
	by := hundredths(max(*now-*then, *then-*now))
	if by == "0.00" {
		return span{p.look.faint, "  " + p.look.glyphs.bullet}
	}
	return span{p.look.faint, "  " + when(*now > *then, p.look.glyphs.scrollUp, p.look.glyphs.scrollDown) + by}
}

// table draws the metrics, each with what it means or why there is none.
func (p *metricsPane) table(width int) []string {
	l := p.look
	since := ""
	if p.measured.before != nil {
		since = fmt.Sprintf(", arrows since round %d", p.measured.round)
	}
	rows := []string{blank(width), l.rule(width, "Metrics"+since)}
	listed := metricRows()
	if p.measured.state.Settings.Format == state.FormatHearing {
		listed = heardRows(listed)
	}
	for _, r := range listed {
		spans := []span{{text: " "}, {l.text, l.padded(r.name, min(metricName, max(width/2, 0)))}}
		value := r.value(&p.measured.Metrics)
		if value == "" {
			rows = append(rows, l.row(width, append(spans, span{l.faint, rightly("n/a", metricFigure) + l.padded("", metricMoved) + r.none}), nil))
			continue
		}
		moved := p.shifted(&r)
		spans = append(spans, span{l.bold, rightly(value, metricFigure)}, span{moved.style, l.padded(moved.text, metricMoved)}, span{l.faint, r.means})
		rows = append(rows, l.row(width, spans, nil))
	}
	return rows
}

// violations lists those of the constitution, each with whether it still is one.
func (p *metricsPane) violations(width int) []string {
	l, s := p.look, &p.measured.state
	found := s.Council.Breaches
	rows := []string{blank(width), l.rule(width, "Violations "+strconv.Itoa(len(found)))}
	if len(found) == 0 {
		return append(rows, l.row(width, []span{{l.agreed, " " + l.glyphs.agreed + " "}, {l.faint, "none was found"}}, nil))
	}
	for i := range found {
		b := &found[i]
		sign, st, word := breachSign(l, s, s.Point(b.Point), b)
		about := cmp.Or(b.Challenge, b.Point)
		lead := []span{
			{st, " " + sign + " "},
			{l.bold, about + " " + b.Constraint + " (" + string(b.Seat) + ")  "},
		}
		rows = append(rows, l.hanging(width, lead, span{l.text, b.Text + "; " + word}, nil, 3)...)
	}
	return rows
}

// pointsHead heads the points.
func (p *metricsPane) pointsHead(width, n int) []string {
	l := p.look
	return []string{blank(width), l.rule(width, "Points "+strconv.Itoa(n)), l.row(width, []span{{l.faint, " id     chall.  conf. spread  point"}}, nil)}
}

// pointRow is a point with its figures.
func (p *metricsPane) pointRow(one *state.PointMetrics, text string, width int, mark span) string {
	l := p.look
	return l.row(width, []span{
		mark,
		{when(mark.text == " ", l.bold, l.accent), l.padded(one.Point, 6)},
		{l.text, rightly(strconv.Itoa(one.Challenges), 7)},
		{l.text, rightly(l.shareOrNone(one.Confidence), 7)},
		{l.faint, rightly(l.shareOrNone(one.Spread), 7)},
		{l.text, "  " + text},
	}, nil)
}

// shareOrNone is a share, or a dash where there is none.
func (l *look) shareOrNone(share *float64) string {
	if share == nil {
		return l.glyphs.notEvaluated
	}
	return hundredths(*share)
}

// pointFigures are the figures of a point in words.
func pointFigures(one *state.PointMetrics) string {
	words := plain.Counted(one.Challenges, "challenge")
	if one.Confidence != nil {
		words += ", confidence " + hundredths(*one.Confidence)
	}
	if one.Spread != nil {
		words += ", spread " + hundredths(*one.Spread)
	}
	return words
}
