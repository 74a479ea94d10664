package tui

import (
	"slices"

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
