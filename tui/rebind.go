package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/config"
	"moot/internal/enum"
)

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
	if !same || a.Action == b.Action || !together(a, b) {
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
