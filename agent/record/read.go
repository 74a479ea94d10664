package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// IsRecording reports whether a file begins like a recording.
func IsRecording(content []byte) bool { return bytes.HasPrefix(content, []byte(`{"recording":`)) }

// RecordedCall is a call of a recording. End is zero if the recording ends before it.
type RecordedCall struct{ Call, End Line }

// Read reads the calls of a recording; path is for errors, which name the line.
func Read(r io.Reader, path string) ([]RecordedCall, error) {
	lines := bufio.NewScanner(io.LimitReader(r, MaxFile+1<<20))
	lines.Buffer(nil, MaxFile)
	var calls []RecordedCall
	number := 0
	for lines.Scan() {
		number++
		if number == 1 {
			var head Head
			if err := json.Unmarshal(lines.Bytes(), &head); err != nil || !IsRecording(lines.Bytes()) {
				return nil, fmt.Errorf("%s:1: not a recording of moot: its first line is missing", path)
			}
			if head.Recording != Version {
				return nil, fmt.Errorf("%s:1: the recording has version %d, and this moot reads version %d: read it with moot %s",
					path, head.Recording, Version, head.Moot)
			}
			continue
		}
		if err := add(&calls, lines.Bytes()); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, number+1, err)
	}
	return calls, nil
}

// add reads a line of a call.
func add(calls *[]RecordedCall, text []byte) error {
	var l Line
	if err := json.Unmarshal(text, &l); err != nil {
		return fmt.Errorf("not a complete line of a recording; remove it to use the lines before it: %w", err)
	}
	switch l.Kind {
	case KindCall:
		if l.Call != len(*calls)+1 {
			return fmt.Errorf("found call %d, expected call %d", l.Call, len(*calls)+1)
		}
		if l.Seat == "" || l.Stage == "" {
			return errors.New("the call names no seat and stage")
		}
		*calls = append(*calls, RecordedCall{Call: l})
	case KindEnd:
		if l.Call < 1 || l.Call > len(*calls) {
			return fmt.Errorf("call %d ends but did not begin", l.Call)
		}
		(*calls)[l.Call-1].End = l
	case KindExchange, KindProgram, KindNote, KindStopped:
	default:
		return fmt.Errorf("unknown kind of line %q", l.Kind)
	}
	return nil
}
