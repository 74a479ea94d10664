package pane

import (
	"slices"
	"strings"

	"moot/figure"
	"moot/state"
	"moot/tui/theme"
)

// Confidence draws the confidence of the seats in a point, or in all points, over the rounds.
type Confidence struct {
	look    *theme.Look
	focused bool
	state   state.State
	rulings []state.Ruling
	// point is the shown point, unless all points are shown.
	point string
	all   bool

	chart   *figure.Chart
	version int
	cached  cachedRows
}

// NewConfidence returns an empty pane.
func NewConfidence(l *theme.Look) *Confidence { return &Confidence{look: l, version: 1} }

// SetState shows a state.
func (p *Confidence) SetState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.redraw()
}

// redraw drops the chart.
func (p *Confidence) redraw() {
	p.chart = nil
	p.version++
}

// SetLook implements Pane.
func (p *Confidence) SetLook(l *theme.Look) {
	p.look = l
	p.version++
}

// SetFocused implements Pane.
func (p *Confidence) SetFocused(on bool) { p.focused = on }

// Title implements Pane.
func (p *Confidence) Title() string {
	if p.all {
		return ConfidenceID.String() + ", all points"
	}
	return strings.TrimSpace(ConfidenceID.String() + " " + p.point)
}

// View implements Pane.
func (p *Confidence) View(width, height int) []string {
	if !p.cached.fits(width, height, p.version) {
		p.cached = cachedRows{p.draw(width, height), false, width, height, p.version}
	}
	return p.cached.Rows
}

func (p *Confidence) draw(width, height int) []string {
	if p.chart == nil {
		point := p.point
		if p.all {
			point = ""
		}
		p.chart = figure.Confidence(&p.state, point)
	}
	if empty := p.chart.Empty(); empty != "" {
		return Fit(p.look.Paragraph(width, []theme.Span{{Text: "  "}}, p.look.Faint.Span(empty), nil, 0), width, height)
	}
	return Fit(p.look.Figure(p.chart.Draw(width, height, p.look.ASCII, p.look.Width)), width, height)
}

// More implements Pane.
func (p *Confidence) More() bool { return false }

// Move shows another point.
func (p *Confidence) Move(a Motion, _, _ int) {
	by := map[Motion]int{MoveUp: -1, MoveLeft: -1, MoveDown: 1, MoveRight: 1}[a]
	n := p.state.Points.Len()
	if by == 0 || n == 0 || p.all {
		return
	}
	at := slices.IndexFunc(p.rulings, func(r state.Ruling) bool { return r.Point == p.point })
	if len(p.rulings) > 0 {
		p.Choose(p.rulings[max(min(at+by, len(p.rulings)-1), 0)].Point)
	}
}

// Wheel implements Pane.
func (p *Confidence) Wheel(int, int, int) {}

// Click implements Pane.
func (p *Confidence) Click(int, int, int, int) {}

// Selected implements Pane.
func (p *Confidence) Selected() string { return p.point }

// Choose implements Pane.
func (p *Confidence) Choose(id string) {
	if id != p.point {
		p.point = id
		p.redraw()
	}
}

// Copied implements Pane.
func (p *Confidence) Copied() string { return unstyled(p.cached.Rows) }

// Find implements Pane.
func (p *Confidence) Find(string, bool, bool, int, int) bool { return false }

// ToggleAll switches between all points and one point.
func (p *Confidence) ToggleAll() {
	p.all = !p.all
	p.redraw()
}
