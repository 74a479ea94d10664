// Package demo holds what `moot demo` plays: one session per format, each a
// question about a small embedded repository with the replies of its seats.
// Only the replies are recorded. The engine runs again each time: it checks the
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
	"path/filepath"

	"moot/agent/script"
	"moot/protocol"
	"moot/state"
)

//go:embed scripts packet.json
//go:embed testdata/turnstile
var files embed.FS

// Demo is a recorded session.
type Demo struct {
	Format state.Format
	// About is one line for a list of demos.
	About    string
	Question string
	Seats    []state.Seat
	// Options are the flags that `moot ask` would need for it, besides the seats
	// and the workspace.
	Options []string
}

// All returns the demos in the order in which they are worth watching.
func All() []Demo {
	return []Demo{
		{
			Format: state.FormatConsult, About: "two models argue a question, claim by claim",
			Question: "Does turnstile hold every client to 10 requests per second?",
			Seats:    []state.Seat{state.Orchestrator, state.Consultee},
		},
		{
			Format: state.FormatDialectic, About: "a proposal is attacked until code lets it advance",
			Question: "Give partners on the search plan 25 requests per second: which settings, which rollout?",
			Seats:    []state.Seat{state.Proposer, state.PressureTester},
			Options:  []string{"--playbook", "infrastructure-change"},
		},
		{
			Format: state.FormatPanel, About: "three models answer on their own; conflicts go to a vote, then to an argument",
			Question: "How can a client get more than its limit out of turnstile?",
			Seats:    []state.Seat{state.Orchestrator, state.Panelist, "panelist-2", "panelist-3"},
			Options:  []string{"--then", "consult"},
		},
		{
			Format: state.FormatCouncil, About: "four seats test the claims of a plan",
			Question: "Is the plan for shared counters sound?",
			Seats:    []state.Seat{state.Strategist, state.Critic, state.Adversary, state.Moderator},
		},
		{
			Format: state.FormatHearing, About: "two sides argue from 15 facts, and arithmetic decides",
			Question: "Was the export of the night of March 10 a threat?",
			Seats:    []state.Seat{state.Architect, state.Skeptic},
			Options:  []string{"--form", "audit", "--judge", "v2"},
		},
	}
}

// Participants returns who fills the seats: scripts named model-a, model-b and so on.
func (d *Demo) Participants() (map[state.Seat]protocol.Participant, error) {
	replies, err := files.ReadFile("scripts/" + string(d.Format) + ".txt")
	if err != nil {
		return nil, fmt.Errorf("read the replies of the demo: %w", err)
	}
	participants := map[state.Seat]protocol.Participant{}
	for i, seat := range d.Seats {
		// Each gets a copy of the whole file and plays only the replies of its seat.
		played, err := script.Read(bytes.NewReader(replies), "model-"+string(rune('a'+i)))
		if err != nil {
			return nil, err
		}
		participants[seat] = played
	}
	return participants, nil
}

// Unpack writes the repository and the packet of facts into a folder, and
// returns the flags of `moot ask` that name them.
func (d *Demo) Unpack(dir string) ([]string, error) {
	if d.Format == state.FormatHearing {
		packet, err := files.ReadFile("packet.json")
		if err != nil {
			return nil, fmt.Errorf("read the packet of the demo: %w", err)
		}
		path := filepath.Join(dir, "packet.json")
		if err := os.WriteFile(path, packet, 0o600); err != nil {
			return nil, fmt.Errorf("write the packet of the demo: %w", err)
		}
		return []string{"--closed-world", path}, nil
	}
	repository, err := fs.Sub(files, "testdata/turnstile")
	if err != nil {
		return nil, fmt.Errorf("read the repository of the demo: %w", err)
	}
	path := filepath.Join(dir, "turnstile")
	if err := os.CopyFS(path, repository); err != nil {
		return nil, fmt.Errorf("write the repository of the demo: %w", err)
	}
	return []string{"--workspace", path}, nil
}
