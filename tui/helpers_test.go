package tui

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// advanced adds payloads and returns the notice that a session sends for them.
func advanced(r *protocoltest.Record, payloads ...state.Payload) protocol.Advanced {
	events := r.Add(payloads...)
	return run.Advanced(events, r.State)
}

// ownThemes are moot's own, which nothing changes, read once for all tests.
var ownThemes = sync.OnceValue(theme.BuiltIn)

// screenOf is the model of a screen that shows the record as a session that
// runs.
func screenOf(t testing.TB, r *protocoltest.Record, o Options, width, height int) *Model {
	t.Helper()
	opened := Opened{
		Start:         func(func(protocol.Notice)) (Session, error) { return &noting{}, nil },
		ResumeCommand: "moot resume k3f9",
	}
	if o.Opened != nil {
		opened = *o.Opened
	}
	opened.State, opened.Rulings, opened.Events = r.State, resolver.Rule(r.State), r.Events
	o.Opened = &opened
	if o.Environ == nil {
		o.Environ = []string{"TERM=xterm-256color"}
	}
	if o.Now == nil {
		o.Now = func() time.Time { return protocoltest.RecordTime().Add(time.Hour) }
	}
	if o.Themes == nil {
		o.Themes = ownThemes()
	}
	m := newModel(o)
	// Nothing runs: the test tells what happens.
	m.start.Do(func() {})
	m.width, m.height = width, height
	m.rearrange()
	return m
}

// speak puts a reply under way on the screen.
func speak(m *Model) {
	tell(m,
		protocol.CallStarted{Ask: protocol.Ask{Seat: state.Orchestrator, Stage: state.StageJudge}, Participant: "claude", At: m.options.Now().Add(-12 * time.Second)},
		protocol.Streamed{Seat: state.Orchestrator, Text: `{"moves":[{"kind":"JUDGE","challenge":"C1","judgment":"accepted","reason":"XAUTOCLAIM does cover the window, with `},
	)
}

// tell delivers what happens: notices are the session's.
func tell(m *Model, items ...any) {
	var all delivery
	for _, item := range items {
		if n, ok := item.(protocol.Notice); ok {
			if _, delivered := item.(notice); !delivered {
				item = notice{m.session, n}
			}
		}
		all = append(all, item)
	}
	m.deliver(all)
}

// screenText is the text on the screen, without styles.
func screenText(m *Model) string {
	m.dirty = true
	return ansi.Strip(strings.Join(m.drawScreen(), "\n"))
}

// typeKeys presses keys by name, in order. =NAME selects the entry of that name, with _ for a space.
func typeKeys(m *Model, keys string) []tea.Cmd {
	var cmds []tea.Cmd
	for name := range strings.FieldsSeq(keys) {
		cmds = append(cmds, press(m, name))
	}
	return cmds
}

// press presses a key, or selects an entry.
func press(m *Model, name string) tea.Cmd {
	if entry, selects := strings.CutPrefix(name, "="); selects && entry != "" {
		selectEntry(m, strings.ReplaceAll(entry, "_", " "))
		return nil
	}
	_, cmd := m.Update(keyOf(name))
	return cmd
}

// selectEntry moves the cursor of the focused pane, list or field to the entry that shows a text.
func selectEntry(m *Model, text string) {
	const most = 200
	row := regexp.MustCompile(`▸[^▸│\n]*` + regexp.QuoteMeta(text) + `($|\W)`)
	choice := regexp.MustCompile(`▸[^▸│\n\pL]*` + regexp.QuoteMeta(text) + `($|\W)`)
	selected := func() bool {
		if m.dialog() != nil {
			return choice.MatchString(screenText(m))
		}
		r := m.layout.Panes[m.focus]
		p := m.paneOf(m.focus)
		return p.Selected() == text || row.MatchString(ansi.Strip(strings.Join(p.View(r.W, r.H), "\n")))
	}
	for range most {
		m.Update(keyOf("up"))
	}
	for range most {
		if selected() {
			return
		}
		m.Update(keyOf("down"))
	}
	panic(fmt.Sprintf("no entry shows %q:\n%s", text, screenText(m)))
}

// keyOf is the message of a key, by name.
func keyOf(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	var mod tea.KeyMod
	for prefix, bit := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "shift+": tea.ModShift} {
		if rest, found := strings.CutPrefix(name, prefix); found {
			name, mod = rest, mod|bit
		}
	}
	if code, found := named[name]; found {
		key := tea.KeyPressMsg{Code: code, Mod: mod}
		if code == tea.KeySpace {
			key.Text = " "
		}
		return key
	}
	key := tea.KeyPressMsg{Code: []rune(name)[0], Mod: mod}
	if mod == 0 {
		key.Text = name
	}
	return key
}

// finish runs commands and delivers their answers, and those of the commands that follow from them.
func finish(m *Model, cmds ...tea.Cmd) {
	for _, cmd := range cmds {
		if cmd == nil {
			continue
		}
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			finish(m, msg...)
		case answer:
			_, next := m.Update(msg)
			finish(m, next)
		}
	}
}

// noting is a session that notes what it is ordered.
type noting struct{ orders []string }

func (n *noting) Run(context.Context) error { return nil }
func (n *noting) Step(context.Context)      { n.orders = append(n.orders, "step") }
func (n *noting) StepRound(context.Context) { n.orders = append(n.orders, "round") }
func (n *noting) Auto(_ context.Context, on bool) {
	n.orders = append(n.orders, fmt.Sprint("auto ", on))
}
func (n *noting) CancelCall(context.Context) { n.orders = append(n.orders, "cancel") }
func (n *noting) Leave(context.Context)      { n.orders = append(n.orders, "leave") }
func (n *noting) Override(_ context.Context, m protocol.UserMove) error {
	n.orders = append(n.orders, fmt.Sprintf("%T %v", m, m))
	return nil
}

func (n *noting) Preview(context.Context) map[state.Seat]protocol.Prompt {
	n.orders = append(n.orders, "preview")
	return map[state.Seat]protocol.Prompt{state.Consultee: {System: "the rules", Text: "the question"}}
}

// ordered presses keys and returns what the session was ordered.
func ordered(m *Model, keys string) []string {
	n := &noting{}
	typeKeys(m, keys)
	for _, f := range m.driver.take() {
		f(context.Background(), n)
	}
	return n.orders
}

func ready(seats ...state.Seat) protocol.TurnReady {
	var asks []protocol.Ask
	for _, s := range seats {
		asks = append(asks, protocol.Ask{Seat: s, Stage: state.StageAnswer})
	}
	return protocol.TurnReady{Asks: asks}
}

func (n *noting) EditPrompt(_ context.Context, seat state.Seat, text string) {
	n.orders = append(n.orders, fmt.Sprintf("edit %s %q", seat, text))
}

func (n *noting) Replace(_ context.Context, seat state.Seat, p protocol.Participant) error {
	n.orders = append(n.orders, fmt.Sprintf("replace %s %s", seat, p.Name()))
	return nil
}

// carry has a session do what was ordered, and the screen hear of it.
func carry(m *Model, s Session) {
	for _, f := range m.driver.take() {
		f(context.Background(), s)
	}
	m.deliver(m.inbox.take())
}

// pressAll presses keys, and does what they set off outside.
func pressAll(m *Model, keys string) {
	for name := range strings.FieldsSeq(keys) {
		m.View()
		finish(m, press(m, name))
	}
}
