package pace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const (
	// patience is how long another program may hold a lane's lock: it does so for
	// a few microseconds, or until a busy machine lets it go on, unless it was stopped
	// just then.
	patience = 2 * time.Second
	// briefly is how long somebody who leaves waits for the lock.
	briefly = 50 * time.Millisecond
	// lockEvery is how often the lock is asked for.
	lockEvery = 2 * time.Millisecond
	// form is how a file is written: a name, the form's number, and the two times
	// in nanoseconds since 1970, 0 for none.
	form = "moot-pace 1 %d %d\n"
	// maxFile is more than any file of the form has.
	maxFile = 128
)

// Trouble returns why the lane is kept by this process alone, once, or nil. It waits
// for nobody: while another call has the lane, it is nil.
func (l *Lane) Trouble() error {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	default:
		return nil
	}
	told := l.trouble
	l.trouble = nil
	return told
}

// known reads the times without waiting for another program. When ctx ends before its
// turn, nothing is known.
func (l *Lane) known(ctx context.Context, limits Limits) times {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return times{}
	}
	return l.read().sane(time.Now(), limits)
}

// read returns the later times of this process and of the file. What is not
// written in the form says nothing.
func (l *Lane) read() times {
	if l.file == "" {
		return l.own
	}
	// Whatever else has that name may block who opens it.
	info, err := os.Lstat(l.file) //nolint:gosec // the name is a hash, in the folder of the state
	switch {
	case errors.Is(err, os.ErrNotExist):
		return l.own
	case err != nil:
		l.alone(err)
		return l.own
	case !info.Mode().IsRegular():
		l.alone(fmt.Errorf("%s is no file", l.file))
		return l.own
	}
	file, err := os.Open(l.file) //nolint:gosec // see above
	if err != nil {
		l.alone(err)
		return l.own
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err != nil {
		l.alone(err)
		return l.own
	}
	return l.own.later(parse(string(text)))
}

// parse reads a file's text; what is not of the form gives no times.
func parse(text string) times {
	var next, hold int64
	if n, err := fmt.Sscanf(text, form, &next, &hold); err != nil || n != 2 || next < 0 || hold < 0 || write(next, hold) != text {
		return times{}
	}
	return times{next: fromNano(next), hold: fromNano(hold)}
}

// write is the text of a file.
func write(next, hold int64) string { return fmt.Sprintf(form, next, hold) }

// fromNano is the time so many nanoseconds after 1970, none for 0.
func fromNano(nano int64) time.Time {
	if nano <= 0 {
		return time.Time{}
	}
	return time.Unix(0, nano)
}

// toNano is the opposite of fromNano.
func toNano(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// change replaces the times by others, for all sessions where that can be done.
// The error is the context's.
func (l *Lane) change(ctx context.Context, limits Limits, by func(times) times) error {
	select {
	case l.turn <- struct{}{}:
		defer func() { <-l.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	unlock := l.lock(ctx)
	defer unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	// Without its monotonic part a time means the same to every process.
	t := by(l.read().sane(time.Now(), limits))
	l.own = times{next: t.next.Round(0), hold: t.hold.Round(0)}
	if l.file != "" {
		if err := replace(l.file, write(toNano(l.own.next), toNano(l.own.hold))); err != nil {
			l.alone(err)
		}
	}
	return nil
}

// lock keeps other programs out, if the lane has a file. It never fails: who cannot
// lock goes on alone.
func (l *Lane) lock(ctx context.Context) (unlock func()) {
	if l.file == "" {
		return func() {}
	}
	if err := os.MkdirAll(filepath.Dir(l.file), 0o700); err != nil { //nolint:gosec // see above
		l.alone(err)
		return func() {}
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	lock := flock.New(l.file+".lock", flock.SetPermissions(0o600))
	held, err := lock.TryLockContext(waiting, lockEvery)
	if ctx.Err() == nil && (err != nil || !held) {
		l.alone(fmt.Errorf("lock %s: %w", lock.Path(), err))
	}
	return func() { _ = lock.Close() }
}

// alone goes on without the file.
func (l *Lane) alone(why error) { l.file, l.trouble = "", why }

// replace writes a small file so that who reads it finds the old text or the new.
func replace(path, text string) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}
