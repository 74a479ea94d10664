package cli

import (
	"context"
	"os/exec"
	"path/filepath"
	"time"

	"moot/agent"
	"moot/agent/doctor"
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
// server or a program that hangs.
const candidateTime = 2 * time.Second

// where is where participants are looked for, with the keys of the keyring.
func (c *Console) where(h *holding) doctor.Where {
	return doctor.Where{Env: c.secrets(h), Environ: c.Environ, LookPath: c.lookPath, Transport: c.Transport, Limit: c.checkTime(candidateTime)}
}

// places is where Discover looks. Offline nobody is asked, nor is the keyring.
func (c *Console) places(offline bool, h *holding) agent.Places {
	where := c.where(h)
	if offline {
		where.Env = c.Getenv
	}
	return agent.Places{Where: where, Adapters: c.agentPrograms(), Offline: offline}
}

// lookPath finds a program on the search path of the console's environment. What lies
// in the current folder by chance is not found.
func (c *Console) lookPath(name string) (string, error) {
	if filepath.Base(name) != name {
		return exec.LookPath(name)
	}
	for _, dir := range filepath.SplitList(c.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

// findCandidates looks for participants, not longer than the places allow. Offline, or
// where nothing answers, it still gives those that need no network.
func findCandidates(ctx context.Context, where agent.Places, h *holding) candidates {
	found := agent.Discover(ctx, where)
	list := candidates{found: found, proposal: agent.Propose(found, false), names: h.names().Names()}
	for _, f := range found {
		if f.Usable {
			list.names = append(list.names, f.Name)
		}
	}
	list.names = append(list.names, rulesName, person.Name)
	return list
}
