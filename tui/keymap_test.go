package tui

import (
	"io"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/config"
	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/state"
	"moot/tui/pane"
)

// wire are the bytes that a terminal sends for the keys of the table.
func wire() map[string]string {
	return map[string]string{
		"space": " ", "esc": "\x1b", "enter": "\r", "tab": "\t", "shift+tab": "\x1b[Z", "up": "\x1b[A", "down": "\x1b[B",
		"pgup": "\x1b[5~", "pgdown": "\x1b[6~", "home": "\x1b[H", "end": "\x1b[F", "ctrl+b": "\x02", "ctrl+f": "\x06",
		"ctrl+c": "\x03", "ctrl+z": "\x1a", "ctrl+s": "\x13", "ctrl+enter": "\x1b[13;5u", "ctrl+l": "\x0c", "ctrl+t": "\x14",
		"ctrl+y": "\x19", "ctrl+o": "\x0f", "ctrl+p": "\x10", "ctrl+n": "\x0e", "left": "\x1b[D", "right": "\x1b[C", "shift+left": "\x1b[1;2D",
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
		{"agree", nil, "8 A enter", []string{"claims.RuleOn {P1 agree }"}},
		{"dismiss another", nil, "8 =P4 D enter", []string{"claims.RuleOn {P4 dismiss }"}},
		{"reopen through a challenge", nil, "9 =C3 R enter", []string{"claims.RuleOn {P5 reopen }"}},
		{"agree in the open point", nil, "8 enter A enter", []string{"claims.RuleOn {P1 agree }"}},
		{"agree asks for a point", nil, "1 A P 4 enter enter", []string{"claims.RuleOn {P4 agree }"}},
		{"record a fact", nil, "F o k enter", []string{"protocol.RecordFact {ok }"}},
		{"letters in a form are text", nil, "F q a enter", []string{"protocol.RecordFact {qa }"}},
		{"answer by number", nil, "n 2 enter", []string{"protocol.AnswerQuestion {Q1 100 to 1000}"}},
		{"answer in words", nil, "n x y enter", []string{"protocol.AnswerQuestion {Q1 xy}"}},
		{"enter on the bar", nil, "1 enter =100_to_1000 enter", []string{"protocol.AnswerQuestion {Q1 100 to 1000}"}},
		{"esc keeps the question", nil, "n esc", nil},
		{"prompt", []any{ready(state.Consultee)}, "p", []string{"preview"}},
		{"leave", nil, "q", []string{"leave"}},
		{"ctrl+c leaves", nil, "ctrl+c", []string{"leave"}},
		{"an answer is due first", []any{protocol.Waiting{Questions: []string{"Q1"}}}, "space", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 100, 30)
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
	m := screenOf(t, protocoltest.Consultation(t), Options{}, 80, 24)
	m.cancel = func() { cut = true }
	cmds := typeKeys(m, "ctrl+c ctrl+c")
	if _, quit := cmds[1]().(tea.QuitMsg); !quit || !cut || m.exitCode != exitInterrupted {
		t.Errorf("quit %v, cut %v, exit code %d", quit, cut, m.exitCode)
	}
}

// paneFor is a pane in which the binding holds.
func paneFor(b Binding) pane.ID {
	if len(b.In) > 0 {
		return b.In[0]
	}
	return pane.DebateID
}

// A single ctrl+c does not discard the text in a form.
func TestInterruptInAFormKeepsTheDraft(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{}, 100, 30)
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

// rebound reads a configuration and binds by it.
func rebound(t *testing.T, text string) (table []Binding, told []string) {
	t.Helper()
	file, problems := config.Read("config.toml", []byte(text))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	table, problems = Rebind(Bindings(), file.Keys)
	for _, p := range config.In("config.toml", problems) {
		told = append(told, p.Error())
	}
	return table, told
}

// keysOf are the keys of an action in a place.
func keysOf(table []Binding, place Place, a Action) string {
	for _, b := range table {
		if b.Place == place && b.Action == a {
			return strings.Join(b.Keys, " ")
		}
	}
	return "?"
}

func TestRebind(t *testing.T) {
	table, told := rebound(t, `
[keys.session]
next-turn = ["ctrl+n", "space", "space"]
auto = "s"
stop = "a"
agree = []
[keys.reader]
page-down = "pgdown"
[keys.form]
send = "ctrl+d"
[keys.everywhere]
suspend = "f5"
`)
	if len(told) > 0 {
		t.Error(told)
	}
	for _, test := range []struct {
		place  Place
		action Action
		want   string
	}{
		{OnSession, ActionNext, "ctrl+n space"},
		{OnSession, ActionAuto, "s"},
		{OnSession, ActionStop, "a"},
		{OnSession, ActionAgree, ""},
		{InReader, ActionAgree, "A"},
		{InReader, ActionPageDown, "pgdown"},
		{InForm, ActionSend, "ctrl+d"},
		{Everywhere, ActionSuspend, "f5"},
	} {
		if got := keysOf(table, test.place, test.action); got != test.want {
			t.Errorf("%s in %s has %q, want %q", test.action, test.place, got, test.want)
		}
	}
	for _, b := range table {
		if b.Action == ActionNext && b.Shown != "ctrl+n" || b.Place == OnSession && b.Action == ActionAgree && (b.Shown != "" || b.Footer != "") {
			t.Errorf("%s is shown as %q %q", b.Action, b.Shown, b.Footer)
		}
	}
	if keysOf(Bindings(), OnSession, ActionAuto) != "a" {
		t.Error("the table that was given has changed")
	}
}

// Each problem names its line, and the default applies.
func TestRebindTells(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"[keys.sesion]\nauto = \"g\"", "config.toml:1: unknown place sesion in [keys.sesion]; did you mean session?"},
		{"[keys.session]\nauot = \"g\"", "config.toml:2: unknown action auot in [keys.session]; did you mean auto?"},
		{"[keys.home]\nauto = \"g\"", "config.toml:2: unknown action auto in [keys.home]"},
		{"[keys.session]\nauto = \"pgdwn\"", "config.toml:2: auto in [keys.session]: unknown key pgdwn; did you mean pgdown?"},
		{"[keys.session]\nquit = []", "config.toml:2: quit in [keys.session] needs a key, or you could not leave; it keeps its default"},
		{"[keys.reader]\nclose = []", "config.toml:2: close in [keys.reader] needs a key, or you could not leave; it keeps its default"},
		{"[keys.everywhere]\ninterrupt = []", "config.toml:2: interrupt in [keys.everywhere] needs a key, or you could not leave; it keeps its default"},
		{"[keys.form]\nsend = \"s\"", "config.toml:2: send in [keys.form]: s types text there; choose a key with ctrl or alt"},
		{"[keys.everywhere]\nsuspend = \"space\"", "config.toml:2: suspend in [keys.everywhere]: space types text there; choose a key with ctrl or alt"},
		{"[keys.session]\nauto = \"s\"", "config.toml:2: s in [keys.session] is already stop; auto keeps its default"},
		{"[keys.session]\n\nauto = \"ctrl+c\"", `config.toml:3: "ctrl+c" in [keys.session] is already interrupt in [keys.everywhere]; auto keeps its default`},
		{"[keys.everywhere]\nsuspend = \"tab\"", "config.toml:2: tab in [keys.everywhere] is already next-pane in [keys.session]; suspend keeps its default"},
		{"[keys.session]\nauto = \"f5\"\nstop = \"f5\"", "config.toml:3: f5 in [keys.session] is already auto; stop keeps its default"},
	} {
		table, told := rebound(t, test.text)
		if !slices.Equal(told, []string{test.want}) {
			t.Errorf("%s\ngot  %q\nwant %q", test.text, told, test.want)
		}
		if !strings.Contains(test.text, "f5") && !slices.EqualFunc(table, Bindings(), func(a, b Binding) bool { return slices.Equal(a.Keys, b.Keys) }) {
			t.Errorf("%s changes the table", test.text)
		}
	}
}
