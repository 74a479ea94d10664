package tui

import "moot/tui/pane"

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
	ActionDecision   Action = "decision"
	ActionMatrix     Action = "matrix"
	ActionCouncil    Action = "council"
	ActionHearing    Action = "hearing"
	ActionRecord     Action = "record"
	ActionMetrics    Action = "metrics"
	ActionBuckets    Action = "buckets"
	ActionChallenges Action = "challenges"
	ActionSort       Action = "sort"
	ActionSortBefore Action = "sort-before"
	ActionReverse    Action = "reverse"
	ActionOnly       Action = "only"
	ActionChart      Action = "next-chart"
	ActionPart       Action = "next-part"
	ActionWhose      Action = "by-whom"

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
	// Two answers side by side.
)

// Bindings returns the table of keys.
func Bindings() []Binding {
	var table []Binding
	for _, part := range [][]Binding{sessionBindings(), viewBindings(), replayBindings(), homeBindings(), dialogBindings()} {
		table = append(table, part...)
	}
	return table
}

func sessionBindings() []Binding {
	return []Binding{
		{Keys: []string{"space"}, Shown: "space", Action: ActionNext, Help: "run the next turn; go on after a pause", Footer: "next turn", Place: OnSession},
		{Keys: []string{"esc"}, Shown: "esc", Action: ActionCancel, Help: "cancel the running call or command: what it would say is dropped, all before it is saved", Footer: "cancel", Place: OnSession},
		{Keys: []string{"a"}, Shown: "a", Action: ActionAuto, Help: "go on by itself, turn after turn, or stop doing so", Footer: "auto", Place: OnSession},
		{Keys: []string{"s"}, Shown: "s", Action: ActionStop, Help: "stop after this turn", Footer: "stop", Place: OnSession},
		{Keys: []string{"n"}, Shown: "n", Action: ActionAnswer, Help: "answer what the session asks you", Footer: "answer", Place: OnSession},
		{Keys: []string{"A"}, Shown: "A", Action: ActionAgree, Help: "rule the selected point Agreed, as the user", Footer: "agree", Place: OnSession},
		{Keys: []string{"D"}, Shown: "D", Action: ActionDismiss, Help: "rule the selected point Dismissed, as the user", Footer: "dismiss", Place: OnSession},
		{Keys: []string{"R"}, Shown: "R", Action: ActionReopen, Help: "reopen the selected point", Footer: "reopen", Place: OnSession},
		{Keys: []string{"F"}, Shown: "F", Action: ActionFact, Help: "record a fact, as the user", Footer: "fact", Place: OnSession},
		{Keys: []string{"u"}, Shown: "u", Action: ActionOverride, Help: "override: all that you can decide about what is selected", Footer: "override", Place: OnSession},
		{Keys: []string{"enter"}, Shown: "enter", Action: ActionOpen, Help: "open what is selected", Footer: "open", Place: OnSession},
		{Keys: []string{"w"}, Shown: "w", Action: ActionWhy, Help: "why the selected point is where it is, and what would change it", Footer: "why", Place: OnSession},
		{Keys: []string{"p"}, Shown: "p", Action: ActionPreview, Help: "show the prompt that goes out next", Footer: "prompt", Place: OnSession},
		{Keys: []string{"e"}, Shown: "e", Action: ActionEditPrompt, Help: "edit the prompt that goes out next", Footer: "", Place: OnSession},
		{Keys: []string{"y"}, Shown: "y", Action: ActionCopy, Help: "copy what is selected", Footer: "", Place: OnSession},
		{Keys: []string{"o"}, Shown: "o", Action: ActionOpenFile, Help: "open the cited file at its line in your editor", Footer: "", Place: OnSession},
		{Keys: []string{"x"}, Shown: "x", Action: ActionExport, Help: "export the session to a file", Footer: "export", Place: OnSession},
		{Keys: []string{"f"}, Shown: "f", Action: ActionFork, Help: "fork: the same past, another future", Footer: "", Place: OnSession},
		{Keys: []string{"r"}, Shown: "r", Action: ActionReplay, Help: "step through the events of the session, or come back", Footer: "replay", Place: OnSession},
		{Keys: []string{"/"}, Shown: "/", Action: ActionSearch, Help: "search the pane", Footer: "search", Place: OnSession},
		{Keys: []string{"n", "enter"}, Shown: "n", Action: ActionSearchNext, Help: "go to the next match", Footer: "next", Place: InSearch},
		{Keys: []string{"N"}, Shown: "N", Action: ActionSearchPrevious, Help: "go to the match before", Footer: "previous", Place: InSearch},
		{Keys: []string{"esc"}, Shown: "esc", Action: ActionSearchEnd, Help: "end the search", Footer: "end search", Place: InSearch},
		{Keys: []string{"q"}, Shown: "q", Action: ActionQuit, Help: "leave; the session is saved", Footer: "leave", Place: OnSession},
		{Keys: []string{":"}, Shown: ":", Action: ActionPalette, Help: "find a command by its name", Footer: "commands", Place: OnSession},
		{Keys: []string{"?"}, Shown: "?", Action: ActionHelp, Help: "show the keys", Footer: "help", Place: OnSession},
	}
}

