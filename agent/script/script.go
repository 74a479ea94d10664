package script

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"moot/agent/record"
	"moot/protocol"
	"moot/state"
	"moot/state/store"
)

// Prefix is what the name of a script begins with: "script:FILE".
const Prefix = "script:"

// MaxFile is the most bytes that a file may have.
const MaxFile = 16 << 20

// beginning is how many bytes tell what a file is.
const beginning = 32

// Silence is the reply of a seat that has nothing to say.
const Silence = `{"moves":[]}`

// entry is one reply of the file. An empty seat or stage fits any.
type entry struct {
	seat  state.Seat
	stage state.Stage
	text  string
	// model is what wrote it, or "".
	model string
	// err is why there is no reply: a *protocol.Broken, or that the participant
	// gave none; nil where there is one.
	err   error
	given bool
}

// missed reports that the participant gave no answer at all.
func (e *entry) missed() bool {
	var broken *protocol.Broken
	return e.err != nil && !errors.As(e.err, &broken)
}

// Script is the participant. It may be asked by several goroutines at once.
type Script struct {
	name    string
	mutex   sync.Mutex
	entries []entry
}

// A script is a participant.
var _ protocol.Participant = (*Script)(nil)

// Open reads the file of a script. Errors name the file, and the line where
// there is one.
func Open(path string) (*Script, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the script: %w", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && !info.Mode().IsRegular() && !readable(info.Mode()) {
		return nil, fmt.Errorf("open the script: %s is no file", path)
	}
	return Read(file, path)
}

// readable reports whether what is no regular file can be read to its end.
func readable(mode os.FileMode) bool { return mode&os.ModeNamedPipe != 0 }

