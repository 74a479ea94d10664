package tui

import (
	"slices"
	"strings"

	"moot/tui/pane"
)

// Action is what a key does. The actions are data, so that the help, the
// footer, the palette, the configuration and the dispatch cannot say different
// things. Its text is its name in the configuration.
type Action string

// The actions.
const (
	// What makes the session go on.
	ActionNext       Action = "next-turn"
	ActionAuto       Action = "auto"
	ActionStop       Action = "stop"
	ActionCancel     Action = "cancel-call"
	ActionPreview    Action = "preview"
	ActionEditPrompt Action = "edit-prompt"

	// What the person decides.
	ActionAgree    Action = "agree"
	ActionDismiss  Action = "dismiss"
	ActionReopen   Action = "reopen"
	ActionFact     Action = "record-fact"
	ActionOverride Action = "override"
	ActionAnswer   Action = "answer"

	// What is looked at.
	ActionOpen       Action = "open"
	ActionWhy        Action = "why"
	ActionBack       Action = "back"
	ActionZoom       Action = "zoom"
	ActionNextPane   Action = "next-pane"
	ActionPrevPane   Action = "previous-pane"
	ActionDebate     Action = "debate"
	ActionPoints     Action = "points"
	ActionPoint      Action = "point"
	ActionLedger     Action = "ledger"
	ActionGraph      Action = "graph"
	ActionConfidence Action = "confidence"
	ActionRecord     Action = "record"
	ActionResult     Action = "result"
	ActionBuckets    Action = "buckets"
	ActionChallenges Action = "challenges"
	ActionSort       Action = "sort"
	ActionSortBefore Action = "sort-before"
	ActionReverse    Action = "reverse"
	ActionOnly       Action = "only"
	ActionChart      Action = "next-chart"

	// What moves.
	ActionUp       Action = "up"
	ActionDown     Action = "down"
	ActionLeft     Action = "left"
	ActionRight    Action = "right"
	ActionPageUp   Action = "page-up"
	ActionPageDown Action = "page-down"
	ActionHome     Action = "home"
	ActionEnd      Action = "end"

	// Search, and what is taken out of the screen.
	ActionSearch         Action = "search"
	ActionSearchNext     Action = "next-match"
	ActionSearchPrevious Action = "previous-match"
	ActionSearchEnd      Action = "end-search"
	ActionCopy           Action = "copy"
	ActionOpenFile       Action = "open-file"
	ActionExport         Action = "export"
	ActionFork           Action = "fork"

	// Replay.
	ActionReplay       Action = "replay"
	ActionEarlier      Action = "earlier"
	ActionLater        Action = "later"
	ActionEarlierRound Action = "earlier-round"
	ActionLaterRound   Action = "later-round"
	ActionFirstEvent   Action = "first-event"
	ActionLastEvent    Action = "last-event"

	// Home.
	ActionAsk    Action = "ask"
	ActionDelete Action = "delete"
	ActionFilter Action = "filter"

	// The program.
	ActionPalette   Action = "palette"
	ActionHelp      Action = "help"
	ActionTheme     Action = "theme"
	ActionMouse     Action = "mouse"
	ActionProblems  Action = "config"
	ActionQuit      Action = "quit"
	ActionInterrupt Action = "interrupt"
	ActionSuspend   Action = "suspend"

	// Dialogs.
	ActionClose  Action = "close"
	ActionSend   Action = "send"
	ActionChoose Action = "choose"
	ActionEditor Action = "editor"
)

// binding is a row of the table of keys.
type binding struct {
	// keys are the names of the keys. Those after a semicolon work but are not shown.
	keys   string
	action Action
	// help describes the action; footer is its name in the footer, "" for none.
	help, footer string
	// in are the panes in which the binding works; nil means all.
	in []pane.ID
}

// bindingsOf returns the rows as bindings of a place.
func bindingsOf(place Place, rows []binding) []Binding {
	table := make([]Binding, len(rows))
	for i, r := range rows {
		shown, hidden, _ := strings.Cut(r.keys, ";")
		table[i] = Binding{
			Keys: strings.Fields(shown + hidden), Shown: strings.ReplaceAll(shown, "pgdown", "pgdn"), Action: r.action,
			Help: r.help, Footer: r.footer, Place: place, In: r.in,
		}
	}
	return table
}

