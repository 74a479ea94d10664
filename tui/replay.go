package tui

import (
	tea "charm.land/bubbletea/v2"

	"moot/state"
)

// replay shows what stood after an earlier event.
type replay struct {
	// present and rulings are what stands now.
	present state.State
	rulings []state.Ruling
}

// replaying reports whether an earlier event is shown.
func (m *Model) replaying() bool { return m.replay != nil }

func (m *Model) replayFrom(int) {}

func (m *Model) replayStatus() (style, string) { return m.look.text, "" }

func (m *Model) sliderLine(width int) string { return blank(width) }

// replayFamily steps through the events.
func replayFamily() family {
	return family{
		actions: []Action{
			ActionReplay, ActionEarlier, ActionLater, ActionEarlierRound, ActionLaterRound, ActionFirstEvent,
			ActionLastEvent, ActionFork,
		},
		do: func(m *Model, a Action) tea.Cmd {
			if m.atHome {
				return m.takeHome(a)
			}
			return nil
		},
	}
}
