package tui

import tea "charm.land/bubbletea/v2"

func (m *Model) openOverride() {}

func (m *Model) editInEditor() tea.Cmd { return nil }
