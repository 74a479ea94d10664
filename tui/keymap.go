package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"moot/config"
	"moot/internal/enum"
	"moot/internal/lists"
	"moot/tui/pane"
)

// keymap finds bindings by place and key.
type keymap struct {
	table []Binding
}

// find returns the binding of a key for a focused pane, in the first of the places that has one.
func (k *keymap) find(places []Place, focus pane.ID, key string) (*Binding, bool) {
	for _, place := range places {
		for i := range k.table {
			b := &k.table[i]
			if b.Place == place && slices.Contains(b.Keys, key) && b.holds(focus) {
				return b, true
			}
		}
	}
	return nil, false
}

// places returns where the user is, the most specific place first.
func (m *Model) places() []Place {
	if d := m.dialog(); d != nil {
		if r, reads := d.(*reader); reads && m.finding(r.point) != nil {
			return []Place{InFinding, InReader, Everywhere}
		}
		return []Place{d.place(), Everywhere}
	}
	if m.atHome {
		return []Place{m.frontPlace(), Everywhere}
	}
	var list []Place
	if m.search.on() {
		list = append(list, InSearch)
	}
	if m.replaying() {
		list = append(list, InReplay)
	}
	if m.reviews() {
		list = append(list, InReview)
	}
	if m.options.Batch != nil {
		list = append(list, OfBatch)
	}
	return append(list, OnSession, Everywhere)
}

// keyNames returns the names of keys in the terminal library.
func keyNames() []string {
	names := []string{
		"enter", "tab", "backspace", "esc", "space", "up", "down", "left", "right", "begin", "insert", "delete",
		"pgup", "pgdown", "home", "end",
	}
	for n := 1; n <= 24; n++ {
		names = append(names, "f"+strconv.Itoa(n))
	}
	return names
}

// checkKey checks the name of a key in the configuration: modifiers in the order of the terminal library, then a key.
func checkKey(name string) error {
	base := name
	for _, modifier := range []string{"ctrl+", "alt+", "shift+", "meta+", "hyper+", "super+"} {
		base = strings.TrimPrefix(base, modifier)
	}
	letter, size := utf8.DecodeRuneInString(base)
	switch {
	case slices.Contains(keyNames(), base):
		return nil
	case size != len(base) || !unicode.IsPrint(letter) || letter == ' ':
		return fmt.Errorf("unknown key %s%s", config.Named(name), config.Meant(enum.Nearest(base, keyNames())))
	}
	// Most terminals send tab, enter and esc for these.
	if key := map[string]string{"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc"}[name]; key != "" {
		return fmt.Errorf("%s is %s to most terminals; write %s", name, key, key)
	}
	return nil
}

// shownKeys returns as many keys as fit into the column of the help.
func shownKeys(keys []string) string {
	const column = 11
	shown := ""
	for _, key := range keys {
		key = strings.ReplaceAll(key, "pgdown", "pgdn")
		if shown != "" && len(shown)+1+len(key) > column {
			break
		}
		shown = strings.TrimPrefix(shown+" "+key, " ")
	}
	return shown
}

// rebinding is a valid line of [keys.PLACE].
type rebinding struct {
	place  Place
	action Action
	keys   []string
	line   int
}

// Rebind returns the table with the keys of the configuration. Each Section is a place, and each of its Entries an
// action with its keys; no keys disable the action. An entry with a problem, or with a key that has another meaning in
// the place, is ignored. The problems don't name the file.
func Rebind(table []Binding, places []config.Section) ([]Binding, []config.Problem) {
	var wanted []rebinding
	var problems []config.Problem
	names := lists.Map(Places(), Place.String)
	for _, s := range places {
		i := slices.Index(names, s.Name)
		if i < 0 {
			what := "unknown place " + config.Named(s.Name) + " in [keys." + config.Named(s.Name) + "]" +
				config.Meant(enum.Nearest(s.Name, names))
			problems = append(problems, config.Problem{Line: s.Line, What: what})
			continue
		}
		for _, e := range s.Entries {
			r, wrong := readEntry(table, Places()[i], e)
			problems = append(problems, wrong...)
			if r != nil {
				wanted = append(wanted, *r)
			}
		}
	}
	for {
		changed := bound(table, wanted)
		loser, problem := conflict(changed, wanted)
		if loser < 0 {
			slices.SortStableFunc(problems, func(a, b config.Problem) int { return a.Line - b.Line })
			return changed, problems
		}
		problems = append(problems, problem)
		wanted = slices.Delete(wanted, loser, loser+1)
	}
}