// Bindings returns the table of keys.
func Bindings() []Binding { //nolint:funlen // one table
	tables := []pane.ID{pane.PointsID}
	return slices.Concat(
		bindingsOf(OnSession, []binding{
			{"space", ActionNext, "run the next turn; go on after a pause", "next turn", nil},
			{
				"esc", ActionCancel, "cancel the running call or command: what it would say is dropped, all before it is saved",
				"cancel", nil,
			},
			{"a", ActionAuto, "go on by itself, turn after turn, or stop doing so", "auto", nil},
			{"s", ActionStop, "stop after this turn", "stop", nil},
			{"n", ActionAnswer, "answer what the session asks you", "answer", nil},
			{"A", ActionAgree, "rule the selected point Agreed, as the user", "agree", nil},
			{"D", ActionDismiss, "rule the selected point Dismissed, as the user", "dismiss", nil},
			{"R", ActionReopen, "reopen the selected point", "reopen", nil},
			{"F", ActionFact, "record a fact, as the user", "fact", nil},
			{"u", ActionOverride, "override: all that you can decide about what is selected", "override", nil},
			{"enter", ActionOpen, "open what is selected", "open", nil},
			{"w", ActionWhy, "why the selected point is where it is, and what would change it", "why", nil},
			{"p", ActionPreview, "show the prompt that goes out next", "prompt", nil},
			{"e", ActionEditPrompt, "edit the prompt that goes out next", "", nil},
			{"y", ActionCopy, "copy what is selected", "", nil},
			{"o", ActionOpenFile, "open the cited file at its line in your editor", "", nil},
			{"x", ActionExport, "export the session to a file", "export", nil},
			{"f", ActionFork, "fork: the same past, another future", "", nil},
			{"r", ActionReplay, "step through the events of the session, or come back", "replay", nil},
			{"/", ActionSearch, "search the pane", "search", nil},
		}),
		bindingsOf(InSearch, []binding{
			{"n; enter", ActionSearchNext, "go to the next match", "next", nil},
			{"N", ActionSearchPrevious, "go to the match before", "previous", nil},
			{"esc", ActionSearchEnd, "end the search", "end search", nil},
		}),
		bindingsOf(OnSession, []binding{
			{"q", ActionQuit, "leave; the session is saved", "leave", nil},
			{":", ActionPalette, "find a command by its name", "commands", nil},
			{"?", ActionHelp, "show the keys", "help", nil},
			{"tab", ActionNextPane, "go to the next pane", "pane", nil},
			{"shift+tab", ActionPrevPane, "go to the pane before", "", nil},
			{"1", ActionDebate, "Debate: what was said", "", nil},
			{"2", ActionPoints, "Points: all in a table", "", nil},
			{"3", ActionPoint, "Point: one claim whole", "", nil},
			{"4", ActionLedger, "Ledger: what is known", "", nil},
			{"5", ActionGraph, "Graph: the argument as a map", "", nil},
			{"6", ActionConfidence, "Confidence: over the rounds", "", nil},
			{"7", ActionRecord, "Record: every event", "", nil},
			{"8", ActionBuckets, "Buckets: where the points stand", "", nil},
			{"9", ActionChallenges, "Challenges: what is attacked", "", nil},
			{"0", ActionResult, "Result: the whole outcome as a document, with the metrics", "", nil},
			{"backspace", ActionBack, "go back to the view before", "", nil},
			{"z", ActionZoom, "give the view all the room, or share it again", "", nil},
			{">", ActionSort, "sort the table by the next column", "sort", tables},
			{"<", ActionSortBefore, "sort the table by the column before", "", tables},
			{"i", ActionReverse, "turn the order around", "reverse", tables},
			{
				"c", ActionOnly, "show only what bears on the selected point, or all",
				"only this",
				[]pane.ID{pane.GraphID},
			},
			{"c", ActionChart, "show all points, or one", "all points", []pane.ID{pane.ConfidenceID}},
			{"up k", ActionUp, "scroll or select upwards", "", nil},
			{"down j", ActionDown, "scroll or select downwards", "", nil},
			{"left h", ActionLeft, "move left", "", nil},
			{"right l", ActionRight, "move right", "", nil},
			{"pgup; ctrl+b", ActionPageUp, "a page up", "", nil},
			{"pgdown; ctrl+f", ActionPageDown, "a page down", "", nil},
			{"home g", ActionHome, "go to the beginning", "", nil},
			{"end G", ActionEnd, "go to the end, and follow it", "", nil},
		}),
		bindingsOf(InReplay, []binding{
			{"left", ActionEarlier, "one event back", "back", nil},
			{"right", ActionLater, "one event on", "on", nil},
			{"[; shift+left", ActionEarlierRound, "to the beginning of the round, or of the one before", "round", nil},
			{"]; shift+right", ActionLaterRound, "to the beginning of the next round", "", nil},
			{"home", ActionFirstEvent, "to the first event", "first", nil},
			{"end", ActionLastEvent, "to the last event", "last", nil},
			{"f", ActionFork, "fork at this event: the same past, another future", "fork here", nil},
		}),
		bindingsOf(OnHome, []binding{
			{"enter", ActionOpen, "open the session: go on with it, or look at it", "open", nil},
			{"n", ActionAsk, "ask a new question", "new question", nil},
			{"/", ActionFilter, "filter the sessions as you type", "filter", nil},
			{"r", ActionReplay, "step through the events of the session", "replay", nil},
			{"f", ActionFork, "fork the session: the same past, another future", "", nil},
			{"x", ActionExport, "export the session to a file", "export", nil},
			{"d; delete", ActionDelete, "delete the session, after a question", "delete", nil},
			{"y", ActionCopy, "copy the session's id", "", nil},
			{"up k", ActionUp, "select upwards", "", nil},
			{"down j", ActionDown, "select downwards", "", nil},
			{"pgup; ctrl+b", ActionPageUp, "a page up", "", nil},
			{"pgdown; ctrl+f", ActionPageDown, "a page down", "", nil},
			{"home g", ActionHome, "go to the newest", "", nil},
			{"end G", ActionEnd, "go to the oldest", "", nil},
			{"esc", ActionSearchEnd, "show all sessions again", "", nil},
			{":", ActionPalette, "find a command by its name", "commands", nil},
			{"?", ActionHelp, "show the keys", "help", nil},
			{"q", ActionQuit, "leave moot", "leave", nil},
		}),
		bindingsOf(InReader, []binding{
			{"esc; q enter ?", ActionClose, "close", "close", nil},
			{"up k", ActionUp, "scroll up", "", nil},
			{"down j", ActionDown, "scroll down", "", nil},
			{"pgup; ctrl+b", ActionPageUp, "a page up", "", nil},
			{"pgdown; ctrl+f space", ActionPageDown, "a page down", "more", nil},
			{"home g", ActionHome, "go to the beginning", "", nil},
			{"end G", ActionEnd, "go to the end", "", nil},
			{"A", ActionAgree, "rule this point Agreed", "agree", nil},
			{"D", ActionDismiss, "rule this point Dismissed", "dismiss", nil},
			{"R", ActionReopen, "reopen this point", "reopen", nil},
			{"e", ActionEditPrompt, "edit this prompt", "edit", nil},
			{"y", ActionCopy, "copy what is read", "copy", nil},
			{"o", ActionOpenFile, "open the cited file in your editor", "open file", nil},
		}),
		bindingsOf(InForm, []binding{
			{"esc", ActionClose, "close and keep what was typed", "later", nil},
			{"ctrl+s; ctrl+enter", ActionSend, "send", "send", nil},
			{"ctrl+o", ActionEditor, "write this text in your editor", "editor", nil},
		}),
		bindingsOf(InList, []binding{
			{"esc", ActionClose, "close", "close", nil},
			{"enter", ActionChoose, "take the selected one", "choose", nil},
			{"up; ctrl+p", ActionUp, "select upwards", "", nil},
			{"down; ctrl+n", ActionDown, "select downwards", "", nil},
			{"pgup", ActionPageUp, "a page up", "", nil},
			{"pgdown", ActionPageDown, "a page down", "", nil},
		}),
		bindingsOf(Everywhere, []binding{
			{"ctrl+t", ActionTheme, "draw in the next theme", "", nil},
			{"ctrl+y", ActionMouse, "give the mouse to the terminal, or take it back", "", nil},
			{"ctrl+c", ActionInterrupt, "leave; twice: leave at once", "", nil},
			{"ctrl+z", ActionSuspend, "put moot into the background", "", nil},
		}),
	)
}
