//go:build unix

package tui

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// breaking is a session that breaks in one place.
type breaking struct {
	noting
	run, step bool
}

func (b *breaking) Run(ctx context.Context) error {
	if b.run {
		panic("it broke")
	}
	<-ctx.Done()
	return ctx.Err()
}

func (b *breaking) Step(context.Context) {
	if b.step {
		panic("it broke")
	}
}

// breakage is a way to break moot: what is changed before it runs, and the keys
// that break it then.
type breakage struct {
	change func(*Model)
	keys   string
}

func breakages() map[string]breakage {
	session := func(s Session) func(*Model) {
		return func(m *Model) {
			m.opened.Start = func(watch func(protocol.Notice)) (Session, error) {
				watch(protocol.TurnReady{Asks: []protocol.Ask{{Seat: state.Orchestrator, Stage: state.StageMap}}})
				return s, nil
			}
		}
	}
	bound := func(what func(m *Model) tea.Cmd) func(*Model) {
		return func(m *Model) {
			m.families = append(m.families, family{actions: []Action{"break"}, do: func(m *Model, _ Action) tea.Cmd { return what(m) }})
			m.keys.table = append(m.keys.table, Binding{Keys: []string{"X"}, Shown: "X", Action: "break", Place: OnSession})
			session(&breaking{})(m)
		}
	}
	return map[string]breakage{
		"session": {change: session(&breaking{run: true})},
		"driver":  {change: session(&breaking{step: true}), keys: " "},
		"start": {change: func(m *Model) {
			m.opened.Start = func(func(protocol.Notice)) (Session, error) { panic("it broke") }
		}},
		"close": {change: func(m *Model) {
			session(&breaking{})(m)
			m.opened.Close = func() { panic("it broke") }
		}, keys: "\x03\x03"},
		"update":  {change: bound(func(*Model) tea.Cmd { panic("it broke") }), keys: "X"},
		"command": {change: bound(func(*Model) tea.Cmd { return func() tea.Msg { panic("it broke") } }), keys: "X"},
		"command of a batch": {change: bound(func(*Model) tea.Cmd {
			return tea.Batch(tea.RequestBackgroundColor, func() tea.Msg { panic("it broke") })
		}), keys: "X"},
		"outside": {change: bound(func(m *Model) tea.Cmd {
			return m.outside(func() answer { panic("it broke") })
		}), keys: "X"},
		"answer": {change: bound(func(m *Model) tea.Cmd {
			return m.outside(func() answer { return func(*Model) tea.Cmd { panic("it broke") } })
		}), keys: "X"},
		"draw": {change: bound(func(m *Model) tea.Cmd {
			m.push(&reader{heading: "broken", parts: func(*theme.Look) []pane.Part { panic("it broke") }})
			return nil
		}), keys: "X"},
	}
}

// A panic anywhere restores the terminal, writes a report, and returns an error that names the report and the
// command to continue.
func TestPanicsAreReported(t *testing.T) {
	for name, way := range breakages() {
		t.Run(name, func(t *testing.T) {
			e := newTerminal(t, 80, 24)
			o, _ := sessionOptions(e, &speaker{})
			m := newModel(o)
			way.change(m)
			out := launched(t.Context(), m)
			if way.keys != "" {
				e.shows("next: orchestrator to map")
				e.press(way.keys)
			}
			checkReported(t, gone(t, e, out))
		})
	}
}

func checkReported(t *testing.T, l left) {
	t.Helper()
	failure, ok := errors.AsType[*CrashError](l.err)
	if !ok {
		t.Fatalf("got %v", l.err)
	}
	text, err := os.ReadFile(l.Report)
	if err != nil || !strings.Contains(string(text), "it broke") || !strings.Contains(string(text), "goroutine") {
		t.Errorf("the report says %q, %v", text, err)
	}
	if said := failure.Error(); !strings.Contains(said, l.Report) || !strings.Contains(said, "moot resume k3f9") {
		t.Errorf("the error says %q", said)
	}
}