func viewBindings() []Binding {
	return []Binding{
		{Keys: []string{"c"}, Shown: "c", Action: ActionPart, Help: "show the next part: facts, confidence, judge", Footer: "part", Place: OnSession, In: []pane.ID{pane.HearingID}},
		{Keys: []string{"b"}, Shown: "b", Action: ActionWhose, Help: "show the facts that one side cites, both, or nobody; or all", Footer: "by whom", Place: OnSession, In: []pane.ID{pane.HearingID}},
		{Keys: []string{"tab"}, Shown: "tab", Action: ActionNextPane, Help: "go to the next pane", Footer: "pane", Place: OnSession},
		{Keys: []string{"shift+tab"}, Shown: "shift+tab", Action: ActionPrevPane, Help: "go to the pane before", Place: OnSession},
		{Keys: []string{"1"}, Shown: "1", Action: ActionDebate, Help: "Debate: what was said", Place: OnSession},
		{Keys: []string{"2"}, Shown: "2", Action: ActionPoints, Help: "Points: all in a table", Place: OnSession},
		{Keys: []string{"3"}, Shown: "3", Action: ActionPoint, Help: "Point: one claim whole", Place: OnSession},
		{Keys: []string{"4"}, Shown: "4", Action: ActionLedger, Help: "Ledger: what is known", Place: OnSession},
		{Keys: []string{"5"}, Shown: "5", Action: ActionGraph, Help: "Graph: the argument as a map", Place: OnSession},
		{Keys: []string{"6"}, Shown: "6", Action: ActionConfidence, Help: "Confidence: over the rounds; buckets and cost as well", Place: OnSession},
		{Keys: []string{"6"}, Shown: "6", Action: ActionDecision, Help: "Decision: what code says of the proposal, and why", Place: OnSession},
		{Keys: []string{"6"}, Shown: "6", Action: ActionMatrix, Help: "Matrix: who holds what, and how far the answers agree", Place: OnSession},
		{Keys: []string{"6"}, Shown: "6", Action: ActionCouncil, Help: "Council: what each claim still needs", Place: OnSession},
		{Keys: []string{"6"}, Shown: "6", Action: ActionHearing, Help: "Hearing: the facts with who cites them, both confidences, and what the judge reckons", Place: OnSession},
		{Keys: []string{"7"}, Shown: "7", Action: ActionRecord, Help: "Record: every event", Place: OnSession},
		{Keys: []string{"8"}, Shown: "8", Action: ActionBuckets, Help: "Buckets: where the points stand", Place: OnSession},
		{Keys: []string{"9"}, Shown: "9", Action: ActionChallenges, Help: "Challenges: what is attacked", Place: OnSession},
		{Keys: []string{"0"}, Shown: "0", Action: ActionMetrics, Help: "Metrics: how good the debate is, in figures", Place: OnSession},
		{Keys: []string{"backspace"}, Shown: "backspace", Action: ActionBack, Help: "go back to the view before", Place: OnSession},
		{Keys: []string{"z"}, Shown: "z", Action: ActionZoom, Help: "give the view all the room, or share it again", Place: OnSession},
		{Keys: []string{">"}, Shown: ">", Action: ActionSort, Help: "sort the table by the next column", Footer: "sort", Place: OnSession, In: []pane.ID{pane.PointsID, pane.HearingID}},
		{Keys: []string{"<"}, Shown: "<", Action: ActionSortBefore, Help: "sort the table by the column before", Place: OnSession, In: []pane.ID{pane.PointsID, pane.HearingID}},
		{Keys: []string{"i"}, Shown: "i", Action: ActionReverse, Help: "turn the order around", Footer: "reverse", Place: OnSession, In: []pane.ID{pane.PointsID, pane.HearingID}},
		{Keys: []string{"c"}, Shown: "c", Action: ActionOnly, Help: "show only what bears on the selected point, or all", Footer: "only this", Place: OnSession, In: []pane.ID{pane.GraphID}},
		{Keys: []string{"c"}, Shown: "c", Action: ActionChart, Help: "show all points, or one", Footer: "all points", Place: OnSession, In: []pane.ID{pane.ConfidenceID}},
		{Keys: []string{"up", "k"}, Shown: "up k", Action: ActionUp, Help: "scroll or select upwards", Place: OnSession},
		{Keys: []string{"down", "j"}, Shown: "down j", Action: ActionDown, Help: "scroll or select downwards", Place: OnSession},
		{Keys: []string{"left", "h"}, Shown: "left h", Action: ActionLeft, Help: "move left", Place: OnSession},
		{Keys: []string{"right", "l"}, Shown: "right l", Action: ActionRight, Help: "move right", Place: OnSession},
		{Keys: []string{"pgup", "ctrl+b"}, Shown: "pgup", Action: ActionPageUp, Help: "a page up", Place: OnSession},
		{Keys: []string{"pgdown", "ctrl+f"}, Shown: "pgdn", Action: ActionPageDown, Help: "a page down", Place: OnSession},
		{Keys: []string{"home", "g"}, Shown: "home g", Action: ActionHome, Help: "go to the beginning", Place: OnSession},
		{Keys: []string{"end", "G"}, Shown: "end G", Action: ActionEnd, Help: "go to the end, and follow it", Place: OnSession},
	}
}

