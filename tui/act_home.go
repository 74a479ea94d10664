package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
)

// homeFamily are the actions that exist only at home.
func homeFamily() family {
	return family{
		title:   "Sessions",
		actions: []Action{ActionAsk, ActionDelete, ActionFilter},
		why: func(m *Model, a Action) string {
			home := m.options.Home
			switch {
			case !m.atHome || home == nil:
				return "go home first"
			case a == ActionAsk && home.New == nil:
				return "no question can be asked from here"
			case a == ActionDelete && home.Delete == nil:
				return "no session can be deleted from here"
			case a == ActionFilter && len(m.home.sessions) == 0:
				return "there is no session to look for"
			}
			return ""
		},
		do: func(m *Model, a Action) tea.Cmd {
			switch {
			case a == ActionFilter:
				m.home.beginFilter()
			case a == ActionDelete:
				m.openDelete()
			case a == ActionAsk:
				return m.openAsking()
			}
			return nil
		},
	}
}

// onSession says that an action is done to the selected session.
func onSession(a Action) bool {
	return oneOf(a, ActionOpen, ActionReplay, ActionFork, ActionExport, ActionDelete, ActionCopy)
}

// lacks says why an action on the selected session cannot be done, or "".
func (p *homePane) lacks(a Action) string {
	if p.Selected() == "" && onSession(a) {
		return when(len(p.sessions) == 0, "there is no session yet", "no session holds these words")
	}
	return ""
}

// waits reports whether an action waits for the sessions to be read: it is meant
// for the one that is selected then. The last such action counts.
func (p *homePane) waits(a Action) bool {
	if p.wanted == "" || !onSession(a) {
		return false
	}
	p.then = a
	return true
}

// goHome shows the sessions and says how to continue the one that was left.
func (m *Model) goHome() tea.Cmd {
	m.atHome, m.focus, m.dialogs = true, pane.HomeID, nil
	now, _ := m.present()
	if now.ID != "" {
		m.home.wanted = now.ID
	}
	if m.opened.Start != nil && !now.Closed {
		switch {
		case m.err != nil:
			m.say(m.err.Error(), true)
		case m.opened.ResumeCommand == "":
			m.say("mode quick keeps no session file: nothing was saved", false)
		default:
			m.say("saved; "+m.keyOf(ActionOpen)+" goes on", false)
		}
	}
	m.rearrange()
	return m.readHome()
}

// readHome reads the sessions anew, once the session that was left let go.
func (m *Model) readHome() tea.Cmd {
	home, gone, now := m.options.Home, m.released, m.options.Now
	if home == nil {
		return nil
	}
	read := m.outside(func() answer {
		m.waitFor(gone)
		sessions, err := home.List(context.Background())
		return func(m *Model) tea.Cmd {
			then := m.home.then
			m.home.then = ""
			if err != nil {
				m.home.read, m.home.failed, m.home.wanted = true, err, ""
				return nil
			}
			m.home.setSessions(sessions, now())
			if then == "" || !m.atHome || m.dialog() != nil {
				return nil
			}
			return m.act(then)
		}
	})
	return tea.Batch(read, m.findCandidates())
}

// waitFor waits until a session has let go of its session, though not for ever.
func (m *Model) waitFor(gone <-chan struct{}) {
	if gone == nil {
		return
	}
	select {
	case <-gone:
	case <-time.After(m.patience):
	}
}

// openHome opens the selected session: to go on with it, to look at it, or to
// step through it.
func (m *Model) openHome(replay bool) tea.Cmd {
	s := m.home.summary()
	switch {
	case s == nil:
		return nil
	case s.Broken != "" && !(replay && s.Events > 0):
		m.say("this session is broken and stays as it is: "+s.Broken, true)
		return nil
	}
	id, home := s.ID, m.options.Home
	return m.openWith("opening the session", func(ctx context.Context) (Opened, error) { return home.Open(ctx, id, replay) })
}

// openWith opens a session outside and shows it. What is under way already is
// waited for.
func (m *Model) openWith(what string, open func(ctx context.Context) (Opened, error)) tea.Cmd {
	if m.home.busy != "" {
		return nil
	}
	m.home.busy, m.home.typing = what, false
	gone := m.released
	return m.outside(func() answer {
		m.waitFor(gone)
		o, err := open(context.Background())
		return func(m *Model) tea.Cmd {
			m.home.busy = ""
			if err != nil {
				m.say(err.Error(), true)
				return nil
			}
			m.sit(o)
			return nil
		}
	})
}
