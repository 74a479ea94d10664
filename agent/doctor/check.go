// Package doctor finds out what works: which model servers answer on this
// machine, which keys are set, which agent programs run, and what a participant
// answers when it is really asked. Checks run in parallel, each with a deadline,
// and change nothing. Without Where.Online nothing is sent to services elsewhere,
// and no key to anybody. Start at Check and Examine, then look.go.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
)

// Word is the outcome of a check.
type Word string

// The outcomes. OK works as far as is visible; Missing is not there, or not set;
// Broken is there and does not work; Untried is there and was not tried, since that
// would send something to a service elsewhere.
const (
	OK      Word = "ok"
	Missing Word = "missing"
	Broken  Word = "broken"
	Untried Word = "not tried"
)

// Part is a group of checks.
type Part string

// The parts.
const (
	PartMoot         Part = "moot"
	PartServers      Part = "models on this machine"
	PartServices     Part = "model services"
	PartPrograms     Part = "agent programs"
	PartParticipants Part = "participants"
)

// Parts returns every Part in the order of the output.
func Parts() []Part {
	return []Part{PartMoot, PartServers, PartServices, PartPrograms, PartParticipants}
}

// Check is the result for one thing. Foreign texts in it are bounded, and have no
// control characters.
type Check struct {
	Part Part
	Name string
	Word Word
	// Found describes the result in a sentence, Fix the remedy: a command if possible.
	Found string
	Fix   string
	// Configured says that the user set it up: broken, it fails the whole.
	Configured bool
	// Absent says that this machine was never set up for it.
	Absent bool
	// Version and Models hold the report of a server or program.
	Version string
	Models  int
	// Millis is the time to the answer in milliseconds.
	Millis float64
	// Candidates could take a seat, usable or not.
	Candidates []Found
}

// Found is something that could take a seat.
type Found struct {
	// Name is the string that names the participant: "openai:gpt-5-mini".
	Name string
	// Title is its title: "OpenAI", "Ollama".
	Title string
	// Vendor makes its models, as far as is known: "openai" for Codex too.
	Vendor string
	// Why says how it was found: "OPENAI_API_KEY is set"; Cost what a session costs.
	Why, Cost string
	// Usable says that it can take a seat now, Local that it runs on this machine, Program that it is an agent program.
	Usable, Local, Program bool
}

const (
	// DefaultLimit is how long one check may take, grace how long it may take to
	// return after that.
	DefaultLimit = 2 * time.Second
	grace        = 300 * time.Millisecond
)

// Task is one thing to check.
type Task struct {
	// Part, Name and Configured describe its check while it is running, or if it does
	// not return. Limit 0 is DefaultLimit.
	Part       Part
	Name       string
	Limit      time.Duration
	Configured bool
	Run        func(ctx context.Context) []Check
}

// Examine runs all tasks in parallel and returns their checks in order. A task that
// does not return within its limit is broken, and its goroutine is left behind:
// nothing interrupts the system calls for a keyring or a dead network drive. The error
// is the context's.
func Examine(ctx context.Context, tasks []Task) ([]Check, error) {
	type result struct {
		at     int
		checks []Check
	}
	results := make(chan result, len(tasks))
	for i := range tasks {
		go func() { results <- result{i, tasks[i].bounded(ctx)} }()
	}
	parts := make([][]Check, len(tasks))
	for range tasks {
		select {
		case r := <-results:
			parts[r.at] = r.checks
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return slices.Concat(parts...), ctx.Err()
}

// bounded runs the task within its limit.
func (t *Task) bounded(ctx context.Context) []Check {
	limit := t.Limit
	if limit <= 0 {
		limit = DefaultLimit
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	done := make(chan []Check, 1)
	go func() { done <- t.Run(limited) }()
	late := time.NewTimer(limit + grace)
	defer late.Stop()
	select {
	case checks := <-done:
		return checks
	case <-late.C:
		return []Check{{
			Part: t.Part, Name: t.Name, Word: Broken, Configured: t.Configured,
			Found: fmt.Sprintf("no answer within %s", limit),
		}}
	case <-ctx.Done():
		return nil
	}
}

// Ask asks a participant one tiny question, which costs some hundred tokens, and says in a clause how it answered.
func Ask(ctx context.Context, p protocol.Participant) (string, error) {
	call := protocol.Call{
		Ask:    protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose},
		Prompt: protocol.Prompt{System: "This is a test.", Text: "What is two plus three? Answer with one number."},
	}
	reply, err := p.Reply(ctx, call, func(protocol.Delta) {})
	if err != nil {
		return "", err
	}
	said := "answers"
	if reply.Model != "" {
		said += ", by " + quoted(reply.Model)
	}
	said += fmt.Sprintf(", %d tokens in, %d out", reply.PromptTokens, reply.CompletionTokens)
	for _, note := range reply.Notes {
		said += "; " + quoted(note)
	}
	return said, nil
}

// Lasted formats milliseconds for people: "4.2 ms", "1.2 s".
func Lasted(milliseconds float64) string {
	switch {
	case milliseconds >= 1000:
		return fmt.Sprintf("%.1f s", milliseconds/1000)
	case milliseconds >= 10:
		return fmt.Sprintf("%.0f ms", milliseconds)
	}
	return fmt.Sprintf("%.1f ms", milliseconds)
}

func millis(d time.Duration) float64 { return float64(d.Round(100*time.Microsecond)) / 1e6 }

// Failed explains why a participant gave no answer, and what to do.
func Failed(err error) (what, fix string) {
	if gone, ok := errors.AsType[*protocol.Unreachable](err); ok {
		return plain.Line(gone.What), plain.Line(gone.Fix)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "it did not answer in time", "allow more time with --timeout"
	}
	return plain.Line(err.Error()), ""
}

// quoted bounds foreign text, on one line and without control characters.
func quoted(text string) string {
	const most = 120
	return plain.Clip(plain.Line(strings.Join(strings.Fields(text), " ")), most)
}

// sound reports that a name of a model can be shown and typed.
func sound(name string) bool {
	const most = 200
	return name != "" && len(name) <= most && plain.Line(name) == name && strings.TrimSpace(name) == name
}
