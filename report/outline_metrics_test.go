package report_test

import (
	"strings"
	"testing"

	"moot/report"
	"moot/resolver"
	"moot/state"
)

// The metrics stand at the end of every report that has a point: in a few lines as
// text, each one in the table of Markdown.
func TestMetricsStandBehindTheBuckets(t *testing.T) {
	for name, build := range builders() {
		s, rulings := build(t)
		text, markdown := report.Text(&s, rulings, 0), report.Markdown(&s, rulings)
		_, short, inText := strings.Cut(text, "\nMETRICS\n")
		_, table, inMarkdown := strings.Cut(markdown, "\n## METRICS\n")
		if raised := len(resolver.Measure(&s, rulings).Points) > 0; inText != raised || inMarkdown != raised {
			t.Errorf("%s has %d points; metrics as text: %v, in Markdown: %v", name, s.Points.Len(), inText, inMarkdown)
		}
		if strings.Contains(short, "\n\n") || strings.Contains(table, "\n## ") {
			t.Errorf("%s: something stands behind the metrics:\n%s", name, short)
		}
		if inText && (!strings.HasPrefix(short, "  overall ") || strings.Count(short, "\n") > 7) {
			t.Errorf("%s: %s", name, short)
		}
		if rows := strings.Count(table, "\n| "); inMarkdown && rows != 18 {
			t.Errorf("%s: %d rows in %s", name, rows, table)
		}
	}
}

// What is remarkable is said in words, and what is not is left out.
func TestRemarkableMetrics(t *testing.T) {
	for name, c := range map[string]struct {
		build           func(*testing.T) (state.State, []state.Ruling)
		says, saysNotOf []string
	}{
		"barren": {barren, []string{"nobody challenged a point", "no point has verified evidence", "consensus strength –"}, []string{"never challenged"}},
		"council": {
			func(t *testing.T) (state.State, []state.Ruling) { t.Helper(); return sat(t, "mixed") },
			[]string{"never challenged: P2, P4, P5", "50 % of the points of round 1 are agreed, revised or not", "the confidences lie 0.43 apart on average, furthest in P2: 0.8", "% of the moves are without a violation"},
			[]string{"have verified evidence", "nobody challenged"},
		},
		"agreement": {
			func(t *testing.T) (state.State, []state.Ruling) { t.Helper(); return sat(t, "alone") },
			[]string{"nobody challenged a point"},
			[]string{"apart on average", "points of round 1", "of the moves", "few sources"},
		},
	} {
		s, rulings := c.build(t)
		_, text, _ := strings.Cut(report.Text(&s, rulings, 0), "\nMETRICS\n")
		for _, want := range c.says {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, text)
			}
		}
		for _, not := range c.saysNotOf {
			if strings.Contains(text, not) {
				t.Errorf("%s says %q:\n%s", name, not, text)
			}
		}
	}
}
