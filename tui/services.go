package tui

import (
	"context"
	"os/exec"

	"moot/protocol"
	"moot/state"
)

// Services reach what lies outside of the screen: files, programs, other
// sessions. Each may be nil; what needs it says that it cannot be done. They are
// called on goroutines of their own and may take their time.
type Services struct {
	// Copy puts a text on the system's clipboard and says how: "the system
	// clipboard, with xclip". The error says why there is none.
	Copy func(ctx context.Context, text string) (how string, err error)
	// OpenFile makes the command that opens a cited place, "path:line", of a
	// workspace in the person's editor.
	OpenFile func(workspace, reference string) (*exec.Cmd, error)
	// EditText makes the command that opens a text in the person's editor, and
	// what reads it back and cleans up after.
	EditText func(text string) (command *exec.Cmd, read func() (string, error), err error)
	// Export writes a session to a new file and says where.
	Export func(ctx context.Context, e Export) (path string, err error)
	// Fork makes a session with the same past up to an event, counted from 1, or
	// for 0 up to where it can go on: the last event, or of a closed session the
	// last one before its debate was over.
	Fork func(ctx context.Context, id string, at int) (Opened, error)
	// Replace seats another participant by its name, for the session with the id.
	Replace func(ctx context.Context, id string, seat state.Seat, name string) (protocol.Participant, error)
	// Participants names who could take a seat now, the best first.
	Participants func(ctx context.Context) []string
}

// The forms of an export.
const (
	FormMarkdown   = "markdown"
	FormJSON       = "json"
	FormJSONEvents = "json with events"
	FormMap        = "svg map"
	FormConfidence = "svg confidence"
)

// Forms returns every form of an export.
func Forms() []string {
	return []string{FormMarkdown, FormJSON, FormJSONEvents, FormMap, FormConfidence}
}

// Export is a session to write, and how.
type Export struct {
	// ID is the session's, Form one of Forms.
	ID   string
	Form string
	// Path is the file, "" for a name of the session's own in the current folder.
	Path string
}
