package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// family is a group of actions that one file carries out. A key, a click on
// the footer and the palette all end here.
type family struct {
	// title names the group where its keys are shown.
	title   string
	actions []Action
	// why says why an action cannot be done now, or "".
	why func(m *Model, a Action) string
	do  func(m *Model, a Action) tea.Cmd
}

// families are all there are; a test demands that each action of the table of
// keys has one.
func families() []family {
	return []family{
		turnFamily(), rulingFamily(), dialogFamily(), viewFamily(), moveFamily(),
		searchFamily(), takeFamily(), replayFamily(), homeFamily(), programFamily(),
	}
}

// familyOf finds the family of an action.
func (m *Model) familyOf(a Action) *family {
	for i := range m.families {
		if oneOf(a, m.families[i].actions...) {
			return &m.families[i]
		}
	}
	return nil
}

// disabled says why an action cannot be done now, or "".
func (m *Model) disabled(a Action) string {
	f := m.familyOf(a)
	switch {
	case f == nil:
		return "moot cannot do that"
	case m.atHome && m.dialog() == nil && m.home.lacks(a) != "":
		return m.home.lacks(a)
	case f.why == nil:
		return ""
	}
	return f.why(m, a)
}

// act does what an action says, or says why it cannot be done.
func (m *Model) act(a Action) tea.Cmd {
	if m.atHome && m.dialog() == nil && m.home.waits(a) {
		return nil
	}
	if why := m.disabled(a); why != "" {
		m.say(why, true)
		return nil
	}
	return m.familyOf(a).do(m, a)
}

// say puts a sentence into the status, until the next key; warn draws the eye.
// What does not warn gives way to news of the session, too.
func (m *Model) say(what string, warn bool) {
	m.flash, m.flashWarn, m.said = what, warn, m.options.Now()
}

// sayTime is how long a sentence is read before news of the session takes its
// place.
const sayTime = 5 * time.Second

// unsay takes back a sentence that was read by now, where it does not warn.
func (m *Model) unsay() {
	if !m.flashWarn && m.options.Now().Sub(m.said) >= sayTime {
		m.flash = ""
	}
}
