package tui

import (
	"io"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
)

// jobs is what a shell's job control asks for: to stop, and to go on.
type jobs struct {
	// known says that the signals of job control are listened to.
	known bool
	// away says that the terminal is not ours: another program has it.
	away atomic.Bool
	// back is when the terminal was ours again, in nanoseconds of Unix time.
	back atomic.Int64
	// goesOn wakes a program that was stopped.
	goesOn chan struct{}
}

// backTime is how long after its return an interrupt may still be told of that
// was meant for the program before us.
const backTime = 500 * time.Millisecond

// settleTime is how long the terminal is away at least. The library stops the
// clock of its renderer a moment after it gave the terminal away; had it taken it
// again by then, the clock would stand still and nothing would be drawn any more.
const settleTime = 50 * time.Millisecond

// justBack reports whether the terminal was another program's a moment ago.
func (j *jobs) justBack() bool { return time.Since(time.Unix(0, j.back.Load())) < backTime }

// released is what runs while the terminal is not ours.
type released struct {
	run              func(in io.Reader, out, problems io.Writer) error
	in               io.Reader
	out, problemsOut io.Writer
}

// SetStdin takes what the terminal is read from. A program gets the terminal
// itself, not what watches it for us.
func (r *released) SetStdin(in io.Reader) {
	r.in = in
	if watched, ok := in.(*terminalInput); ok {
		r.in = watched.File
	}
}

// SetStdout takes what the terminal is written to.
func (r *released) SetStdout(out io.Writer) { r.out = out }

// SetStderr takes where problems are told.
func (r *released) SetStderr(out io.Writer) { r.problemsOut = out }

// Run runs it.
func (r *released) Run() error { return r.run(r.in, r.out, r.problemsOut) }

// release gives the terminal back, runs, takes it again and draws all anew. The
// error that then gets is that of run, or says that the terminal is gone.
func (m *Model) release(run func(in io.Reader, out, problems io.Writer) error, then func(m *Model, err error) tea.Cmd) tea.Cmd {
	ran := &released{run: func(in io.Reader, out, problems io.Writer) (err error) {
		m.jobs.away.Store(true)
		settled := time.After(settleTime)
		defer func() {
			<-settled
			m.jobs.back.Store(time.Now().UnixNano())
			m.jobs.away.Store(false)
		}()
		defer m.crash.catch(func() { m.inbox.push(crashed{}) })
		return run(in, out, problems)
	}}
	return tea.Exec(ran, func(err error) tea.Msg {
		return answer(func(m *Model) tea.Cmd { return then(m, err) })
	})
}

// stopTime is how long a process that told itself to stop may still run. Where
// no shell could make it go on again the system does not stop it at all.
const stopTime = 250 * time.Millisecond

// suspend puts the program into the background until it is told to go on. The
// library's own way waits for ever where the system does not stop the process.
func (m *Model) suspend() tea.Cmd {
	if !m.jobs.known {
		m.say("there is no background to go to from here", true)
		return nil
	}
	refused := false
	return m.release(func(_ io.Reader, out, _ io.Writer) error {
		m.keepTitle(out, false)
		defer m.keepTitle(out, true)
		select {
		case <-m.jobs.goesOn:
		default:
		}
		stopGroup()
		// Twice: a process that goes on finds the time over, too.
		for range 2 {
			select {
			case <-m.jobs.goesOn:
				if m.signalled.Load() != 0 {
					// It goes on to leave, and the terminal is the shell's still.
					runInBackground()
				}
				return nil
			case <-time.After(stopTime):
			}
		}
		refused = true
		return nil
	}, func(m *Model, err error) tea.Cmd {
		if refused {
			m.say("nothing could bring moot back from the background: no shell with job control started it", true)
		}
		return m.regained(err)
	})
}

// regain takes the terminal again after the process was stopped by others.
func (m *Model) regain() tea.Cmd {
	return m.release(func(io.Reader, io.Writer, io.Writer) error { return nil }, (*Model).regained)
}

// regained follows when the terminal was taken again.
func (m *Model) regained(err error) tea.Cmd {
	if err != nil {
		m.hungUp()
	}
	return nil
}
