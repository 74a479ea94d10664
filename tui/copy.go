package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
	"moot/tui/pane"
	"moot/tui/theme"
)

// Bounds of what goes to the terminal's clipboard.
const (
	// mostOSC52 is the longest text, in bytes, that terminals commonly take by
	// OSC 52: 100,000 bytes of a sequence.
	mostOSC52 = 74_994
	// screenChunk is the longest string that GNU screen passes on.
	screenChunk = 760
)

// copySelected copies what is read, or what is selected.
func (m *Model) copySelected() tea.Cmd {
	if d := m.dialog(); d != nil {
		r, reads := d.(*reader)
		if !reads {
			m.say("nothing is read here", true)
			return nil
		}
		return m.copyOut(when(r.about == "", "what is read", r.about), r.copied(m.look))
	}
	pane := m.paneOf(m.focus)
	text := pane.Copied()
	if text == "" {
		m.say("select something first", true)
		return nil
	}
	return m.copyOut(copyName(pane.Selected(), text), text)
}

// copyOut puts a text on the clipboards: that of the terminal, which works over
// ssh as well, and that of the system. It says what was done, and no more: a
// terminal does not answer.
func (m *Model) copyOut(what, text string) tea.Cmd {
	shown := plain.Text(text)
	if shown != text && strings.ReplaceAll(text, "\t", "    ") != shown {
		what += ", with what cannot be shown written out"
	}
	said := what + ": sent to the terminal's clipboard (OSC 52; it does not answer)"
	var send tea.Cmd
	if len(shown) > mostOSC52 {
		said = fmt.Sprintf("%s: not sent to the terminal, %s bytes are more than most take by OSC 52 (%s)", what, pane.FormatCount(len(shown)), pane.FormatCount(mostOSC52))
	} else {
		send = m.sendOSC52(shown)
	}
	m.say(said, send == nil)
	system := m.options.Services.Copy
	if system == nil {
		return send
	}
	return tea.Batch(send, m.outside(func() answer {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		how, err := system(ctx, shown)
		return func(m *Model) tea.Cmd {
			if err != nil {
				m.say(said+"; "+err.Error(), send == nil)
				return nil
			}
			m.say(said+"; copied to "+how, false)
			return nil
		}
	}))
}

// sendOSC52 sends a text to the terminal's clipboard. In tmux it goes both ways
// that tmux may let through, in GNU screen the one.
func (m *Model) sendOSC52(text string) tea.Cmd {
	sequence := ansi.SetSystemClipboard(text)
	switch {
	case m.getenv("TMUX") != "":
		return tea.Batch(tea.SetClipboard(text), tea.Raw(ansi.TmuxPassthrough(sequence)))
	case m.getenv("STY") != "":
		return tea.Raw(ansi.ScreenPassthrough(sequence, screenChunk))
	}
	return tea.SetClipboard(text)
}

// getenv is a variable of the environment, or "".
func (m *Model) getenv(name string) string {
	value := ""
	for _, entry := range m.options.Environ {
		if v, found := strings.CutPrefix(entry, name+"="); found {
			value = v
		}
	}
	return value
}

// copied is what is read, without the breaks of its lines.
func (r *reader) copied(l *theme.Look) string {
	if r.copies != nil {
		return r.copies()
	}
	var lines []string
	for _, b := range r.blocks(l) {
		lines = append(lines, strings.TrimRight(strings.Repeat(" ", b.Indent)+b.Section+b.Lead.Text+b.Body.Text, " "))
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
