package store

import (
	"errors"
	"fmt"

	"moot/state"
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
	// Err is the typed cause, if any: *state.UnknownKindError, *HeadError, ledger.ErrSum, or ErrEmpty if not even the
	// first unit is complete.
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

// HeadError reports that a chain is consistent but does not end at the known head.
type HeadError struct {
	// Known is the expected head, Head the actual one.
	Known, Head string
	// After is the event whose hash is the known head, if the session continued after it; 0 if the known head does
	// not occur in the chain.
	After int
}

// Error distinguishes missing lines from later lines.
func (e *HeadError) Error() string {
	if e.After > 0 {
		return fmt.Sprintf("the known head %.12s… is that of event %d; the lines after it were added later", e.Known,
			e.After)
	}
	return fmt.Sprintf("the chain ends at %.12s…, not at the known head %.12s…: complete lines are missing at its end, "+
		"or it is another session", e.Head, e.Known)
}

// VersionError reports that another version of moot wrote the session.
type VersionError struct {
	Path string
	// FileVersion is the version the file declares, never state.Version.
	FileVersion int
}

func (e *VersionError) Error() string {
	which := "an older"
	if e.FileVersion > state.Version {
		which = "a newer"
	}
	return fmt.Sprintf("%s was written by version %d of the session format, and this moot reads version %d; the file "+
		"was not changed, and %s moot can open it", named(e.Path), e.FileVersion, state.Version, which)
}

// HeldError reports that another process has the session open for writing.
type HeldError struct{ Path string }

func (e *HeldError) Error() string {
	return e.Path + " is open in another moot process; close it there first, or read it with moot show"
}

// AppendError reports that events could not be written.
type AppendError struct {
	Path string
	// Seq is the last event in the file, Err the cause.
	Seq int
	Err error
	// Whole reports whether the file was restored to exactly its first Seq events. Otherwise it may end in part of a
	// unit, and takes no more events until it is opened again.
	Whole bool
}

func (e *AppendError) Error() string {
	if e.Whole && e.Seq == 0 {
		return fmt.Sprintf("write the first event to %s: %v; nothing was stored: free disk space or fix the "+
			"disk, then ask again", e.Path, e.Err)
	}
	if e.Whole {
		return fmt.Sprintf("write event %d to %s: %v; the first %d events are kept: free disk space or "+
			"fix the disk, then continue with moot resume", e.Seq+1, e.Path, e.Err, e.Seq)
	}
	return fmt.Sprintf("write event %d to %s: %v; the first %d events are kept, the part after them could not be "+
		"removed: fix the disk, then continue with moot resume, which cuts it off", e.Seq+1, e.Path, e.Err, e.Seq)
}

func (e *AppendError) Unwrap() error { return e.Err }

// ErrEmpty reports that a file has no complete unit: its session never started.
var ErrEmpty = errors.New("the file has no events: the session never started; it can be removed")

// ErrClosed reports that a File was used after Close.
var ErrClosed = errors.New("the session file is closed")

// ErrChanged reports that another program changed, removed or replaced a session file while it was open.
var ErrChanged = errors.New("another program changed, removed or replaced the file meanwhile")
