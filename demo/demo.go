// Package demo holds the sessions of `moot demo`, one per format: a question about a small embedded repository, or a
// change of one, and the replies of the seats. Only the replies are recorded. The engine runs each time: it checks the
// citations, rules on the points and asks the next seat.
//
// Start at All.
package demo

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"moot/agent/script"
	"moot/change"
	"moot/memory"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/protocol/review"
	"moot/state"
)

//go:embed scripts packet.json testdata
var files embed.FS

// Demo is a recorded session.
type Demo struct {
	Format state.Format
	// About describes the demo in a line.
	About    string
	Question string
	Seats    []state.Seat
	// Options lists the flags of `moot ask` for it, besides the seats, workspace and packet.
	Options []string
	// InputFlag is the flag for what the session reads, and input that embedded file or folder.
	InputFlag, input string
	// patch is the change of a review, which the files of input already have. memory has rulings of earlier reviews.
	patch, memory string
}

// All returns the demos in the order of the list.
func All() []Demo {
	const repository, workspace = "testdata/turnstile", "--workspace"
	return []Demo{
		{
			Format: consult.Format{}.Name(), About: "two models argue a question, claim by claim",
			Question: "Does turnstile hold every client to 10 requests per second?",
			Seats:    []state.Seat{state.Orchestrator, state.Consultee},
			input:    repository, InputFlag: workspace,
		},
		{
			Format: review.Format{}.Name(), About: "three models review a change, and two find its race on their own",
			Seats: []state.Seat{review.Reviewer, "reviewer-2", "reviewer-3"},
			input: "testdata/spool", InputFlag: workspace,
			patch: "testdata/leave-no-lock.patch", memory: "testdata/spool-memory.jsonl",
		},
		{
			Format: dialectic.Format{}.Name(), About: "a proposal is challenged until code lets it advance",
			Question: "Give partners on the search plan 25 requests per second: which settings, which rollout?",
			Seats:    []state.Seat{dialectic.Proposer, dialectic.PressureTester},
			Options:  []string{"--playbook", "infrastructure-change"},
			input:    repository, InputFlag: workspace,
		},
		{
			Format:   panel.Format{}.Name(),
			About:    "three models answer on their own; conflicts go to a vote, then to an argument",
			Question: "How can a client get more than its limit out of turnstile?",
			Seats:    []state.Seat{state.Orchestrator, panel.Panelist, "panelist-2", "panelist-3"},
			Options:  []string{"--then", "consult"},
			input:    repository, InputFlag: workspace,
		},
		{
			Format: council.Format{}.Name(), About: "four seats test the claims of a plan",
			Question: "Is the plan for shared counters sound?",
			Seats: []state.Seat{
				constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator,
			},
			input: repository, InputFlag: workspace,
		},
		{
			Format: hearing.Format{}.Name(), About: "two sides argue from 15 facts, and arithmetic decides",
			Question: "Was the export of the night of March 10 a threat?",
			Seats:    []state.Seat{judge.Architect, judge.Skeptic},
			Options:  []string{"--form", "audit", "--judge", "v2"},
			input:    "packet.json", InputFlag: "--closed-world",
		},
	}
}

// Participants returns a script for each seat, named model-a, model-b and so on.
func (d *Demo) Participants() (map[state.Seat]protocol.Participant, error) {
	replies, err := files.ReadFile("scripts/" + string(d.Format) + ".txt")
	if err != nil {
		return nil, fmt.Errorf("read the replies of the demo: %w", err)
	}
	participants := map[state.Seat]protocol.Participant{}
	for i, seat := range d.Seats {
		// Each script gets the whole file and plays the replies of its seat.
		played, err := script.Read(bytes.NewReader(replies), "model-"+string(rune('a'+i)))
		if err != nil {
			return nil, err
		}
		participants[seat] = played
	}
	return participants, nil
}

// Unpack writes what the session reads into a folder, and returns its path.
func (d *Demo) Unpack(dir string) (string, error) {
	target := filepath.Join(dir, path.Base(d.input))
	if data, err := files.ReadFile(d.input); err == nil {
		if err := os.WriteFile(target, data, 0o600); err != nil {
			return "", fmt.Errorf("write a file of the demo: %w", err)
		}
		return target, nil
	}
	folder, err := fs.Sub(files, d.input)
	if err != nil {
		return "", fmt.Errorf("read the files of the demo: %w", err)
	}
	if err := os.CopyFS(target, folder); err != nil {
		return "", fmt.Errorf("write the files of the demo: %w", err)
	}
	return target, nil
}

// Change returns the change of a review, and the event with what it remembers of earlier ones. Both are nil in the
// other formats. The lines of the patch are enough, as the files are those after it: a demo needs no git.
func (d *Demo) Change(ctx context.Context, folder string) (*change.Material, *review.MemoryTaken, error) {
	if d.patch == "" {
		return nil, nil, nil
	}
	text, err := files.ReadFile(d.patch)
	if err != nil {
		return nil, nil, fmt.Errorf("read the change of the demo: %w", err)
	}
	read, err := change.Read(ctx, change.Options{
		Folder: folder, Patch: &change.Patch{Name: path.Base(d.patch), Text: text},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read the change of the demo: %w", err)
	}
	rulings, err := files.ReadFile(d.memory)
	if err != nil {
		return nil, nil, fmt.Errorf("read the memory of the demo: %w", err)
	}
	earlier, err := memory.Parse(rulings)
	if err != nil {
		return nil, nil, fmt.Errorf("read the memory of the demo: %w", err)
	}
	known, _, err := memory.Take(earlier, &read.Change, func(paths []string) (map[string]string, error) {
		texts := map[string]string{}
		for _, name := range paths {
			text, err := fs.ReadFile(os.DirFS(folder), name)
			if err != nil {
				return nil, fmt.Errorf("read a file of the demo: %w", err)
			}
			texts[name] = string(text)
		}
		return texts, nil
	})
	return read, &review.MemoryTaken{Source: memory.Source(0, path.Base(d.memory)), Known: known}, err
}
