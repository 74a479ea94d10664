package tui

import tea "charm.land/bubbletea/v2"

// layGraph lays a large map out in a command if its pane is visible.
func (m *Model) layGraph() tea.Cmd {
	p, r := m.graph, m.layout.Panes[PaneGraph]
	if r.Empty() {
		return nil
	}
	p.resize(r.W, r.H)
	if !p.stale() {
		return nil
	}
	p.pending = true
	job, k := p.job(), p.key()
	return m.outside(func() answer {
		g := job()
		return func(m *Model) tea.Cmd {
			p.pending = false
			p.take(g, k)
			return m.layGraph()
		}
	})
}

// measure computes the metrics of a large session outside, if the pane is shown.
func (m *Model) measure() tea.Cmd {
	p := m.metrics
	if m.layout.Panes[PaneMetrics].Empty() || !p.stale || p.pending || !p.large() {
		return nil
	}
	p.stale, p.pending = false, true
	s, rulings := p.state, p.rulings
	return m.outside(func() answer {
		items := p.measured(s, rulings)
		return func(m *Model) tea.Cmd {
			p.pending = false
			p.take(items)
			return m.measure()
		}
	})
}

// sift leaves the facts that the search of the view looks for, and has those of a
// large packet put into order and searched outside, where they are looked at.
func (m *Model) sift() tea.Cmd {
	p := m.hearing.facts
	p.seek(when(m.focus == PaneHearing && m.hearing.which == hearingFacts && m.search.on(), m.search.query(), ""))
	if m.layout.Panes[PaneHearing].Empty() || p.pending || !p.due() {
		return nil
	}
	p.fresh()
	p.pending = true
	job := p.job()
	return m.outside(func() answer {
		found := job()
		return func(m *Model) tea.Cmd {
			p.pending = false
			p.take(found)
			m.search.missed = m.search.on() && p.query != "" && p.query == p.sought && p.n == 0
			return m.sift()
		}
	})
}
