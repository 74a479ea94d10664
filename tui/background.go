package tui

import (
	"moot/tui/pane"

	tea "charm.land/bubbletea/v2"
)

// layGraph lays a large map out in a command if its pane is visible.
func (m *Model) layGraph() tea.Cmd {
	p, r := m.graph, m.layout.Panes[pane.GraphID]
	if r.Empty() {
		return nil
	}
	p.Resize(r.W, r.H)
	if !p.Stale() {
		return nil
	}
	p.Pending = true
	job, k := p.Job(), p.Key()
	return m.outside(func() answer {
		g := job()
		return func(m *Model) tea.Cmd {
			p.Pending = false
			p.Take(g, k)
			return m.layGraph()
		}
	})
}

// measure computes the metrics of a large session outside, if the pane is shown.
func (m *Model) measure() tea.Cmd {
	p := m.metrics
	if m.layout.Panes[pane.MetricsID].Empty() || !p.Stale || p.Pending || !p.Large() {
		return nil
	}
	p.Stale, p.Pending = false, true
	s, rulings := p.State, p.Rulings
	return m.outside(func() answer {
		items := p.Measured(s, rulings)
		return func(m *Model) tea.Cmd {
			p.Pending = false
			p.Take(items)
			return m.measure()
		}
	})
}

// sift leaves the facts that the search of the view looks for, and has those of a
// large packet put into order and searched outside, where they are looked at.
func (m *Model) sift() tea.Cmd {
	p := m.hearing.Facts
	p.Seek(when(m.focus == pane.HearingID && m.hearing.Which == pane.HearingFacts && m.search.on(), m.search.query(), ""))
	if m.layout.Panes[pane.HearingID].Empty() || p.Pending || !p.Due() {
		return nil
	}
	p.Fresh()
	p.Pending = true
	job := p.Job()
	return m.outside(func() answer {
		found := job()
		return func(m *Model) tea.Cmd {
			p.Pending = false
			p.Take(found)
			m.search.missed = m.search.on() && p.Query != "" && p.Query == p.Sought && p.N == 0
			return m.sift()
		}
	})
}
