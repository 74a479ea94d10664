package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moot/ledger"
	"moot/state"
)

// LastOpen forks a session where it can go on: at the last event, or where it is
// closed, before its debate was over.
const LastOpen = -1

// Forked is a session that Fork made.
type Forked struct {
	ID, Path string
	// Fork is what its first event says of where it comes from; its Seq is where
	// the units of the old session let it be taken.
	Fork state.Fork
}

// RangeError says that a session has no such event.
type RangeError struct {
	// At is what was asked for, ID the session, Last its last event.
	At   int
	ID   string
	Last int
}

// Error names the range.
func (e *RangeError) Error() string {
	return fmt.Sprintf("session %s has no event %d: its events are 1 to %d", e.ID, e.At, e.Last)
}

// Fork makes a session newID in dir whose events are the first of the session
// id, which is found as Find finds it: same times, same units, same data, in a
// chain of its own that begins with the new id and where it comes from. The old
// file is read without its lock and never changed.
//
// A unit counts whole or not at all. An event inside of one takes the unit to
// its end, so that the event named is in the fork; the unit that closes the
// session is left out instead, so that a fork can always go on. At is from 1, or
// LastOpen. Of a damaged file what stands before the damage can be forked, if at
// says so.
//
// Errors are *RangeError, those of Find and Import, and *DamageError. The new
// file comes to be whole or not at all.
func Fork(dir, id string, at int, newID string, now time.Time) (Forked, error) {
	source, err := Find(dir, id)
	if err != nil {
		return Forked{}, err
	}
	from := strings.TrimSuffix(filepath.Base(source), extension)
	old, err := readPast(source)
	if damage, ok := errors.AsType[*DamageError](err); err != nil && (!ok || at < 1 || at > damage.Seq) {
		return Forked{}, err
	}
	seq, err := old.cut(at, from)
	if err != nil {
		return Forked{}, err
	}
	made := Forked{ID: newID, Fork: state.Fork{From: from, Seq: seq, Head: old.heads[seq-1], At: now.UTC()}}
	lines, err := rechain(old.lines[:seq], newID, made.Fork)
	if err != nil {
		return Forked{}, err
	}
	made.Path, err = Import(dir, newID, lines)
	return made, err
}

// past is what can be forked of a session: its lines, the hash of each, where
// its units end, and the unit in which its debate was over or it was closed.
type past struct {
	lines []line
	heads []string
	ends  []int
	// over and closed are the last exit-reached and the session-closed, or 0.
	over, closed int
}

// readPast reads the whole units of a session. On a *DamageError those before
// the damage are returned with it.
func readPast(path string) (past, error) {
	var p past
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return p, err
	}
	defer file.Close()
	end, err := walk(file, path, func(raw []byte, l line) error {
		if err := readable(path, l); err != nil {
			return err
		}
		l.data = slices.Clone(l.data)
		p.lines, p.heads = append(p.lines, l), append(p.heads, ledger.Hash(raw))
		switch l.kind {
		case (*state.ExitReached)(nil).Kind():
			p.over = l.seq
		case (*state.SessionClosed)(nil).Kind():
			p.closed = l.seq
		}
		if l.left == 0 {
			p.ends = append(p.ends, l.seq)
		}
		return nil
	})
	p.lines, p.heads = p.lines[:end.seq], p.heads[:end.seq]
	if p.closed > end.seq {
		p.closed = 0
	}
	return p, err
}

// cut returns the last event of the fork, which ends a unit.
func (p *past) cut(at int, id string) (int, error) {
	last := len(p.lines)
	if at != LastOpen && (at < 1 || at > last) {
		return 0, &RangeError{At: at, ID: id, Last: last}
	}
	// The unit of this event stays out.
	stop := p.closed
	if at == LastOpen {
		at = last
		if p.closed > 0 && p.over > 0 {
			stop = p.over
		}
	}
	seq := 0
	for _, end := range p.ends {
		if stop > 0 && end >= stop {
			break
		}
		seq = end
		if end >= at {
			break
		}
	}
	if seq == 0 {
		return 0, fmt.Errorf("session %s opened and closed in one step: no event of it can be forked; no session was "+
			"made", id)
	}
	return seq, nil
}

// rechain writes lines anew as those of the session id: only the first one's
// data changes.
func rechain(lines []line, id string, fork state.Fork) ([]string, error) {
	payload, err := unmarshal(state.NewDecoder(), lines[0].kind, lines[0].data)
	if err != nil {
		return nil, err
	}
	first, ok := payload.(*state.SessionOpened)
	if !ok {
		return nil, errLayout
	}
	first.ID, first.Fork = id, &fork
	if lines[0].data, err = marshal(first); err != nil {
		return nil, fmt.Errorf("write the opening of session %s: %w", id, err)
	}
	texts := make([]string, len(lines))
	head := ledger.ZeroHash
	for i, l := range lines {
		l.prev = head
		raw := l.seal()
		texts[i], head = string(raw), ledger.Hash(raw)
	}
	return texts, nil
}
