package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"moot/protocol"
	"moot/state"
	"moot/state/store"
	"moot/tui"
)

// outside is what the screen reaches of the world: the clipboard, the person's
// editor, files, and other sessions. Nothing of it writes to the terminal.
type outside struct {
	console *Console
	calls   callOptions

	mutex sync.Mutex
	// runs are the sittings that the screen was given, in their order.
	runs []*run
}

// run is a sitting that the screen was given, and how it ended; nil where it did
// not: a participant that ignores its cancelled call may outlive the screen.
type run struct {
	*sitting
	ended atomic.Pointer[protocol.Ended]
}

// hand gives a sitting to the screen, which closes it, and keeps it in mind for
// the end of the program. Notes are said when it is shown.
func (o *outside) hand(s *sitting, notes []string) tui.Opened {
	r := &run{sitting: s}
	o.mutex.Lock()
	o.runs = append(o.runs, r)
	o.mutex.Unlock()
	opened := s.opened(func(e protocol.Ended) { r.ended.Store(&e) })
	for i, note := range notes {
		notes[i] = strings.Join(strings.Fields(note), " ")
	}
	opened.Note = strings.Join(notes, "; ")
	return opened
}

// last is the sitting of a session that was given last, or nil.
func (o *outside) last(id string) *run {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, r := range slices.Backward(o.runs) {
		if r.state.ID == id {
			return r
		}
	}
	return nil
}

// services are the functions that the screen calls.
func (o *outside) services() tui.Services {
	return tui.Services{
		Copy: o.console.copyText, OpenFile: o.openFile, EditText: o.editText, Export: o.export, Fork: o.fork, Replace: o.replace,
		Participants: o.participants,
	}
}

// participants are the names of who can take a seat.
func (o *outside) participants(ctx context.Context) []string {
	h, err := o.console.holds()
	if err != nil {
		h = nil
	}
	return findCandidates(ctx, o.console.places(false, h), h).names
}

// openFile makes the command that opens a cited place of a workspace.
func (o *outside) openFile(workspace, reference string) (*exec.Cmd, error) {
	path, line, err := citedFile(workspace, reference)
	if err != nil {
		return nil, err
	}
	return editorCommand(o.console, path, line)
}

// maxEdited bounds a text that comes back from an editor, in bytes.
const maxEdited = 4 << 20

// editText makes the command that opens a text in the person's editor, and what
// reads it back and removes its file. A text that cannot be taken stays in its
// file, which the error names.
func (o *outside) editText(text string) (command *exec.Cmd, read func() (string, error), err error) {
	// Editors leave files beside the one they edit: all of them go.
	dir, err := os.MkdirTemp("", "moot-*")
	if err != nil {
		return nil, nil, fmt.Errorf("make a file for the editor: %w", err)
	}
	path := filepath.Join(dir, "text.md")
	err = os.WriteFile(path, []byte(text), 0o600)
	if err == nil {
		command, err = editorCommand(o.console, path, 0)
	}
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return command, func() (string, error) {
		edited, err := readEdited(path)
		if err != nil {
			return "", fmt.Errorf("take what you wrote: %w; it is kept in %s", err, path)
		}
		if err := os.RemoveAll(dir); err != nil {
			return edited, fmt.Errorf("remove the editor's file: %w", err)
		}
		return edited, nil
	}, nil
}

// readEdited reads a text within its bounds.
func readEdited(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxEdited+1))
	switch {
	case err != nil:
		return "", err
	case len(text) > maxEdited:
		return "", fmt.Errorf("it is longer than %d bytes", maxEdited)
	case !utf8.Valid(text):
		return "", errors.New("it is no UTF-8 text")
	}
	return string(text), nil
}

