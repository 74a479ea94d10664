package tui

import (
	"context"

	"moot/state"
	"moot/state/store"
	"moot/view"
)

// Home is where the other sessions are. Its functions are called on goroutines
// of their own and may take their time. List and Open are required; what else is
// nil cannot be done.
type Home struct {
	// List reads the sessions, the newest first.
	List func(ctx context.Context) ([]store.Summary, error)
	// Open opens a session by its id: to go on with it, or to look at it where
	// replay is set or where it is finished.
	Open func(ctx context.Context, id string, replay bool) (Opened, error)
	// Delete deletes a session.
	Delete func(ctx context.Context, id string) error
	// New opens a session on a question. A *view.FieldError says which value is wrong;
	// then nothing was made.
	New func(ctx context.Context, q Question) (Opened, error)
	// Found looks for who could take a seat; it ends soon, whatever it asks.
	Found func(ctx context.Context) Candidates
}

// Question is what a new session is opened with.
type Question struct {
	// Text is the question itself. For a proposal, @FILE names a file with it.
	Text   string
	Format state.Format
	// Step says that each turn waits for the person.
	Step bool
	// Settings are the values of the format's settings, see protocol.SettingsOf.
	Settings view.Values
}

// Candidate is something that could take a seat.
type Candidate struct {
	// Name names the participant, Title is what people call it, and Why says what
	// it was found by.
	Name, Title, Why string
	// Usable says that it can take a seat now, Local that it runs on this machine.
	Usable, Local bool
}

// Candidates are who could take the seats of a new question.
type Candidates struct {
	// Found is what was looked at, the usable ones first.
	Found []Candidate
	// Orchestrator and Consultee are the proposal, "" for rules.
	Orchestrator, Consultee string
	// Named are the participants that the person named in the configuration, Seats
	// who it says sits where, by the name of the seat.
	Named []Candidate
	Seats map[string]string
	// Choices replace the choices of settings, by key.
	Choices map[string][]view.Choice
	// Workspace is the folder that citations refer to unless the person names
	// another.
	Workspace string
}
