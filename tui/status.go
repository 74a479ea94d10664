package tui

import (
	"fmt"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
	"moot/view"
)

// footer names the keys that work now, as many as there is room for.
func (m *Model) footer(width int) string {
	l := m.look
	switch {
	case m.dialog() != nil:
		// The frame of the dialog names the keys.
		return theme.Blank(width)
	case m.typing():
		end, enter := "end search", "go there"
		hints := []theme.Span{}
		if m.atHome {
			end, enter = "end filter", "open"
			if !m.onBatch() {
				end = "show all"
				hints = []theme.Span{l.Bold.Span("  tab "), l.Faint.Span("names or places")}
			}
		}
		hints = append([]theme.Span{l.Bold.Span(" esc "), l.Faint.Span(end), l.Bold.Span("  enter "), l.Faint.Span(enter)}, hints...)
		return l.Row(width, hints, nil)
	}
	right, used := m.fixedHints(width)
	return l.Row(width, append([]theme.Span{{Text: " "}}, m.keyHints(width-used-3)...), right)
}

// quitWidth is the width from which the footer always names the key to quit.
const quitWidth = 60

// fixedActions returns the actions at the end of the footer.
func (m *Model) fixedActions(width int) []Action {
	switch {
	case width < quitWidth:
		return []Action{ActionHelp}
	case width < pane.WideWidth:
		return []Action{ActionQuit, ActionHelp}
	}
	return []Action{ActionPalette, ActionQuit, ActionHelp}
}

// fixedHints draws the keys at the end of the footer.
func (m *Model) fixedHints(width int) (spans []theme.Span, used int) {
	words := map[Action]string{ActionPalette: "commands  ", ActionQuit: m.leaveWords() + "  ", ActionHelp: "help "}
	for _, a := range m.fixedActions(width) {
		key := m.keyOf(a) + " "
		spans = append(spans, m.look.Bold.Span(key), m.look.Faint.Span(words[a]))
		used += m.look.Width(key + words[a])
	}
	return spans, used
}

// keyOf returns the key of an action where the user is, or "".
func (m *Model) keyOf(a Action) string {
	for _, place := range m.places() {
		for i := range m.keys.table {
			if b := &m.keys.table[i]; b.Place == place && b.Action == a && b.holds(m.focus) && !m.shadowed(b) {
				return b.Shown
			}
		}
	}
	return ""
}

// keyHints names the keys that work now, as many as there is room for. If there is little room, the first one is named
// in one word.
func (m *Model) keyHints(room int) []theme.Span {
	var spans []theme.Span
	for _, place := range m.places() {
		for i := range m.keys.table {
			b := &m.keys.table[i]
			if b.Place != place || !m.inFooter(b) || !b.holds(m.focus) || m.shadowed(b) || m.disabled(b.Action) != "" {
				continue
			}
			gap, key, name := "  ", b.Shown+" ", b.Footer
			if b.Action == ActionAnswer && m.mayFollowUp() && len(m.leftOpen()) == 0 {
				name = "follow up"
			}
			if len(spans) == 0 {
				gap = ""
			}
			if b.Action == ActionQuit {
				name = m.leaveWords()
			}
			if b.Action == ActionAuto && m.auto {
				name = "auto off"
			}
			if word, _, found := strings.Cut(name, " "); found && gap == "" && m.look.Width(key+name) > room {
				name = word
			}
			if width := m.look.Width(gap + key + name); width <= room {
				room -= width
				spans = append(spans, theme.Span{Text: gap}, m.look.Bold.Span(key), m.look.Faint.Span(name))
			}
		}
	}
	return spans
}

// inFooter reports whether the footer names a key. Exports and replays are named after the end of the session, rulings
// while a point is selected.
func (m *Model) inFooter(b *Binding) bool {
	switch {
	case b.Footer == "" || oneOf(b.Action, m.fixedActions(m.width)...):
		return false
	case oneOf(b.Action, ActionExport, ActionReplay):
		return m.atHome || m.ended
	case oneOf(b.Action, ActionAgree, ActionDismiss, ActionIntended, ActionMerge, ActionSplit, ActionReopen):
		return m.target() != ""
	}
	return true
}

