// Package script is the participant whose replies are in a file: a recorded
// session, a review that someone pasted, a test. No model is at work. After the
// last reply it has nothing to say, which is a valid reply.
//
// A session file of moot (NAME.jsonl) gives its replies, each to the seat and
// stage that it was given in, in their order, including those that were refused. A
// participant that gave no answer, or broke off its reply, does so again.
//
// Any other file is text in UTF-8. If it begins with a line "---", or has a line
// "--- seat/stage", such lines separate its replies:
//
//	--- consultee/propose
//	1. The consumer retries for ever [EVIDENCE] queue/consumer.go:88 "for {"
//	--- consultee/answer
//	Re C1: the loop has no exit
//	---
//	the next reply, for any seat and stage
//
// Seat or stage may be missing or "*" ("--- consultee", "--- /answer",
// "--- answer", "---"): then any will do. A call takes the first reply that fits
// and was not given yet. The text before the first such line answers the first
// call; an empty reply is silence. A line that begins with "---" and continues
// otherwise, as in a patch, is text. A text without such lines is one reply, for
// the first call.
//
// Replies are in any form that the protocol reads. Files have at most 16 MiB.
// Start at Open.
package script

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"moot/internal/enum"
	"moot/internal/regular"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/reply"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// Prefix is the start of a script's participant string: "script:FILE".
const Prefix = "script:"

// MaxFile is the maximum size of a script in bytes.
const MaxFile = 16 << 20

// Silence is the reply of a seat that has nothing to say.
const Silence = `{"moves":[]}`

// entry is one reply of the file. An empty seat or stage fits any.
type entry struct {
	seat  state.Seat
	stage state.Stage
	text  string
	// model wrote the reply, or "".
	model string
	// err is the error to return instead: a *protocol.Broken or a *protocol.Unreachable.
	err   error
	given bool
}

func (e *entry) fits(seat state.Seat, stage state.Stage) bool {
	return (e.seat == "" || e.seat == seat) && (e.stage == "" || e.stage == stage)
}

// missed reports whether the participant gave no answer.
func (e *entry) missed() bool {
	_, missed := errors.AsType[*protocol.Unreachable](e.err)
	return missed
}

// Script is the participant. It is safe for concurrent use.
type Script struct {
	name    string
	mutex   sync.Mutex
	entries []entry
}

var _ protocol.Participant = (*Script)(nil)

// Open reads a script file. Errors name the file and, if possible, the line.
func Open(path string) (*Script, error) {
	file, err := regular.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the script: %w", err)
	}
	defer func() { _ = file.Close() }()
	return Read(file, path)
}

// Read parses a script. path is for its name and for errors.
func Read(r io.Reader, path string) (*Script, error) {
	s := &Script{name: Prefix + path}
	content, err := io.ReadAll(io.LimitReader(r, MaxFile+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the script %s: %w", path, err)
	case len(content) > MaxFile:
		return nil, fmt.Errorf("the script %s has more than %d MiB; split it, or shorten it", path, MaxFile>>20)
	case bytes.HasPrefix(content, []byte(`{"recording":`)):
		return nil, fmt.Errorf("the script %s is a recording: use the file of its session, which has the replies", path)
	}
	if bytes.HasPrefix(content, []byte(`{"seq":1,"at":`)) {
		opened, err := store.Decode(bytes.NewReader(content), path, formats.Rules()...)
		if err != nil {
			return nil, fmt.Errorf("read the script %s as a session: %w", path, err)
		}
		s.readSession(opened.Events)
		return s, nil
	}
	if !utf8.Valid(content) {
		return nil, fmt.Errorf("the script %s is not text in UTF-8", path)
	}
	s.entries, err = readText(string(content), path)
	return s, err
}

// readSession reads the replies in a session.
func (s *Script) readSession(events []state.Event) {
	for _, event := range events {
		switch d := event.Data.(type) {
		case *state.ReplyReceived:
			s.entries = append(s.entries, entry{seat: d.Seat, stage: d.Stage, text: d.Text, model: d.Model})
		case *state.ReplyRefused:
			if reply.Unreadable(d.Code) {
				continue // a refused text is refused again
			}
			for j := range slices.Backward(s.entries) {
				if e := &s.entries[j]; e.seat == d.Seat && e.stage == d.Stage {
					e.err = &protocol.Broken{Code: d.Code, What: d.Reason, Partial: e.text, Cause: causeOf(d.Failure)}
					break
				}
			}
		case *state.SeatMissed:
			if !d.Answered {
				err := &protocol.Unreachable{Participant: s.name, Cause: causeOf(d.Failure)}
				if d.Failure == nil {
					err.What, err.Fix, _ = strings.Cut(d.Reason, "; ")
				} else {
					err.What = d.Failure.Text
					err.Fix = strings.TrimPrefix(strings.TrimPrefix(d.Reason, view.FailureWords(*d.Failure)), "; ")
				}
				s.entries = append(s.entries, entry{seat: d.Seat, stage: d.Stage, err: err})
			}
		}
	}
}

// causeOf returns the cause that led to a recorded failure; it is zero if none is recorded.
func causeOf(f *state.Failure) protocol.Cause {
	if f == nil {
		return protocol.Cause{}
	}
	cause := protocol.Cause{Kind: f.Kind, Resets: f.Resets}
	if f.Said {
		cause.Said = f.Text
	}
	return cause
}

// readText splits a text at its headers, if it starts with one or has one that names a seat or stage. A misspelled
// header is an error, so that it does not become text.
func readText(text, path string) ([]entry, error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	lines := strings.Split(text, "\n")
	separated, begun := false, false
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		h, ok := readHeader(line)
		if ok && !begun {
			separated = true
			break
		}
		begun = true
		if !ok || h.seat == "" && h.stage == "" {
			continue
		}
		_, _, err := h.meaning()
		if err == nil {
			separated = true
			break
		}
		if isSeat(h.seat) || isStage(h.stage) { // one word is valid, so the other is a typo
			return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	if !separated {
		return []entry{{text: text}}, nil
	}
	entries, body := []entry{{}}, []string{}
	finish := func() { entries[len(entries)-1].text = strings.TrimSpace(strings.Join(body, "\n")) }
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
		entries, body = append(entries, entry{seat: seat, stage: stage}), nil
	}
	finish()
	if entries[0].text == "" {
		entries = entries[1:]
	}
	return entries, nil
}

// header is a line "--- seat/stage". Without a slash, the word may be either.
type header struct {
	seat, stage string
	slash       bool
}

// readHeader parses a header: three dashes, then nothing or a blank and lower-case words. A line in a patch ("---
// a/queue.go") has a dot or capitals.
func readHeader(line string) (header, bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, " \t"), "---")
	if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return header{}, false
	}
	seat, stage, slash := strings.Cut(strings.TrimSpace(rest), "/")
	h := header{strings.TrimSpace(seat), strings.TrimSpace(stage), slash}
	for _, word := range []string{h.seat, h.stage} {
		if word != "*" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return header{}, false
		}
	}
	return h, true
}

