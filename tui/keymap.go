package tui

import (
	"slices"

	"moot/state"
)

// Action is what a key does. The actions are data, so that the help, the
// footer and the dispatch cannot say different things.
type Action string

// The actions.
const (
	ActionNext      Action = "next-turn"
	ActionAuto      Action = "auto"
	ActionStop      Action = "stop"
	ActionCancel    Action = "cancel-call"
	ActionPreview   Action = "preview"
	ActionAgree     Action = "agree"
	ActionDismiss   Action = "dismiss"
	ActionReopen    Action = "reopen"
	ActionFact      Action = "record-fact"
	ActionAnswer    Action = "answer"
	ActionOpen      Action = "open"
	ActionNextPane  Action = "next-pane"
	ActionPrevPane  Action = "previous-pane"
	ActionDebate    Action = "debate"
	ActionPoints    Action = "points"
	ActionChallenge Action = "challenges"
	ActionLedger    Action = "ledger"
	ActionUp        Action = "up"
	ActionDown      Action = "down"
	ActionPageUp    Action = "page-up"
	ActionPageDown  Action = "page-down"
	ActionHome      Action = "home"
	ActionEnd       Action = "end"
	ActionHelp      Action = "help"
	ActionQuit      Action = "quit"
	ActionInterrupt Action = "interrupt"
	ActionSuspend   Action = "suspend"
	ActionClose     Action = "close"
	ActionSend      Action = "send"
)

// Place says where a binding holds.
type Place int

// The places.
const (
	// OnScreen holds while no dialog is open.
	OnScreen Place = iota
	// InReader holds in a dialog that is read: help, a point, the next prompt.
	InReader
	// InForm holds in a dialog in which one types.
	InForm
	// Everywhere holds always.
	Everywhere
)

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
}

// Bindings returns the table of keys.
func Bindings() []Binding {
	return []Binding{
		{[]string{"space"}, "space", ActionNext, "run the next turn; go on after a pause", "next turn", OnScreen},
		{[]string{"esc"}, "esc", ActionCancel, "cancel the running call; nothing is lost", "cancel", OnScreen},
		{[]string{"a"}, "a", ActionAuto, "go on by itself, turn after turn, or stop doing so", "auto", OnScreen},
		{[]string{"s"}, "s", ActionStop, "stop after this turn", "stop", OnScreen},
		{[]string{"n"}, "n", ActionAnswer, "answer what the session asks you", "answer", OnScreen},
		{[]string{"A"}, "A", ActionAgree, "rule the selected point Agreed, as the user", "agree", OnScreen},
		{[]string{"D"}, "D", ActionDismiss, "rule the selected point Dismissed, as the user", "dismiss", OnScreen},
		{[]string{"R"}, "R", ActionReopen, "reopen the selected point", "reopen", OnScreen},
		{[]string{"F"}, "F", ActionFact, "record a fact, as the user", "fact", OnScreen},
		{[]string{"enter"}, "enter", ActionOpen, "open the selected point, challenge or entry", "open", OnScreen},
		{[]string{"p"}, "p", ActionPreview, "show the prompt that goes out next", "prompt", OnScreen},
		{[]string{"tab"}, "tab", ActionNextPane, "go to the next pane", "pane", OnScreen},
		{[]string{"shift+tab"}, "shift+tab", ActionPrevPane, "go to the pane before", "", OnScreen},
		{[]string{"1"}, "1", ActionDebate, "go to Debate", "", OnScreen},
		{[]string{"2"}, "2", ActionPoints, "go to Points", "", OnScreen},
		{[]string{"3"}, "3", ActionChallenge, "go to Challenges", "", OnScreen},
		{[]string{"4"}, "4", ActionLedger, "go to Ledger", "", OnScreen},
		{[]string{"up", "k"}, "up k", ActionUp, "scroll or select upwards", "", OnScreen},
		{[]string{"down", "j"}, "down j", ActionDown, "scroll or select downwards", "", OnScreen},
		{[]string{"pgup", "ctrl+b"}, "pgup", ActionPageUp, "a page up", "", OnScreen},
		{[]string{"pgdown", "ctrl+f"}, "pgdn", ActionPageDown, "a page down", "", OnScreen},
		{[]string{"home", "g"}, "home g", ActionHome, "go to the beginning", "", OnScreen},
		{[]string{"end", "G"}, "end G", ActionEnd, "go to the end, and follow it", "", OnScreen},
		{[]string{"?"}, "?", ActionHelp, "show these keys", "help", OnScreen},
		{[]string{"q"}, "q", ActionQuit, "leave; the session is saved", "leave", OnScreen},

		{[]string{"esc", "q", "enter", "?"}, "esc", ActionClose, "close", "close", InReader},
		{[]string{"up", "k"}, "up k", ActionUp, "scroll up", "scroll", InReader},
		{[]string{"down", "j"}, "down j", ActionDown, "scroll down", "", InReader},
		{[]string{"pgup", "ctrl+b"}, "pgup", ActionPageUp, "a page up", "", InReader},
		{[]string{"pgdown", "ctrl+f", "space"}, "pgdn", ActionPageDown, "a page down", "", InReader},
		{[]string{"home", "g"}, "home g", ActionHome, "go to the beginning", "", InReader},
		{[]string{"end", "G"}, "end G", ActionEnd, "go to the end", "", InReader},
		{[]string{"A"}, "A", ActionAgree, "rule this point Agreed", "agree", InReader},
		{[]string{"D"}, "D", ActionDismiss, "rule this point Dismissed", "dismiss", InReader},
		{[]string{"R"}, "R", ActionReopen, "reopen this point", "reopen", InReader},

		{[]string{"esc"}, "esc", ActionClose, "close and keep what was typed", "later", InForm},
		{[]string{"ctrl+s", "ctrl+enter"}, "ctrl+s", ActionSend, "send", "send", InForm},

		{[]string{"ctrl+c"}, "ctrl+c", ActionInterrupt, "leave; twice: leave at once", "", Everywhere},
		{[]string{"ctrl+z"}, "ctrl+z", ActionSuspend, "put moot into the background", "", Everywhere},
	}
}

