package tui

import (
	"slices"

	"moot/state"
)

// formatViews is the table of the views that one format has and others have not.
// Each stands in the place of the sixth key.
func formatViews() map[state.Format]Pane {
	return map[state.Format]Pane{
		state.FormatConsult:   PaneConfidence,
		state.FormatDialectic: PaneDecision,
	}
}

// Views returns the panes of a session of the format in the order of their number
// keys: the seven main views, then those that stand beside them. A format that is
// not known has those of a consultation.
func Views(format state.Format) []Pane {
	own, known := formatViews()[format]
	if !known {
		own = PaneConfidence
	}
	return []Pane{
		PaneDebate, PanePoints, PanePoint, PaneLedger, PaneGraph, own, PaneRecord, PaneBuckets, PaneChallenges,
	}
}

// views are the panes of the session on the screen.
func (s *sitting) views() []Pane { return Views(s.state.Settings.Format) }

// number is the number key of a pane, 0 where the session has no such view.
func (s *sitting) number(p Pane) int { return slices.Index(s.views(), p) + 1 }

// own is the pane, or the session's own view where it has no such pane: a session
// may tell its format after a view was chosen.
func (s *sitting) own(p Pane) Pane {
	if s.number(p) > 0 {
		return p
	}
	return s.views()[5]
}

// viewOf is the pane that an action shows, if it shows one.
func viewOf(a Action) (Pane, bool) {
	for _, p := range Panes() {
		if showsPane(p) == a {
			return p, true
		}
	}
	return 0, false
}

// holds reports whether a binding holds for the pane with the keys, in a session
// of the format that is on the screen.
func (m *Model) holds(b *Binding) bool {
	if !b.holds(m.focus) {
		return false
	}
	p, view := viewOf(b.Action)
	return !view || m.number(p) > 0
}

// together reports whether one session can have both keys: not where each shows
// a view of another format.
func together(a, b *Binding) bool {
	first, one := viewOf(a.Action)
	second, other := viewOf(b.Action)
	if !one || !other {
		return true
	}
	for format := range formatViews() {
		if views := Views(format); slices.Contains(views, first) && slices.Contains(views, second) {
			return true
		}
	}
	return false
}
