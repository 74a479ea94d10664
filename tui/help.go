package tui

import (
	"slices"

	"moot/tui/pane"
	"moot/tui/theme"
)

// keyColumn is how wide the keys are in the help.
const keyColumn = 13

// helpBlocks lists the keys of the focused pane by what they are for, and why one
// does nothing now; then those of the dialogs.
func (m *Model) helpBlocks(l *theme.Look) []pane.Block {
	open := m.dialogs
	defer func() { m.dialogs = open }()
	m.dialogs = nil
	var list []pane.Block
	here := m.places()
	for _, place := range here {
		if place != Everywhere {
			list = append(list, m.placeBlocks(l, place)...)
		}
	}
	for _, place := range []Place{InReader, InForm, InList, Everywhere} {
		list = append(list, pane.Block{Section: place.Title()})
		list = append(list, m.keyBlocks(l, place, nil)...)
	}
	return list
}

// placeBlocks are the keys of a place on the screen, a section for each family.
func (m *Model) placeBlocks(l *theme.Look, place Place) []pane.Block {
	where := when(place == OnSession || place == OnHome, "", place.Title())
	var list []pane.Block
	for i := range m.families {
		keys := m.keyBlocks(l, place, &m.families[i])
		if len(keys) == 0 {
			continue
		}
		list = append(list, pane.Block{Section: m.families[i].title, Right: l.Faint.Span(where)})
		list = append(list, keys...)
	}
	return list
}

// keyBlocks are the keys of a place, of one family or of all for nil. Those of a
// dialog that is not open are never disabled.
func (m *Model) keyBlocks(l *theme.Look, place Place, of *family) []pane.Block {
	onScreen := slices.Contains(m.places(), place)
	var list []pane.Block
	for i := range m.keys.table {
		b := &m.keys.table[i]
		if b.Place != place || !m.holds(b) || of != nil && m.familyOf(b.Action) != of {
			continue
		}
		lead, body := l.Bold.Span(padded(l, b.Shown, keyColumn)), l.Text.Span(b.Help)
		if why := m.disabled(b.Action); onScreen && why != "" {
			lead.Style, body = l.Faint, l.Faint.Span(b.Help+" (not now: "+why+")")
		}
		list = append(list, pane.Block{Indent: 1, Lead: lead, Body: body, Hang: keyColumn + 1})
	}
	return list
}
