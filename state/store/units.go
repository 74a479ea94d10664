package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"moot/state"
)

// ErrUnit is a unit that does not continue the chain of a file, or is no whole unit. Nothing was written.
var ErrUnit = errors.New("the unit does not continue the session")

// Confirm puts a place that keeps the session before its file: each unit is passed to confirm, and is written to the
// file only if that returns nil. Its error is that of Append. Confirm is called before the first Append.
func (f *File) Confirm(confirm func(unit []byte) error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.confirm = confirm
}

// AppendUnit appends the lines of a unit that another process made, as File.Confirm passes it, and syncs them. A unit
// that does not continue the chain is an ErrUnit.
func (f *File) AppendUnit(unit []byte) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.failed != nil {
		return f.failed
	}
	after := chain{seq: f.chain.seq, head: f.chain.head}
	rest := unit
	for len(rest) > 0 {
		raw, more, ended := bytes.Cut(rest, []byte("\n"))
		if !ended || len(raw) >= MaxLine {
			return fmt.Errorf("%s, after event %d: %w: it does not end with its last line", f.path, f.chain.seq, ErrUnit)
		}
		l, err := after.follow(raw)
		if err == nil && (l.seq == 1) != (l.kind == opening) {
			err = errLayout
		}
		if err == nil && l.left == 0 && len(more) > 0 {
			err = errors.New("it holds more than a unit")
		}
		if err != nil {
			return fmt.Errorf("%s, after event %d: %w: %w", f.path, f.chain.seq, ErrUnit, err)
		}
		rest = more
	}
	if after.seq == f.chain.seq || after.left != 0 {
		return fmt.Errorf("%s, after event %d: %w: it is not complete", f.path, f.chain.seq, ErrUnit)
	}
	if err := f.unchanged(); err != nil {
		f.failed = fmt.Errorf("append event %d to %s, nothing was written: %w", f.chain.seq+1, f.path, err)
		return f.failed
	}
	_, err := f.file.WriteAt(unit, f.size)
	if err == nil {
		err = f.file.Sync()
	}
	if err != nil {
		return f.rollBack(err)
	}
	f.chain.seq, f.chain.head, f.size = after.seq, after.head, f.size+int64(len(unit))
	return nil
}

// OpenUnits opens a session file for AppendUnit, and returns its complete units. Its events are not decoded, only the
// chain is checked. An incomplete last unit is cut off. Errors are those of Open.
func OpenUnits(path string) (*File, [][]byte, error) {
	file, err := openFile(path, os.O_RDWR)
	if err != nil {
		return nil, nil, err
	}
	f := &File{path: path, file: file}
	if f.opened, err = file.Stat(); err == nil {
		f.lock, err = acquire(path)
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	units, end, err := readUnits(file, path)
	if err == nil {
		opened := Opened{Size: end.size, Repaired: end.repair}
		if err = f.repair(&opened); err == nil {
			f.chain, f.size = end.chain, opened.Size
			return f, units, nil
		}
	}
	return nil, units, errors.Join(err, file.Close(), release(f.lock, path))
}

// Units returns the complete units of a session file, without locking it.
func Units(path string) ([][]byte, error) {
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	units, _, err := readUnits(file, path)
	return units, err
}

func readUnits(file io.Reader, path string) (units [][]byte, end ending, err error) {
	var unit []byte
	end, err = walk(file, path, func(raw []byte, l line) error {
		if l.seq == 1 {
			version, err := versionOf(path, l)
			if err == nil && version < state.Version {
				err = errEarlier(path, version)
			}
			if err != nil {
				return err
			}
		}
		unit = append(append(unit, bytes.TrimSuffix(raw, []byte("\n"))...), '\n')
		if l.left == 0 {
			units, unit = append(units, slices.Clip(unit)), nil
		}
		return nil
	})
	return units, end, err
}

// Begins returns the ID and the item of the session that begins with a unit.
func Begins(unit []byte) (id, item string, err error) {
	ends, err := firstLine(unit[:min(len(unit), endBytes)])
	if err == nil {
		err = CheckID(ends.ID)
	}
	return ends.ID, ends.Item, err
}

// WriteUnits writes units to the file of a new session and returns its path. The chain must be complete. The file
// appears complete or not at all; if the session exists, the error is an fs.ErrExist.
func WriteUnits(dir, id string, units [][]byte) (string, error) {
	text := bytes.Join(units, nil)
	read, _, err := readUnits(bytes.NewReader(text), "")
	if err == nil && len(read) != len(units) {
		err = errLayout
	}
	if err != nil {
		return "", fmt.Errorf("check the units of session %s, nothing was written: %w", id, err)
	}
	return place(dir, id, text)
}
