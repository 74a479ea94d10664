package tui

import tea "charm.land/bubbletea/v2"

// takeFamily takes things out of the screen: to the clipboard, to the editor, to
// a file.
func takeFamily() family {
	return family{
		actions: []Action{ActionCopy, ActionOpenFile, ActionExport},
		do: func(m *Model, a Action) tea.Cmd {
			if m.atHome && m.dialog() == nil {
				return m.takeHome(a)
			}
			return nil
		},
	}
}
