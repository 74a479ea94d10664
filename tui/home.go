package tui

import (
	"context"

	"moot/state"
	"moot/state/store"
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
	// New opens a session on a question. A *FieldError says which value is wrong;
	// then nothing was made.
	New func(ctx context.Context, q Question) (Opened, error)
	// Found looks for who could take a seat; it ends soon, whatever it asks.
	Found func(ctx context.Context) Candidates
	// Playbooks are those that moot is built with.
	Playbooks func() []Playbook
}

// Playbook is what a proposal is attacked by: Name names it, About says in a
// sentence what it is for.
type Playbook struct{ Name, About string }

// Question is what a new session is opened with, as the person gave it.
type Question struct {
	// Text is the question itself; for a proposal @FILE names a file with it.
	Text string
	// Format says who speaks when, and what else is asked for: what belongs to
	// another format is empty.
	Format        state.Format
	Framing, Mode string
	// Orchestrator, Consultee and Arbiter name participants; no arbiter is "".
	Orchestrator, Consultee, Arbiter string
	// Proposer and PressureTester name those of a proposal; Playbook is a name or
	// a file.
	Proposer, PressureTester, Playbook string
	// Panelists name who answers in a panel, two or more; its Orchestrator compares
	// the answers, "" for the first of them that is a model. Strategy and Then are
	// words of moot ask, "" for the defaults.
	Panelists      []string
	Strategy, Then string
	// Strategist, Critic, Adversary, Moderator and Expert name those of a council; an
	// adversary or moderator of "" is the critic's participant, no expert is "".
	// Rounds, Weights and Decision are as typed, "" for the usual ones; Constitution is
	// a file, "" for the one that is built in.
	Strategist, Critic, Adversary, Moderator, Expert string
	Rounds, Weights, Decision, Constitution          string
	// Parallel asks critic and adversary at once.
	Parallel bool
	// Architect, Skeptic and Oracle name those of a hearing, no oracle is "". Packet is
	// the file of its facts, Domain a name or a file; Form, Judge and Gate are words of
	// moot ask, as are Then and Rounds.
	Architect, Skeptic, Oracle        string
	Packet, Domain, Form, Judge, Gate string
	// Context are files, Facts what binds all.
	Context, Facts []string
	// Design is a file, Position a text; Options and Views (NAME=TEXT) are those
	// of a framing. What the framing does not take is empty.
	Design, Position string
	Options, Views   []string
	// Workspace is the folder that citations refer to, "" for none.
	Workspace  string
	HighStakes bool
	// Step says that each turn waits for the person.
	Step bool
}

// FieldError says which value of a question is wrong. Field is the flag of moot
// ask that gives the value: "framing", "context"; or "question"; or the seat:
// "panelist-3".
type FieldError struct {
	Field string
	Err   error
}

// Error says what is wrong with the value.
func (e *FieldError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong with the value.
func (e *FieldError) Unwrap() error { return e.Err }

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
	// Workspace is the folder that citations refer to unless the person names
	// another.
	Workspace string
}
