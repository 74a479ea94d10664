package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/figure"
	"moot/state"
)

// chart is one of the pictures of what changed over the rounds.
type chart int

const (
	chartPoint chart = iota
	chartAll
	chartBuckets
	chartCost
	chartCount
)

// confidencePane draws what changed over the rounds: the confidence of the
// seats, the buckets, the cost.
type confidencePane struct {
	look    *look
	focused bool
	state   state.State
	rulings []state.Ruling
	events  []state.Event
	// point is whose confidence is shown, which the chart that is shown.
	point string
	which chart

	// charts are made when they are looked at; version is what they hold.
	charts  [chartCount]*figure.Chart
	made    [chartCount]int
	version int
	cached  cachedRows
	drawnOf chartOf
}

// chartOf is a chart of a point.
type chartOf struct {
	point string
	which chart
}

func newConfidencePane(l *look) *confidencePane { return &confidencePane{look: l, version: 1} }

// setState takes over what stands now, and the events that led to it.
func (p *confidencePane) setState(s state.State, rulings []state.Ruling, events []state.Event) {
	p.state, p.rulings, p.events = s, rulings, events
	p.version++
}

func (p *confidencePane) setLook(l *look) {
	p.look = l
	p.version++
}

func (p *confidencePane) setFocused(on bool) { p.focused = on }

func (p *confidencePane) title() string {
	switch p.which {
	case chartAll:
		return PaneConfidence.String() + ", all points"
	case chartBuckets:
		return "Buckets over the rounds"
	case chartCost:
		return "Cost"
	case chartPoint, chartCount:
	}
	return strings.TrimSpace(PaneConfidence.String() + " " + p.point)
}

// chart makes a chart unless it is there.
func (p *confidencePane) chart(c chart) *figure.Chart {
	if p.charts[c] != nil && p.made[c] == p.version {
		return p.charts[c]
	}
	p.made[c] = p.version
	switch c {
	case chartPoint:
		p.charts[c] = figure.Confidence(&p.state, p.point)
	case chartAll:
		p.charts[c] = figure.Confidence(&p.state, "")
	case chartBuckets:
		p.charts[c] = figure.Buckets(p.events, p.rulings)
	case chartCost:
		p.charts[c] = figure.Cost(p.events)
	case chartCount:
	}
	return p.charts[c]
}

// View draws the pane.
func (p *confidencePane) View(width, height int) string {
	return strings.Join(p.view(width, height), "\n")
}

func (p *confidencePane) view(width, height int) []string {
	if of := (chartOf{p.point, p.which}); !p.cached.fits(width, height, p.version) || p.drawnOf != of {
		p.cached, p.drawnOf = cachedRows{p.draw(width, height), false, width, height, p.version}, of
	}
	return p.cached.rows
}

func (p *confidencePane) draw(width, height int) []string {
	c := p.chart(p.which)
	if empty := c.Empty(); empty != "" {
		return fit(p.look.paragraph(width, []span{{text: "  "}}, span{p.look.faint, empty}, nil, 0), width, height)
	}
	return fit(p.look.painted(c.Draw(width, height, p.look.ascii, p.look.width)), width, height)
}

func (p *confidencePane) more() bool { return false }

// move goes through the points, and to the next chart.
func (p *confidencePane) move(a Action, _, _ int) {
	by := map[Action]int{ActionUp: -1, ActionLeft: -1, ActionDown: 1, ActionRight: 1}[a]
	n := p.state.Points.Len()
	if by == 0 || n == 0 || p.which != chartPoint {
		return
	}
	at := slices.IndexFunc(p.rulings, func(r state.Ruling) bool { return r.Point == p.point })
	if len(p.rulings) > 0 {
		p.choose(p.rulings[max(min(at+by, len(p.rulings)-1), 0)].Point)
	}
}

func (p *confidencePane) wheel(int, int, int) {}

func (p *confidencePane) click(int, int, int, int) {}

func (p *confidencePane) selected() string { return p.point }

func (p *confidencePane) choose(id string) {
	if id != p.point {
		p.point, p.charts[chartPoint] = id, nil
	}
}

func (p *confidencePane) copied() string {
	lines := make([]string, len(p.cached.rows))
	for i, row := range p.cached.rows {
		lines[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return strings.Join(lines, "\n")
}

func (p *confidencePane) find(string, bool, bool, int, int) bool { return false }

// nextChart shows the next chart.
func (p *confidencePane) nextChart() { p.which = (p.which + 1) % chartCount }
