package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/config"
	"moot/internal/enum"
	"moot/tui/pane"
)

// Place says where a binding holds.
type Place int

// The places.
const (
	// OnHome holds on the home screen, OnSession on that of a session, while no
	// dialog is open.
	OnHome Place = iota
	OnSession
	// InReplay and InSearch hold on a session's screen as well, before
	// OnSession: while an earlier event is shown, while something is searched.
	InReplay
	InSearch
	// InReader holds in a dialog to read, InForm in one to fill in, InList in one to
	// choose from.
	InReader
	InForm
	InList
	// Everywhere holds always.
	Everywhere
)

// Places returns every Place.
func Places() []Place {
	return []Place{OnHome, OnSession, InReplay, InSearch, InReader, InForm, InList, Everywhere}
}

// String returns the place's name as the configuration writes it.
func (p Place) String() string {
	switch p {
	case OnHome:
		return "home"
	case OnSession:
		return "session"
	case InReplay:
		return "replay"
	case InSearch:
		return "search"
	case InReader:
		return "reader"
	case InForm:
		return "form"
	case InList:
		return "list"
	case Everywhere:
		return "everywhere"
	}
	return ""
}

// Title names the place in words.
func (p Place) Title() string {
	switch p {
	case OnHome:
		return "At home"
	case OnSession:
		return "In a session"
	case InReplay:
		return "While an earlier event is shown"
	case InSearch:
		return "While you search"
	case InReader:
		return "Where one reads"
	case InForm:
		return "Where one types"
	case InList:
		return "Where one chooses"
	case Everywhere:
		return "Everywhere"
	}
	return ""
}

// Binding is one line of the table of keys.
type Binding struct {
	// Keys are the names of the keys as the terminal library writes them.
	Keys []string
	// Shown is how the help and the footer name them.
	Shown  string
	Action Action
	// Help says what it does, Footer in a word or two; "" leaves it out there.
	Help, Footer string
	Place        Place
	// In are the panes in which it holds; none is all.
	In []pane.ID
}

// holds reports whether the binding holds where the pane has the keys.
func (b *Binding) holds(p pane.ID) bool { return len(b.In) == 0 || slices.Contains(b.In, p) }

// oneOf reports whether an action is in the list.
func oneOf(a Action, list ...Action) bool { return slices.Contains(list, a) }

// keymap finds bindings by place and key.
type keymap struct {
	table []Binding
}

// find returns the binding of a key in the first of the places that has one, of
// those that hold.
func (k *keymap) find(places []Place, holds func(*Binding) bool, key string) (*Binding, bool) {
	for _, place := range places {
		for i := range k.table {
			b := &k.table[i]
			if b.Place == place && slices.Contains(b.Keys, key) && holds(b) {
				return b, true
			}
		}
	}
	return nil, false
}

// places are those that hold now, the first one first.
func (m *Model) places() []Place {
	if d := m.dialog(); d != nil {
		return []Place{d.place(), Everywhere}
	}
	if m.atHome {
		return []Place{OnHome, Everywhere}
	}
	var list []Place
	if m.search.on() {
		list = append(list, InSearch)
	}
	if m.replaying() {
		list = append(list, InReplay)
	}
	return append(list, OnSession, Everywhere)
}

// keyNames are the keys that have a name, as the terminal library writes them.
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

// modifierNames are the keys that are held, in the order in which the terminal library
// writes them.
func modifierNames() []string { return []string{"ctrl", "alt", "shift", "meta", "hyper", "super"} }

// keyName checks the name of a key as the configuration has it, such as ctrl+s, and
// returns it as the terminal library writes it.
func keyName(text string) (string, error) {
	held, base := splitKey(text)
	if utf8.RuneCountInString(base) != 1 {
		name := strings.ToLower(base)
		switch {
		case slices.Contains(keyNames(), name):
			return join(held, name), nil
		case utf8.RuneCountInString(name) != 1:
			return "", fmt.Errorf("unknown key %s%s", config.Named(text), config.Meant(enum.Nearest(name, keyNames())))
		}
		base = name
	}
	letter, _ := utf8.DecodeRuneInString(base)
	if letter == ' ' {
		return join(held, "space"), nil
	}
	if letter == utf8.RuneError || !unicode.IsPrint(letter) {
		return "", fmt.Errorf("unknown key %s", config.Named(text))
	}
	return characterKey(text, held, letter)
}

// characterKey is the name of a key that types a character, alone or held with
// others.
func characterKey(text string, held []string, letter rune) (string, error) {
	lower := unicode.ToLower(letter)
	switch {
	case len(held) == 0:
		return string(letter), nil
	case slices.Equal(held, []string{"shift"}) && lower == unicode.ToUpper(letter):
		return "", fmt.Errorf("what %s types depends on the keyboard; write the character itself", config.Named(text))
	case slices.Equal(held, []string{"shift"}):
		return string(unicode.ToUpper(letter)), nil
	case slices.Equal(held, []string{"ctrl"}) && letter == '@':
		return "ctrl+space", nil
	case slices.Equal(held, []string{"ctrl"}):
		for sent, key := range map[rune]string{'i': "tab", 'm': "enter", '[': "esc"} {
			if lower == sent {
				return "", fmt.Errorf("%s is %s to most terminals; write %s", join(held, string(lower)), key, key)
			}
		}
	case lower != letter && !slices.Contains(held, "ctrl"):
		held = append(slices.Clone(held), "shift")
	}
	return join(held, string(lower)), nil
}