// Read reads a script; path is for its name and for errors.
func Read(r io.Reader, path string) (*Script, error) {
	start := bufio.NewReader(r)
	if begun, _ := start.Peek(beginning); record.Is(begun) {
		return readRecording(start, path)
	}
	content, err := io.ReadAll(io.LimitReader(start, MaxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the script %s: %w", path, err)
	case len(content) > MaxFile:
		return nil, fmt.Errorf("the script %s has more than %d MiB; part it, or shorten it", path, MaxFile>>20)
	}
	s := &Script{name: Prefix + path}
	if isSession(content) {
		s.entries, err = readSession(content, path)
	} else {
		s.entries, err = readText(content, path)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// readRecording reads what the seats said in a recording of the wire.
func readRecording(r io.Reader, path string) (*Script, error) {
	recording, err := record.Read(r, path)
	if err != nil {
		return nil, fmt.Errorf("read the script as a recording: %w", err)
	}
	s := &Script{name: Prefix + path}
	for _, a := range recording.Answers(s.name) {
		s.entries = append(s.entries, entry{seat: a.Seat, stage: a.Stage, text: a.Text, model: a.Model, err: a.Err})
	}
	return s, nil
}

// isSession reports whether a file begins as a session file does.
func isSession(content []byte) bool {
	return bytes.HasPrefix(content, []byte(`{"seq":1,"at":`))
}

func readSession(content []byte, path string) ([]entry, error) {
	opened, err := store.Decode(bytes.NewReader(content), path)
	var damaged *store.DamageError
	if err != nil && !(errors.As(err, &damaged) && len(opened.Events) > 0) {
		return nil, fmt.Errorf("read the script %s as a session: %w", path, err)
	}
	if damaged != nil {
		return nil, fmt.Errorf("read the script %s as a session: %w", path, damaged)
	}
	var entries []entry
	sits := map[state.Seat]string{}
	asked := askedLast(opened.Events)
	for i, e := range opened.Events {
		switch d := e.Data.(type) {
		case *state.SessionOpened:
			for _, a := range d.Seats {
				sits[a.Seat] = a.Participant
			}
		case *state.SeatTaken:
			sits[d.Seat] = d.Participant
		case *state.ReplyReceived:
			entries = append(entries, entry{seat: d.Seat, stage: d.Stage, text: d.Text, model: d.Model})
		case *state.ReplyRefused:
			refused(entries, d, record.Renamed(d.Reason, sits[d.Seat], Prefix+path))
		case *state.SeatMissed:
			if !d.Answered {
				entries = append(entries, entry{seat: d.Seat, stage: d.Stage, err: record.Gone(Prefix+path, d.Reason, record.FailureUnreachable)})
			}
		case *state.SessionPaused:
			if seat, said := unreachable(d, sits); seat != "" && asked[seat].at < i {
				entries = append(entries, entry{seat: seat, stage: asked[seat].stage, err: record.Gone(Prefix+path, said, record.FailureUnreachable)})
			}
		}
	}
	return entries, nil
}

// asking is the last prompt of a seat: its place among the events, and its stage.
type asking struct {
	at    int
	stage state.Stage
}

func askedLast(events []state.Event) map[state.Seat]asking {
	last := map[state.Seat]asking{}
	for i, e := range events {
		if p, ok := e.Data.(*state.PromptSent); ok {
			last[p.Seat] = asking{i, p.Stage}
		}
	}
	return last
}

// unreachable says which seat gave no answer where a session paused, and what was said
// of it. A seat that was asked again later gave one then.
func unreachable(d *state.SessionPaused, sits map[state.Seat]string) (seat state.Seat, said string) {
	if d.Why != state.PauseUnreachable {
		return "", ""
	}
	for seat, participant := range sits {
		if said, found := strings.CutPrefix(d.Reason, string(seat)+": "+participant+record.NoAnswer); found {
			return seat, said
		}
	}
	return "", ""
}

// refused marks the last reply of a seat as broken, where what was wrong with it
// is not in its text.
func refused(entries []entry, d *state.ReplyRefused, said string) {
	if protocol.Unreadable(d.Code) {
		return
	}
	for i := range slices.Backward(entries) {
		if e := &entries[i]; e.seat == d.Seat && e.stage == d.Stage {
			e.err = &protocol.Broken{Code: d.Code, What: said, Partial: e.text}
			return
		}
	}
}

// readText parts a text at its headers.
func readText(content []byte, path string) ([]entry, error) {
	if !utf8.Valid(content) {
		return nil, fmt.Errorf("the script %s is no text in UTF-8", path)
	}
	text := strings.ReplaceAll(strings.TrimPrefix(string(content), "\uFEFF"), "\r\n", "\n")
	lines := strings.Split(text, "\n")
	if parted, err := isParted(lines, path); err != nil || !parted {
		return []entry{{text: text}}, err
	}
	var entries []entry
	current, started := entry{}, false
	var body []string
	finish := func() {
		current.text = strings.TrimSpace(strings.Join(body, "\n"))
		if started || current.text != "" {
			entries = append(entries, current)
		}
		body = nil
	}
	for i, line := range lines {
		h, isHeader := readHeader(line)
		if !isHeader {
			body = append(body, line)
			continue
		}
		seat, stage, err := h.meaning()
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
		finish()
		current, started = entry{seat: seat, stage: stage}, true
	}
	finish()
	return entries, nil
}

// isParted reports whether a text is parted by headers: it begins with one, or
// holds one that names a seat or stage. One that nearly does is an error, so
// that a slip of the pen is not taken for text.
func isParted(lines []string, path string) (bool, error) {
	first := true
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		h, ok := readHeader(line)
		if ok && first {
			return true, nil
		}
		first = false
		if !ok || h.bare() {
			continue
		}
		_, _, err := h.meaning()
		if err == nil {
			return true, nil
		}
		if h.near() {
			return false, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	return false, nil
}

// Name implements protocol.Participant.
func (s *Script) Name() string { return s.name }

// Modelless implements protocol.Participant: no language model is at work.
func (*Script) Modelless() bool { return true }

// Len returns the number of replies in the file, Left how many of them were not
// given yet.
func (s *Script) Len() int { return len(s.entries) }

// Left returns the number of replies that were not given yet.
func (s *Script) Left() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	left := 0
	for _, e := range s.entries {
		if !e.given {
			left++
		}
	}
	return left
}

// Reply implements protocol.Participant.
func (s *Script) Reply(ctx context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	if err := ctx.Err(); err != nil {
		return protocol.Reply{}, err
	}
	began := time.Now()
	e := s.next(func(e *entry) bool { return e.fits(call.Ask.Seat, call.Ask.Stage) })
	switch {
	case e == nil:
		e = &entry{text: Silence}
	case e.err != nil:
		return protocol.Reply{}, e.err
	case strings.TrimSpace(e.text) == "":
		e = &entry{text: Silence}
	}
	return protocol.Reply{Text: e.text, Model: e.model, Attempts: 1, Took: time.Since(began)}, nil
}

// fits reports whether a call may be given the entry.
func (e *entry) fits(seat state.Seat, stage state.Stage) bool {
	return (e.seat == "" || e.seat == seat) && (e.stage == "" || e.stage == stage)
}

// Skip takes the replies that these events of the session record as given, so
// that a session which is resumed goes on where it was: those of the seat while
// this script sat there, or was asked in the place of who did.
func (s *Script) Skip(events []state.Event, seat state.Seat) {
	sits := false
	for _, e := range events {
		switch d := e.Data.(type) {
		case *state.SessionOpened:
			for _, a := range d.Seats {
				sits = sits || a.Seat == seat && a.Participant == s.name
			}
		case *state.SeatTaken:
			if d.Seat == seat {
				sits = d.Participant == s.name
			}
		default:
			if sits {
				s.skip(e.Data, seat)
			}
		}
	}
}

// skip takes what an event records of the seat as given.
func (s *Script) skip(data state.Payload, seat state.Seat) {
	switch d := data.(type) {
	case *state.ReplyReceived:
		if d.Seat == seat {
			s.next(func(e *entry) bool { return e.fits(d.Seat, d.Stage) && !e.missed() })
		}
	case *state.SeatMissed:
		if d.Seat == seat && !d.Answered {
			s.next(func(e *entry) bool { return e.fits(d.Seat, d.Stage) && e.missed() })
		}
	case *state.SessionPaused:
		s.next(func(e *entry) bool {
			return e.seat == seat && e.missed() && d.Reason == string(seat)+": "+e.err.Error()
		})
	}
}

// next takes the first entry that fits and was not given yet; nil is none.
func (s *Script) next(fits func(*entry) bool) *entry {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for i := range s.entries {
		if e := &s.entries[i]; !e.given && fits(e) {
			e.given = true
			return e
		}
	}
	return nil
}
