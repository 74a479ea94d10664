package cli

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"time"

	"moot/protocol"
	"moot/state"
	"moot/tui"
)

// screen runs a session in the terminal's screen.
func (s *sitting) screen(ctx context.Context) error {
	// A participant that ignores its cancelled call may outlive the screen.
	var ended atomic.Pointer[protocol.Ended]
	opened := tui.Opened{
		Start: func(watch func(protocol.Notice)) (tui.Session, error) {
			return s.runner(func(n protocol.Notice) {
				if e, over := n.(protocol.Ended); over {
					ended.Store(&e)
				}
				watch(n)
			})
		},
		State: s.state, Events: s.events, Auto: !s.front.step, Person: s.atScreen,
		ShowCommand: "moot show " + s.state.ID,
	}
	if s.file != nil {
		opened.ResumeCommand = s.resumeLine()
		opened.ReportPath = crashPath(s.file.Path(), s.console.Now())
	}
	o := tui.Options{Opened: &opened, Now: s.console.Now, Environ: s.console.Environ, Signals: s.console.Signals}
	s.front.looks.apply(&o)
	result, err := tui.Run(ctx, o)
	if err != nil {
		return err
	}
	last := protocol.Ended{State: result.State, Rulings: result.Rulings}
	if e := ended.Load(); e != nil {
		last.Err = e.Err
	}
	if result.Left && last.Err == nil {
		last.Err = protocol.ErrStopped
	}
	if result.Left && result.State.Paused != state.PauseNone && result.State.Paused != state.PauseUser {
		// It was paused by rule before the person left: the result so far.
		last.Err = nil
	}
	return s.conclude(last, result.ExitCode)
}

// crashPath is where a crash is told: beside the session.
func crashPath(session string, now time.Time) string {
	return filepath.Join(filepath.Dir(filepath.Dir(session)), "crash-"+now.UTC().Format("20060102-150405")+".txt")
}
