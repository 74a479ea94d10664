package tui

import (
	"slices"
	"strings"

	"moot/tui/pane"
)

// Place says where a binding works.
type Place int

// The places.
const (
	// OnHome is the list of sessions, OnBatch the screen of a batch, OnSession that of a session, all without a dialog.
	OnHome Place = iota
	OnBatch
	// OfBatch is the screen of a session that was opened from a batch. Its bindings come before those of OnSession.
	OfBatch
	OnSession
	// InReview, InReplay and InSearch are also on the screen of a session. Their bindings come before those of OnSession.
	InReview
	InReplay
	InSearch
	// InFinding is a dialog with a finding, whose bindings come before those of InReader.
	InFinding
	// InReader is a dialog with a text, InForm one with fields, InList one with a list.
	InReader
	InForm
	InList
	Everywhere
)

// Places returns every Place.
func Places() []Place {
	return []Place{OnHome, OnBatch, OfBatch, OnSession, InReview, InReplay, InSearch, InFinding, InReader, InForm, InList, Everywhere}
}

// String returns the place's name in the configuration.
func (p Place) String() string {
	return [...]string{"home", "batch", "batch-session", "session", "findings", "replay", "search", "finding", "reader", "form", "list", "everywhere"}[p]
}

// Title returns the heading for the place in the help.
func (p Place) Title() string {
	return [...]string{
		"List of sessions", "Batch", "Session of a batch", "Session", "In reviews", "During a replay", "During a search", "In a finding", "In texts", "In forms",
		"In lists", "Everywhere",
	}[p]
}

// Binding is one line of the table of keys.
type Binding struct {
	// Keys are the names of the keys in the terminal library.
	Keys []string
	// Shown names the keys in the help and the footer.
	Shown  string
	Action Action
	// Help describes the action, Footer in a word or two. Without Footer the binding is not in the footer.
	Help, Footer string
	Place        Place
	// In are the panes in which the binding works; none means all.
	In []pane.ID
}

// holds reports whether the binding works in a pane.
func (b *Binding) holds(p pane.ID) bool { return len(b.In) == 0 || slices.Contains(b.In, p) }

// oneOf reports whether an action or a pane is in the list.
func oneOf[T comparable](a T, list ...T) bool { return slices.Contains(list, a) }

// Action is the name of a command in the configuration. The table of keys feeds the help, the footer, the palette, the
// configuration and the dispatch.
type Action string

