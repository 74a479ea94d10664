package tui

import (
	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
)

// dialogFamily opens dialogs, and closes and sends them.
func dialogFamily() family {
	return family{
		title: "Dialogs, and what is opened",
		actions: []Action{
			ActionOpen, ActionWhy, ActionHelp, ActionPalette, ActionClose, ActionSend, ActionChoose, ActionEditor,
		},
		why: (*Model).whyNoDialog,
		do:  (*Model).actDialog,
	}
}

func (m *Model) whyNoDialog(a Action) string {
	switch {
	case a == ActionOpen && m.atHome:
		return ""
	case a == ActionOpen && m.dialog() == nil && m.paneOf(m.focus).Selected() == "" && len(m.asking()) == 0:
		return "select something first"
	case a == ActionWhy && m.whyPoint() == "" && (m.focus != pane.DecisionID || m.decision.Outcome == nil):
		return "there is no point yet"
	case a == ActionEditor && m.options.Services.EditText == nil:
		return "no editor can be opened from here"
	}
	if a != ActionEditor {
		return ""
	}
	f, fields := m.dialog().(*formDialog)
	_, writes := m.dialog().(editable)
	switch {
	case fields && !f.Editable():
		return "this is a choice; go to a text first"
	case !writes:
		return "there is no text here for an editor"
	}
	return ""
}

func (m *Model) actDialog(a Action) tea.Cmd {
	switch {
	case a == ActionClose:
		if f, ok := m.dialog().(*formDialog); !ok || !f.Escape() {
			m.pop()
		}
	case a == ActionSend, a == ActionChoose:
		if d := m.dialog(); d != nil && m.open(d) {
			return m.carryOut(d.send())
		}
	case a == ActionHelp:
		m.push(&reader{heading: "Keys, " + m.focus.String(), blocks: m.helpBlocks})
	case a == ActionPalette:
		m.openPalette()
	case a == ActionFact:
		m.overrideByKey(ActionFact)
	case a == ActionOverride:
		m.openOverride()
	case a == ActionAnswer:
		m.openAnswer()
	case a == ActionWhy:
		m.openReceipt()
	case a == ActionEditor:
		return m.editInEditor()
	case a == ActionOpen && m.atHome:
		return m.openHome(false)
	case a == ActionOpen:
		return m.openSelected()
	}
	return nil
}

// openReceipt shows why what is selected came out so: a part of a decision, or
// the point.
func (m *Model) openReceipt() {
	if m.dialog() == nil && m.openDecided(m.paneOf(m.focus).Selected(), true) {
		return
	}
	if id := m.whyPoint(); id != "" {
		m.openWhy(id)
	}
}

// whyPoint is the point whose receipt is shown: the selected one, or the one
// that is looked at.
func (m *Model) whyPoint() string {
	if m.atHome {
		return ""
	}
	if p := m.target(); p != "" {
		return p
	}
	return m.topic
}

// carryOut does what a dialog wants done, and closes it.
func (m *Model) carryOut(i intent) tea.Cmd {
	switch i := i.(type) {
	case nil:
		return nil
	case perform:
		// It may open another dialog, in the place of this one.
		m.pop()
		return i(m)
	}
	m.pop()
	return nil
}

// perform is what a dialog wants done on the screen.
type perform func(m *Model) tea.Cmd

func (perform) intent() {}
