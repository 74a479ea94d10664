// Package demo holds the sessions of `moot demo`, one per format: a question about a small embedded repository
// and the replies of the seats. Only the replies are recorded. The engine runs each time: it checks the
// citations, rules on the points and asks the next seat.
//
// Start at All.
package demo

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"moot/agent/script"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/state"
)

//go:embed scripts packet.json
//go:embed testdata/turnstile
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
	// input is the embedded file or folder that the session reads, inputFlag the flag of `moot ask` for it.
	input, inputFlag string
}

// All returns the demos in the order of the list.
func All() []Demo {
	const repository, workspace = "testdata/turnstile", "--workspace"
	return []Demo{
		{
			Format: consult.Format{}.Name(), About: "two models argue a question, claim by claim",
			Question: "Does turnstile hold every client to 10 requests per second?",
			Seats:    []state.Seat{state.Orchestrator, state.Consultee},
			input:    repository, inputFlag: workspace,
		},
		{
			Format: dialectic.Format{}.Name(), About: "a proposal is challenged until code lets it advance",
			Question: "Give partners on the search plan 25 requests per second: which settings, which rollout?",
			Seats:    []state.Seat{dialectic.Proposer, dialectic.PressureTester},
			Options:  []string{"--playbook", "infrastructure-change"},
			input:    repository, inputFlag: workspace,
		},
		{
			Format:   panel.Format{}.Name(),
			About:    "three models answer on their own; conflicts go to a vote, then to an argument",
			Question: "How can a client get more than its limit out of turnstile?",
			Seats:    []state.Seat{state.Orchestrator, panel.Panelist, "panelist-2", "panelist-3"},
			Options:  []string{"--then", "consult"},
			input:    repository, inputFlag: workspace,
		},
		{
			Format: council.Format{}.Name(), About: "four seats test the claims of a plan",
			Question: "Is the plan for shared counters sound?",
			Seats: []state.Seat{
				constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator,
			},
			input: repository, inputFlag: workspace,
		},
		{
			Format: hearing.Format{}.Name(), About: "two sides argue from 15 facts, and arithmetic decides",
			Question: "Was the export of the night of March 10 a threat?",
			Seats:    []state.Seat{judge.Architect, judge.Skeptic},
			Options:  []string{"--form", "audit", "--judge", "v2"},
			input:    "packet.json", inputFlag: "--closed-world",
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

// Unpack writes the files that the session reads into a folder, and returns the flag of `moot ask` that names them.
func (d *Demo) Unpack(dir string) ([]string, error) {
	target := filepath.Join(dir, path.Base(d.input))
	if data, err := files.ReadFile(d.input); err == nil {
		if err := os.WriteFile(target, data, 0o600); err != nil {
			return nil, fmt.Errorf("write a file of the demo: %w", err)
		}
		return []string{d.inputFlag, target}, nil
	}
	folder, err := fs.Sub(files, d.input)
	if err != nil {
		return nil, fmt.Errorf("read the files of the demo: %w", err)
	}
	if err := os.CopyFS(target, folder); err != nil {
		return nil, fmt.Errorf("write the files of the demo: %w", err)
	}
	return []string{d.inputFlag, target}, nil
}
