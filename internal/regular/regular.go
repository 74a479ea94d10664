// Package regular reads files that the user names, which may be pipes, devices or too large.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Flags open a file without waiting for the other end of a pipe, and without taking a terminal as
// one's own.
const Flags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

// Open opens a regular file for reading. It does not wait for the other end of a pipe. Errors are *fs.PathError.
func Open(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	refused := &fs.PathError{Op: "open", Path: path, Err: errors.New("it is not a regular file")}
	if info.IsDir() {
		refused.Err = errors.New("it is a folder")
	}
	if !info.Mode().IsRegular() {
		return nil, refused
	}
	// Another file may have taken its place.
	file, err := os.OpenFile(path, Flags, 0)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(refused, file.Close())
	}
	return file, nil
}

// Read reads a regular file of at most limit bytes. Errors are *fs.PathError.
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it has more than %d KiB", limit>>10)}
	}
	return data, err
}
