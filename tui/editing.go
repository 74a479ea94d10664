package tui

import (
	"io"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// editInEditor writes the text of the dialog in the person's editor. The session
// goes on meanwhile.
func (m *Model) editInEditor() tea.Cmd {
	d, ok := m.dialog().(editable)
	if !ok {
		return nil
	}
	text, edit := d.editedText(), m.options.Services.EditText
	return m.outside(func() answer {
		command, read, err := edit(text)
		if err != nil {
			return warning(err.Error())
		}
		return func(m *Model) tea.Cmd {
			return m.execute(command, func(failed error) answer {
				// It is read whatever happened: the file is removed then.
				edited, err := read()
				switch {
				case failed != nil:
					return warning("the editor ended badly: " + failed.Error() + "; the text is as it was")
				case err != nil:
					return warning(err.Error())
				}
				return func(m *Model) tea.Cmd {
					d.setEditedText(asBefore(text, edited))
					return nil
				}
			})
		}
	})
}

// asBefore takes off the line break that editors put at the end of a file, where
// the text had none.
func asBefore(text, edited string) string {
	if strings.HasSuffix(text, "\n") {
		return edited
	}
	edited = strings.TrimSuffix(edited, "\n")
	return strings.TrimSuffix(edited, "\r")
}

// warning is an answer that only says something.
func warning(what string) answer {
	return func(m *Model) tea.Cmd {
		m.say(what, true)
		return nil
	}
}

// execute gives the terminal to a program until it ends, and then does what comes
// of it. The screen is drawn anew afterwards. Ctrl-c and ctrl-z are the
// program's own meanwhile.
func (m *Model) execute(command *exec.Cmd, then func(err error) answer) tea.Cmd {
	return m.release(func(in io.Reader, out, problems io.Writer) error {
		command.Stdin, command.Stdout, command.Stderr = in, out, problems
		return command.Run()
	}, func(m *Model, err error) tea.Cmd {
		return m.outside(func() answer { return then(err) })
	})
}