// readEntry reads one line. The rebinding is nil if the line is invalid.
func readEntry(table []Binding, place Place, e config.Entry) (*rebinding, []config.Problem) {
	var problems []config.Problem
	report := func(format string, args ...any) {
		problems = append(problems, config.Problem{Line: e.Line, What: fmt.Sprintf(format, args...)})
	}
	in := "[keys." + place.String() + "]"
	action := Action(e.Name)
	var here []string
	for i := range table {
		if table[i].Place == place {
			here = append(here, string(table[i].Action))
		}
	}
	if !slices.Contains(here, e.Name) {
		report("unknown action %s in %s%s", config.Named(e.Name), in, config.Meant(enum.Nearest(e.Name, here)))
		return nil, problems
	}
	if len(e.Values) == 0 && oneOf(action, ActionInterrupt, ActionClose, ActionQuit) {
		report("%s in %s needs a key, or you could not leave; it keeps its default", action, in)
		return nil, problems
	}
	r := &rebinding{place: place, action: action, line: e.Line}
	for _, key := range e.Values {
		err := checkKey(key)
		typesText := key == "space" || key == "shift+space" || utf8.RuneCountInString(key) == 1
		switch {
		case err != nil:
			report("%s in %s: %s", action, in, err)
		case typesText && slices.Contains([]Place{InForm, InList, Everywhere}, place):
			report("%s in %s: %s types text there; choose a key with ctrl or alt", action, in, config.Named(key))
		case !slices.Contains(r.keys, key):
			r.keys = append(r.keys, key)
		}
	}
	if len(r.keys) == 0 && len(e.Values) > 0 {
		return nil, problems
	}
	return r, problems
}

// bound returns the table with the rebindings.
func bound(table []Binding, wanted []rebinding) []Binding {
	changed := slices.Clone(table)
	for i := range changed {
		b := &changed[i]
		for _, r := range wanted {
			if r.place != b.Place || r.action != b.Action {
				continue
			}
			b.Keys, b.Shown = r.keys, shownKeys(r.keys)
			if len(r.keys) == 0 {
				b.Footer = ""
			}
		}
	}
	return changed
}

// conflict finds a key with two meanings in one place. It returns the index of the rebinding to drop, the later one if
// both are rebound, or -1.
func conflict(table []Binding, wanted []rebinding) (loser int, problem config.Problem) {
	index := func(b *Binding) int {
		return slices.IndexFunc(wanted, func(r rebinding) bool { return r.place == b.Place && r.action == b.Action })
	}
	for i := range table {
		for j := range table[:i] {
			a, b := &table[i], &table[j]
			key := common(a, b)
			first, second := index(a), index(b)
			if key == "" || first < 0 && second < 0 {
				continue
			}
			if first < 0 || second >= 0 && wanted[second].line > wanted[first].line {
				a, b, first = b, a, second
			}
			what := fmt.Sprintf("%s in [keys.%s] is already %s", config.Named(key), a.Place, b.Action)
			if a.Place != b.Place {
				what += " in [keys." + b.Place.String() + "]"
			}
			what += fmt.Sprintf("; %s keeps its default", a.Action)
			return first, config.Problem{Line: wanted[first].line, What: what}
		}
	}
	return -1, problem
}

// common returns a key that two bindings with different actions share, or "". Keys of a search and a replay hide those
// of a session on purpose.
func common(a, b *Binding) string {
	same := a.Place == b.Place || a.Place == Everywhere || b.Place == Everywhere
	if !same || a.Action == b.Action {
		return ""
	}
	if len(a.In) > 0 && len(b.In) > 0 && !slices.ContainsFunc(a.In, b.holds) {
		return ""
	}
	for _, key := range a.Keys {
		if slices.Contains(b.Keys, key) {
			return key
		}
	}
	return ""
}

// family is a group of actions. A key, a click on the footer and the palette all end here.
type family struct {
	// title names the group in the help.
	title   string
	actions []Action
	// why says why an action is disabled now, or "".
	why func(m *Model, a Action) string
	do  func(m *Model, a Action) tea.Cmd
}
