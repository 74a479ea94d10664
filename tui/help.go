package tui

import (
	"fmt"
	"slices"
)

// helpBlocks lists the keys of the focused pane, and why one is disabled now.
func (m *Model) helpBlocks(l *look) []block {
	var list []block
	for _, place := range Places() {
		if (place == OnHome) != m.atHome && slices.Contains([]Place{OnHome, OnSession, InReplay, InSearch}, place) {
			continue
		}
		if len(list) > 0 {
			list = append(list, block{})
		}
		title := place.Title()
		if place == OnSession {
			title += ", " + m.focus.String()
		}
		list = append(list, block{body: span{l.accent, title}})
		for i := range m.keys.table {
			b := &m.keys.table[i]
			if b.Place != place || !b.holds(m.focus) {
				continue
			}
			body := span{l.text, b.Help}
			if why := m.disabled(b.Action); why != "" && slices.Contains([]Place{OnHome, OnSession}, place) {
				body = span{l.faint, b.Help + " (not now: " + why + ")"}
			}
			list = append(list, block{indent: 1, lead: span{l.bold, fmt.Sprintf("%-11s", b.Shown)}, body: body})
		}
	}
	return list
}