// shadowed reports whether another binding gets the first key of this one.
func (m *Model) shadowed(b *Binding) bool {
	if len(b.Keys) == 0 {
		return true
	}
	found, ok := m.keys.find(m.places(), m.focus, b.Keys[0])
	return ok && found != b
}

// questionLine shows the first question to the user.
func (m *Model) questionLine(width int) string {
	asking := m.asking()
	if len(asking) == 0 {
		return theme.Blank(width)
	}
	mark := fmt.Sprintf(" %s %d asked ", m.look.Glyphs.Unresolved, len(asking))
	var right []theme.Span
	if key := m.keyOf(ActionAnswer); key != "" {
		right = []theme.Span{m.look.Bold.Span(key + " "), m.look.Faint.Span("answers ")}
	}
	left := []theme.Span{m.look.Warn.Span(mark), m.look.Text.Span(" " + asking[0].text(m.state))}
	return m.look.Row(width, left, right)
}

// statusRows draws the status, wrapped if it needs several lines.
func (m *Model) statusRows(width int) []string {
	style, text := m.status()
	if h := m.layout.Status.H; h > 1 {
		rows := m.look.Paragraph(width, []theme.Span{{Text: " "}}, style.Span(text), nil, h)
		return pane.Fit(rows, width, h)
	}
	mode := "step by step "
	switch {
	case m.ended || m.atHome:
		mode = ""
	case m.auto:
		mode = "auto "
	}
	switch {
	case mode == "":
	case m.opened.Watching:
		mode = "watching"
	case m.opened.Joined:
		mode = "joined, " + mode
	}
	// In auto mode the cost of the round stays visible if there is room.
	if cost := m.roundCost(); mode != "" && len(m.calls) > 0 && cost != "" {
		if both := cost + "  " + mode; m.look.Width(text)+m.look.Width(both)+3 <= width {
			mode = both
		}
	}
	if m.look.Width(text)+m.look.Width(mode)+2 > width {
		// What comes next is worth more than the mode.
		mode = ""
	}
	return []string{m.look.Row(width, []theme.Span{style.Span(" " + text)}, []theme.Span{m.look.Faint.Span(mode)})}
}

// statusMargin is how many columns of a row the text of the status does not use: the first and the last.
const statusMargin = 2

// statusHeight returns the number of lines that the status needs.
func (m *Model) statusHeight() int {
	_, text := m.status()
	if m.look.Width(text) < m.width {
		return 1 // One row has no margin at its end.
	}
	return max(len(m.look.Wrap(text, m.width-statusMargin)), 1)
}

// status says what happens, or what moot waits for.
func (m *Model) status() (theme.Style, string) {
	l := m.look
	switch {
	case m.flash != "" && m.flashWarn:
		return l.Warn, m.flash
	case m.flash != "":
		return l.User, m.flash
	case m.search.on():
		return m.search.status(l)
	case m.onBatch():
		return m.batchStatus()
	case m.atHome:
		return m.home.Status()
	case m.replaying():
		return m.replayStatus()
	case m.ended:
		return m.endStatus()
	case m.leaving && m.opened.Joined:
		return l.Text, "leaving: the session continues"
	case m.leaving && m.unsaved():
		return l.Text, "leaving: the session is not saved"
	case m.leaving:
		return l.Text, "leaving: the session is saved"
	case m.state.Paused != state.PauseNone && m.idle:
		_, why := view.StopOf(m.state)
		next, rest := m.keyOf(ActionNext)+" tries again", ""
		if run.CapReached(m.state) != "" {
			next = "an override (" + m.keyOf(ActionOverride) + ") raises the budget"
		}
		if !m.unsaved() {
			rest += "; everything so far is saved"
		}
		if m.dialog() == nil {
			rest += "; " + next
		}
		return l.Warn, m.clipped(why, rest)
	case len(m.veiled) > 0 && m.idle:
		text := "the other answers are hidden until you have given yours"
		if m.dialog() == nil {
			text += "; " + m.keyOf(ActionNext) + " asks you"
		}
		return l.User, text
	case m.waiting:
		return l.Warn, "waiting for your answer"
	case len(m.calls) > 0:
		return l.Text, m.callStatus()
	case len(m.ready) > 0:
		parts := lists.Map(m.ready, func(a protocol.Ask) string {
			call := view.Call{Seat: a.Seat, Stage: a.Stage}
			return call.String()
		})
		text := "next: " + strings.Join(parts, ", ")
		if cost := m.roundCost(); cost != "" {
			text += "; " + cost
		}
		if yours := m.yours(); yours != "" {
			return l.User, text + "; " + yours
		}
		return l.Text, text
	case !m.reported:
		return l.Text, "opening the session"
	case len(m.running()) > 0:
		return l.Text, m.commandStatus()
	}
	return l.Text, "checking and ruling"
}