// meaning returns the header's seat and stage; "" matches any.
func (h header) meaning() (state.Seat, state.Stage, error) {
	seat, stage := strings.TrimPrefix(h.seat, "*"), strings.TrimPrefix(h.stage, "*")
	if !h.slash && isStage(seat) {
		seat, stage = "", seat
	}
	written := strings.TrimSpace("--- " + h.seat)
	if h.slash {
		written += "/" + h.stage
	}
	if seat != "" && !isSeat(seat) {
		known := seats()
		if !h.slash {
			known = append(known, enum.Words(stages())...)
		}
		unknown := &enum.UnknownError{What: "seat", Word: seat, Known: known, Nearest: enum.Nearest(seat, known)}
		return "", "", fmt.Errorf("read the header %q: %w", written, unknown)
	}
	if stage != "" {
		if _, err := enum.Parse("stage", stage, stages()); err != nil {
			return "", "", fmt.Errorf("read the header %q: %w", written, err)
		}
	}
	return state.Seat(seat), state.Stage(stage), nil
}

// seats returns the names of the seats of all formats, without the numbered ones.
func seats() []string {
	var names []string
	for _, f := range formats.All() {
		settings := f.Settings()
		for _, name := range settings.Seats() {
			if !strings.ContainsAny(name, "0123456789") && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// stages returns the stages of all formats.
func stages() []state.Stage {
	list := state.SharedStages()
	for _, f := range formats.All() {
		list = append(list, f.Own().Stages...)
	}
	return list
}

// isSeat reports whether a participant can take a seat of this name, which may be numbered.
func isSeat(word string) bool {
	return slices.Contains(seats(), strings.TrimRight(word, "-0123456789"))
}

func isStage(word string) bool {
	return slices.Contains(stages(), state.Stage(word))
}

// Name implements protocol.Participant.
func (s *Script) Name() string { return s.name }

// Modelless implements protocol.Participant.
func (*Script) Modelless() bool { return true }

// NeedsLookups is true because a script may contain lookups.
func (*Script) NeedsLookups() bool { return true }

// Left returns the number of replies not yet given.
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
	if e == nil {
		e = &entry{}
	}
	if e.err != nil {
		return protocol.Reply{}, e.err
	}
	reply := protocol.Reply{Text: e.text, Model: e.model, Attempts: 1, Took: time.Since(began)}
	if strings.TrimSpace(reply.Text) == "" {
		reply.Text, reply.Model = Silence, ""
	}
	return reply, nil
}

// Skip marks the replies in these events as given, so that a resumed session continues correctly. It counts the
// seat's replies while this script had the seat or was called as a fallback.
func (s *Script) Skip(events []state.Event, seat state.Seat) {
	seated := false
	for _, e := range events {
		switch d := e.Data.(type) {
		case *state.SessionOpened:
			for _, a := range d.Seats {
				seated = seated || a.Seat == seat && a.Participant == s.name
			}
		case *state.SeatTaken:
			if d.Seat == seat {
				seated = d.Participant == s.name
			}
		case *state.ReplyReceived:
			if seated && d.Seat == seat {
				s.next(func(e *entry) bool { return e.fits(d.Seat, d.Stage) && !e.missed() })
			}
		case *state.SeatMissed:
			if seated && d.Seat == seat && !d.Answered {
				s.next(func(e *entry) bool { return e.fits(d.Seat, d.Stage) && e.missed() })
			}
		}
	}
}

// next removes and returns the first matching entry, or nil.
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
