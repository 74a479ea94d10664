package agent

import (
	"context"

	"moot/agent/doctor"
	"moot/agent/endpoint"
	"moot/agent/program"
)

// Found is something at hand that could take a seat.
type Found = doctor.Found

// Places is where Discover looks. The zero Places is nowhere.
type Places struct {
	doctor.Where
	// Adapters are those of the agent programs to look for.
	Adapters []program.Adapter
	// Offline asks nobody: no server on this machine, and no program.
	Offline bool
}

// Discover looks for participants where none was named: model servers that
// answer on this machine, keys in the environment, agent programs on the PATH.
// The order is that of endpoint's presets, then the programs; it does not depend
// on who answers first. Servers on this machine are asked for their models, programs
// for their version, side by side and each within the limit; to services elsewhere
// nothing is sent, and no key to anybody.
func Discover(ctx context.Context, where Places) []Found {
	where.Online = false
	checks, err := doctor.Examine(ctx, where.tasks(), nil)
	if err != nil {
		return nil
	}
	return Candidates(checks)
}

// tasks are what is looked at.
func (w *Places) tasks() []doctor.Task {
	presets, err := endpoint.Presets()
	if err != nil {
		// The presets are built in; a test reads them.
		return nil
	}
	if w.Offline {
		return w.Services(presets)
	}
	return append(append(w.Servers(presets), w.Services(presets)...), w.Programs(w.Adapters)...)
}

// Candidates are who was found in checks, in their order.
func Candidates(checks []doctor.Check) []Found {
	var found []Found
	for i := range checks {
		found = append(found, checks[i].Candidates...)
	}
	return found
}
