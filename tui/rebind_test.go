package tui

import (
	"slices"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"moot/config"
)

// Each way to write a key gives what the decoder calls the bytes that a
// terminal sends for it.
func TestKeyNamesAreThoseOfTheDecoder(t *testing.T) {
	for bytes, names := range map[string][]string{
		"a":          {"a"},
		"A":          {"A", "shift+a", "Shift-A", "S-a", "<S-a>"},
		"é":          {"é"},
		"É":          {"shift+é"},
		"+":          {"+", "plus"},
		"-":          {"-", "minus"},
		"<":          {"<"},
		"^":          {"^"},
		" ":          {"space", " ", "Space", "spacebar", "SPC"},
		"\x13":       {"ctrl+s", "C-s", "ctrl-s", "Ctrl+S", "control+s", "^s", "^S", "<C-s>"},
		"\x00":       {"ctrl+space", "ctrl+@", "C-space"},
		"\x1b":       {"esc", "escape", "<Esc>"},
		"\r":         {"enter", "return", "ENTER", "<CR>"},
		"\t":         {"tab"},
		"\x1b[Z":     {"shift+tab", "S-tab", "shift-tab"},
		"\x7f":       {"backspace", "bs"},
		"\x1b[3~":    {"delete", "del"},
		"\x1b[2~":    {"insert", "ins"},
		"\x1b[5~":    {"pgup", "pageup", "page-up", "PageUp"},
		"\x1b[6~":    {"pgdown", "pagedown", "page-down", "pgdn"},
		"\x1b[H":     {"home"},
		"\x1b[F":     {"end"},
		"\x1b[A":     {"up", "arrow-up"},
		"\x1b[1;6A":  {"ctrl+shift+up", "shift+ctrl+up", "C-S-up"},
		"\x1b[1;3D":  {"alt+left", "M-left", "option+left"},
		"\x1bOP":     {"f1", "F1"},
		"\x1b[15~":   {"f5"},
		"\x1b[24~":   {"f12"},
		"\x1ba":      {"alt+a", "M-a", "A-a"},
		"\x1bA":      {"alt+A", "M-A", "alt+shift+a"},
		"\x1b+":      {"alt++", "M-+"},
		"\x1b[43;5u": {"ctrl++", "ctrl-+"},
		"\x1b[97;6u": {"ctrl+shift+a"},
		"\x1b[97;9u": {"super+a", "cmd+a"},
	} {
		var decoder uv.EventDecoder
		n, event := decoder.Decode([]byte(bytes))
		key, ok := event.(uv.KeyPressEvent)
		if !ok || n != len(bytes) {
			t.Fatalf("%q decodes to %T, %d of %d bytes", bytes, event, n, len(bytes))
		}
		for _, name := range names {
			if got, err := keyName(name); err != nil || got != key.String() {
				t.Errorf("%q is %q (%v); the decoder calls it %q", name, got, err, key.String())
			}
		}
	}
}

func TestKeysThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"":          `unknown key ""`,
		"pgdwn":     "unknown key pgdwn; did you mean pgdn?",
		"ctrl+":     `unknown key "ctrl+"`,
		"ctlr+s":    `unknown key "ctlr+s"`,
		"ab":        "unknown key ab",
		"f77":       "unknown key f77",
		"shift+1":   `what "shift+1" types depends on the keyboard; write the character itself`,
		"ctrl+i":    "ctrl+i is tab to most terminals; write tab",
		"C-m":       "ctrl+m is enter to most terminals; write enter",
		"ctrl+[":    "ctrl+[ is esc to most terminals; write esc",
		"\x1b":      `unknown key "\x1b"`,
		"\xff":      `unknown key "\xff"`,
		"ctrl+\x1b": `unknown key "ctrl+\x1b"`,
	} {
		if got, err := keyName(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %s", text, got, err, want)
		}
	}
}

