package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"sync"

	"github.com/gofrs/flock"

	"moot/state"
)

// Sessions are for their owner's eyes.
const (
	fileMode = 0o600
	dirMode  = 0o700
)

// File is a session file that is open for writing. It holds the file's lock
// until Close. Its methods may be called from several goroutines.
type File struct {
	path   string
	lock   *flock.Flock
	noSync bool

	mutex  sync.Mutex
	file   disk
	writer *writer
	// size is the length of the acknowledged lines in bytes.
	size int64
	// failed is why no more events are taken, or nil.
	failed error
}

// disk is what a File needs of its operating system's file.
type disk interface {
	io.WriterAt
	io.Closer
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Sync() error
}

// Option changes how a File works.
type Option func(*File)

// WithoutSync leaves out the sync after each write: for measuring, and for
// sessions that may be lost with the machine. Events still survive the
// process.
func WithoutSync() Option { return func(f *File) { f.noSync = true } }

// Create makes the file of a new session in dir, and dir where it is missing.
// A session that exists is an fs.ErrExist; a caller that made the id up takes
// another one.
func Create(dir, id string, options ...Option) (*File, error) {
	path, err := Path(dir, id)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, dirMode); err != nil {
		return nil, fmt.Errorf("make the folder of the sessions: %w; no session was opened: set %s to a folder that "+
			"you can write to", err, StateVariable)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return nil, existing(id)
	}
	if err != nil {
		return nil, fmt.Errorf("make the session file, nothing was kept: %w", err)
	}
	f := newFile(path, file, options)
	f.writer = newWriter(newChain())
	if f.lock, err = hold(path); err != nil {
		// Nothing was written yet that could be lost.
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	if !f.noSync {
		if err := syncDir(dir); err != nil {
			return nil, errors.Join(fmt.Errorf("sync the folder of %s: %w", path, err), f.Close())
		}
	}
	return f, nil
}

// Open opens a session's file for writing and mends its end: an unfinished last
// unit is cut off, a missing newline is added, and Opened says which. Another
// writer is a *HeldError. A damaged file is a *DamageError: it is left as it
// is, and Opened holds the whole units before the damage; an empty one, or one
// that has not even its first unit, is ErrEmpty.
func Open(path string, options ...Option) (*File, Opened, error) {
	file, err := openFile(path, os.O_RDWR)
	if err != nil {
		return nil, Opened{Path: path}, err
	}
	f := newFile(path, file, options)
	if f.lock, err = hold(path); err != nil {
		return nil, Opened{Path: path}, errors.Join(err, file.Close())
	}
	opened, err := Decode(file, path)
	if err == nil {
		err = f.mend(&opened)
	}
	if err != nil {
		return nil, opened, errors.Join(err, f.Close())
	}
	f.writer = newWriter(chain{seq: len(opened.Events), head: opened.Head})
	f.size = opened.Size
	return f, opened, nil
}

func newFile(path string, file disk, options []Option) *File {
	f := &File{path: path, file: file}
	for _, option := range options {
		option(f)
	}
	return f
}

// mend brings the file to its whole units.
func (f *File) mend(opened *Opened) error {
	var err error
	switch repair := opened.Repaired; {
	case repair.Cut > 0:
		err = f.file.Truncate(opened.Size)
	case repair.Newline:
		_, err = f.file.WriteAt([]byte("\n"), opened.Size)
		opened.Size++
	default:
		return nil
	}
	if err == nil {
		err = f.sync()
	}
	if err != nil {
		return fmt.Errorf("mend the end of %s (%s), its whole units are kept: %w", f.path, opened.Repaired, err)
	}
	return nil
}

// Path returns the file's path.
func (f *File) Path() string { return f.path }

// Head returns the hash of the last line, 64 zeros before the first.
func (f *File) Head() string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.writer.chain.head
}

// Len returns the number of events in the file.
func (f *File) Len() int {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.writer.chain.seq
}

// Append writes events as one unit, with one write and one sync, and returns
// when they are safe: whatever happens meanwhile, all of them are read again
// or none is. Their Seq goes on from the last event's; the first of all is
// session-opened. An event that could not be read back as it is, or whose line
// is over MaxLine, is refused before anything is written. Where writing fails
// the file is brought back to what it held before, and the error is an
// *AppendError; after one that is not Whole the File takes nothing more.
func (f *File) Append(events []state.Event) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.failed != nil {
		return f.failed
	}
	lines, after, err := f.writer.encode(events)
	if err != nil {
		return fmt.Errorf("append to %s, nothing was written: %w", f.path, err)
	}
	if len(lines) == 0 {
		return nil
	}
	if err := f.unchanged(); err != nil {
		f.failed = fmt.Errorf("append event %d to %s, nothing was written: %w; leave the session and see what became "+
			"of the file", f.writer.chain.seq+1, f.path, err)
		return f.failed
	}
	if err := f.write(lines); err != nil {
		return f.rollBack(err)
	}
	f.writer.chain, f.size = after, f.size+int64(len(lines))
	return nil
}

func (f *File) write(lines []byte) error {
	if _, err := f.file.WriteAt(lines, f.size); err != nil {
		return err
	}
	return f.sync()
}

func (f *File) sync() error {
	if f.noSync {
		return nil
	}
	return f.file.Sync()
}

// unchanged makes sure that the path still names this file, at the length
// that we left it: an event in a file that nobody finds is lost.
func (f *File) unchanged() error {
	ours, err := f.file.Stat()
	if err != nil {
		return err
	}
	named, err := os.Stat(f.path)
	if err != nil || !os.SameFile(ours, named) || ours.Size() != f.size {
		return ErrChanged
	}
	return nil
}

// rollBack takes a failed write out of the file again.
func (f *File) rollBack(cause error) error {
	failure := &AppendError{Path: f.path, Seq: f.writer.chain.seq, Err: cause}
	err := f.file.Truncate(f.size)
	if err == nil {
		err = f.sync()
	}
	failure.Whole = err == nil
	if err != nil {
		failure.Err = errors.Join(cause, err)
		f.failed = failure
	}
	return failure
}

// Close lets go of the file and its lock. A file to which nothing was ever
// appended is removed: it would be no session. Closing twice is no error.
func (f *File) Close() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if errors.Is(f.failed, ErrClosed) {
		return nil
	}
	f.failed = fmt.Errorf("%s: %w", f.path, ErrClosed)
	empty := f.writer != nil && f.writer.chain.seq == 0 && f.unchanged() == nil
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

// syncDir makes the names in a folder safe. Windows has no such call.
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
