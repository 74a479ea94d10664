package tui

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// quickMeasure is up to how many points, challenges and items the metrics are computed
// while the pane is drawn. Those of larger sessions are computed outside, and the old
// ones stay until then.
const quickMeasure = 200

// metricsPane shows how good the debate is in figures: the metrics of the session, the
// violations of a council, and the points.
type metricsPane struct {
	list
	state   state.State
	rulings []state.Ruling
	// stale means that the state is newer than the metrics, pending that they are being
	// computed outside.
	stale, pending bool
	items          []metricsItem
}

// metricsItem is one line: a figure, a violation or a point.
type metricsItem struct {
	id, figure, text string
	style            theme.Style
}

// figureWidth is the room for a figure behind its name.
const metricName, figureWidth = 26, 7

func newMetricsPane(l *theme.Look) *metricsPane {
	p := &metricsPane{list: list{look: l, at: -1}}
	p.draw = func(i, width int, mark theme.Span) []string {
		item := &p.items[i]
		if item.figure == "" {
			return p.look.Hanging(width, []theme.Span{mark, item.style.Span(item.id + "  ")}, p.look.Text.Span(item.text), nil, 3)
		}
		return []string{p.look.Row(width, []theme.Span{
			mark,
			item.style.Span(p.look.Padded(item.id, min(metricName, max(width/2, 0)))),
			p.look.Bold.Span(rightly(item.figure, figureWidth)),
			p.look.Faint.Span("  " + item.text),
		}, nil)}
	}
	p.key = func(i int) string { return p.items[i].id }
	p.text = func(i int) string {
		item := &p.items[i]
		return plain.Line(strings.Join(strings.Fields(item.id+" "+item.figure+" "+item.text), " "))
	}
	return p
}

// setLook changes how the pane is drawn; its items hold styles.
func (p *metricsPane) setLook(l *theme.Look) {
	p.list.setLook(l)
	p.stale = true
}

func (p *metricsPane) setState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings, p.stale = s, rulings, true
	p.changed()
}

// large reports whether the metrics take too long to compute while drawing.
func (p *metricsPane) large() bool {
	s := &p.state
	return s.Points.Len()+s.Challenges.Len()+s.Evidence.Len() > quickMeasure
}

func (p *metricsPane) take(items []metricsItem) {
	p.items = items
	p.setCount(len(items))
}

func (p *metricsPane) fresh() {
	if p.stale && !p.large() {
		p.stale = false
		p.take(p.measured(p.state, p.rulings))
	}
}

// measured lists the metrics of a state: the overall figure first. It uses only the
// look of the pane, so it may run outside.
func (p *metricsPane) measured(s state.State, rulings []state.Ruling) []metricsItem {
	l, found := p.look, resolver.Measure(&s, rulings)
	meaning := map[string]string{
		"rounds_to_consensus":       "the round in which the last point left Open",
		"challenge_depth_mean":      "distinct challenges of a point",
		"challenge_depth_max":       "of the point that has the most",
		"source_diversity":          "distinct sources per verified item",
		"kind_entropy":              "how evenly items come from the kinds of sources",
		"perspective_coverage":      "pairs of seat and point with a move",
		"final_confidence":          "mean of what is Agreed",
		"claim_survival":            "points of round 1 that end Agreed",
		"modification_frequency":    "revisions among revisions and dismissals",
		"constitutional_compliance": "moves that keep the constitution",
		"verified_share":            "points with verified evidence",
		"mean_spread":               "how far confidences in a point are apart",
	}
	var items []metricsItem
	figures := found.Figures()
	for i := len(figures) - 1; i >= 0; i-- {
		f := figures[i]
		item := metricsItem{id: strings.ReplaceAll(f.Name, "_", " "), figure: "n/a", style: l.Text, text: "nothing to measure yet"}
		if f.Value != nil {
			item.figure, item.text = hundredths(*f.Value), meaning[f.Name]
			if *f.Value == math.Trunc(*f.Value) && !f.Share {
				item.figure = strconv.Itoa(int(*f.Value))
			}
		}
		items = append(items, item)
	}
	if s.Settings.Format == state.FormatCouncil {
		items = append(items, metricsItem{id: "violations", figure: strconv.Itoa(len(s.Council.Breaches)), style: l.Text})
	}
	for i := range s.Council.Breaches {
		b := &s.Council.Breaches[i]
		sign, st, word := breachSign(l, &s, s.Point(b.Point), b)
		about := sign + " " + cmp.Or(b.Challenge, b.Point) + " " + b.Constraint + " (" + string(b.Seat) + ")"
		items = append(items, metricsItem{id: about, text: b.Text + "; " + word, style: st})
	}
	for i := range found.Points {
		one := &found.Points[i]
		words := plain.Counted(one.Challenges, "challenge")
		if one.Confidence != nil {
			words += ", confidence " + hundredths(*one.Confidence)
		}
		if one.Spread != nil {
			words += ", spread " + hundredths(*one.Spread)
		}
		if point := s.Point(one.Point); point != nil {
			words += "  " + point.Text
		}
		items = append(items, metricsItem{id: one.Point, text: words, style: l.Bold})
	}
	return items
}

func (p *metricsPane) title() string { return PaneMetrics.String() }

func (p *metricsPane) view(width, height int) []string {
	p.fresh()
	return p.rowsOrEmpty(width, height, "computing the metrics")
}

// selected is the selected point, or "".
func (p *metricsPane) selected() string {
	if p.state.Point(p.chosen) == nil {
		return ""
	}
	return p.chosen
}

func (p *metricsPane) move(a Motion, width, height int) {
	p.fresh()
	p.list.move(a, width, height)
}

// choose keeps the selection: the figures stay in view when another pane turns to a point.
func (p *metricsPane) choose(string) { p.fresh() }

func (p *metricsPane) click(x, y, width, height int) {
	p.fresh()
	p.list.click(x, y, width, height)
}

func (p *metricsPane) find(query string, forwards, from bool, width, height int) bool {
	p.fresh()
	return p.list.find(query, forwards, from, width, height)
}