// The name of a key is its own name.
func TestKeyNamesAreStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, err := keyName(rapid.String().Draw(t, "key"))
		if err != nil {
			return
		}
		if again, err := keyName(name); err != nil || again != name {
			t.Fatalf("%q becomes %q, %v", name, again, err)
		}
	})
	for _, b := range Bindings() {
		for _, key := range b.Keys {
			if name, err := keyName(key); err != nil || name != key {
				t.Errorf("%q of %s becomes %q, %v", key, b.Action, name, err)
			}
		}
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
next-turn = ["C-n", "space", "space"]
auto = "s"
stop = "a"
agree = []
[keys.reader]
page-down = "pagedown"
[keys.form]
send = "ctrl-d"
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

// Whatever is wrong is told with its line, and leaves the default.
func TestRebindTells(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"[keys.sesion]\nauto = \"g\"", "config.toml:1: unknown place sesion in [keys.sesion]; did you mean session?"},
		{"[keys.session]\nauot = \"g\"", "config.toml:2: unknown action auot in [keys.session]; did you mean auto?"},
		{"[keys.home]\nauto = \"g\"", "config.toml:2: unknown action auto in [keys.home]; it stands in [keys.session]"},
		{"[keys.session]\nauto = \"pgdwn\"", "config.toml:2: auto in [keys.session]: unknown key pgdwn; did you mean pgdn?"},
		{"[keys.session]\nquit = []", "config.toml:2: quit in [keys.session] must have a key, or nobody could leave; it keeps its own"},
		{"[keys.reader]\nclose = []", "config.toml:2: close in [keys.reader] must have a key, or nobody could leave; it keeps its own"},
		{"[keys.everywhere]\ninterrupt = []", "config.toml:2: interrupt in [keys.everywhere] must have a key, or nobody could leave; it keeps its own"},
		{"[keys.form]\nsend = \"s\"", "config.toml:2: send in [keys.form]: s is text where one types; choose a key with ctrl or alt"},
		{"[keys.everywhere]\nsuspend = \"space\"", "config.toml:2: suspend in [keys.everywhere]: space is text where one types; choose a key with ctrl or alt"},
		{"[keys.session]\nauto = \"s\"", "config.toml:2: s in [keys.session] is stop already; auto keeps its own key"},
		{"[keys.session]\n\nauto = \"ctrl+c\"", `config.toml:3: "ctrl+c" in [keys.session] is interrupt already in [keys.everywhere]; auto keeps its own key`},
		{"[keys.everywhere]\nsuspend = \"tab\"", "config.toml:2: tab in [keys.everywhere] is next-pane already in [keys.session]; suspend keeps its own key"},
		{"[keys.session]\nauto = \"f5\"\nstop = \"f5\"", "config.toml:3: f5 in [keys.session] is auto already; stop keeps its own key"},
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

// One that loses its key takes back its own, from whoever took that meanwhile.
func TestRebindFallsBackInTurn(t *testing.T) {
	table, told := rebound(t, "[keys.session]\nauto = \"s\"\nprompt-missing = \"x\"\nreplay = \"a\"\n")
	want := []string{
		"config.toml:2: s in [keys.session] is stop already; auto keeps its own key",
		"config.toml:3: unknown action prompt-missing in [keys.session]",
		"config.toml:4: a in [keys.session] is auto already; replay keeps its own key",
	}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if keysOf(table, OnSession, ActionAuto) != "a" || keysOf(table, OnSession, ActionReplay) != "r" {
		t.Error("the defaults are not back")
	}
}

// A good key beside a bad one holds.
func TestRebindKeepsGoodKeys(t *testing.T) {
	table, told := rebound(t, "[keys.session]\nauto = [\"f6\", \"bogus\"]\n")
	if len(told) != 1 || keysOf(table, OnSession, ActionAuto) != "f6" {
		t.Errorf("%q: %q", keysOf(table, OnSession, ActionAuto), told)
	}
}

// Two panes may have one key, each for itself.
func TestRebindKnowsPanes(t *testing.T) {
	table := []Binding{
		{Keys: []string{"c"}, Action: "only", Place: OnSession, In: []Pane{PaneGraph}},
		{Keys: []string{"d"}, Action: "next-chart", Place: OnSession, In: []Pane{PaneConfidence}},
		{Keys: []string{"e"}, Action: "auto", Place: OnSession},
	}
	entry := func(name, key string) []config.Section {
		return []config.Section{{Name: "session", Entries: []config.Entry{{Name: name, Values: []string{key}, Line: 1}}}}
	}
	if _, problems := Rebind(table, entry("next-chart", "c")); len(problems) > 0 {
		t.Error(problems)
	}
	if _, problems := Rebind(table, entry("next-chart", "e")); len(problems) != 1 {
		t.Error("a key of all panes was given to one of them")
	}
}

// The views of two formats may have one key: no session has both.
func TestRebindKnowsFormats(t *testing.T) {
	if table, told := rebound(t, "[keys.session]\ndecision = [\"f6\"]\nconfidence = [\"f6\"]\n"); len(told) > 0 || keysOf(table, OnSession, ActionDecision) != "f6" {
		t.Errorf("%q: %q", keysOf(table, OnSession, ActionDecision), told)
	}
	if _, told := rebound(t, "[keys.session]\ndecision = [\"5\"]\n"); len(told) != 1 {
		t.Errorf("the key of the graph was given away: %q", told)
	}
}

// Whatever a configuration says, no key has two meanings and one can leave.
func TestRebindNeverCollides(t *testing.T) {
	skipShort(t)
	var names []string
	for _, b := range Bindings() {
		names = append(names, string(b.Action))
	}
	keys := []string{"a", "s", "space", "esc", "ctrl+c", "q", "enter", "f5", "C-x", "bogus"}
	rapid.Check(t, func(t *rapid.T) {
		entries := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) config.Entry {
			return config.Entry{
				Name:   rapid.SampledFrom(names).Draw(t, "action"),
				Values: rapid.SliceOfN(rapid.SampledFrom(keys), 0, 3).Draw(t, "keys"),
				Line:   rapid.IntRange(1, 9).Draw(t, "line"),
			}
		}), 0, 8)
		var sections []config.Section
		for _, p := range Places() {
			sections = append(sections, config.Section{Name: p.String(), Entries: entries.Draw(t, p.String())})
		}
		table, _ := Rebind(Bindings(), sections)
		for i := range table {
			if b := &table[i]; len(b.Keys) == 0 && mustReach(b.Action) {
				t.Fatalf("%s in %s has no key", b.Action, b.Place)
			}
			for j := range table[:i] {
				if key := common(&table[i], &table[j]); key != "" {
					t.Fatalf("%s is %s and %s", key, table[i].Action, table[j].Action)
				}
			}
		}
	})
}
