package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"moot/state"
)

// Opened is what a session file holds.
type Opened struct {
	// Path is the file, or "" where it was read from elsewhere.
	Path string
	// Events are in order from the first.
	Events []state.Event
	// Head is the hash of the last line of a whole unit, 64 zeros if there is
	// none.
	Head string
	// Size is the length in bytes of the whole units.
	Size int64
	// Repaired says what was wrong with the end of the file.
	Repaired Repair
}

// Repair is what was wrong with the end of a file, short of damage: the
// zero Repair is nothing. Open has mended it; Read left it as it is.
type Repair struct {
	// Cut is the length in bytes of an unfinished last unit.
	Cut int64
	// Events is how many whole lines that unit has, none of which counts, and
	// Missing how many it lacks; both are 0 where not one line is whole.
	Events, Missing int
	// Text is the beginning of what was cut, at most 80 bytes.
	Text string
	// Newline says that the last line is whole but for its newline.
	Newline bool
}

// String says what was wrong, or "" if nothing was.
func (r Repair) String() string {
	switch {
	case r.Events > 0:
		return fmt.Sprintf("the last write broke off after line %d of %d: %d bytes that were never acknowledged (%q)",
			r.Events, r.Events+r.Missing, r.Cut, r.Text)
	case r.Cut > 0:
		return fmt.Sprintf("the last line was unfinished: %d bytes that were never acknowledged (%q)", r.Cut, r.Text)
	case r.Newline:
		return "the last line lacked its newline; it is whole"
	}
	return ""
}

// extend adds a line, and its newline if it has one, to what would be cut.
func (r *Repair) extend(raw []byte, ended bool) {
	if r.Cut == 0 {
		r.Text = string(raw[:min(len(raw), 80)])
	}
	r.Cut += int64(len(raw))
	if ended {
		r.Cut++
	}
}

// Read returns the events of a session file without a lock and without
// changing it; it may be open for writing elsewhere. On a *DamageError the
// events of the whole units before the damage are returned with it.
func Read(path string) (Opened, error) {
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return Opened{Path: path}, err
	}
	defer file.Close()
	return Decode(file, path)
}

// Decode is Read for a session that is not in a file of ours; path is for
// errors and may be "".
func Decode(r io.Reader, path string) (Opened, error) {
	opened := Opened{Path: path}
	decoder := state.NewDecoder()
	end, err := walk(r, path, func(_ []byte, l line) error {
		if err := readable(path, l); err != nil {
			return err
		}
		payload, err := unmarshal(decoder, l.kind, l.data)
		if err != nil {
			return err
		}
		opened.Events = append(opened.Events, state.Event{Seq: l.seq, At: l.at, Data: payload})
		return nil
	})
	opened.Events = opened.Events[:end.seq]
	opened.Head, opened.Size, opened.Repaired = end.head, end.size, end.repair
	return opened, err
}

// Lines returns the text of the lines of a session file's whole units, without
// their newlines, as exports carry them, and Import takes them. On a
// *DamageError those before the damage are returned with it.
func Lines(path string) ([]string, error) {
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []string
	end, err := walk(file, path, func(raw []byte, _ line) error {
		lines = append(lines, string(raw))
		return nil
	})
	return lines[:end.seq], err
}

// openFile opens a regular file, and says in words why it cannot.
func openFile(path string, flag int) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no session at %s (moot list shows what there is): %w", path, fs.ErrNotExist)
	case err != nil:
		return nil, fmt.Errorf("look at the session file: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder, not a session file", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file, so no session is read from it", path)
	}
	file, err := os.OpenFile(path, flag, 0)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("the session file is not yours to open, nothing was changed; check its owner and "+
			"mode: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("open the session file: %w", err)
	}
	return file, nil
}

// ending is where a walk through a file ended: the chain at the end of the last
// whole unit, the length of the whole units, and what was wrong after them.
type ending struct {
	chain
	size   int64
	repair Repair
}

