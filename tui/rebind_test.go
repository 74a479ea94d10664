package tui

import (
	"slices"
	"strings"
	"testing"

	"moot/config"
)

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
