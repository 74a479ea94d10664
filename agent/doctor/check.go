// Package doctor checks what is available: which model servers run on this machine, which keys are set, and which
// agent programs start. Checks change nothing and each has a deadline. They run in parallel, except that programs are
// checked one after another. Without Where.Online, nothing is sent to remote services, and a key is sent to no one.
// Start at Check and Examine, then look.go.
package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"moot/internal/plain"
)

// Word is the outcome of a check.
type Word string

// The outcomes: OK works as far as can be seen; Missing is not installed or not set; Broken is there but does not
// work; Slow did not answer in time; Untried was not checked, since that would send something to a remote service.
const (
	OK      Word = "ok"
	Missing Word = "missing"
	Broken  Word = "broken"
	Slow    Word = "slow"
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
	PartTools        Part = "tool servers"
)

// Parts returns every Part in the order of the output.
func Parts() []Part {
	return []Part{PartMoot, PartServers, PartServices, PartPrograms, PartParticipants, PartTools}
}

// Check is the result for one thing. Foreign text in it is shortened and has no control characters.
type Check struct {
	Part Part
	Name string
	Word Word
	// Found describes the result in a sentence, and Fix says what to do, as a command if possible.
	Found string
	Fix   string
	// Configured says that the user set it up: if it is broken, `moot doctor` fails.
	Configured bool
	// Absent says that it was never set up on this machine.
	Absent bool
	// Candidates are the participants it offers, usable or not.
	Candidates []Found
}

// Found is a participant that was found.
type Found struct {
	// Name is the string that names the participant: "openai:gpt-5-mini".
	Name string
	// Title is its display name: "OpenAI", "Ollama".
	Title string
	// Vendor makes the models, if known: "openai" for Codex too.
	Vendor string
	// Why says how it was found: "OPENAI_API_KEY is set". Cost says what a session costs.
	Why, Cost string
	// Usable says that it can take a seat now, Local that it runs on this machine, Program that it is an agent program.
	Usable, Local, Program bool
}

const (
	// DefaultLimit is how long one check may take, grace how long it may take to
	// return after that.
	DefaultLimit = 2 * time.Second
	grace        = 300 * time.Millisecond
	// ProgramLimit is how long a program may take to report its version. Several take four seconds on a fast machine.
	ProgramLimit = 10 * time.Second
)

// Task is one thing to check.
type Task struct {
	// Part, Name and Configured describe the check if the task does not return.
	Part       Part
	Name       string
	Configured bool
	Run        func(ctx context.Context) []Check
	// Limit overrides the limit of Examine. Tasks that set it run one after another.
	Limit time.Duration
}

// Examine runs all tasks in parallel (tasks with their own limit run one after another) and returns their checks in
// order. A task that exceeds its limit is reported as broken and its goroutine is abandoned, because system calls to
// a keyring or a dead network drive cannot be interrupted. The error is the context's.
func Examine(ctx context.Context, limit time.Duration, tasks []Task) ([]Check, error) {
	type result struct {
		at     int
		checks []Check
	}
	results := make(chan result, len(tasks))
	for i := range tasks {
		if tasks[i].Limit == 0 {
			go func() { results <- result{i, tasks[i].bounded(ctx, limit)} }()
		}
	}
	go func() {
		for i := range tasks {
			if own := tasks[i].Limit; own > 0 {
				results <- result{i, tasks[i].bounded(ctx, own)}
			}
		}
	}()
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

// bounded runs the task within a limit.
func (t *Task) bounded(ctx context.Context, limit time.Duration) []Check {
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

// quoted shortens foreign text and removes line breaks and control characters.
func quoted(text string) string {
	const most = 120
	return plain.Clip(plain.Line(strings.Join(strings.Fields(text), " ")), most)
}

// sound reports whether a model name can be displayed and typed.
func sound(name string) bool {
	const most = 200
	return name != "" && len(name) <= most && plain.Line(name) == name && strings.TrimSpace(name) == name
}
