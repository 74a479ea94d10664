package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/gofrs/flock"

	"moot/state"
)

// Only the owner may read sessions.
const (
	fileMode = 0o600
	dirMode  = 0o700
)

// File is a session file that is open for writing. It holds the file's lock until Close. Its methods are safe for
// concurrent use.
type File struct {
	path string
	lock *flock.Flock

	// opened says which file of the disk this is.
	opened fs.FileInfo

	mutex sync.Mutex
	file  disk
	chain chain
	// unit holds the lines of the last Append, for the next one to overwrite.
	unit bytes.Buffer
	// size is the length of the acknowledged lines in bytes.
	size int64
	// failed is why the file takes no more events, or nil.
	failed error
	// confirm is set by Confirm.
	confirm func(unit []byte) error
}

// disk is the part of os.File that a File uses; tests replace it with one that fails.
type disk interface {
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// Create makes the file of a new session in dir, creating dir if needed. If the session exists, the error is an
// fs.ErrExist and the caller picks another id.
func Create(dir, id string) (*File, error) {
	path, err := Path(dir, id)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, fmt.Errorf("create the sessions folder: %w; no session was started: set %s to a folder that "+
			"you can write to", err, StateVariable)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil, existing(id)
	}
	if err != nil {
		return nil, fmt.Errorf("create the session file, nothing was kept: %w", err)
	}
	f := &File{path: path, file: file, chain: newChain()}
	if f.opened, err = file.Stat(); err == nil {
		f.lock, err = acquire(path)
	}
	if err != nil {
		// Nothing was written yet that could be lost.
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	if err := syncDir(dir); err != nil {
		return nil, errors.Join(fmt.Errorf("sync the folder of %s: %w", path, err), f.Close())
	}
	return f, nil
}

// Open opens a session file for writing and repairs its end: it cuts off an incomplete last unit and adds a missing
// newline, and Opened.Repaired says which. If another process is writing, the error is a *HeldError. A damaged file
// is a *DamageError: it is left unchanged, and Opened holds the complete units before the damage. A file without a
// complete unit is ErrEmpty.
func Open(path string, formats ...state.Rules) (*File, Opened, error) {
	file, err := openFile(path, os.O_RDWR)
	if err != nil {
		return nil, Opened{Path: path}, err
	}
	f := &File{path: path, file: file}
	if f.opened, err = file.Stat(); err == nil {
		f.lock, err = acquire(path)
	}
	if err != nil {
		return nil, Opened{Path: path}, errors.Join(err, file.Close())
	}
	opened, err := Decode(file, path, formats...)
	if err == nil && opened.Version < state.Version {
		err = errEarlier(path, opened.Version)
	}
	if err == nil {
		err = f.repair(&opened)
	}
	if err != nil {
		return nil, opened, errors.Join(err, file.Close(), release(f.lock, path))
	}
	f.chain, f.size = chain{seq: len(opened.Events), head: opened.Head}, opened.Size
	return f, opened, nil
}

// repair truncates the file to its complete units.
func (f *File) repair(opened *Opened) error {
	var err error
	switch r := opened.Repaired; {
	case r.Cut > 0:
		err = f.file.Truncate(opened.Size)
	case r.Newline:
		_, err = f.file.WriteAt([]byte("\n"), opened.Size)
		opened.Size++
	default:
		return nil
	}
	if err == nil {
		err = f.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("repair the end of %s (%s), its complete units are kept: %w", f.path, opened.Repaired, err)
	}
	return nil
}

// Path returns the path of the file.
func (f *File) Path() string { return f.path }

// Head returns the hash of the last line, 64 zeros before the first.
func (f *File) Head() string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.chain.head
}

// Append writes events as one unit, with one write and one sync, and returns once they are safe: after a crash a
// reader sees all of them or none. Seq must continue from the last event; the first event is session-opened. An event
// whose line is over MaxLine is refused before anything is written. If the write fails, the file is restored; if that
// fails too, the File takes no more events.
func (f *File) Append(events []state.Event) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.failed != nil {
		return f.failed
	}
	if len(events) == 0 {
		return nil
	}
	f.unit.Reset()
	after, err := f.chain.encode(&f.unit, events)
	if err != nil {
		return fmt.Errorf("append to %s, nothing was written: %w", f.path, err)
	}
	if err := f.unchanged(); err != nil {
		f.failed = fmt.Errorf("append event %d to %s, nothing was written: %w; leave the session and check the file",
			f.chain.seq+1, f.path, err)
		return f.failed
	}
	if f.confirm != nil {
		if err := f.confirm(f.unit.Bytes()); err != nil {
			f.failed = fmt.Errorf("event %d of %s was not confirmed, and nothing was written: %w", f.chain.seq+1, f.path, err)
			return f.failed
		}
	}
	if _, err = f.file.WriteAt(f.unit.Bytes(), f.size); err == nil {
		err = f.file.Sync()
	}
	if err != nil {
		return f.rollBack(err)
	}
	f.chain, f.size = after, f.size+int64(f.unit.Len())
	return nil
}

