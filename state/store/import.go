package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"moot/state"
)

// LastOpen forks a session after its last event or, if it is closed, after the last event before the debate ended.
const LastOpen = -1

// Forked is a session made by Fork.
type Forked struct {
	ID, Path string
	// Fork is the origin recorded in the first event. Its Seq may differ from the requested event, because units are
	// never split.
	Fork state.Fork
}

// RangeError reports that a session has no such event.
type RangeError struct {
	// At is the requested event, ID the session, Last its last event.
	At   int
	ID   string
	Last int
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("session %s has no event %d: its events are 1 to %d", e.ID, e.At, e.Last)
}

// Fork creates session newID in dir from the first events of session id (see Find): same times, units and data, in a
// new chain whose first event has the new id and the origin. The old file is read without a lock and never changed.
//
// A unit counts whole or not at all. If the event is inside a unit, the fork includes the rest of that unit; but the
// unit that closes the session is left out, so that a fork can always continue. At is from 1, or LastOpen. The intact
// part of a damaged file can be forked if at is within it.
//
// Errors are *RangeError, *DamageError, and those of Find and Import. The new file appears complete or not at all.
func Fork(dir, id string, at int, newID string, now time.Time, formats ...state.Rules) (Forked, error) {
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
	lines, err := rechain(old.lines[:seq], newID, made.Fork, formats)
	if err != nil {
		return Forked{}, err
	}
	made.Path, err = Import(dir, newID, lines, formats...)
	return made, err
}

// past holds what Fork needs of a session: its lines and their hashes, where its units end, and where its debate
// ended.
type past struct {
	lines []line
	heads []string
	ends  []int
	// over and closed are the seqs of the last exit-reached and of session-closed, or 0.
	over, closed int
}

// readPast reads the complete units of a session, also if it returns a *DamageError.
func readPast(path string) (past, error) {
	var p past
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return p, err
	}
	defer file.Close()
	end, err := walk(file, path, func(_ []byte, l line) error {
		if l.seq == 1 {
			version, err := versionOf(path, l)
			if err == nil && version < state.Version {
				err = errEarlier(path, version)
			}
			if err != nil {
				return err
			}
		}
		l.data = slices.Clone(l.data)
		p.lines, p.heads = append(p.lines, l), append(p.heads, l.hash)
		switch l.kind {
		case "exit-reached":
			p.over = l.seq
		case "session-closed":
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
	// The unit with this event is left out.
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
		return 0, fmt.Errorf("session %s opened and closed in one step: it cannot be forked; no session was "+
			"created", id)
	}
	return seq, nil
}

// rechain rewrites lines for the session id. Only the data of the first one changes.
func rechain(lines []line, id string, fork state.Fork, formats []state.Rules) ([]string, error) {
	payload, err := state.NewDecoder(formats...).Decode(lines[0].kind, lines[0].data)
	if err != nil {
		return nil, err
	}
	first, ok := payload.(*state.SessionOpened)
	if !ok {
		return nil, errLayout
	}
	first.ID, first.Fork = id, &fork
	at := newChain()
	var text bytes.Buffer
	for i, l := range lines {
		err := l.appendTo(&text, &at, func() error {
			if i == 0 {
				return state.Encode(&text, first)
			}
			_, err := text.Write(l.data)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n"), nil
}

// Import writes lines, as returned by Lines, to the file of a new session and returns its path. The chain and the
// last unit must be complete, or the error is a *DamageError. Importing the lines that Lines returns for a damaged
// file recovers it. The file appears complete or not at all; if the session exists, the error is an fs.ErrExist.
func Import(dir, id string, lines []string, formats ...state.Rules) (string, error) {
	var text bytes.Buffer
	for _, l := range lines {
		text.WriteString(l)
		text.WriteByte('\n')
	}
	opened, err := Decode(bytes.NewReader(text.Bytes()), "", formats...)
	if err == nil && opened.Repaired.Cut > 0 {
		err = opened.Repaired.damage(len(opened.Events))
	}
	if err != nil {
		return "", fmt.Errorf("check the lines to import, nothing was written: %w", err)
	}
	if len(opened.Events) != len(lines) {
		return "", fmt.Errorf("%d lines to import hold %d events, nothing was written: %w", len(lines),
			len(opened.Events), errLayout)
	}
	return place(dir, id, text.Bytes())
}

// draftPrefix begins the name of a session file that is not complete yet.
const draftPrefix = ".new-"

// place writes and syncs the file under a name that no command reads, and then renames it.
func place(dir, id string, text []byte) (string, error) {
	path, err := Path(dir, id)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return "", fmt.Errorf("create the sessions folder: %w", err)
	}
	// The name does not end like that of a session, and only the owner may read it.
	draft, err := os.CreateTemp(dir, draftPrefix+"*")
	if err != nil {
		return "", fmt.Errorf("create the session file, nothing was kept: %w", err)
	}
	lock, err := acquire(draft.Name())
	if err == nil {
		_, err = draft.Write(text)
		err = errors.Join(err, draft.Sync())
	}
	if err = errors.Join(err, draft.Close()); err == nil {
		err = publish(draft.Name(), path)
	}
	if lock != nil {
		err = errors.Join(err, release(lock, draft.Name()))
	}
	// After a rename it no longer exists.
	if removed := os.Remove(draft.Name()); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", existing(id)
	case err != nil:
		return "", fmt.Errorf("write %s, nothing was kept: %w", path, err)
	}
	if err := syncDir(dir); err != nil {
		return path, fmt.Errorf("sync the folder of %s, which is whole: %w", path, err)
	}
	return path, nil
}

// publish renames a file without ever replacing another one. On a file system without hard links two writers could
// collide for a moment, but their ids contain four random characters.
func publish(draft, path string) error {
	err := os.Link(draft, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fs.ErrExist, err)
	}
	return os.Rename(draft, path)
}

func existing(id string) error {
	return fmt.Errorf("session %s already exists and was not changed; use another id: %w", id, fs.ErrExist)
}