// splitKey separates the modifiers from the key that they are held with.
func splitKey(text string) (held []string, base string) {
	for {
		modifier, rest, found := strings.Cut(text, "+")
		if !found || rest == "" || !slices.Contains(modifierNames(), strings.ToLower(modifier)) {
			return held, text
		}
		held, text = append(held, strings.ToLower(modifier)), rest
	}
}

// join writes a key with its modifiers in the library's order.
func join(held []string, base string) string {
	var b strings.Builder
	for _, modifier := range modifierNames() {
		if slices.Contains(held, modifier) {
			b.WriteString(modifier + "+")
		}
	}
	return b.String() + base
}

// typesText reports whether a key by its name types a character.
func typesText(key string) bool {
	return key == "space" || key == "shift+space" || utf8.RuneCountInString(key) == 1
}

// shownKeys names keys for the help and the footer: as many as its column holds.
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

// rebinding is one line of [keys.PLACE] that holds so far.
type rebinding struct {
	place  Place
	action Action
	keys   []string
	line   int
}

// Rebind returns a table of keys as the person wants it: each Section is a
// place and each of its Entries an action with its keys, none of which take the
// action's keys away. The problems, without their file, say what is wrong: such
// an entry leaves the keys that the table gives its action. So does one that
// gives a key two meanings in one place.
func Rebind(table []Binding, places []config.Section) ([]Binding, []config.Problem) {
	var wanted []rebinding
	var problems []config.Problem
	for _, s := range places {
		place, found := placeOf(s.Name)
		if !found {
			what := "unknown place " + config.Named(s.Name) + " in [keys." + config.Named(s.Name) + "]"
			if s.Name == "comparison" {
				what += ": answers are no longer read side by side; enter on a conflict in the matrix opens it"
			} else {
				what += config.Meant(enum.Nearest(s.Name, placeNames()))
			}
			problems = append(problems, config.Problem{Line: s.Line, What: what})
			continue
		}
		for _, e := range s.Entries {
			r, wrong := readEntry(table, place, e)
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

func placeNames() []string {
	var names []string
	for _, p := range Places() {
		names = append(names, p.String())
	}
	return names
}

func placeOf(name string) (Place, bool) {
	for _, p := range Places() {
		if p.String() == name {
			return p, true
		}
	}
	return 0, false
}

// readEntry reads one line. Where nothing of it holds the rebinding is nil.
func readEntry(table []Binding, place Place, e config.Entry) (*rebinding, []config.Problem) {
	var problems []config.Problem
	tell := func(format string, args ...any) {
		problems = append(problems, config.Problem{Line: e.Line, What: fmt.Sprintf(format, args...)})
	}
	in := "[keys." + place.String() + "]"
	action := Action(e.Name)
	if !hasAction(table, place, action) {
		tell("unknown action %s in %s%s", config.Named(e.Name), in, meantAction(table, place, e.Name))
		return nil, problems
	}
	if len(e.Values) == 0 && mustReach(action) {
		tell("%s in %s must have a key, or nobody could leave; it keeps its own", action, in)
		return nil, problems
	}
	r := &rebinding{place: place, action: action, line: e.Line}
	for _, value := range e.Values {
		key, err := keyName(value)
		switch {
		case err != nil:
			tell("%s in %s: %s", action, in, err)
		case typesText(key) && slices.Contains([]Place{InForm, InList, Everywhere}, place):
			tell("%s in %s: %s is text where one types; choose a key with ctrl or alt", action, in, config.Named(key))
		case !slices.Contains(r.keys, key):
			r.keys = append(r.keys, key)
		}
	}
	if len(r.keys) == 0 && len(e.Values) > 0 {
		return nil, problems
	}
	return r, problems
}

func hasAction(table []Binding, place Place, action Action) bool {
	return slices.ContainsFunc(table, func(b Binding) bool { return b.Place == place && b.Action == action })
}

// meantAction names the nearest action of the place, else where there is one of
// that name.
func meantAction(table []Binding, place Place, name string) string {
	var here []string
	for i := range table {
		if table[i].Place == place {
			here = append(here, string(table[i].Action))
		}
	}
	var elsewhere []string
	for _, p := range Places() {
		if hasAction(table, p, Action(name)) {
			elsewhere = append(elsewhere, "[keys."+p.String()+"]")
		}
	}
	if len(elsewhere) > 0 {
		return "; it stands in " + strings.Join(elsewhere, ", ")
	}
	return config.Meant(enum.Nearest(name, here))
}

// mustReach reports whether the action is how one gets out of somewhere.
func mustReach(a Action) bool { return oneOf(a, ActionInterrupt, ActionClose, ActionQuit) }

// bound is the table with what is wanted.
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

// conflict finds a key with two meanings in one place. Of the two that which
// was rebound, or rebound later, loses: its place in wanted, or -1.
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
			what := fmt.Sprintf("%s in [keys.%s] is %s already", config.Named(key), a.Place, b.Action)
			if a.Place != b.Place {
				what += " in [keys." + b.Place.String() + "]"
			}
			return first, config.Problem{Line: wanted[first].line, What: what + fmt.Sprintf("; %s keeps its own key", a.Action)}
		}
	}
	return -1, problem
}

// common is a key by which two bindings of different actions are reached where
// both hold, or "". In a search and a replay keys go before those of a session
// on purpose.
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
