package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

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

// paneTable lists the panes in the order of their keys. In sessions that list findings, these take the place of the points.
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
		{pane.FindingsID, "2", "what the reviewers found", func(s *session, l *theme.Look) pane.Pane {
			s.findings = pane.NewFindings(l)
			return s.findings
		}},
	}
}

// viewBindings returns the keys that show the panes that every session has.
func viewBindings() []binding {
	var list []binding
	for _, r := range paneTable() {
		if r.id != pane.FindingsID {
			list = append(list, binding{keys: r.key, action: showsPane(r.id), help: r.id.String() + ": " + r.help})
		}
	}
	return list
}

// views returns the panes of the session in the order of their keys.
func (m *Model) views() []pane.ID {
	var list []pane.ID
	for _, r := range paneTable() {
		switch {
		case r.id == pane.FindingsID:
		case r.id == pane.PointsID && m.reviews():
			list = append(list, pane.FindingsID)
		default:
			list = append(list, r.id)
		}
	}
	return list
}

// reviews reports whether the session lists findings.
func (m *Model) reviews() bool { return !m.atHome && view.ListsFindings(m.state) }

// numberKey returns the number key of a pane.
func numberKey(p pane.ID) string {
	for _, r := range paneTable() {
		if r.id == p {
			return r.key
		}
	}
	return ""
}

// showsPane returns the action that shows a pane.
func showsPane(p pane.ID) Action { return Action(strings.ToLower(p.String())) }

func viewFamily() family {
	actions := []Action{
		ActionNextPane, ActionPrevPane, ActionBack, ActionZoom, ActionSort, ActionSortBefore, ActionSeverity, ActionStatus,
		ActionOnlyFile, ActionShowAll,
	}
	for _, r := range paneTable() {
		actions = append(actions, showsPane(r.id))
	}
	return family{
		title:   "Views",
		actions: actions,
		why: func(m *Model, a Action) string {
			switch {
			case m.onBatch() && oneOf(a, ActionNextPane, ActionPrevPane):
				return m.whyOneList()
			case m.atHome:
				return "open a session first"
			case a == ActionZoom && m.layout.Kind != Wide:
				return "each view fills the screen already"
			case (a == showsPane(pane.FindingsID) || oneOf(a, findingActions()...)) && !m.reviews():
				return "only a review lists findings"
			case a == showsPane(pane.PointsID) && m.reviews():
				return "a review lists findings instead of points"
			case oneOf(a, findingActions()...) && m.findings.Len() == 0:
				return "there are no findings yet"
			case a == ActionShowAll && !m.findings.Filtered():
				return "all findings are shown already"
			}
			return ""
		},
		do: (*Model).actView,
	}
}

// findingActions are the actions that filter the findings.
func findingActions() []Action {
	return []Action{ActionSeverity, ActionStatus, ActionOnlyFile, ActionShowAll}
}

func (m *Model) actView(a Action) tea.Cmd {
	switch {
	case oneOf(a, findingActions()...):
		m.filterFindings(a)
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
		for _, r := range paneTable() {
			if showsPane(r.id) == a {
				return m.focusOn(r.id)
			}
		}
	}
	return nil
}

// filterFindings changes which findings are shown.
func (m *Model) filterFindings(a Action) {
	switch {
	case a == ActionSeverity:
		m.findings.FilterBy(func(o *pane.FindingFilter) *string { return &o.Severity }, func(f *view.Finding) string { return f.Severity })
	case a == ActionStatus:
		m.findings.FilterBy(func(o *pane.FindingFilter) *string { return &o.Status }, func(f *view.Finding) string { return f.Status })
	case a == ActionOnlyFile:
		m.findings.OnlyFile()
	case a == ActionShowAll:
		m.findings.ShowAll()
	}
	m.followSelection()
}

// focusOn focuses a pane. A main view moves to the largest place unless it is visible elsewhere.
func (m *Model) focusOn(p pane.ID) tea.Cmd {
	if m.onBatch() && oneOf(p, pane.BatchID, pane.RunningID) {
		m.focus, m.batchFocus = p, p
		m.rearrange()
		return nil
	}
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
	if m.onBatch() {
		panes = []pane.ID{pane.RunningID, pane.BatchID}
	} else if m.layout.Kind != Wide {
		panes = m.views()
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

// openWhy explains a point, a challenge, an item of evidence, a fact, a question or a sentence of the answer.
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
		point: m.pointOf(id), about: id,
		parts: func(l *theme.Look) []pane.Part {
			why, known := view.Explain(m.state, m.rulings, id)
			if !known {
				text := l.Text.Span("Nothing has ruled on " + id + " yet.")
				return []pane.Part{{Blocks: []pane.Block{{Body: text}}}}
			}
			return pane.DocumentParts(l, &why)
		},
	})
}
