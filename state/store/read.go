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

// Opened is the content of a session file.
type Opened struct {
	// Path is the file, or "" if the session was not read from one of our files.
	Path   string
	Events []state.Event
	// Version is the version of the file. If it is earlier than state.Version, the session can only be read.
	Version int
	// Head is the hash of the last line of the last complete unit, or 64 zeros.
	Head string
	// Size is the length in bytes of the complete units.
	Size int64
	// Repaired describes the problem at the end of the file, if any.
	Repaired Repair
}

// Repair describes a problem at the end of a file that is not damage; the zero Repair is no problem. Open fixes it,
// Read leaves the file unchanged.
type Repair struct {
	// Cut is the length in bytes of an incomplete last unit.
	Cut int64
	// Events is the number of complete lines of that unit, none of which counts, and Missing how many it lacks. Both
	// are 0 if not one line is complete.
	Events, Missing int
	// Text is the beginning of the cut part, at most 80 bytes.
	Text string
	// Newline reports that the last line is complete except for its newline.
	Newline bool
}

// String describes the problem, or returns "".
func (r Repair) String() string {
	switch {
	case r.Events > 0:
		return fmt.Sprintf("the last write was cut short after line %d of %d: %d bytes that were never acknowledged "+
			"(%q)",
			r.Events, r.Events+r.Missing, r.Cut, r.Text)
	case r.Cut > 0:
		return fmt.Sprintf("the last line was unfinished: %d bytes that were never acknowledged (%q)", r.Cut, r.Text)
	case r.Newline:
		return "the last line lacked its newline but is complete"
	}
	return ""
}

// extend adds a line to the part to cut.
func (r *Repair) extend(raw []byte, ended bool) {
	if r.Cut == 0 {
		r.Text = string(raw[:min(len(raw), 80)])
	}
	r.Cut += int64(len(raw))
	if ended {
		r.Cut++
	}
}

// Read returns the events of a session file without locking or changing it; it may be open for writing elsewhere.
// With a *DamageError it returns the events of the complete units before the damage.
func Read(path string, formats ...state.Rules) (Opened, error) {
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return Opened{Path: path}, err
	}
	defer file.Close()
	return Decode(file, path, formats...)
}

// Decode is Read for a session from another source; path is used in errors and may be "".
func Decode(r io.Reader, path string, formats ...state.Rules) (Opened, error) {
	opened := Opened{Path: path}
	decoder := state.NewDecoder(formats...)
	end, err := walk(r, path, func(_ []byte, l line) error {
		if l.seq == 1 {
			version, err := versionOf(path, l)
			if err != nil {
				return err
			}
			if opened.Version = version; version < state.Version {
				decoder = decoder.Earlier()
			}
		}
		payload, err := decoder.Decode(l.kind, l.data)
		if err != nil {
			return err
		}
		opened.Events = append(opened.Events, state.Event{Seq: l.seq, At: l.at, Channel: l.channel, Data: payload})
		return nil
	})
	opened.Events = opened.Events[:end.seq]
	opened.Head, opened.Size, opened.Repaired = end.head, end.size, end.repair
	return opened, err
}

// FormatOf returns the format of a session file from its first line alone. It does not check the chain.
func FormatOf(path string) (state.Format, error) {
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return "", err
	}
	defer file.Close()
	lines := lineReader{source: bufio.NewReader(file)}
	raw, _, err := lines.next()
	if err != nil {
		return "", err
	}
	first, err := parseLine(raw)
	if err != nil {
		return "", &DamageError{Path: path, Line: 1, Why: err.Error()}
	}
	var opened struct {
		Settings struct {
			Format state.Format `json:"format"`
		} `json:"settings"`
	}
	if err := json.Unmarshal(first.data, &opened); err != nil {
		return "", fmt.Errorf("read the format of %s: %w", path, err)
	}
	return opened.Settings.Format, nil
}

// Lines returns the lines of the complete units of a session file, without newlines, for exports and Import. With a
// *DamageError it returns those before the damage.
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

// openFile opens a regular file, with an error that explains why it cannot.
func openFile(path string, flag int) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no session at %s (moot list shows your sessions): %w", path, fs.ErrNotExist)
	case err != nil:
		return nil, fmt.Errorf("read the session file: %w", err)
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder, not a session file", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.OpenFile(path, flag, 0)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("you may not open the session file; check its owner and mode: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("open the session file: %w", err)
	}
	return file, nil
}

// ending is where walk stopped: the chain at the end of the last complete unit, the length of the complete units, and
// the problem after them.
type ending struct {
	chain
	size   int64
	repair Repair
}

