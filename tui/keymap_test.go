package tui

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/protocol/move"
	"moot/state"
	"moot/tui/pane"
)

// wire are the bytes that a terminal sends for the keys of the table.
func wire() map[string]string {
	return map[string]string{
		"space": " ", "esc": "\x1b", "enter": "\r", "tab": "\t", "shift+tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B",
		"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "home": "\x1b[H", "end": "\x1b[F", "ctrl+b": "\x02", "ctrl+f": "\x06",
		"ctrl+c": "\x03", "ctrl+z": "\x1a", "ctrl+s": "\x13", "ctrl+enter": "\x1b[13;5u", "ctrl+l": "\x0c", "ctrl+t": "\x14",
		"ctrl+y": "\x19", "ctrl+p": "\x10", "ctrl+n": "\x0e", "left": "\x1b[D", "right": "\x1b[C", "shift+left": "\x1b[1;2D",
		"shift+right": "\x1b[1;2C", "backspace": "\x7f", "delete": "\x1b[3~",
	}
}

// decoded returns the key that the library decodes from bytes.
func decoded(t *testing.T, name string) tea.KeyPressMsg {
	t.Helper()
	bytes, known := wire()[name]
	if !known {
		if len(name) != 1 {
			t.Fatalf("no bytes are known for the key %q", name)
		}
		bytes = name
	}
	in, keyboard := io.Pipe()
	defer keyboard.Close()
	go func() { _, _ = io.WriteString(keyboard, bytes) }()
	last, err := tea.NewProgram(firstKey{}, tea.WithContext(t.Context()), tea.WithInput(in), tea.WithOutput(io.Discard),
		tea.WithoutSignals(), tea.WithoutRenderer()).Run()
	if err != nil {
		t.Fatalf("decode %q: %v", name, err)
	}
	return last.(firstKey).key
}

// firstKey is a program that ends with the first key.
type firstKey struct{ key tea.KeyPressMsg }

func (firstKey) Init() tea.Cmd  { return nil }
func (firstKey) View() tea.View { return tea.View{} }

func (m firstKey) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if key, pressed := msg.(tea.KeyPressMsg); pressed {
		return firstKey{key}, tea.Quit
	}
	return m, nil
}

// The terminal's decoder produces each key of the table, and the key finds its binding.
func TestBindingsAreReachedThroughTheDecoder(t *testing.T) {
	keys := keymap{Bindings()}
	for _, b := range keys.table {
		for _, name := range b.Keys {
			msg := decoded(t, name)
			if msg.String() != name {
				t.Errorf("the decoder calls %q %q", name, msg.String())
			}
			found, ok := keys.find([]Place{b.Place}, paneFor(b), msg.String())
			if !ok || found.Action != b.Action {
				t.Errorf("%q in place %d does not find %s", name, b.Place, b.Action)
			}
		}
		if b.Help == "" || b.Shown == "" {
			t.Errorf("%s is not explained", b.Action)
		}
	}
}

// No key means two things in one place and pane.
func TestBindingsDoNotCollide(t *testing.T) {
	for _, place := range Places() {
		for pane := range pane.NumIDs {
			seen := map[string]Binding{}
			for _, b := range Bindings() {
				if b.Place != place && b.Place != Everywhere || !b.holds(pane) {
					continue
				}
				for _, k := range b.Keys {
					if other, taken := seen[k]; taken {
						t.Errorf("%q means %s and %s in %s", k, other.Action, b.Action, place)
					}
					seen[k] = b
				}
			}
		}
	}
}

// Each action of the table is carried out by a family, and by one only.
func TestEveryActionHasAFamily(t *testing.T) {
	owners := map[Action]int{}
	for _, f := range families() {
		for _, a := range f.actions {
			owners[a]++
		}
	}
	for _, b := range Bindings() {
		if owners[b.Action] != 1 {
			t.Errorf("%s is carried out by %d families", b.Action, owners[b.Action])
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

func TestKeysOrderTheSession(t *testing.T) {
	for _, test := range []struct {
		name    string
		notices []any
		keys    string
		want    []string
	}{
		{"space steps", []any{ready(state.Consultee)}, "space", []string{"step"}},
		{"space twice is one turn", []any{ready(state.Consultee)}, "space space", []string{"step"}},
		{"auto on and off", []any{ready(state.Consultee)}, "a a", []string{"auto true", "auto false"}},
		{"stop after this turn", []any{ready(state.Consultee)}, "a s", []string{"auto true", "auto false"}},
		{"stop means nothing in steps", []any{ready(state.Consultee)}, "s", nil},
		{"esc cancels a call", []any{protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee}}}, "esc", []string{"cancel"}},
		{"space is off during a call", []any{protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee}}}, "space", nil},
		{"esc without a call", []any{ready(state.Consultee)}, "esc", nil},
		{"agree", nil, "8 A enter", []string{"protocol.RuleOn {P1 agree }"}},
		{"dismiss the next", nil, "8 down D enter", []string{"protocol.RuleOn {P4 dismiss }"}},
		{"reopen through a challenge", nil, "9 end R enter", []string{"protocol.RuleOn {P5 reopen }"}},
		{"agree in the open point", nil, "8 enter A enter", []string{"protocol.RuleOn {P1 agree }"}},
		{"agree asks for a point", nil, "1 A P 4 enter enter", []string{"protocol.RuleOn {P4 agree }"}},
		{"record a fact", nil, "F o k enter", []string{"protocol.RecordFact {ok }"}},
		{"letters in a form are text", nil, "F q a enter", []string{"protocol.RecordFact {qa }"}},
		{"answer by number", nil, "n 2 enter", []string{"protocol.AnswerQuestion {Q1 100 to 1000}"}},
		{"answer in words", nil, "n x y enter", []string{"protocol.AnswerQuestion {Q1 xy}"}},
		{"enter on the bar", nil, "1 enter down enter", []string{"protocol.AnswerQuestion {Q1 100 to 1000}"}},
		{"esc keeps the question", nil, "n esc", nil},
		{"prompt", []any{ready(state.Consultee)}, "p", []string{"preview"}},
		{"leave", nil, "q", []string{"leave"}},
		{"ctrl+c leaves", nil, "ctrl+c", []string{"leave"}},
		{"an answer is due first", []any{protocol.Waiting{Questions: []string{"Q1"}}}, "space", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := screenOf(t, demo(t), Options{NoColor: true}, 100, 30)
			tell(m, test.notices...)
			if got := ordered(m, test.keys); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q; the screen says %q", got, test.want, m.flash)
			}
		})
	}
}

