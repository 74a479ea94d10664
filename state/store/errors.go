package store

import (
	"errors"
	"fmt"
)

// DamageError reports that the bytes of a session file are not what moot wrote. The file was not changed. The events
// up to Seq are intact and end with a complete unit.
type DamageError struct {
	// Path is the file, or "" if the session was not read from one of our files.
	Path string
	// Line is the number of the first bad line, from 1, or one past the last line if complete lines are missing.
	Line int
	// Seq is the last event of the complete units before the damage, or 0. Line is greater than Seq+1 if the damage
	// is inside a unit.
	Seq int
	// Why describes the mismatch in a phrase.
	Why string
	// Err is the cause, if any: *state.UnknownKindError, ErrHead, ledger.ErrSum, or ErrEmpty if not even the first unit
	// is complete.
	Err error
}

func (e *DamageError) Error() string {
	kept := "no events before it"
	next := "nothing can be recovered"
	if e.Seq > 0 {
		kept = fmt.Sprintf("the first %d events are intact", e.Seq)
		next = "recover them into a new session, or restore the file from a copy"
	}
	return fmt.Sprintf("%s is damaged at line %d: %s; %s, the file was not changed; %s", named(e.Path), e.Line, e.Why,
		kept, next)
}

func (e *DamageError) Unwrap() error { return e.Err }

// named returns the name that errors use for the session at path.
func named(path string) string {
	if path == "" {
		return "the session"
	}
	return path
}

// ErrHead reports that a chain is consistent but does not end at the known head.
var ErrHead = errors.New("not the known head")

// errVersion reports that another version of moot wrote the session.
var errVersion = errors.New("another version of the session format")

// HeldError reports that another process has the session open for writing.
type HeldError struct{ Path string }

func (e *HeldError) Error() string {
	return e.Path + " is open in another moot process; join it with moot attach, or read it with moot show"
}

// ErrEmpty reports that a file has no complete unit: its session never started.
var ErrEmpty = errors.New("the file has no events: the session never started; it can be removed")

// ErrClosed reports that a File was used after Close.
var ErrClosed = errors.New("the session file is closed")

// ErrChanged reports that another program changed, removed or replaced a session file while it was open.
var ErrChanged = errors.New("another program changed, removed or replaced the file meanwhile")