func replayBindings() []Binding {
	return []Binding{
		{Keys: []string{"left"}, Shown: "left", Action: ActionEarlier, Help: "one event back", Footer: "back", Place: InReplay},
		{Keys: []string{"right"}, Shown: "right", Action: ActionLater, Help: "one event on", Footer: "on", Place: InReplay},
		{Keys: []string{"shift+left", "["}, Shown: "[", Action: ActionEarlierRound, Help: "to the beginning of the round, or of the one before", Footer: "round", Place: InReplay},
		{Keys: []string{"shift+right", "]"}, Shown: "]", Action: ActionLaterRound, Help: "to the beginning of the next round", Place: InReplay},
		{Keys: []string{"home"}, Shown: "home", Action: ActionFirstEvent, Help: "to the first event", Footer: "first", Place: InReplay},
		{Keys: []string{"end"}, Shown: "end", Action: ActionLastEvent, Help: "to the last event", Footer: "last", Place: InReplay},
		{Keys: []string{"f"}, Shown: "f", Action: ActionFork, Help: "fork at this event: the same past, another future", Footer: "fork here", Place: InReplay},
	}
}

func homeBindings() []Binding {
	return []Binding{
		{Keys: []string{"enter"}, Shown: "enter", Action: ActionOpen, Help: "open the session: go on with it, or look at it", Footer: "open", Place: OnHome},
		{Keys: []string{"n"}, Shown: "n", Action: ActionAsk, Help: "ask a new question", Footer: "new question", Place: OnHome},
		{Keys: []string{"/"}, Shown: "/", Action: ActionFilter, Help: "filter the sessions as you type", Footer: "filter", Place: OnHome},
		{Keys: []string{"r"}, Shown: "r", Action: ActionReplay, Help: "step through the events of the session", Footer: "replay", Place: OnHome},
		{Keys: []string{"f"}, Shown: "f", Action: ActionFork, Help: "fork the session: the same past, another future", Place: OnHome},
		{Keys: []string{"x"}, Shown: "x", Action: ActionExport, Help: "export the session to a file", Footer: "export", Place: OnHome},
		{Keys: []string{"d", "delete"}, Shown: "d", Action: ActionDelete, Help: "delete the session, after a question", Footer: "delete", Place: OnHome},
		{Keys: []string{"y"}, Shown: "y", Action: ActionCopy, Help: "copy the session's id", Place: OnHome},
		{Keys: []string{"up", "k"}, Shown: "up k", Action: ActionUp, Help: "select upwards", Place: OnHome},
		{Keys: []string{"down", "j"}, Shown: "down j", Action: ActionDown, Help: "select downwards", Place: OnHome},
		{Keys: []string{"pgup", "ctrl+b"}, Shown: "pgup", Action: ActionPageUp, Help: "a page up", Place: OnHome},
		{Keys: []string{"pgdown", "ctrl+f"}, Shown: "pgdn", Action: ActionPageDown, Help: "a page down", Place: OnHome},
		{Keys: []string{"home", "g"}, Shown: "home g", Action: ActionHome, Help: "go to the newest", Place: OnHome},
		{Keys: []string{"end", "G"}, Shown: "end G", Action: ActionEnd, Help: "go to the oldest", Place: OnHome},
		{Keys: []string{"esc"}, Shown: "esc", Action: ActionSearchEnd, Help: "show all sessions again", Place: OnHome},
		{Keys: []string{":"}, Shown: ":", Action: ActionPalette, Help: "find a command by its name", Footer: "commands", Place: OnHome},
		{Keys: []string{"?"}, Shown: "?", Action: ActionHelp, Help: "show the keys", Footer: "help", Place: OnHome},
		{Keys: []string{"q"}, Shown: "q", Action: ActionQuit, Help: "leave moot", Footer: "leave", Place: OnHome},
	}
}

