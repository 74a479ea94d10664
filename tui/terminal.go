package tui

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"moot/internal/plain"
)

// terminalInput is a terminal that reports when reading from it fails. The library continues without input then.
type terminalInput struct {
	*os.File
	gone func()
}

// Read reads from the terminal.
func (t *terminalInput) Read(into []byte) (int, error) {
	n, err := t.File.Read(into)
	if err != nil {
		t.gone()
		return n, io.EOF
	}
	return n, nil
}

// input returns the reader for the library, or nil for its default.
func (m *Model) input() io.Reader {
	in := m.options.Input
	if in == nil {
		in = os.Stdin
	}
	if file, ok := in.(*os.File); ok && term.IsTerminal(file.Fd()) {
		return &terminalInput{file, m.hungUp}
	}
	return m.options.Input
}

func (m *Model) output() io.Writer {
	if m.options.Output != nil {
		return m.options.Output
	}
	return os.Stdout
}

// environment returns the last value of a variable, or "".
func environment(entries []string, name string) string {
	value := ""
	for _, entry := range entries {
		if v, found := strings.CutPrefix(entry, name+"="); found {
			value = v
		}
	}
	return value
}

// The parameters of XTWINOPS that save and restore the title of the window.
const pushTitle, popTitle, windowTitle = 22, 23, 2

// saveTitle and restoreTitle keep the title of the terminal's window: the library leaves an empty one.
func (m *Model) saveTitle(out io.Writer) { m.windowOp(out, pushTitle) }

func (m *Model) restoreTitle(out io.Writer) { m.windowOp(out, popTitle) }

func (m *Model) windowOp(out io.Writer, operation int) {
	file, ok := out.(term.File)
	if ok && term.IsTerminal(file.Fd()) && environment(m.options.Environ, "TERM") != "dumb" {
		_, _ = io.WriteString(out, ansi.WindowOp(operation, windowTitle))
	}
}

// maxTitle is the maximum width of the window's title.
const maxTitle = 80

// windowTitle returns the title of the window: the question, and how many questions wait for the user.
func (m *Model) windowTitle() string {
	if t := environment(m.options.Environ, "TERM"); t == "dumb" || t == "linux" {
		// There is no window.
		return ""
	}
	now, _ := m.present()
	if m.atHome || now.Question == "" {
		return "moot"
	}
	asked := ""
	if n := len(m.allAsked()); n > 0 {
		asked = fmt.Sprintf(" (%d asked)", n)
	}
	return m.look.Clip("moot: "+plain.Line(now.Question), maxTitle-len(asked)) + asked
}

// ring rings the terminal's bell if the user looks at another window: moot waits for the user, or has ended.
func (m *Model) ring() tea.Cmd {
	if m.options.NoNotify || !m.blurred {
		return nil
	}
	return tea.Raw("\a")
}

// editInEditor opens the text of the dialog in the user's editor. The session continues meanwhile.
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
				// Reading also removes the file, so it is done even if the editor failed.
				edited, err := read()
				switch {
				case failed != nil:
					return warning("the editor failed: " + failed.Error() + "; the text is unchanged")
				case err != nil:
					return warning(err.Error())
				}
				if !strings.HasSuffix(text, "\n") {
					// Editors end the last line of a file.
					edited = strings.TrimSuffix(strings.TrimSuffix(edited, "\n"), "\r")
				}
				return func(*Model) tea.Cmd {
					d.setEditedText(edited)
					return nil
				}
			})
		}
	})
}

// warning returns an answer that only shows a message.
func warning(text string) answer {
	return func(m *Model) tea.Cmd {
		m.say(text, true)
		return nil
	}
}

// execute gives the terminal to a program until it ends. The program handles ctrl-c and ctrl-z itself meanwhile.
func (m *Model) execute(command *exec.Cmd, then func(err error) answer) tea.Cmd {
	return m.release(func(in io.Reader, out, stderr io.Writer) error {
		command.Stdin, command.Stdout, command.Stderr = in, out, stderr
		return command.Run()
	}, func(m *Model, err error) tea.Cmd {
		return m.outside(func() answer { return then(err) })
	})
}

// jobs is the state for a shell's job control.
type jobs struct {
	// enabled says that moot receives the signals of job control.
	enabled bool
	// away says that another program has the terminal; back is when moot got it again, in nanoseconds of Unix time.
	away atomic.Bool
	back atomic.Int64
	// continued receives a value when the stopped process continues.
	continued chan struct{}
}