// A second ctrl+c does not wait for the session.
func TestInterruptTwiceLeavesAtOnce(t *testing.T) {
	cut := false
	m := screenOf(t, demo(t), Options{}, 80, 24)
	m.cancel = func() { cut = true }
	cmds := typeKeys(m, "ctrl+c ctrl+c")
	if _, quit := cmds[1]().(tea.QuitMsg); !quit || !cut || m.exitCode != exitInterrupted {
		t.Errorf("quit %v, cut %v, exit code %d", quit, cut, m.exitCode)
	}
}

// A question that comes by itself is not answered by what one was typing.
func TestQuestionsWaitOutAQuietMoment(t *testing.T) {
	now := demoTime
	r := demo(t)
	m := screenOf(t, r, Options{NoColor: true, Now: func() time.Time { return now }}, 100, 30)
	tell(m, r.advanced(&state.QuestionSurfaced{ID: "Q2", What: state.QuestionTradeoff, Text: "cost or speed?"}))
	for range 4 {
		now = now.Add(300 * time.Millisecond)
		typeKeys(m, "n")
		if len(m.dialogs) != 0 {
			t.Fatal("a key opened the form without a quiet moment")
		}
	}
	now = now.Add(quietTime)
	typeKeys(m, "n")
	if len(m.dialogs) != 1 {
		t.Fatal("after a quiet moment the key opens the form")
	}
}