// oneOf reports whether an action is in the list.
func oneOf(a Action, list ...Action) bool { return slices.Contains(list, a) }

// keymap finds bindings by place and key.
type keymap struct {
	table []Binding
}

// find returns the binding of a key in a place.
func (k *keymap) find(place Place, key string) (*Binding, bool) {
	for i := range k.table {
		b := &k.table[i]
		if (b.Place == place || b.Place == Everywhere) && slices.Contains(b.Keys, key) {
			return b, true
		}
	}
	return nil, false
}

// disabled says why an action cannot be done now, or "".
func (m *Model) disabled(a Action) string {
	switch {
	case oneOf(a, ActionNext, ActionAuto, ActionStop, ActionCancel, ActionPreview):
		return m.disabledTurn(a)
	case oneOf(a, ActionAgree, ActionDismiss, ActionReopen):
		switch {
		case m.ended:
			return "the session is not running"
		case m.target() == "":
			return "select a point in Points or Challenges first"
		}
	case a == ActionFact:
		if m.ended {
			return "the session is not running"
		}
	case a == ActionAnswer:
		if len(m.asking()) == 0 {
			return "nothing is asked"
		}
	case a == ActionOpen:
		if m.focus == PaneDebate && len(m.asking()) == 0 {
			return "select something in Points, Challenges or Ledger first"
		}
	}
	return ""
}

func (m *Model) disabledTurn(a Action) string {
	switch {
	case m.ended:
		return "the session is not running"
	case a == ActionNext && len(m.calls) > 0:
		return "a seat is speaking"
	case a == ActionNext && m.waiting:
		return "it waits for your answer"
	case a == ActionNext && m.auto && m.state.Paused == state.PauseNone:
		return "it goes on by itself"
	case a == ActionNext && !m.idle:
		return "the turn is under way"
	case a == ActionStop && !m.auto:
		return "it stops after each turn already"
	case a == ActionCancel && len(m.calls) == 0:
		return "no call is running"
	case a == ActionPreview && len(m.ready) == 0:
		return "no prompt waits to go out"
	}
	return ""
}
