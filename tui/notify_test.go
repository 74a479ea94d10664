package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// raw returns what commands write to the terminal directly.
func raw(cmd tea.Cmd) string {
	if cmd == nil {
		return ""
	}
	switch msg := cmd().(type) {
	case tea.RawMsg:
		return fmt.Sprint(msg.Msg)
	case tea.BatchMsg:
		var text strings.Builder
		for _, c := range msg {
			text.WriteString(raw(c))
		}
		return text.String()
	}
	return ""
}

// away is a screen that the person does not look at.
func away(t *testing.T, r *recorder, o Options) *Model {
	m := screenOf(t, r, o, 100, 30)
	// Nothing waits for what happens outside.
	m.inbox.close()
	m.Update(tea.BlurMsg{})
	return m
}

// delivered returns what a screen writes to the terminal for a notice.
func delivered(m *Model, notices ...protocol.Notice) string {
	var items delivery
	for _, n := range notices {
		items = append(items, notice{m.session, n})
	}
	_, cmd := m.Update(items)
	return raw(cmd)
}

func TestTheBellRingsForWhoLooksAway(t *testing.T) {
	turn := protocol.TurnReady{Asks: []protocol.Ask{{Seat: state.Consultee, Stage: state.StageAnswer}}}
	for _, test := range []struct {
		name    string
		options Options
		notice  protocol.Notice
		back    bool
		want    string
	}{
		{"a turn", Options{}, turn, false, "\a"},
		{"the end", Options{}, protocol.Ended{}, false, "\a"},
		{"nothing to do", Options{}, protocol.Forecast{}, false, ""},
		{"turned off", Options{NoNotify: true}, turn, false, ""},
		{"back at the screen", Options{}, turn, true, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := demo(t)
			m := away(t, r, test.options)
			if test.back {
				m.Update(tea.FocusMsg{})
			}
			if e, ended := test.notice.(protocol.Ended); ended {
				e.State = r.state
				test.notice = e
			}
			if got := delivered(m, test.notice); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
