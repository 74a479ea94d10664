package pane

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

// Metrics shows how good the debate is in figures: the metrics of the session, the
// violations of a council, and the points.
type Metrics struct {
	List
	state   state.State
	rulings []state.Ruling
	// stale means that the state is newer than the metrics, pending that they are being
	// computed outside.
	stale, pending bool
	items          []Metric
}

// Metric is one line: a figure, a violation or a point.
type Metric struct {
	ID, figure, text string
	style            theme.Style
}

// figureWidth is the room for a figure behind its name.
const metricName, figureWidth = 26, 7

// NewMetrics returns an empty pane.
func NewMetrics(l *theme.Look) *Metrics {
	p := &Metrics{List: List{Look: l, At: -1}}
	p.Draw = func(i, width int, mark theme.Span) []string {
		item := &p.items[i]
		if item.figure == "" {
			return p.Look.Hanging(width, []theme.Span{mark, item.style.Span(item.ID + "  ")}, p.Look.Text.Span(item.text), nil, 3)
		}
		return []string{p.Look.Row(width, []theme.Span{
			mark,
			item.style.Span(p.Look.Padded(item.ID, min(metricName, max(width/2, 0)))),
			p.Look.Bold.Span(rightly(item.figure, figureWidth)),
			p.Look.Faint.Span("  " + item.text),
		}, nil)}
	}
	p.Key = func(i int) string { return p.items[i].ID }
	p.Text = func(i int) string {
		item := &p.items[i]
		return plain.Line(strings.Join(strings.Fields(item.ID+" "+item.figure+" "+item.text), " "))
	}
	return p
}

// SetLook changes how the pane is drawn; its items hold styles.
func (p *Metrics) SetLook(l *theme.Look) {
	p.List.SetLook(l)
	p.stale = true
}

// SetState shows a state.
func (p *Metrics) SetState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings, p.stale = s, rulings, true
	p.Changed()
}

// large reports whether the metrics take too long to compute while drawing.
func (p *Metrics) large() bool {
	s := &p.state
	return s.Points.Len()+s.Challenges.Len()+s.Evidence.Len() > quickMeasure
}

// take takes over computed items.
func (p *Metrics) take(items []Metric) {
	p.items = items
	p.SetCount(len(items))
}

// fresh updates the items.
func (p *Metrics) fresh() {
	if p.stale && !p.large() {
		p.stale = false
		p.take(p.measured(p.state, p.rulings))
	}
}

// Background returns the computation of the metrics of a large session, or nil if
// they are up to date.
func (p *Metrics) Background(_, _ int) func() func() {
	if !p.stale || p.pending || !p.large() {
		return nil
	}
	p.stale, p.pending = false, true
	s, rulings := p.state, p.rulings
	return func() func() {
		items := p.measured(s, rulings)
		return func() {
			p.pending = false
			p.take(items)
		}
	}
}

// measured lists the metrics of a state: the overall figure first. It uses only the
// look of the pane, so it may run outside.
func (p *Metrics) measured(s state.State, rulings []state.Ruling) []Metric {
	l, found := p.Look, resolver.Measure(&s, rulings)
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
	var items []Metric
	figures := found.Figures()
	for i := len(figures) - 1; i >= 0; i-- {
		f := figures[i]
		item := Metric{ID: strings.ReplaceAll(f.Name, "_", " "), figure: "n/a", style: l.Text, text: "nothing to measure yet"}
		if f.Value != nil {
			item.figure, item.text = hundredths(*f.Value), meaning[f.Name]
			if *f.Value == math.Trunc(*f.Value) && !f.Share {
				item.figure = strconv.Itoa(int(*f.Value))
			}
		}
		items = append(items, item)
	}
	if s.Settings.Format == state.FormatCouncil {
		items = append(items, Metric{ID: "violations", figure: strconv.Itoa(len(s.Council.Breaches)), style: l.Text})
	}
	for i := range s.Council.Breaches {
		b := &s.Council.Breaches[i]
		sign, st, word := breachSign(l, &s, s.Point(b.Point), b)
		about := sign + " " + cmp.Or(b.Challenge, b.Point) + " " + b.Constraint + " (" + string(b.Seat) + ")"
		items = append(items, Metric{ID: about, text: b.Text + "; " + word, style: st})
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
		items = append(items, Metric{ID: one.Point, text: words, style: l.Bold})
	}
	return items
}

// Title implements Pane.
func (p *Metrics) Title() string { return MetricsID.String() }

// View implements Pane.
func (p *Metrics) View(width, height int) []string {
	p.fresh()
	return p.RowsOrEmpty(width, height, "computing the metrics")
}

// Selected is the selected point, or "".
func (p *Metrics) Selected() string {
	if p.state.Point(p.Chosen) == nil {
		return ""
	}
	return p.Chosen
}

// Move implements Pane.
func (p *Metrics) Move(a Motion, width, height int) {
	p.fresh()
	p.List.Move(a, width, height)
}

// Choose keeps the selection: the figures stay in view when another pane turns to a point.
func (p *Metrics) Choose(string) { p.fresh() }

// Click implements Pane.
func (p *Metrics) Click(x, y, width, height int) {
	p.fresh()
	p.List.Click(x, y, width, height)
}

// Find implements Pane.
func (p *Metrics) Find(query string, forwards, from bool, width, height int) bool {
	p.fresh()
	return p.List.Find(query, forwards, from, width, height)
}
