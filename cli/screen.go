package cli

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"moot/protocol"
	"moot/state"
	"moot/tui"
)

// screenOptions are what every screen is opened with.
func (c *Console) screenOptions(looks *lookOptions, o *outside) tui.Options {
	// What is wrong with a file of the person's is said before the screen covers it.
	c.agentPrograms()
	options := tui.Options{
		Services: o.services(), Now: c.Now, Environ: c.Environ, Signals: c.Signals, Input: c.In, Output: c.Out,
	}
	looks.apply(&options)
	return options
}

// screen runs a session in the terminal's screen. It has no way home: whoever
// names a session on the command line comes back to it.
func (s *sitting) screen(ctx context.Context) error {
	o := &outside{console: s.console, calls: s.calls}
	opened := o.hand(s, nil)
	options := s.console.screenOptions(&s.front.looks, o)
	options.Opened = &opened
	if s.demo != nil {
		options.ModelessNote = demoNote
	}
	result, err := tui.Run(ctx, options)
	if err != nil {
		return errors.Join(err, o.concludeOthers(s))
	}
	return o.conclude(&result)
}

// conclude says how the session that was on the screen ended, and how to go on
// with the others that were worked on.
func (o *outside) conclude(result *tui.Result) error {
	var shown *run
	if !result.Home {
		shown = o.last(result.State.ID)
	}
	if shown == nil {
		return errors.Join(o.concludeOthers(nil), leaveWith(result.ExitCode))
	}
	failed := o.concludeOthers(shown.sitting)
	last := protocol.Ended{State: result.State, Rulings: result.Rulings}
	if e := shown.ended.Load(); e != nil {
		last.Err = e.Err
	}
	if result.Left && last.Err == nil {
		last.Err = protocol.ErrStopped
	}
	if result.Left && result.State.Paused != state.PauseNone && result.State.Paused != state.PauseUser {
		// It was paused by rule before the person left: the result so far.
		last.Err = nil
	}
	return errors.Join(failed, shown.conclude(last, result.ExitCode))
}

// concludeOthers says in a line each where the sessions are that were worked on,
// but for one. The error is that of a session that could not go on.
func (o *outside) concludeOthers(but *sitting) error {
	o.mutex.Lock()
	runs := o.runs
	o.mutex.Unlock()
	var failed error
	told := map[string]bool{}
	if but != nil {
		told[but.state.ID] = true
	}
	for _, r := range runs {
		id, closed := r.state.ID, false
		if e := r.ended.Load(); e != nil {
			closed = e.State.Closed
			if e.Err != nil && !errors.Is(e.Err, protocol.ErrStopped) {
				failed = errors.Join(failed, e.Err)
			}
		}
		if told[id] || r.file == nil || o.last(id) != r {
			continue
		}
		told[id] = true
		if closed {
			o.console.Say("finished   %s; look at it with: moot show %s", id, id)
			continue
		}
		o.console.Say("saved      %s; go on with: %s", id, r.resumeLine())
	}
	return failed
}

// crashPath is where a crash is told: beside the session.
func crashPath(session string, now time.Time) string {
	return filepath.Join(filepath.Dir(filepath.Dir(session)), "crash-"+now.UTC().Format("20060102-150405")+".txt")
}
