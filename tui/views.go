package tui

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/internal/lists"
	"moot/resolver"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// paneRow is a row of the table of panes.
type paneRow struct {
	id pane.ID
	// key shows the pane; help says what it shows.
	key, help string
	// add makes the pane of a session.
	add func(s *session, l *theme.Look) pane.Pane
}

// paneTable lists the panes of a session in the order of their keys.
func paneTable() []paneRow {
	return []paneRow{
		{pane.DebateID, "1", "the transcript", func(s *session, l *theme.Look) pane.Pane {
			s.debate = pane.NewDebate(l)
			return s.debate
		}},
		{pane.PointsID, "2", "a table of all claims", func(s *session, l *theme.Look) pane.Pane {
			s.points = pane.NewPoints(l)
			return s.points
		}},
		{pane.PointID, "3", "one claim with its history and evidence", func(s *session, l *theme.Look) pane.Pane {
			s.point = pane.NewPoint(l, s.debate.Transcript)
			return s.point
		}},
		{pane.LedgerID, "4", "facts and evidence", func(s *session, l *theme.Look) pane.Pane {
			s.ledger = pane.NewLedger(l)
			return s.ledger
		}},
		{pane.GraphID, "5", "the argument as a map", func(s *session, l *theme.Look) pane.Pane {
			s.graph = pane.NewGraph(l)
			return s.graph
		}},
		{pane.ConfidenceID, "6", "over the rounds", func(s *session, l *theme.Look) pane.Pane {
			s.confidence = pane.NewConfidence(l)
			return s.confidence
		}},
		{pane.RecordID, "7", "every event", func(s *session, l *theme.Look) pane.Pane {
			s.record = pane.NewRecord(l)
			return s.record
		}},
		{pane.BucketsID, "8", "the points by ruling", func(s *session, l *theme.Look) pane.Pane {
			s.buckets = pane.NewBuckets(l)
			return s.buckets
		}},
		{pane.ChallengesID, "9", "the objections to points", func(s *session, l *theme.Look) pane.Pane {
			s.challenges = pane.NewChallenges(l)
			return s.challenges
		}},
		{pane.ResultID, "0", "the outcome as a document, with metrics", func(s *session, l *theme.Look) pane.Pane {
			s.outcome = pane.NewResult(l)
			return s.outcome
		}},
	}
}

// viewBindings returns the keys that show the panes.
func viewBindings() []binding {
	return lists.Map(paneTable(), func(r paneRow) binding {
		return binding{keys: r.key, action: showsPane(r.id), help: r.id.String() + ": " + r.help}
	})
}

// Views returns the panes of a session in the order of their keys.
func Views() []pane.ID {
	return lists.Map(paneTable(), func(r paneRow) pane.ID { return r.id })
}

// numberKey returns the number key of a pane.
func numberKey(p pane.ID) string { return strconv.Itoa((slices.Index(Views(), p) + 1) % 10) }

// showsPane returns the action that shows a pane.
func showsPane(p pane.ID) Action { return Action(strings.ToLower(p.String())) }

func viewFamily() family {
	actions := []Action{
		ActionNextPane, ActionPrevPane, ActionBack, ActionZoom, ActionSort, ActionSortBefore,
	}
	for _, p := range Views() {
		actions = append(actions, showsPane(p))
	}
	return family{
		title:   "Views",
		actions: actions,
		why: func(m *Model, a Action) string {
			switch {
			case m.atHome:
				return "open a session first"
			case a == ActionZoom && m.layout.Kind != Wide:
				return "each view fills the screen already"
			}
			return ""
		},
		do: (*Model).actView,
	}
}

func (m *Model) actView(a Action) tea.Cmd {
	switch {
	case a == ActionNextPane:
		return m.focusBy(1)
	case a == ActionPrevPane:
		return m.focusBy(-1)
	case a == ActionBack:
		return m.focusOn(m.before)
	case a == ActionZoom:
		m.zoom = !m.zoom
		return m.focusOn(m.main)
	case a == ActionSort:
		m.points.SortBy(1)
	case a == ActionSortBefore:
		m.points.SortBy(-1)
	default:
		for _, p := range Views() {
			if showsPane(p) == a {
				return m.focusOn(p)
			}
		}
	}
	return nil
}

// focusOn focuses a pane. A main view moves to the largest place unless it is visible elsewhere.
func (m *Model) focusOn(p pane.ID) tea.Cmd {
	if p == pane.HomeID || m.atHome {
		return nil
	}
	beside := p == pane.LedgerID && m.layout.Kind == Wide && !m.layout.Panes[p].Empty() && m.focus != p
	if p.Main() && p != m.main && !beside {
		m.before, m.main = m.main, p
	}
	m.zoom = m.zoom && p.Main()
	if p != m.focus {
		m.search.end()
	}
	m.focus = p
	m.rearrange()
	return nil
}

// focusBy focuses the next pane: of the visible ones, or of all if only one is visible at a time.
func (m *Model) focusBy(by int) tea.Cmd {
	panes := m.layout.Shown()
	if m.layout.Kind != Wide {
		panes = Views()
	}
	return m.focusOn(panes[(slices.Index(panes, m.focus)+by+len(panes))%len(panes)])
}

func moveFamily() family {
	return family{
		title: "Cursor",
		actions: []Action{
			ActionUp, ActionDown, ActionLeft, ActionRight, ActionPageUp, ActionPageDown, ActionHome, ActionEnd,
		},
		why: func(m *Model, a Action) string {
			if r, ok := m.dialog().(*reader); ok && a == ActionPageDown && r.height > 0 && !r.text.More() {
				return "this is the end"
			}
			return ""
		},
		do: func(m *Model, a Action) tea.Cmd {
			if d := m.dialog(); d != nil {
				d.scroll(a, m.height)
				return nil
			}
			m.moveIn(m.focus, a)
			m.followSelection()
			return nil
		},
	}
}

// moveIn scrolls a pane or moves its selection.
func (m *Model) moveIn(p pane.ID, a Action) {
	if r := m.layout.Panes[p]; !r.Empty() {
		m.paneOf(p).Move(pane.Motion(a), r.W, r.H)
	}
}

// followSelection shows the selected point in the views of one point.
func (m *Model) followSelection() {
	if m.atHome {
		return
	}
	p := m.pointOf(m.paneOf(m.focus).Selected())
	if m.focus == pane.PointID {
		// Its items may be about other points.
		p = m.point.ID
	}
	if p != "" && p != m.topic {
		m.setTopic(p)
	}
}

// openWhy shows the receipt of a point and what would change its ruling.
func (m *Model) openWhy(id string) {
	m.push(&reader{
		titled: func() string {
			i := slices.IndexFunc(m.rulings, func(r state.Ruling) bool { return r.Point == id })
			if i < 0 {
				return "Why " + id
			}
			_, _, name := m.look.Bucket(m.rulings[i].Bucket)
			return "Why " + id + " is " + strings.ToLower(name)
		},
		point: id, about: id,
		parts: func(l *theme.Look) []pane.Part {
			r := resolver.RulingOn(m.rulings, id)
			if r == nil {
				text := l.Faint.Span("Nothing has ruled on " + id + " yet.")
				return []pane.Part{{Blocks: []pane.Block{{Body: text}}}}
			}
			why := view.Why(m.state, r)
			return pane.DocumentParts(l, &why)
		},
	})
}
