package store

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/gofrs/flock"
)

// lockPath is the file whose lock guards a session file. It is the file
// itself, so that nothing is left behind by a process that was killed; but
// Windows keeps readers out of a locked file, so there it is one beside it,
// which is removed on release and means nothing where it stays.
func lockPath(path string) string {
	if runtime.GOOS == "windows" {
		return strings.TrimSuffix(path, extension) + ".lock"
	}
	return path
}

// hold takes the lock that guards path, or says that another holds it. The
// caller ends it with release.
func hold(path string) (*flock.Flock, error) {
	guard := lockPath(path)
	flag := os.O_RDWR
	if guard != path {
		flag |= os.O_CREATE
	}
	for range lockAttempts {
		lock := flock.New(guard, flock.SetFlag(flag), flock.SetPermissions(fileMode))
		locked, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s, which keeps a second writer out: %w", path, err)
		}
		if !locked {
			return nil, &HeldError{Path: path}
		}
		if sameFile(lock, guard) {
			return lock, nil
		}
		// Whoever held it removed the file before letting go: a lock on it
		// guards nothing.
		if err := lock.Close(); err != nil {
			return nil, fmt.Errorf("unlock %s: %w", path, err)
		}
	}
	return nil, &HeldError{Path: path}
}

// Hold takes the lock that session files have for another file that is there and has one
// writer. Whoever takes it lets go of it in the end. The error is a *HeldError where
// another program holds it.
func Hold(path string) (letGo func() error, err error) {
	lock, err := hold(path)
	if err != nil {
		return nil, err
	}
	return func() error { return release(lock, path) }, nil
}

// held reports whether a program writes to the file at path. It asks for no more
// than a shared lock, which it lets go of at once; what cannot be asked is held.
func held(path string) bool {
	guard := lockPath(path)
	if _, err := os.Stat(guard); guard != path && err != nil {
		return false
	}
	lock := flock.New(guard, flock.SetFlag(os.O_RDONLY))
	free, err := lock.TryRLock()
	closed := lock.Close()
	return err != nil || closed != nil || !free
}

// lockAttempts bounds how often a lock file may be removed under our hands.
const lockAttempts = 100

func sameFile(lock *flock.Flock, path string) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(held, named)
}

// release lets go of the lock and removes what it left.
func release(lock *flock.Flock, path string) error {
	err := lock.Close()
	if guard := lockPath(path); guard != path {
		// Another may hold it already, and then it stays: Windows does not
		// remove open files. A lock file that stays means nothing.
		_ = os.Remove(guard)
	}
	return err
}
