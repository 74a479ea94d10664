package tui

import (
	"cmp"
	"fmt"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// statusLine says what happens, or what the session waits for.
func (m *Model) statusLine(width int) string {
	st, text := m.status()
	mode := when(m.auto, "auto", "step by step")
	if m.ended || m.atHome {
		mode = ""
	}
	// What the round costs at least stays in sight where it goes on by itself.
	if cost := m.roundCost(); mode != "" && len(m.calls) > 0 && cost != "" {
		if both := cost + "  " + mode; m.look.Width(text)+m.look.Width(both)+4 <= width {
			mode = both
		}
	}
	return m.look.Row(width, []theme.Span{st.Span(" " + text)}, []theme.Span{m.look.Faint.Span(when(mode == "", "", mode+" "))})
}

// statusRows is the status wrapped, where it takes more than a line.
func (m *Model) statusRows(width int) []string {
	if m.layout.Status.H <= 1 {
		return []string{m.statusLine(width)}
	}
	st, text := m.status()
	return pane.Fit(m.look.Paragraph(width, []theme.Span{{Text: " "}}, st.Span(text), nil, m.layout.Status.H), width, m.layout.Status.H)
}

// statusHeight is how many lines the status needs.
func (m *Model) statusHeight() int {
	_, text := m.status()
	if room := m.width - len(" step by step "); m.look.Width(text) < room {
		return 1
	}
	return max(len(m.look.Wrap(text, m.width-1)), 1)
}

func (m *Model) status() (theme.Style, string) {
	l := m.look
	switch {
	case m.flash != "":
		return when(m.flashWarn, l.Warn, l.User), m.flash
	case m.search.on():
		return m.search.status(l)
	case m.atHome:
		return m.homeStatus()
	case m.replaying():
		return m.replayStatus()
	case m.ended:
		return m.endStatus()
	case m.leaving:
		return l.Faint, "leaving: the session is saved"
	case m.state.Paused != state.PauseNone && m.idle:
		next := "space tries again"
		if protocol.CapReached(&m.state) != "" {
			next = "override sets the budget here"
		}
		return l.Warn, fmt.Sprintf("paused, %s; all up to here is saved; %s", cmp.Or(m.state.PauseReason, string(m.state.Paused)), next)
	case len(m.veiled) > 0 && m.idle:
		return l.User, "the other answers are hidden until you have given yours; " + m.keyOf(ActionNext) + " asks you"
	case m.waiting:
		return l.Warn, "nothing goes on until you answer"
	case len(m.calls) > 0:
		return l.Text, m.callStatus()
	case len(m.ready) > 0 && m.yours() != "":
		return l.User, "next: " + m.nextTurn() + "; " + m.yours()
	case len(m.ready) > 0:
		return l.Text, "next: " + m.nextTurn()
	case !m.told:
		return l.Faint, "opening the session"
	case len(m.running()) > 0:
		return l.Text, m.commandStatus()
	}
	return l.Faint, "checking and ruling"
}

func (m *Model) callStatus() string {
	var parts []string
	for _, c := range m.calls {
		if c.Done {
			continue
		}
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s  %s", c.Seat, pane.StageName(c.Stage), c.Progress(m.clock()))))
	}
	switch ended := len(m.calls) - len(parts); {
	case len(parts) == 0:
		return "reading the reply"
	case ended > 0:
		return fmt.Sprintf("%d/%d ended, ", ended, len(m.calls)) + strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ")
}

// nextTurn names who is asked next for what, and what the round costs.
func (m *Model) nextTurn() string {
	var parts []string
	for _, a := range m.ready {
		parts = append(parts, string(a.Seat)+" "+pane.StageName(a.Stage))
	}
	text := strings.Join(parts, ", ")
	if cost := m.roundCost(); cost != "" {
		text += "; " + cost
	}
	return text
}

// roundCost says what this round costs at least, "" where no model is asked.
func (m *Model) roundCost() string {
	f := m.forecast
	if f == nil || f.Round != m.state.Round {
		return ""
	}
	text := fmt.Sprintf("round %d takes at least %s, %s tok", f.Round, when(f.Calls == 1, "1 call", fmt.Sprint(f.Calls, " calls")), pane.FormatCount(f.Tokens))
	if f.Priced {
		text += ", " + pane.FormatMoney(f.Cost)
	}
	return text
}

func (m *Model) endStatus() (theme.Style, string) {
	if m.state.Closed {
		ended := "closed"
		switch {
		case m.state.Inconclusive:
			ended = "inconclusive"
		case resolver.Found(m.rulings):
			ended = "FOUND, judged by no model"
		}
		text := ended + ": " + m.buckets.Summary()
		if m.state.Exit != state.ExitNone {
			text += ", exit " + string(m.state.Exit)
		}
		if m.opened.ShowCommand != "" {
			text += "  " + m.look.Glyphs.Arrow + " " + m.opened.ShowCommand
		}
		return when(m.state.Inconclusive, m.look.Warn, m.look.Agreed), text
	}
	text := "the session stopped; it is saved"
	if m.err != nil {
		text = m.err.Error()
	}
	if m.opened.ResumeCommand != "" {
		text += "  " + m.look.Glyphs.Arrow + " " + m.opened.ResumeCommand
	}
	return m.look.Warn, text
}