// The actions.
const (
	// Turns.
	ActionNext       Action = "next-turn"
	ActionRound      Action = "round"
	ActionAuto       Action = "auto"
	ActionStop       Action = "stop"
	ActionCancel     Action = "cancel-call"
	ActionPreview    Action = "preview"
	ActionEditPrompt Action = "edit-prompt"

	// Decisions of the user.
	ActionAgree    Action = "agree"
	ActionDismiss  Action = "dismiss"
	ActionReopen   Action = "reopen"
	ActionFact     Action = "record-fact"
	ActionIntended Action = "intended"
	ActionMerge    Action = "merge"
	ActionSplit    Action = "split"
	ActionOverride Action = "override"
	ActionAnswer   Action = "answer"

	// Views.
	ActionOpen       Action = "open"
	ActionWhy        Action = "why"
	ActionBack       Action = "back"
	ActionZoom       Action = "zoom"
	ActionNextPane   Action = "next-pane"
	ActionPrevPane   Action = "previous-pane"
	ActionSort       Action = "sort"
	ActionSortBefore Action = "sort-before"
	ActionSeverity   Action = "filter-severity"
	ActionStatus     Action = "filter-status"
	ActionOnlyFile   Action = "filter-file"
	ActionShowAll    Action = "show-all"

	// Cursor.
	ActionUp       Action = "up"
	ActionDown     Action = "down"
	ActionLeft     Action = "left"
	ActionRight    Action = "right"
	ActionPageUp   Action = "page-up"
	ActionPageDown Action = "page-down"
	ActionHome     Action = "home"
	ActionEnd      Action = "end"

	// Search and output.
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

	// List of sessions.
	ActionAsk    Action = "ask"
	ActionDelete Action = "delete"
	ActionFilter Action = "filter"
	ActionTags   Action = "tags"
	ActionRename Action = "rename"
	ActionMark   Action = "mark"

	// Batch.
	ActionItem      Action = "item"
	ActionRetry     Action = "retry"
	ActionRetryAll  Action = "retry-all"
	ActionPause     Action = "pause"
	ActionStopBatch Action = "stop-batch"
	ActionOnlyState Action = "filter-state"

	// The program.
	ActionPalette   Action = "palette"
	ActionHelp      Action = "help"
	ActionTheme     Action = "theme"
	ActionProblems  Action = "config"
	ActionQuit      Action = "quit"
	ActionInterrupt Action = "interrupt"
	ActionSuspend   Action = "suspend"

	// Dialogs.
	ActionClose  Action = "close"
	ActionSend   Action = "send"
	ActionChoose Action = "choose"
	// ActionParticipants opens the screen on which a participant is chosen.
	ActionParticipants Action = "participants"
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
	tables, findings := []pane.ID{pane.PointsID}, []pane.ID{pane.FindingsID}
	cursor := []binding{
		{"up k", ActionUp, "scroll up, or select the previous item", "", nil},
		{"down j", ActionDown, "scroll down, or select the next item", "", nil},
		{"pgup; ctrl+b", ActionPageUp, "a page up", "", nil},
		{"home g", ActionHome, "go to the start", "", nil},
		{"end G", ActionEnd, "go to the end", "", nil},
	}
	pageDown := []binding{{"pgdown; ctrl+f", ActionPageDown, "a page down", "", nil}}
	decisions := []binding{
		{"A", ActionAgree, "the selected finding stands, whatever the reviewers say", "stands", nil},
		{"D", ActionDismiss, "the selected finding is wrong", "is wrong", nil},
		{"I", ActionIntended, "the change is meant to do what the selected finding says", "intended", nil},
		{"m", ActionMerge, "merge the selected finding with another one that means the same", "merge", nil},
		{"M", ActionSplit, "split a finding that means something else from those that it is merged with", "split", nil},
	}
	return slices.Concat(
		bindingsOf(OfBatch, []binding{
			{"esc q", ActionQuit, "go back to the batch; a session that runs continues", "back to the batch", nil},
		}),
		bindingsOf(OnSession, []binding{
			{"space", ActionNext, "run the next turn, or continue after a pause", "next turn", nil},
			{"S", ActionRound, "run the rest of this round", "", nil},
			{"esc", ActionCancel, "cancel the running call or command and drop its result", "cancel", nil},
			{"a", ActionAuto, "auto mode: run turn after turn, or stop after each", "auto", nil},
			{"s", ActionStop, "stop after this turn", "stop", nil},
			{"n", ActionAnswer, "answer a question of the session, or follow up on a finished one", "answer", nil},
			{"A", ActionAgree, "rule the selected point Agreed, as the user", "agree", nil},
			{"D", ActionDismiss, "rule the selected point Dismissed, as the user", "dismiss", nil},
			{"R", ActionReopen, "reopen the selected point", "reopen", nil},
			{"F", ActionFact, "record a fact, as the user", "fact", nil},
			{"u", ActionOverride, "override: list your decisions about the selected item", "override", nil},
			{"enter", ActionOpen, "open the selected item", "open", nil},
			{"w", ActionWhy, "explain what is selected: a ruling and what would change it, a challenge, evidence, a fact, a sentence", "why", nil},
			{"p", ActionPreview, "show the next prompt", "prompt", nil},
			{"e", ActionEditPrompt, "edit the next prompt", "", nil},
			{"y", ActionCopy, "copy the selected item", "", nil},
			{"o", ActionOpenFile, "open the cited file at its line in your editor", "", nil},
			{"x", ActionExport, "export the session to a file", "export", nil},
			{"f", ActionFork, "fork: start a new session from this one", "", nil},
			{"r", ActionReplay, "replay the events of the session, or return to the present", "replay", nil},
			{"/", ActionSearch, "search the pane", "search", nil},
		}),
		bindingsOf(InSearch, []binding{
			{"n; enter", ActionSearchNext, "go to the next match", "next", nil},
			{"N", ActionSearchPrevious, "go to the previous match", "previous", nil},
			{"esc", ActionSearchEnd, "end the search", "end search", nil},
		}),
		bindingsOf(OnSession, []binding{
			{"q", ActionQuit, "leave; the session is saved", "leave", nil},
			{":", ActionPalette, "find a command by its name", "commands", nil},
			{"?", ActionHelp, "show the keys", "help", nil},
			{"tab", ActionNextPane, "go to the next pane", "pane", nil},
			{"shift+tab", ActionPrevPane, "go to the previous pane", "", nil},
		}),
		bindingsOf(OnSession, viewBindings()),
		bindingsOf(OnSession, []binding{
			{"backspace", ActionBack, "go back to the previous view", "", nil},
			{"z", ActionZoom, "zoom the view, or show the other panes again", "", nil},
			{">", ActionSort, "sort the table by the next column", "sort", tables},
			{"<", ActionSortBefore, "sort the table by the previous column", "", tables},
			{"left h", ActionLeft, "move left", "", nil},
			{"right l", ActionRight, "move right", "", nil},
		}),
		bindingsOf(OnSession, cursor), bindingsOf(OnSession, pageDown),
		bindingsOf(InReview, decisions), bindingsOf(InReview, []binding{
			{"2", showsPane(pane.FindingsID), "Findings: what the reviewers found", "", nil},
			{"v", ActionSeverity, "show only the findings of one severity: the next one", "severity", findings},
			{"t", ActionStatus, "show only the findings with one status: the next one", "status", findings},
			{"i", ActionOnlyFile, "show only the findings in the file of the selected one, or those of all files", "file", findings},
			{"c", ActionShowAll, "show all findings again", "all", findings},
		}),
		bindingsOf(InReplay, []binding{
			{"left", ActionEarlier, "one event back", "back", nil},
			{"right", ActionLater, "one event forward", "forward", nil},
			{"[; shift+left", ActionEarlierRound, "to the start of the round, or of the previous one", "round", nil},
			{"]; shift+right", ActionLaterRound, "to the start of the next round", "", nil},
			{"home", ActionFirstEvent, "to the first event", "first", nil},
			{"end", ActionLastEvent, "to the last event", "last", nil},
			{"f", ActionFork, "fork: start a new session from this event", "fork here", nil},
		}),
		bindingsOf(OnHome, []binding{
			{"enter", ActionOpen, "open the session to continue or read it", "open", nil},
			{"n", ActionAsk, "ask a new question", "new question", nil},
			{"/", ActionFilter, "find: sessions by name, tag, repository, participant or status, and words in all that was argued", "find", nil},
			{"r", ActionReplay, "replay the events of the session", "replay", nil},
			{"f", ActionFork, "fork: start a new session from this one", "", nil},
			{"x", ActionExport, "export the session to a file", "export", nil},
			{"space", ActionMark, "mark the session, so that several are deleted at once", "mark", nil},
			{"d; delete", ActionDelete, "delete the session, or those that are marked (asks first)", "delete", nil},
			{"t", ActionTags, "change the tags of the session, or of those that are marked", "tags", nil},
			{"e", ActionRename, "give the session a name", "name", nil},
			{"y", ActionCopy, "copy the session's ID", "", nil},
			{"esc", ActionSearchEnd, "show all sessions again, or take away the marks", "", nil},
			{":", ActionPalette, "find a command by its name", "commands", nil},
			{"?", ActionHelp, "show the keys", "help", nil},
			{"q", ActionQuit, "leave moot", "leave", nil},
		}),
		bindingsOf(OnHome, cursor), bindingsOf(OnHome, pageDown),
		bindingsOf(OnBatch, []binding{
			{"enter", ActionOpen, "open the session: live if it runs, else with its result first", "open", nil},
			{"/", ActionFilter, "filter by name, state, decision, answer or reason", "filter", nil},
			{"r", ActionRetry, "run the selected item again", "retry", nil},
			{"R", ActionRetryAll, "run all listed items again that failed or are inconclusive (asks first)", "retry all", nil},
			{"p", ActionPause, "pause the selected session, if it runs", "pause", nil},
			{"s", ActionStopBatch, "stop the batch: sessions that run are paused and saved (asks first)", "stop", nil},
			{"t", ActionOnlyState, "list only the items in one state: the next one", "state", nil},
			{"i", ActionItem, "show everything about the selected item", "item", nil},
			{"y", ActionCopy, "copy the name of the selected item", "", nil},
			{"esc", ActionSearchEnd, "list all items again", "", nil},
			{"tab", ActionNextPane, "go to the other list", "list", nil},
			{"shift+tab", ActionPrevPane, "go to the other list", "", nil},
			{":", ActionPalette, "find a command by its name", "commands", nil},
			{"?", ActionHelp, "show the keys", "help", nil},
			{"q", ActionQuit, "leave this screen; a batch that runs continues", "leave", nil},
		}),
		bindingsOf(OnBatch, cursor), bindingsOf(OnBatch, pageDown), bindingsOf(InReader, cursor),
		bindingsOf(InFinding, decisions), bindingsOf(InReader, []binding{
			{"esc; q enter ?", ActionClose, "close", "close", nil},
			{"pgdown; ctrl+f space", ActionPageDown, "a page down", "more", nil},
			{"A", ActionAgree, "rule this point Agreed", "agree", nil},
			{"D", ActionDismiss, "rule this point Dismissed", "dismiss", nil},
			{"R", ActionReopen, "reopen this point", "reopen", nil},
			{"e", ActionEditPrompt, "edit this prompt", "edit", nil},
			{"y", ActionCopy, "copy the text", "copy", nil},
			{"o", ActionOpenFile, "open the cited file in your editor", "open file", nil},
		}),
		bindingsOf(InForm, []binding{
			{"esc", ActionClose, "close and keep a draft", "save draft", nil},
			{"ctrl+s; ctrl+enter", ActionSend, "send", "send", nil},
			{"ctrl+o", ActionParticipants, "choose a participant from a list that says what each is, and why one is not usable", "participants", nil},
		}),
		bindingsOf(InList, []binding{
			{"esc", ActionClose, "close", "close", nil},
			{"enter", ActionChoose, "choose the selected entry", "select", nil},
			{"up; ctrl+p", ActionUp, "select the previous one", "", nil},
			{"down; ctrl+n", ActionDown, "select the next one", "", nil},
			{"pgup", ActionPageUp, "a page up", "", nil},
			{"pgdown", ActionPageDown, "a page down", "", nil},
		}),
		bindingsOf(Everywhere, []binding{
			{"ctrl+t", ActionTheme, "use the next theme", "", nil},
			{"ctrl+c", ActionInterrupt, "leave; twice: leave at once", "", nil},
			{"ctrl+z", ActionSuspend, "put moot into the background", "", nil},
		}),
	)
}
