package tui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/figure"
	"moot/state"
	"moot/tui/theme"
)

// confidencePane draws how sure the seats are of a point, or of all, over the rounds.
type confidencePane struct {
	look    *theme.Look
	focused bool
	state   state.State
	rulings []state.Ruling
	// point is the point whose confidence is shown, unless all are.
	point string
	all   bool

	chart   *figure.Chart
	version int
	cached  cachedRows
}

func newConfidencePane(l *theme.Look) *confidencePane { return &confidencePane{look: l, version: 1} }

func (p *confidencePane) setState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.redraw()
}

// redraw drops the chart.
func (p *confidencePane) redraw() {
	p.chart = nil
	p.version++
}

func (p *confidencePane) setLook(l *theme.Look) {
	p.look = l
	p.version++
}

func (p *confidencePane) setFocused(on bool) { p.focused = on }

func (p *confidencePane) title() string {
	if p.all {
		return PaneConfidence.String() + ", all points"
	}
	return strings.TrimSpace(PaneConfidence.String() + " " + p.point)
}

func (p *confidencePane) view(width, height int) []string {
	if !p.cached.fits(width, height, p.version) {
		p.cached = cachedRows{p.draw(width, height), false, width, height, p.version}
	}
	return p.cached.rows
}

func (p *confidencePane) draw(width, height int) []string {
	if p.chart == nil {
		point := p.point
		if p.all {
			point = ""
		}
		p.chart = figure.Confidence(&p.state, point)
	}
	if empty := p.chart.Empty(); empty != "" {
		return fit(p.look.Paragraph(width, []theme.Span{{Text: "  "}}, p.look.Faint.Span(empty), nil, 0), width, height)
	}
	return fit(p.look.Figure(p.chart.Draw(width, height, p.look.ASCII, p.look.Width)), width, height)
}

func (p *confidencePane) more() bool { return false }

// move goes through the points, and to the next chart.
func (p *confidencePane) move(a Motion, _, _ int) {
	by := map[Motion]int{MoveUp: -1, MoveLeft: -1, MoveDown: 1, MoveRight: 1}[a]
	n := p.state.Points.Len()
	if by == 0 || n == 0 || p.all {
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
		p.point = id
		p.redraw()
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

// toggleAll shows all points, or one again.
func (p *confidencePane) toggleAll() {
	p.all = !p.all
	p.redraw()
}
