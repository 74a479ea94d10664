package cli

import (
	"context"
	"os/exec"
	"time"

	"moot/agent"
	"moot/agent/person"
)

// candidates are who could take the seats of a new question.
type candidates struct {
	// names are the participants that can be named now, the best first: the models
	// at hand, then rules and me, which are always there.
	names []string
	// found is what was looked at, with why, agent programs among it.
	found []agent.Found
	// proposal is what a form begins with.
	proposal agent.Proposal
}

// candidateTime bounds the search for candidates: a form does not wait for a
// server that hangs.
const candidateTime = time.Second

// places is where participants are looked for.
func (c *Console) places(offline bool) agent.Places {
	return agent.Places{Env: c.Getenv, LookPath: exec.LookPath, Offline: offline}
}

// findCandidates looks for participants, for a second at most. Offline, or where
// nothing answers, it still gives those that need no network.
func findCandidates(ctx context.Context, where agent.Places) candidates {
	ctx, cancel := context.WithTimeout(ctx, candidateTime)
	defer cancel()
	found := agent.Discover(ctx, where)
	list := candidates{found: found, proposal: agent.Propose(found, false)}
	for _, f := range found {
		if f.Usable {
			list.names = append(list.names, f.Name)
		}
	}
	list.names = append(list.names, rulesName, person.Name)
	return list
}