// clipped shortens the reason so that the rest of the status, which says what to do, is never cut. The result has all
// of the reason.
func (m *Model) clipped(reason, rest string) string {
	width := max(m.width-statusMargin, 1)
	text := reason + rest
	for size := len(reason) - 1; size > 0 && len(m.look.Wrap(text, width)) > maxStatus; size -= width/8 + 1 {
		text = plain.Clip(reason, size) + rest
	}
	return text
}

func (m *Model) callStatus() string {
	var parts []string
	for _, c := range m.calls {
		if !c.Done {
			parts = append(parts, c.Line(m.clock()))
		}
	}
	switch ended := len(m.calls) - len(parts); {
	case len(parts) == 0:
		return "reading the reply"
	case ended > 0:
		return fmt.Sprintf("%d/%d ended; ", ended, len(m.calls)) + strings.Join(parts, "; ")
	}
	return strings.Join(parts, "; ")
}

// roundCost says what this round costs at least, or "" if no model is asked.
func (m *Model) roundCost() string {
	f := m.forecast
	if f == nil || f.Round != m.state.Round {
		return ""
	}
	return fmt.Sprintf("round %d: %d+ calls, %s tok, %s", f.Round, f.Calls, pane.FormatCount(f.Tokens),
		view.Price(f.Cost, f.Unpriced))
}

// endStatus says how the session ended, and the command to show or continue it.
func (m *Model) endStatus() (theme.Style, string) {
	style, command := m.look.Warn, m.opened.ResumeCommand
	reason, text := "", "the session stopped; it is saved"
	switch {
	case m.state.Closed:
		ended := "closed"
		style, command = m.look.Agreed, m.opened.ShowCommand
		if protocol.SessionExitCode(m.state, false) != protocol.ExitConcluded {
			style = m.look.Warn
		}
		if m.state.Inconclusive {
			ended = "inconclusive"
		} else if resolver.Found(m.state, m.rulings) {
			ended = "FOUND, judged by no model"
		}
		text = ended + ": " + m.buckets.Summary()
		if _, stopped := view.StopOf(m.state); stopped != "" {
			reason, text = stopped, "; "+m.buckets.Summary()
		} else if m.state.Exit != state.ExitNone {
			text += ", exit " + string(m.state.Ended())
		}
		if open := len(m.leftOpen()); open > 0 {
			text += ", " + view.Counted(open, "question") + " for you"
		}
	case m.err != nil:
		text = m.err.Error()
		if m.opened.Joined {
			command = "" // the error says whether to join it again or to continue it
		}
	}
	if command != "" {
		text += "  " + m.look.Glyphs.Arrow + " " + command
	}
	return style, m.clipped(reason, text)
}

// yours says which of the next prompts the user has edited, or "".
func (m *Model) yours() string {
	var seats []string
	for _, a := range m.ready {
		if m.edited[a.Seat] {
			seats = append(seats, string(a.Seat))
		}
	}
	if len(seats) == 0 {
		return ""
	}
	return "the next prompt to " + strings.Join(seats, " and ") + " is yours"
}
