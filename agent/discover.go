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
	// Adapters describe the agent programs to look for.
	Adapters []program.Adapter
	// Offline asks nobody: no server on this machine, and no program.
	Offline bool
}

// Discover looks for participants: model servers that answer on this machine, keys in
// the environment, agent programs on the PATH, in the order of the presets, then the
// programs. It asks servers on this machine for their models and programs for their
// version, in parallel and each within the limit. It sends nothing to services
// elsewhere, and no key to anybody.
func Discover(ctx context.Context, where Places) []Found {
	where.Online = false
	checks, err := doctor.Examine(ctx, where.tasks(), nil)
	if err != nil {
		return nil
	}
	return Candidates(checks)
}

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

// Candidates returns the candidates of checks in their order.
func Candidates(checks []doctor.Check) []Found {
	var found []Found
	for i := range checks {
		found = append(found, checks[i].Candidates...)
	}
	return found
}
