package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/state"
)

// Ends is read from the first and the last line of a session file. The lines between were not read, so the chain is not
// checked.
type Ends struct {
	ID string
	// Item is the item of a batch that the session belongs to, or "".
	Item     string
	OpenedAt time.Time
	// Closed and Paused say what the last event did; LastAt is its time. Both are false if the session runs, or if its
	// process was killed.
	Closed bool
	Paused bool
	LastAt time.Time
}

// endBytes is how much of the start of a file, and at first of its end, is read.
const endBytes = 4 << 10

// ReadEnds reads the first and the last line of a session file, so it is fast for any size. A file without a complete
// line is ErrEmpty.
func ReadEnds(path string) (Ends, error) {
	file, err := openFile(path, os.O_RDONLY)
	if err != nil {
		return Ends{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return Ends{}, err
	}
	first := make([]byte, min(info.Size(), endBytes))
	if _, err := file.ReadAt(first, 0); err != nil && !errors.Is(err, io.EOF) {
		return Ends{}, fmt.Errorf("read the start of %s: %w", path, err)
	}
	ends, err := firstLine(first)
	if err != nil {
		return ends, fmt.Errorf("%s: %w", path, err)
	}
	last, err := lastLine(file, info.Size())
	if err != nil {
		return ends, fmt.Errorf("read the end of %s: %w", path, err)
	}
	l, err := parseLine(last)
	if err != nil {
		// The last write was cut short: the session was running.
		return ends, nil
	}
	ends.LastAt = l.at
	ends.Closed = l.kind == state.KindOf(&state.SessionClosed{}) && l.left == 0
	ends.Paused = l.kind == state.KindOf(&state.SessionPaused{}) && l.left == 0
	return ends, nil
}

// firstLine reads the identity of a session from the start of its first line.
func firstLine(start []byte) (Ends, error) {
	var ends Ends
	at, rest, ok := bytes.Cut(start, []byte(`","prev":"`))
	if !ok || !bytes.HasPrefix(at, []byte(`{"seq":1,"at":"`)) {
		return ends, ErrEmpty
	}
	var err error
	if ends.OpenedAt, err = time.Parse(time.RFC3339Nano, string(at[len(`{"seq":1,"at":"`):])); err != nil {
		return ends, errLayout
	}
	_, data, ok := bytes.Cut(rest, []byte(`","data":`))
	if !ok {
		return ends, ErrEmpty
	}
	d := jsontext.NewDecoder(bytes.NewReader(data))
	if token, err := d.ReadToken(); err != nil || token.Kind() != jsontext.KindBeginObject {
		return ends, errLayout
	}
	for {
		name, err := d.ReadToken()
		if err != nil {
			return ends, errLayout
		}
		into := map[string]*string{"id": &ends.ID, "item": &ends.Item}[name.String()]
		switch {
		case into != nil:
			value, err := d.ReadValue()
			if err != nil || json.Unmarshal(value, into) != nil {
				return ends, errLayout
			}
		case name.String() == "version":
			if d.SkipValue() != nil {
				return ends, errLayout
			}
		default: // They come first.
			return ends, nil
		}
	}
}

// lastLine returns the last line of a file, without its newline.
func lastLine(file io.ReaderAt, size int64) ([]byte, error) {
	for length := int64(endBytes); ; length *= 8 {
		length = min(length, size)
		end := make([]byte, length)
		if _, err := file.ReadAt(end, size-length); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		end = bytes.TrimSuffix(end, []byte("\n"))
		if i := bytes.LastIndexByte(end, '\n'); i >= 0 {
			return end[i+1:], nil
		}
		if length == size || length > MaxLine {
			return end, nil
		}
	}
}

// IsHeld reports whether a process is writing to the session file at path.
func IsHeld(path string) bool { return isLocked(path) }