// backTime is how long after its return an interrupt may arrive that was meant for the program before.
const backTime = 500 * time.Millisecond

// justBack reports whether another program had the terminal a moment ago.
func (j *jobs) justBack() bool { return time.Since(time.Unix(0, j.back.Load())) < backTime }

// The library stops its renderer's ticker shortly after it has released the terminal, and doesn't say when. If moot
// took the terminal back before that, nothing would be drawn anymore. Sleeping several times lets every other goroutine
// run meanwhile, even on a busy machine.
const (
	settleTime  = 5 * time.Millisecond
	settleTimes = 10
)

// released is a tea.ExecCommand that runs a function while moot doesn't have the terminal.
type released struct {
	run         func(in io.Reader, out, stderr io.Writer) error
	in          io.Reader
	out, stderr io.Writer
}

// SetStdin implements tea.ExecCommand. A program gets the terminal itself, without our error handling.
func (r *released) SetStdin(in io.Reader) {
	r.in = in
	if watched, ok := in.(*terminalInput); ok {
		r.in = watched.File
	}
}

// SetStdout implements tea.ExecCommand.
func (r *released) SetStdout(out io.Writer) { r.out = out }

// SetStderr implements tea.ExecCommand.
func (r *released) SetStderr(out io.Writer) { r.stderr = out }

// Run implements tea.ExecCommand.
func (r *released) Run() error { return r.run(r.in, r.out, r.stderr) }

// release runs a function while moot doesn't have the terminal. then gets its error, or one that says that the terminal
// is gone.
func (m *Model) release(
	run func(in io.Reader, out, stderr io.Writer) error, then func(m *Model, err error) tea.Cmd,
) tea.Cmd {
	command := &released{run: func(in io.Reader, out, stderr io.Writer) (err error) {
		m.jobs.away.Store(true)
		defer func() {
			for range settleTimes {
				time.Sleep(settleTime)
			}
			m.jobs.back.Store(time.Now().UnixNano())
			m.jobs.away.Store(false)
		}()
		defer m.crash.catch(func() { m.inbox.push(crashed{}) })
		return run(in, out, stderr)
	}}
	return tea.Exec(command, func(err error) tea.Msg {
		return answer(func(m *Model) tea.Cmd { return then(m, err) })
	})
}

// A process that stopped itself checks this often whether it continues, up to stopTimes: if the system doesn't stop it,
// nothing tells it to continue. The time only runs while the process does.
const (
	stopTime  = 250 * time.Millisecond
	stopTimes = 20
)

// suspend puts moot into the background until the shell continues it. The library's own way waits forever if the system
// doesn't stop the process.
func (m *Model) suspend() tea.Cmd {
	const alone = "nothing could bring moot back from the background: no shell with job control started it"
	switch {
	case !m.jobs.enabled:
		m.say("moot can't go to the background here", true)
		return nil
	case withoutShell():
		m.say(alone, true)
		return nil
	}
	continued := false
	return m.release(func(in io.Reader, out, _ io.Writer) error {
		m.restoreTitle(out)
		defer m.saveTitle(out)
		select {
		case <-m.jobs.continued:
		default:
		}
		stopGroup()
		continued = m.jobs.waitUntilContinued()
		for i := 0; i < stopTimes && m.signalled.Load() == 0 && inBackground(in); i++ {
			// A signal to end may arrive just after the one to continue, and a process that takes the terminal
			// from the shell by then stays stopped.
			time.Sleep(stopTime)
		}
		if m.signalled.Load() != 0 {
			// moot is about to end, and the terminal may still belong to the shell.
			runInBackground()
		}
		return nil
	}, func(m *Model, err error) tea.Cmd {
		if !continued {
			m.say(alone, true)
		}
		return m.regained(err)
	})
}

// waitUntilContinued waits until the process that stopped itself continues. It reports false if the system did not stop
// it.
func (j *jobs) waitUntilContinued() bool {
	for range stopTimes {
		select {
		case <-j.continued:
			return true
		case <-time.After(stopTime):
		}
	}
	return false
}

// regain takes the terminal back after something else stopped the process.
func (m *Model) regain() tea.Cmd {
	return m.release(func(io.Reader, io.Writer, io.Writer) error { return nil }, (*Model).regained)
}

// regained ends moot if the terminal is gone.
func (m *Model) regained(err error) tea.Cmd {
	if err != nil {
		m.hungUp()
	}
	return nil
}