// A seat of the person opens its form, which takes no key of one who was
// typing, and gives the reply.
func TestPersonSpeaksForASeat(t *testing.T) {
	now := demoTime
	m := screenOf(t, demo(t), Options{NoColor: true, Now: func() time.Time { return now }}, 100, 30)
	person := NewPerson()
	person.attach(m.inbox)
	reply := make(chan string)
	go func() {
		text, err := person.Ask(t.Context(), protocol.Call{
			Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer, Moves: []move.Kind{move.KindDefend}}, State: m.state,
		})
		reply <- fmt.Sprint(text, err)
	}()
	m.deliver(m.inbox.next())
	if content := strings.Join(m.drawScreen(), "\n"); !strings.Contains(content, "You speak as consultee: answer") || !strings.Contains(content, "Re C1: your defense") {
		t.Fatalf("the form does not say what is asked:\n%s", content)
	}
	typeKeys(m, "x")
	now = now.Add(quietTime)
	typeKeys(m, "R e esc")
	if len(m.dialogs) != 0 || len(m.asking()) != 2 {
		t.Fatal("esc hides the form and keeps the request")
	}
	now = now.Add(quietTime)
	typeKeys(m, "n o k ctrl+s")
	if got := <-reply; got != "Reok<nil>" {
		t.Errorf("got %q", got)
	}
	if len(m.requests) != 0 || len(m.dialogs) != 0 {
		t.Error("the form stays open")
	}
}

// paneFor is a pane in which the binding holds.
func paneFor(b Binding) pane.ID {
	if len(b.In) > 0 {
		return b.In[0]
	}
	return pane.DebateID
}

func (n *noting) EditPrompt(_ context.Context, seat state.Seat, text string) {
	n.orders = append(n.orders, fmt.Sprintf("edit %s %q", seat, text))
}

func (n *noting) Replace(_ context.Context, seat state.Seat, p protocol.Participant) error {
	n.orders = append(n.orders, fmt.Sprintf("replace %s %s", seat, p.Name()))
	return nil
}

// A single ctrl+c does not discard the text in a form.
func TestInterruptInAFormKeepsTheDraft(t *testing.T) {
	m := screenOf(t, demo(t), Options{}, 100, 30)
	typeKeys(m, "F")
	f, ok := m.dialog().(*formDialog)
	if !ok {
		t.Fatal("F opens no form")
	}
	f.Key(tea.PasteMsg{Content: "writes are idempotent"})
	typeKeys(m, "ctrl+c")
	if m.exitCode != 0 || m.dialog() != nil {
		t.Fatalf("exit code %d, dialog %v", m.exitCode, m.dialog())
	}
	typeKeys(m, "F")
	if text := ansi.Strip(m.View().Content); !strings.Contains(text, "writes are idempotent") {
		t.Errorf("the draft is lost:\n%s", text)
	}
	typeKeys(m, "esc ctrl+c")
	if m.exitCode != exitInterrupted {
		t.Errorf("exit code %d", m.exitCode)
	}
}

// However small the screen, what can be done next is never cut off the status.
func TestTheStatusOfALongFailureEndsWithWhatToDo(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}} {
		r := demo(t)
		m := screenOf(t, r, Options{NoColor: true}, size[0], size[1])
		tell(m, r.advanced(&state.SessionPaused{
			Why: state.PauseUnreachable, Reason: strings.Repeat("the server at 127.0.0.1 says that it is busy; ", 20),
		}))
		m.idle = true
		_, text := m.status()
		rows := m.look.Wrap(text, m.width-statusMargin)
		if len(rows) > maxStatus || !strings.HasSuffix(text, "tries again") || !strings.Contains(text, "the server at") {
			t.Errorf("%v: %d rows: %s", size, len(rows), text)
		}
	}
}