// export writes a session to a new file.
func (o *outside) export(_ context.Context, e tui.Export) (string, error) {
	how, known := map[string]leaving{
		tui.FormMarkdown: {form: outputMarkdown}, tui.FormJSON: {form: outputJSON},
		tui.FormJSONEvents: {form: outputJSON, events: true},
		tui.FormMap:        {form: outputSVG, drawing: drawingMap}, tui.FormConfidence: {form: outputSVG, drawing: drawingConfidence},
	}[e.Form]
	if !known {
		return "", fmt.Errorf("unknown form of export %q; nothing was written", e.Form)
	}
	if r := o.last(e.ID); r != nil && r.file == nil {
		return "", errors.New("neither mode quick nor a demo keeps a session file: there is nothing to export")
	}
	s, err := read(e.ID)
	if err != nil {
		return "", err
	}
	return o.console.exportTo(e.Path, how, s)
}

// fork makes a session with the same past and opens it. It waits before its
// first turn: whoever forks has something to change.
func (o *outside) fork(_ context.Context, id string, at int) (tui.Opened, error) {
	if r := o.last(id); r != nil && r.file == nil {
		return tui.Opened{}, errors.New("neither mode quick nor a demo keeps a session file: there is nothing to fork")
	}
	if at == 0 {
		at = store.LastOpen
	}
	made, notes, err := fork(o.console, id, at)
	if err != nil {
		return tui.Opened{}, err
	}
	opened, err := o.goOn(made.ID, notes...)
	if err != nil {
		return opened, fmt.Errorf("session %s was made, and could not be opened: %w", made.ID, err)
	}
	return opened, nil
}

// open opens a session of the list: to look at it, from the first event in a
// replay, or to go on with it where it is not finished.
func (o *outside) open(_ context.Context, id string, replay bool) (tui.Opened, error) {
	s, err := read(id)
	if err != nil {
		return tui.Opened{}, err
	}
	switch {
	case replay:
		return s.looked(o.console, 1), nil
	case s.state.Closed:
		return s.looked(o.console, 0), nil
	}
	return o.goOn(s.id())
}

// replace makes the participant that takes a seat of a session that runs.
func (o *outside) replace(_ context.Context, id string, seat state.Seat, name string) (protocol.Participant, error) {
	r := o.last(id)
	if r == nil {
		return nil, fmt.Errorf("session %s does not run here", id)
	}
	return r.seat(place{seat, name}, &r.state.Settings)
}

// goOn opens a session so that it runs. It waits before its first turn: who opens
// a session of a list wants to see it first, and turns can cost money.
func (o *outside) goOn(id string, notes ...string) (tui.Opened, error) {
	path, err := find(id)
	if err != nil {
		return tui.Opened{}, err
	}
	resume := &resumeOptions{console: o.console, calls: o.calls, front: frontOptions{step: true, output: string(outputText)}}
	s, more, err := resume.sitDown(path)
	if err != nil {
		return tui.Opened{}, err
	}
	return o.hand(s, append(notes, more...)), nil
}

// opened is the session of a sitting as the screen runs it; ended is told of its
// end. The screen closes the sitting.
func (s *sitting) opened(ended func(protocol.Ended)) tui.Opened {
	if s.atScreen == nil {
		// The person may take a seat later.
		s.atScreen = tui.NewPerson()
	}
	o := tui.Opened{
		Start: func(watch func(protocol.Notice)) (tui.Session, error) {
			return s.runner(func(n protocol.Notice) {
				if e, over := n.(protocol.Ended); over {
					ended(e)
				}
				watch(n)
			})
		},
		State: s.state, Events: s.events, Auto: !s.front.step, Person: s.atScreen,
		Close: s.close,
	}
	switch {
	case s.demo != nil:
		o.ShowCommand = `moot ask "your question"`
	case s.file != nil:
		o.ShowCommand = "moot show " + s.state.ID
		o.ResumeCommand = s.resumeLine()
		o.ReportPath = crashPath(s.file.Path(), s.console.Now())
	}
	return o
}

// looked is a session that is looked at only, from an event on where at is not 0.
func (s *stored) looked(c *Console, at int) tui.Opened {
	return tui.Opened{
		State: s.state, Rulings: s.rulings, Events: s.events, At: at,
		ShowCommand: "moot show " + s.id(), ReportPath: crashPath(s.path, c.Now()),
	}
}
