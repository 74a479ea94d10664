package tui

import tea "charm.land/bubbletea/v2"

// notify tells the person, who looks elsewhere, that moot waits.
func (m *Model) notify(string) tea.Cmd { return nil }
