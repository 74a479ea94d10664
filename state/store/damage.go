package store

import (
	"errors"
	"fmt"

	"moot/state"
)

// DamageError says that a session file is not what was written. The file was
// left as it is; the events up to Seq are whole, and so is their last unit.
type DamageError struct {
	// Path is the file, or "" where it was read from elsewhere.
	Path string
	// Line is the number of the first line that does not fit, from 1; one past
	// the last line where whole lines are missing.
	Line int
	// Seq is the last event of the whole units before it, 0 if there is none.
	// Line is further on than Seq+1 where the damage is inside a unit.
	Seq int
	// Why says in a phrase what does not fit.
	Why string
	// Err is the cause where it has a type of its own: *state.UnknownKindError,
	// *HeadError, ledger.ErrSum; ErrEmpty where not even the first unit is whole.
	Err error
}

// Error says what does not fit, what is whole, and what to do.
func (e *DamageError) Error() string {
	kept := "no event before it"
	next := "nothing of it can be recovered"
	if e.Seq > 0 {
		kept = fmt.Sprintf("the first %d events are whole", e.Seq)
		next = "recover them into a new session, or restore the file from a copy"
	}
	return fmt.Sprintf("%s is damaged at line %d: %s; %s, the file was left as it is; %s", named(e.Path), e.Line, e.Why,
		kept, next)
}

// Unwrap returns the cause.
func (e *DamageError) Unwrap() error { return e.Err }

// named is how an error names where a session was read from.
func named(path string) string {
	if path == "" {
		return "the session"
	}
	return path
}

// HeadError says that a chain fits in itself but does not end at the head that
// was known of it.
type HeadError struct {
	// Known is the head that was expected, Head the chain's own.
	Known, Head string
	// After is the event whose hash the known head is, where the session went
	// on after it; 0 where the known head is nowhere in the chain.
	After int
}

// Error tells lines that are missing from lines that came later.
func (e *HeadError) Error() string {
	if e.After > 0 {
		return fmt.Sprintf("the known head %.12s… is that of event %d; the lines after it came later", e.Known, e.After)
	}
	return fmt.Sprintf("the chain ends at %.12s…, not at the known head %.12s…: whole lines are missing at its end, "+
		"or it is another session", e.Head, e.Known)
}

// VersionError says that a moot of another version wrote the session.
type VersionError struct {
	Path string
	// FileVersion is the version that the file declares, never state.Version.
	FileVersion int
}

// Error names both versions.
func (e *VersionError) Error() string {
	which := "an older"
	if e.FileVersion > state.Version {
		which = "a newer"
	}
	return fmt.Sprintf("%s was written by version %d of the session format, and this moot reads version %d; the file "+
		"was left as it is, %s moot can open it", named(e.Path), e.FileVersion, state.Version, which)
}

// HeldError says that another writer has the session open.
type HeldError struct{ Path string }

// Error names the file and the ways on.
func (e *HeldError) Error() string {
	return e.Path + " is open in another moot, which alone may write to it; leave it there first, or look at it with " +
		"moot show"
}

// AppendError says that events could not be written.
type AppendError struct {
	Path string
	// Seq is the last event that the file holds, Err the cause.
	Seq int
	Err error
	// Whole says that the file was brought back to exactly its first Seq
	// events; otherwise it may end in part of a unit, and takes no more events
	// until it is opened again.
	Whole bool
}

// Error says what is kept and what to do.
func (e *AppendError) Error() string {
	if e.Whole && e.Seq == 0 {
		return fmt.Sprintf("write the first event to %s: %v; nothing of the session is stored: make room or mend the "+
			"disk, then ask again", e.Path, e.Err)
	}
	if e.Whole {
		return fmt.Sprintf("write event %d to %s: %v; the session is whole with its first %d events: make room or "+
			"mend the disk, then go on with moot resume", e.Seq+1, e.Path, e.Err, e.Seq)
	}
	return fmt.Sprintf("write event %d to %s: %v; the first %d events are kept, what follows them could not be "+
		"removed: mend the disk, then go on with moot resume, which cuts off the rest", e.Seq+1, e.Path, e.Err, e.Seq)
}

// Unwrap returns the cause.
func (e *AppendError) Unwrap() error { return e.Err }

// ErrEmpty says that a file holds no whole unit: its session was never opened.
var ErrEmpty = errors.New("the file holds no event: the session was never opened; it can be removed")

// ErrClosed says that a File was used after Close.
var ErrClosed = errors.New("the session file is closed")

// ErrChanged says that another program changed, removed or replaced a session
// file while it was open.
var ErrChanged = errors.New("another program changed, removed or replaced the file meanwhile")
