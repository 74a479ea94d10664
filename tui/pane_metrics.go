package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/resolver"
	"moot/state"
)

// quickMeasure is the number of points and items up to which the metrics are
// computed while the pane is drawn; those of larger sessions are computed outside,
// and the old ones stay until they are there.
const quickMeasure = 200

// metricsPane shows how good the debate is, in figures: the summaries as bars, each
// metric with what it means, violations, and the points.
type metricsPane struct {
	list
	state   state.State
	rulings []state.Ruling
	// stale says that the state is newer than the metrics, pending that these are
	// being computed outside.
	stale, pending bool
	measured       *measured
	items          []metricsItem
}

// measured are the metrics of a state, and those of the end of the round before
// where the record keeps that; nil for none.
type measured struct {
	state.Metrics
	before *state.Metrics
	// round is that of before.
	round int
	state state.State
}

// metricsItem is one thing that the pane lists: a point, or rows that cannot be
// selected.
type metricsItem struct {
	id   string
	rows func(width int, mark span) []string
	text string
}

func newMetricsPane(l *look) *metricsPane {
	p := &metricsPane{list: list{look: l, at: -1}}
	p.draw = func(i, width int, mark span) []string { return p.items[i].rows(width, mark) }
	p.rowsOf = func(i int) int { return when(p.items[i].id != "", 1, 0) }
	p.key = func(i int) string { return p.items[i].id }
	p.text = func(i int) string { return p.items[i].text }
	return p
}

// setState takes over what stands now. It is measured when it is looked at.
func (p *metricsPane) setState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings, p.stale = s, rulings, true
	p.changed()
}

// large reports whether the metrics take too long to compute while drawing.
func (p *metricsPane) large() bool {
	s := &p.state
	return s.Points.Len()+s.Challenges.Len()+s.Evidence.Len() > quickMeasure
}

// job returns what computes the metrics, a function that touches nothing of the
// pane.
func (p *metricsPane) job() func() *measured {
	s, rulings := p.state, p.rulings
	return func() *measured {
		m := &measured{Metrics: resolver.Measure(&s, rulings), state: s, round: s.Round - 1}
		if at := s.Council.At(m.round); at != nil {
			before := resolver.Measure(at, resolver.Rule(*at))
			m.before = &before
		}
		return m
	}
}

// take takes over metrics that were computed.
func (p *metricsPane) take(m *measured) {
	p.measured = m
	p.items = p.listed()
	p.setCount(len(p.items))
}

// fresh computes the metrics where that is quick.
func (p *metricsPane) fresh() {
	if p.stale && !p.large() {
		p.stale = false
		p.take(p.job()())
	}
}

// measure has the metrics of a large session computed outside, where they are
// looked at.
func (m *Model) measure() tea.Cmd {
	p := m.metrics
	if m.layout.Panes[PaneMetrics].Empty() || !p.stale || p.pending || !p.large() {
		return nil
	}
	p.stale, p.pending = false, true
	job := p.job()
	return m.outside(func() answer {
		found := job()
		return func(m *Model) tea.Cmd {
			p.pending = false
			p.take(found)
			return m.measure()
		}
	})
}

func (p *metricsPane) title() string { return PaneMetrics.String() }

// View draws the pane.
func (p *metricsPane) View(width, height int) string {
	return strings.Join(p.view(width, height), "\n")
}

func (p *metricsPane) view(width, height int) []string {
	p.fresh()
	return p.rowsOrEmpty(width, height, "computing the metrics")
}

func (p *metricsPane) move(a Action, width, height int) {
	p.fresh()
	if a == ActionUp || a == ActionHome {
		// Above the first point one still reads.
		if at := p.at; a == ActionHome || at < 0 || !p.earlier(at) {
			p.scroll(when(a == ActionHome, -len(p.items)*4-200, -1), width, height)
			if a == ActionUp {
				return
			}
		}
	}
	p.list.move(a, width, height)
}

// earlier reports whether an item before the place can be selected.
func (p *metricsPane) earlier(at int) bool {
	for i := at - 1; i >= 0; i-- {
		if p.items[i].id != "" {
			return true
		}
	}
	return false
}

// choose selects the point; what is read above the points stays in view.
func (p *metricsPane) choose(id string) {
	p.fresh()
	p.list.choose(id)
	p.moved = false
}

func (p *metricsPane) click(x, y, width, height int) {
	p.fresh()
	p.list.click(x, y, width, height)
}

func (p *metricsPane) find(query string, forwards, from bool, width, height int) bool {
	p.fresh()
	return p.list.find(query, forwards, from, width, height)
}
