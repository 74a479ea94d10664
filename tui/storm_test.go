package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"moot/protocol"
	"moot/state"
)

// Sizes that come in a storm, in the middle of a reply, leave the place, the
// focus and the selection where they are.
func TestResizeStorm(t *testing.T) {
	r := demo(t)
	rapid.Check(t, func(t *rapid.T) {
		m := screenOf(r.t, r, Options{NoColor: true}, 120, 40)
		speak(m)
		m.View()
		typeKeys(m, "up up up up")
		m.focusOn(rapid.SampledFrom(m.views()).Draw(t, "focus"))
		typeKeys(m, "down down")
		m.View()
		focus, main, topic := m.focus, m.main, m.topic
		chosen, top := m.paneOf(m.focus).selected(), m.debate.win.top
		for i := range 200 {
			m.Update(tea.WindowSizeMsg{Width: rapid.IntRange(1, 300).Draw(t, "width"), Height: rapid.IntRange(1, 100).Draw(t, "height")})
			tell(m, protocol.Streamed{Seat: state.Orchestrator, Text: "and more, "})
			if i%8 == 0 {
				checkFits(t, m, "storm")
				m.View()
			}
		}
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
		m.View()
		if m.focus != focus || m.main != main || m.topic != topic || m.paneOf(m.focus).selected() != chosen {
			t.Fatalf("focus %v, main %v, topic %s, selected %s", m.focus, m.main, m.topic, m.paneOf(m.focus).selected())
		}
		if m.debate.win.top != top {
			t.Fatalf("the place went from entry %d to %d", top, m.debate.win.top)
		}
	})
}

// While nothing runs nothing of ours happens: no message, no tick, no delivery.
func TestIdleIsQuiet(t *testing.T) {
	r := demo(t)
	m := screenOf(t, r, Options{}, 120, 40)
	speak(m)
	if !m.ticking {
		t.Fatal("a reply under way is not drawn anew")
	}
	m.inbox.close()
	_, cmd := m.Update(delivery{
		told{m.sitting, protocol.CallEnded{Seat: state.Orchestrator}},
		told{m.sitting, r.advanced(&state.ReplyReceived{Seat: state.Orchestrator, Stage: state.StageJudge, Valid: true, Text: "…"})},
		told{m.sitting, ready(state.Consultee)},
	})
	if n := sent(cmd); n != 0 {
		t.Errorf("a waiting turn causes %d messages", n)
	}
	if _, cmd := m.Update(tick{}); sent(cmd) != 0 || m.ticking {
		t.Error("it ticks on")
	}
	m.View()
	for name, msg := range map[string]tea.Msg{
		"size": tea.WindowSizeMsg{Width: 120, Height: 40}, "blur": tea.BlurMsg{}, "focus": tea.FocusMsg{}, "key": keyOf("down"),
		"wheel": tea.MouseWheelMsg{X: 5, Y: 8, Button: tea.MouseWheelDown}, "environment": tea.EnvMsg{}, "motion": tea.MouseMotionMsg{X: 4, Y: 4},
	} {
		if _, cmd := m.Update(msg); sent(cmd) != 0 {
			t.Errorf("%s causes messages", name)
		}
	}
	if items := m.inbox.take(); len(items) != 0 {
		t.Errorf("the inbox holds %v", items)
	}
	// What changes nothing is not drawn anew.
	m.View()
	m.Update(tea.BlurMsg{})
	m.Update(tea.EnvMsg{})
	if m.dirty {
		t.Error("it is drawn anew for nothing")
	}
}

// sent is how many messages a command and all that it batches send.
func sent(cmd tea.Cmd) int {
	if cmd == nil {
		return 0
	}
	n := 0
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			n += sent(c)
		}
	case delivery:
		n = len(msg)
	default:
		n = 1
	}
	return n
}