// walk checks every line of a session and passes it to visit; an error from visit makes that line damaged. raw is
// valid during the call only. visit also sees the lines of an incomplete last unit: those after ending.seq do not
// count.
func walk(r io.Reader, path string, visit func(raw []byte, l line) error) (ending, error) {
	end, at := ending{chain: newChain()}, newChain()
	var unit Repair // What would be cut if the stream ended here.
	lines := lineReader{source: bufio.NewReaderSize(r, 1<<16)}
	for {
		raw, ended, err := lines.next()
		number := at.seq + 1
		damaged := func(err error) error {
			if errors.Is(err, errVersion) {
				return err
			}
			return &DamageError{Path: path, Line: number, Seq: end.seq, Why: err.Error(), Err: err}
		}
		switch {
		case errors.Is(err, errLong):
			return end, damaged(err)
		case err != nil:
			return end, fmt.Errorf("read %s after event %d: %w", named(path), end.seq, err)
		case len(raw) == 0 && !ended:
			return end.unfinished(unit, path)
		}
		if !ended && sealed(raw[:len(raw)-1]) {
			// A write that was cut short leaves no byte between a complete line and its newline.
			return end, damaged(errors.New("its newline is damaged"))
		}
		l, err := at.follow(raw)
		if err != nil && !ended && !sealed(raw) {
			unit.extend(raw, false)
			return end.unfinished(unit, path)
		}
		if err == nil && (l.seq == 1) != (l.kind == opening) {
			err = fmt.Errorf("its kind is %s; the first line of a session, and only that, is %s", l.kind, opening)
		}
		if err == nil {
			err = visit(raw, l)
		}
		if err != nil {
			return end, damaged(err)
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

// unfinished ends a walk at the end of the stream, inside a unit or between two.
func (e ending) unfinished(unit Repair, path string) (ending, error) {
	switch {
	case unit.Cut == 0 && e.seq == 0:
		return e, fmt.Errorf("%s: %w", named(path), ErrEmpty)
	case unit.Cut == 0:
		return e, nil
	case e.seq == 0 && unit.Events == 0:
		return e, &DamageError{Path: path, Line: 1, Why: "its first line is unfinished or not from a session"}
	case e.seq == 0:
		why := unit.String() + "; the session never started"
		return e, &DamageError{Path: path, Line: unit.Events + 1, Why: why, Err: ErrEmpty}
	}
	e.repair = unit
	return e, nil
}

// sealed reports whether a line matches its own sum.
func sealed(raw []byte) bool {
	_, err := parseLine(raw)
	return err == nil || errors.Is(err, errLayout)
}

// versionOf returns the version that the first line of a session declares, at most state.Version: it refuses a later
// one. It reads only the version, since other fields may be unknown.
func versionOf(path string, first line) (int, error) {
	var declared struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(first.data, &declared); err != nil {
		return 0, fmt.Errorf("read the version: %w", err)
	}
	if declared.Version > state.Version {
		return 0, fmt.Errorf("%w: %s was written by version %d, and this moot reads version %d; the file was not "+
			"changed, and a newer moot can open it", errVersion, named(path), declared.Version, state.Version)
	}
	return declared.Version, nil
}

// errEarlier says that a session of an earlier version can't be continued.
func errEarlier(path string, version int) error {
	return fmt.Errorf("%w: %s was written by version %d, and this moot writes version %d, whose rules differ; "+
		"it can be read (moot show, export, verify) but not continued or forked, and the file was not changed",
		errVersion, named(path), version, state.Version)
}

// errLong reports a line longer than moot ever writes.
var errLong = fmt.Errorf("the line is longer than %d bytes", MaxLine)

// lineReader splits a stream into lines, holding at most MaxLine bytes of it.
type lineReader struct {
	source *bufio.Reader
	long   []byte
}

// next returns the next line without its newline, and whether it had one. At the end of the stream it returns an
// empty line without one. The bytes are valid until the next call.
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

// VerifyChain checks every byte of a session file against its chain and returns the head of the chain and the number
// of events; with a *DamageError, those of the complete units before it. It is stricter than Read: an incomplete last
// unit or a missing last newline is damage. It does not decode events, so it also verifies versions that this moot
// cannot read.
//
// With a known head (from an export, or noted elsewhere) it also finds complete lines missing at the end, as a
// *DamageError that wraps ErrHead.
func VerifyChain(r io.Reader, knownHead string) (string, int, error) {
	known := 0
	end, err := walk(r, "", func(_ []byte, l line) error {
		if l.prev == knownHead {
			known = l.seq - 1
		}
		return nil
	})
	switch {
	case err != nil:
	case end.repair != Repair{}:
		err = end.repair.damage(end.seq)
	case knownHead != "" && end.head != knownHead:
		damage := &DamageError{Line: end.seq + 1, Seq: end.seq, Err: ErrHead, Why: fmt.Sprintf(
			"the chain ends at %.12s…, not at the known head %.12s…: complete lines are missing at its end, or it is "+
				"another session", end.head, knownHead)}
		if known > 0 {
			damage.Line = known + 1
			damage.Why = fmt.Sprintf("the known head %.12s… is that of event %d; the lines after it were added later",
				knownHead, known)
		}
		err = damage
	}
	return end.head, end.seq, err
}

// damage turns a repair into the error for callers that accept only a complete session.
func (r Repair) damage(seq int) *DamageError {
	line := seq
	if r.Cut > 0 {
		line = seq + r.Events + 1
	}
	return &DamageError{Line: line, Seq: seq, Why: r.String()}
}
