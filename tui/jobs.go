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

// The library stops the clock of its renderer a moment after it gave the terminal
// away, and tells nobody. Had it taken the terminal again by then, the clock would stand
// still and nothing would be drawn any more. So it is given that moment several times
// over: whatever can run in this process runs while all else in it sleeps as often,
// however busy the machine is.
const (
	settleTime  = 5 * time.Millisecond
	settleTimes = 10
)

// letSettle gives the library the time to stop drawing.
func letSettle() {
	for range settleTimes {
		time.Sleep(settleTime)
	}
}

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
		defer func() {
			letSettle()
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

// A process that told itself to stop looks this often whether it goes on again,
// and so often at the most: where the system does not stop it, nobody tells it to.
// The time runs only while the process does.
const (
	stopTime  = 250 * time.Millisecond
	stopTimes = 20
)

// suspend puts the program into the background until it is told to go on. The
// library's own way waits for ever where the system does not stop the process.
func (m *Model) suspend() tea.Cmd {
	const alone = "nothing could bring moot back from the background: no shell with job control started it"
	switch {
	case !m.jobs.known:
		m.say("there is no background to go to from here", true)
		return nil
	case withoutShell():
		m.say(alone, true)
		return nil
	}
	wentOn := false
	return m.release(func(in io.Reader, out, _ io.Writer) error {
		m.keepTitle(out, false)
		defer m.keepTitle(out, true)
		select {
		case <-m.jobs.goesOn:
		default:
		}
		stopGroup()
		wentOn = m.jobs.waitToGoOn()
		for i := 0; i < stopTimes && m.signalled.Load() == 0 && inBackground(in); i++ {
			// Of two signals that came together the one to end may be told of last, and
			// whoever takes the terminal from the shell by then is stopped for ever.
			time.Sleep(stopTime)
		}
		if m.signalled.Load() != 0 {
			// It goes on to leave, and the terminal may be the shell's still.
			runInBackground()
		}
		return nil
	}, func(m *Model, err error) tea.Cmd {
		if !wentOn {
			m.say(alone, true)
		}
		return m.regained(err)
	})
}

// waitToGoOn waits until the process that told itself to stop is told to go on. It
// reports false where that is not so for as long as the process runs.
func (j *jobs) waitToGoOn() bool {
	for range stopTimes {
		select {
		case <-j.goesOn:
			return true
		case <-time.After(stopTime):
		}
	}
	return false
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
