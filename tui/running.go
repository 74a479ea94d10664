package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"moot/state"
)

// running are the commands that run now: those that may run and did not end,
// while the session neither waits nor asks a seat.
func (m *Model) running() []string {
	if m.ended || m.idle || !m.told || len(m.calls) > 0 {
		return nil
	}
	now, _ := m.present()
	var commands []string
	for _, id := range now.Commands {
		if e := now.Item(id); e != nil && e.Approval.Allows() && !e.Checked {
			commands = append(commands, e.Reference)
		}
	}
	return commands
}

// watchCommands notes since when commands run.
func (m *Model) watchCommands() {
	switch {
	case len(m.running()) == 0:
		m.runningSince = time.Time{}
	case m.runningSince.IsZero():
		m.runningSince = m.options.Now()
	}
}

// commandStatus says which commands run, and for how long.
func (m *Model) commandStatus() string {
	text := "running " + strings.Join(m.running(), ", ")
	if seconds := int(m.options.Now().Sub(m.runningSince).Seconds()); seconds > 0 && !m.runningSince.IsZero() {
		text += fmt.Sprintf("  %d s", seconds)
	}
	return text
}

// answeredAll reports whether questions have their answers.
func answeredAll(s *state.State, questions []string) bool {
	for _, q := range s.Questions.All() {
		if !q.Answered && slices.Contains(questions, q.ID) {
			return false
		}
	}
	return true
}
