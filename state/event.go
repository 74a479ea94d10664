package state

import (
	"errors"
	"fmt"
	"time"
)

// Version is the version of the session file and of the events in it. Files of any
// other version are refused: their events or rulings may mean something else.
const Version = 2

// Payload is the data of one kind of event. Fold changes the copy of the state that it is
// given, through the persistent lists, and refuses a payload that names something unknown.
type Payload interface {
	// Kind is the kebab-case name in the session file.
	Kind() string
	// Fold applies the payload; s.Seq and s.At already belong to its event.
	Fold(s *State) error
}

// Event is one line of the session file, the only thing that is stored.
type Event struct {
	// Seq counts from 1 within a session.
	Seq int
	// At is when the event was appended, in UTC.
	At   time.Time
	Data Payload
}

// UnknownKindError says that an event is of a kind that this version does not
// know.
type UnknownKindError struct {
	Kind string
	// FileVersion is the version that the file declares.
	FileVersion int
}

// Error names both versions.
func (e *UnknownKindError) Error() string {
	if e.FileVersion > Version {
		return fmt.Sprintf("unknown kind of event %q: the session was written by version %d of the format, this "+
			"program reads up to version %d; a newer moot can open it", e.Kind, e.FileVersion, Version)
	}
	return fmt.Sprintf("unknown kind of event %q (the session is of version %d, this program reads version %d)", e.Kind,
		e.FileVersion, Version)
}

// Decode reads the data of one event of the named kind; a Decoder does the same
// for many. Unknown fields are refused.
func Decode(kind string, data []byte) (Payload, error) {
	return NewDecoder().Decode(kind, data)
}

// ErrOrder says that an event does not follow the last one.
var ErrOrder = errors.New("the event does not follow the last one")

// Apply returns the state after one more event; the given state stays as it
// was. It is the only way that a state changes. On an error the given state is
// returned.
func Apply(s State, e Event) (State, error) {
	if e.Seq != s.Seq+1 {
		return s, fmt.Errorf("event %d after event %d: %w", e.Seq, s.Seq, ErrOrder)
	}
	next := s
	next.Seq, next.At, next.Before = e.Seq, e.At, s.At
	if err := e.Data.Fold(&next); err != nil {
		return s, fmt.Errorf("event %d (%s): %w", e.Seq, e.Data.Kind(), err)
	}
	return next, nil
}

// Replay folds events from the beginning. On an error it returns the state
// before the event that failed.
func Replay(events []Event) (State, error) {
	var s State
	for _, e := range events {
		next, err := Apply(s, e)
		if err != nil {
			return s, err
		}
		s = next
	}
	return s, nil
}
