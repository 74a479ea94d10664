package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
)

// viewFamily decides what is looked at.
func viewFamily() family {
	actions := []Action{ActionNextPane, ActionPrevPane, ActionBack, ActionZoom, ActionSort, ActionSortBefore, ActionReverse, ActionOnly, ActionChart, ActionPart, ActionWhose}
	for _, p := range pane.IDs() {
		actions = append(actions, showsPane(p))
	}
	return family{
		title:   "What is looked at",
		actions: actions,
		why: func(m *Model, a Action) string {
			switch {
			case m.atHome:
				return "open a session first"
			case m.focus == pane.HearingID && oneOf(a, ActionSort, ActionSortBefore, ActionReverse, ActionWhose) && m.hearing.Which != pane.HearingFacts:
				return "only the facts are listed so; " + m.keyOf(ActionPart) + " goes to them"
			case a == ActionZoom && m.layout.Kind != Wide:
				return "each view has all the room already"
			}
			if p, view := viewOf(a); view && m.number(p) == 0 {
				return "sessions of this format have no such view"
			}
			return ""
		},
		do: (*Model).actView,
	}
}

// showsPane is the action that goes to a pane.
func showsPane(p pane.ID) Action {
	return []Action{
		ActionDebate, ActionPoints, ActionPoint, ActionLedger, ActionGraph, ActionConfidence, ActionDecision, ActionMatrix, ActionCouncil, ActionHearing, ActionRecord,
		ActionMetrics, ActionBuckets, ActionChallenges, ActionFilter,
	}[p]
}

func (m *Model) actView(a Action) tea.Cmd {
	switch {
	case m.focus == pane.HearingID && m.actHearing(a):
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
	case a == ActionReverse:
		m.points.TurnAround()
	case a == ActionOnly:
		m.graph.ToggleOnly()
	case a == ActionChart:
		m.confidence.ToggleAll()
	default:
		if p, view := viewOf(a); view {
			return m.focusOn(p)
		}
	}
	return nil
}

// focusOn gives the keys to a pane; a main view takes its place.
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

// focusBy gives the keys to the next pane: of those that are shown, or of all
// where one is shown at a time.
func (m *Model) focusBy(by int) tea.Cmd {
	panes := m.layout.Shown()
	if m.layout.Kind != Wide {
		panes = m.views()
	}
	at := slices.Index(panes, m.focus)
	return m.focusOn(panes[(at+by+len(panes))%len(panes)])
}

// moveFamily scrolls and selects.
func moveFamily() family {
	return family{
		title:   "Moving",
		actions: []Action{ActionUp, ActionDown, ActionLeft, ActionRight, ActionPageUp, ActionPageDown, ActionHome, ActionEnd},
		why: func(m *Model, a Action) string {
			if r, ok := m.dialog().(interface{ ended() bool }); ok && a == ActionPageDown && r.ended() {
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

// moveIn scrolls a pane, or moves its selection.
func (m *Model) moveIn(p pane.ID, a Action) {
	if r := m.layout.Panes[p]; !r.Empty() {
		m.paneOf(p).Move(pane.Motion(a), r.W, r.H)
	}
}

// followSelection turns the views of one point to what is selected now.
func (m *Model) followSelection() {
	if m.atHome {
		return
	}
	if p := m.pointOf(m.paneOf(m.focus).Selected()); p != "" && p != m.topic {
		m.setTopic(p)
	}
}

// actHearing carries out an action of the view of a hearing. It reports whether
// it was one.
func (m *Model) actHearing(a Action) bool {
	switch a { //nolint:exhaustive // the others are not for this view
	case ActionPart:
		m.hearing.NextPart()
	case ActionWhose:
		m.hearing.Facts.NextWhose()
	case ActionSort, ActionSortBefore:
		m.hearing.Facts.SortBy()
	case ActionReverse:
		m.hearing.Facts.TurnAround()
	default:
		return false
	}
	return true
}
