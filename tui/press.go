package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
)

// quietTime is how long nothing may be typed before keys answer a question
// that came by itself.
const quietTime = 400 * time.Millisecond

// press takes a key: the table decides, then what is typed into.
func (m *Model) press(key tea.KeyPressMsg) tea.Cmd {
	defer m.rearrange()
	now := m.options.Now()
	if now.Sub(m.arrived) >= quietTime && now.Sub(m.lastKey) >= quietTime {
		m.armed = true
	}
	m.lastKey = now
	m.flash = ""
	d := m.dialog()
	if d == nil && m.typing() {
		if cmd, taken := m.typeKey(key); taken {
			return cmd
		}
	}
	if b, found := m.keys.find(m.places(), m.holds, key.String()); found {
		return m.act(b.Action)
	}
	if d != nil && m.open(d) && plain.Line(key.Text) == key.Text {
		return m.carryOut(d.key(key))
	}
	return nil
}

// open reports whether keys may go into the dialog: one that came by itself
// waits out a quiet moment.
func (m *Model) open(d dialog) bool {
	f, ok := d.(*formDialog)
	return !ok || f.request == nil || m.armed
}

// paste goes to what is typed into, without what could act on the screen.
func (m *Model) paste(msg tea.PasteMsg) {
	msg.Content = plain.Text(msg.Content)
	d := m.dialog()
	switch {
	case d != nil && d.place() != InReader && m.open(d):
		d.key(msg)
	case d == nil && m.typing():
		m.typePaste(msg)
	}
}

// dialog is the topmost dialog, or nil.
func (m *Model) dialog() dialog {
	if len(m.dialogs) == 0 {
		return nil
	}
	return m.dialogs[len(m.dialogs)-1]
}

// push opens a dialog over what there is.
func (m *Model) push(d dialog) { m.dialogs = append(m.dialogs, d) }

// pop closes the topmost dialog.
func (m *Model) pop() { m.dialogs = m.dialogs[:max(len(m.dialogs)-1, 0)] }
