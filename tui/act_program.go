package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
	"moot/tui/theme"
)

// programFamily is what concerns the program whole.
func programFamily() family {
	return family{
		title:   "The program",
		actions: []Action{ActionQuit, ActionInterrupt, ActionSuspend, ActionTheme, ActionMouse, ActionProblems},
		why: func(m *Model, a Action) string {
			switch {
			case a == ActionProblems && len(m.options.Problems) == 0:
				return "the configuration has no problems"
			case a == ActionMouse && m.options.NoMouse:
				return "the mouse was switched off at the start"
			}
			return ""
		},
		do: (*Model).actProgram,
	}
}

func (m *Model) actProgram(a Action) tea.Cmd {
	switch {
	case a == ActionInterrupt:
		m.exitCode = exitInterrupted
		return m.leaveFor(nil)
	case a == ActionQuit && !m.atHome && m.options.Home != nil:
		return m.leaveFor(m.goHome)
	case a == ActionQuit:
		return m.leaveFor(nil)
	case a == ActionSuspend:
		return m.suspend()
	case a == ActionTheme:
		m.nextTheme()
	case a == ActionMouse:
		m.mouseOn = !m.mouseOn
		m.say(when(m.mouseOn, "moot has the mouse again", "the terminal has the mouse: mark and copy as usual"), false)
	case a == ActionProblems:
		m.push(&reader{heading: "Configuration", blocks: m.problemBlocks})
	}
	return nil
}

// nextTheme draws in the next theme.
func (m *Model) nextTheme() { m.useTheme(m.options.Themes.Next(m.appearance.Theme)) }

// useTheme draws in a theme, and says which.
func (m *Model) useTheme(t *theme.Theme) {
	m.appear(func(a *theme.Appearance) { a.Theme = t })
	m.say("theme: "+t.Name+when(m.appearance.Mono, ", without its colors, since NO_COLOR is set", ""), false)
}

// sayProblems says how many problems the configuration has, and where they are
// shown; what was said before stays before it.
func (m *Model) sayProblems() {
	n := len(m.options.Problems)
	if n == 0 {
		return
	}
	said := fmt.Sprintf("the configuration has %d problem%s; the command %s shows what", n, when(n == 1, "", "s"), ActionProblems.words())
	m.say(when(m.flash == "", said, m.flash+"; "+said), true)
}

func (m *Model) problemBlocks(l *theme.Look) []pane.Block {
	var list []pane.Block
	for _, p := range m.options.Problems {
		list = append(list, pane.Block{Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Text.Span(p)})
	}
	return append(list, pane.Block{}, pane.Block{Body: l.Faint.Span("What is wrong is left out; the default holds in its place.")})
}