func dialogBindings() []Binding {
	return []Binding{
		{Keys: []string{"esc", "q", "enter", "?"}, Shown: "esc", Action: ActionClose, Help: "close", Footer: "close", Place: InReader},
		{Keys: []string{"up", "k"}, Shown: "up k", Action: ActionUp, Help: "scroll up", Place: InReader},
		{Keys: []string{"down", "j"}, Shown: "down j", Action: ActionDown, Help: "scroll down", Place: InReader},
		{Keys: []string{"pgup", "ctrl+b"}, Shown: "pgup", Action: ActionPageUp, Help: "a page up", Place: InReader},
		{Keys: []string{"pgdown", "ctrl+f", "space"}, Shown: "pgdn", Action: ActionPageDown, Help: "a page down", Footer: "more", Place: InReader},
		{Keys: []string{"home", "g"}, Shown: "home g", Action: ActionHome, Help: "go to the beginning", Place: InReader},
		{Keys: []string{"end", "G"}, Shown: "end G", Action: ActionEnd, Help: "go to the end", Place: InReader},
		{Keys: []string{"A"}, Shown: "A", Action: ActionAgree, Help: "rule this point Agreed", Footer: "agree", Place: InReader},
		{Keys: []string{"D"}, Shown: "D", Action: ActionDismiss, Help: "rule this point Dismissed", Footer: "dismiss", Place: InReader},
		{Keys: []string{"R"}, Shown: "R", Action: ActionReopen, Help: "reopen this point", Footer: "reopen", Place: InReader},
		{Keys: []string{"e"}, Shown: "e", Action: ActionEditPrompt, Help: "edit this prompt", Footer: "edit", Place: InReader},
		{Keys: []string{"y"}, Shown: "y", Action: ActionCopy, Help: "copy what is read", Footer: "copy", Place: InReader},
		{Keys: []string{"o"}, Shown: "o", Action: ActionOpenFile, Help: "open the cited file in your editor", Footer: "open file", Place: InReader},

		{Keys: []string{"esc"}, Shown: "esc", Action: ActionClose, Help: "close and keep what was typed", Footer: "later", Place: InForm},
		{Keys: []string{"ctrl+s", "ctrl+enter"}, Shown: "ctrl+s", Action: ActionSend, Help: "send", Footer: "send", Place: InForm},
		{Keys: []string{"ctrl+o"}, Shown: "ctrl+o", Action: ActionEditor, Help: "write this text in your editor", Footer: "editor", Place: InForm},

		{Keys: []string{"esc"}, Shown: "esc", Action: ActionClose, Help: "close", Footer: "close", Place: InList},
		{Keys: []string{"enter"}, Shown: "enter", Action: ActionChoose, Help: "take the selected one", Footer: "choose", Place: InList},
		{Keys: []string{"up", "ctrl+p"}, Shown: "up", Action: ActionUp, Help: "select upwards", Place: InList},
		{Keys: []string{"down", "ctrl+n"}, Shown: "down", Action: ActionDown, Help: "select downwards", Place: InList},
		{Keys: []string{"pgup"}, Shown: "pgup", Action: ActionPageUp, Help: "a page up", Place: InList},
		{Keys: []string{"pgdown"}, Shown: "pgdn", Action: ActionPageDown, Help: "a page down", Place: InList},

		{Keys: []string{"ctrl+t"}, Shown: "ctrl+t", Action: ActionTheme, Help: "draw in the next theme", Place: Everywhere},
		{Keys: []string{"ctrl+y"}, Shown: "ctrl+y", Action: ActionMouse, Help: "give the mouse to the terminal, or take it back", Place: Everywhere},
		{Keys: []string{"ctrl+c"}, Shown: "ctrl+c", Action: ActionInterrupt, Help: "leave; twice: leave at once", Place: Everywhere},
		{Keys: []string{"ctrl+z"}, Shown: "ctrl+z", Action: ActionSuspend, Help: "put moot into the background", Place: Everywhere},
	}
}