// walk checks every line of a session and hands it to visit, whose error makes
// that line damaged. Raw is valid during the call only. Visit sees the lines of
// a unit before it is known to be whole: those after the ending's seq do not
// count.
func walk(r io.Reader, path string, visit func(raw []byte, l line) error) (ending, error) {
	end, at := ending{chain: newChain()}, newChain()
	var unit Repair // What would be cut if the stream ended here.
	lines := lineReader{source: bufio.NewReaderSize(r, 1<<16)}
	for {
		raw, ended, err := lines.next()
		damage := &DamageError{Path: path, Line: at.seq + 1, Seq: end.seq}
		switch {
		case errors.Is(err, errLong):
			damage.Why, damage.Err = err.Error(), err
			return end, damage
		case err != nil:
			return end, fmt.Errorf("read %s after event %d: %w", named(path), end.seq, err)
		case len(raw) == 0 && !ended:
			return end.unfinished(unit, path)
		}
		l, err := at.follow(raw)
		if err != nil && !ended && !sealed(raw) {
			unit.extend(raw, false)
			return end.unfinished(unit, path)
		}
		if err == nil && (l.seq == 1) != (l.kind == opening()) {
			err = fmt.Errorf("its kind is %s; the first line of a session, and only that, is %s", l.kind, opening())
		}
		if err == nil {
			err = visit(raw, l)
		}
		if err != nil {
			return end, lineError(damage, err)
		}
		unit.extend(raw, ended)
		unit.Events, unit.Missing = at.seq-end.seq, at.left
		if at.left == 0 {
			end.chain, end.size, unit = at, end.size+unit.Cut, Repair{}
			end.repair.Newline = !ended
		}
		if !ended {
			return end.unfinished(unit, path)
		}
	}
}

// unfinished ends a walk at the end of the stream, in the middle of a unit or
// with nothing of one.
func (e ending) unfinished(unit Repair, path string) (ending, error) {
	switch {
	case unit.Cut == 0 && e.seq == 0:
		return e, fmt.Errorf("%s: %w", named(path), ErrEmpty)
	case unit.Cut == 0:
		return e, nil
	case e.seq == 0 && unit.Events == 0:
		return e, &DamageError{Path: path, Line: 1, Why: "its first line is unfinished or no line of a session"}
	case e.seq == 0:
		why := unit.String() + "; the session was never opened"
		return e, &DamageError{Path: path, Line: unit.Events + 1, Why: why, Err: ErrEmpty}
	}
	e.repair = unit
	return e, nil
}

// sealed reports whether a line fits its own sum.
func sealed(raw []byte) bool {
	_, err := parseLine(raw)
	return err == nil || errors.Is(err, errLayout)
}

// readable refuses the first line of another version. Fields that we do not know
// must not hide which version it is.
func readable(path string, l line) error {
	if l.seq > 1 {
		return nil
	}
	var declared struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(l.data, &declared); err != nil {
		return fmt.Errorf("read the version: %w", err)
	}
	if declared.Version != state.Version {
		return &VersionError{Path: path, FileVersion: declared.Version}
	}
	return nil
}

// lineError makes a line's error the file's.
func lineError(damage *DamageError, err error) error {
	if newer, ok := errors.AsType[*VersionError](err); ok {
		return newer
	}
	damage.Why, damage.Err = err.Error(), err
	return damage
}

// errLong says that a line is longer than any that moot writes.
var errLong = fmt.Errorf("the line is longer than %d bytes", MaxLine)

// lineReader cuts a stream into lines without ever holding more than MaxLine
// bytes of it.
type lineReader struct {
	source *bufio.Reader
	long   []byte
}

// next returns the next line without its newline, and whether it had one. At
// the end of the stream it returns an empty line without a newline. The bytes
// are valid until the next call.
func (r *lineReader) next() ([]byte, bool, error) {
	piece, err := r.source.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = append(r.long[:0], piece...)
		for errors.Is(err, bufio.ErrBufferFull) {
			piece, err = r.source.ReadSlice('\n')
			r.long = append(r.long, piece...)
			if len(r.long) > MaxLine {
				return nil, false, errLong
			}
		}
		piece = r.long
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, false, err
	}
	raw, ended := bytes.CutSuffix(piece, []byte("\n"))
	return raw, ended, nil
}