// unchanged makes sure that the path still names this file at the length we left it: an event in a file that nobody
// can find is lost.
func (f *File) unchanged() error {
	named, err := os.Stat(f.path)
	if err != nil || !os.SameFile(f.opened, named) || named.Size() != f.size {
		return ErrChanged
	}
	return nil
}

// rollBack removes a failed write from the file.
func (f *File) rollBack(cause error) error {
	seq := f.chain.seq
	err := f.file.Truncate(f.size)
	if err == nil {
		err = f.file.Sync()
	}
	switch {
	case err != nil:
		f.failed = fmt.Errorf("write event %d to %s: %w; the first %d events are kept, the part after them could not "+
			"be removed: fix the disk, then continue with moot resume, which cuts it off", seq+1, f.path,
			errors.Join(cause, err), seq)
		return f.failed
	case seq == 0:
		return fmt.Errorf("write the first event to %s: %w; nothing was stored: free disk space or fix the disk, then "+
			"ask again", f.path, cause)
	}
	return fmt.Errorf("write event %d to %s: %w; the first %d events are kept: free disk space or fix the disk, then "+
		"continue with moot resume", seq+1, f.path, cause, seq)
}

// Close closes the file and releases its lock. A file without events is removed, since it is not a session. Closing
// twice is fine.
func (f *File) Close() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if errors.Is(f.failed, ErrClosed) {
		return nil
	}
	f.failed = fmt.Errorf("%s: %w", f.path, ErrClosed)
	empty := f.chain.seq == 0 && f.unchanged() == nil
	err := f.file.Close()
	if empty {
		err = errors.Join(err, os.Remove(f.path))
	}
	if released := release(f.lock, f.path); released != nil && err == nil {
		err = released
	}
	if err != nil {
		return fmt.Errorf("close %s, its events are kept: %w", f.path, err)
	}
	return nil
}

// syncDir makes the names in a folder durable. Windows has no such call.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Memory checks and hashes the events of a session without a file, and keeps only the hash. The zero Memory is ready to
// use. Its methods are safe for concurrent use.
type Memory struct {
	mutex sync.Mutex
	chain chain
}

// Append adds events as one unit, under the rules of File.Append.
func (m *Memory) Append(events []state.Event) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.chain.head = m.head()
	after, err := m.chain.encode(&bytes.Buffer{}, events)
	if err == nil {
		m.chain = after
	}
	return err
}

// Head returns the hash of the last line, 64 zeros before the first.
func (m *Memory) Head() string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.head()
}

func (m *Memory) head() string { return cmp.Or(m.chain.head, newChain().head) }

// lockPath returns the file whose lock guards a session file. That is the session file itself, so a killed process
// leaves no lock file. Windows prevents reading a locked file, so there it is a separate file, which is removed on
// release and harmless if it stays.
func lockPath(path string) string {
	if runtime.GOOS == "windows" {
		return strings.TrimSuffix(path, extension) + ".lock"
	}
	return path
}

// acquire takes the lock that guards path; the caller calls release.
func acquire(path string) (*flock.Flock, error) {
	guard := lockPath(path)
	flag := os.O_RDWR
	if guard != path {
		flag |= os.O_CREATE
	}
	for range lockAttempts {
		lock := flock.New(guard, flock.SetFlag(flag), flock.SetPermissions(fileMode))
		locked, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s, which prevents a second writer: %w", path, err)
		}
		if !locked {
			return nil, &HeldError{Path: path}
		}
		held, err := lock.Stat()
		if named, statErr := os.Stat(guard); err == nil && statErr == nil && os.SameFile(held, named) {
			return lock, nil
		}
		// The previous owner removed the file before unlocking it: a lock on it guards nothing.
		if err := lock.Close(); err != nil {
			return nil, fmt.Errorf("unlock %s: %w", path, err)
		}
	}
	return nil, &HeldError{Path: path}
}

// Lock takes the same lock for another file, which must exist. The caller must call unlock. If another process holds
// it, the error is a *HeldError.
func Lock(path string) (unlock func() error, err error) {
	lock, err := acquire(path)
	if err != nil {
		return nil, err
	}
	return func() error { return release(lock, path) }, nil
}

// Held reports whether another process has the session file at path open for writing.
func Held(path string) bool { return isLocked(path) }

// isLocked reports whether another process is writing to the file at path. It tries a shared lock and releases it at
// once; if that fails, the file counts as locked.
func isLocked(path string) bool {
	guard := lockPath(path)
	if _, err := os.Stat(guard); guard != path && err != nil {
		return false
	}
	lock := flock.New(guard, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	closed := lock.Close()
	return err != nil || closed != nil || !free
}

// lockAttempts bounds the retries when the lock file is removed while we take it.
const lockAttempts = 100

// release unlocks path and removes the lock file, if it is separate.
func release(lock *flock.Flock, path string) error {
	err := lock.Close()
	if guard := lockPath(path); guard != path {
		// Another process may hold it already, and then it stays: Windows does not remove open files.
		_ = os.Remove(guard)
	}
	return err
}

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
		next = "restore it from a copy"
		if id, is := strings.CutSuffix(filepath.Base(e.Path), extension); is {
			next = fmt.Sprintf("moot fork %s --at %d makes a new session of them, or restore the file from a copy", id, e.Seq)
		}
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
