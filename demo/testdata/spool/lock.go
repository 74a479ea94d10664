//go:build darwin || freebsd || linux

package spool

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lock is the lock of a queue. One worker on the machine holds it at a time.
type lock struct {
	file *os.File
}

// acquire waits until no other worker holds the lock.
func acquire(dir string) (*lock, error) {
	file, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(fmt.Errorf("wait for the lock: %w", err), file.Close())
	}
	return &lock{file}, nil
}

// release lets the next worker in, and leaves no file behind.
func (l *lock) release() error {
	return errors.Join(os.Remove(l.file.Name()), l.file.Close())
}
