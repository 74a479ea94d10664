package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// exportTo writes a session to a file of its own and returns its path. Where is
// a file, or a folder in which it is named moot-ID.json, .md or .svg; "" is the
// current folder. A file that is there stays: the new one gets -2, -3 and so on.
// The file comes to be whole or not at all, for its owner's eyes.
func (c *Console) exportTo(where string, how leaving, s *stored) (string, error) {
	text, err := how.text(s)
	if err != nil {
		return "", err
	}
	path := c.path(where)
	info, err := os.Stat(path)
	folder := err == nil && info.IsDir()
	if !folder && where != "" && os.IsPathSeparator(where[len(where)-1]) {
		return "", usage("there is no folder %s; make it, or name a file", where)
	}
	if folder {
		path = filepath.Join(path, "moot-"+s.id()+"."+how.ending())
	}
	return writeNew(path, text)
}

// mostNumbers bounds how many files of one name are kept side by side.
const mostNumbers = 1000

// writeNew writes a file that is not there yet, with a number before its ending
// where the name is taken.
func writeNew(path, text string) (string, error) {
	return writeNewBy(path, func(to io.Writer) error {
		_, err := io.WriteString(to, text)
		return err
	})
}

// writeNewBy is writeNew of what a function writes.
func writeNewBy(path string, write func(io.Writer) error) (string, error) {
	draft, err := os.CreateTemp(filepath.Dir(path), ".moot-*")
	if errors.Is(err, fs.ErrNotExist) {
		return "", usage("there is no folder %s; make it, or name another", filepath.Dir(path))
	}
	if err != nil {
		return "", fmt.Errorf("write %s: %w; nothing was written", path, err)
	}
	err = write(draft)
	if err == nil {
		err = draft.Sync()
	}
	err = errors.Join(err, draft.Close())
	taken := ""
	if err == nil {
		taken, err = takeName(draft.Name(), path)
	}
	// Where it was moved, it is no longer there.
	if removed := os.Remove(draft.Name()); removed != nil && !errors.Is(removed, fs.ErrNotExist) {
		err = errors.Join(err, removed)
	}
	if err != nil {
		return "", fmt.Errorf("write %s: %w; nothing was written", path, err)
	}
	return taken, nil
}

// takeName gives a finished file the first name that is free.
func takeName(draft, path string) (string, error) {
	ending := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ending)
	for n := 1; n <= mostNumbers; n++ {
		if n > 1 {
			path = stem + "-" + strconv.Itoa(n) + ending
		}
		err := publish(draft, path)
		if !errors.Is(err, fs.ErrExist) {
			return path, err
		}
	}
	return "", fmt.Errorf("%d files of that name are there already; name another", mostNumbers)
}

// publish gives a file its name without ever taking that of another one.
func publish(draft, path string) error {
	err := os.Link(draft, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	// Not every file system has hard links. There the name is claimed first.
	claim, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(claim.Close(), os.Rename(draft, path))
}
