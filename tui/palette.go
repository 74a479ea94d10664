package tui

func (m *Model) openPalette() {}
