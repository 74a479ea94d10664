package agent

import (
	"context"
	"os"
	"slices"
	"strings"

	"moot/agent/doctor"
	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/agent/rules"
)

// Found is something available that could take a seat.
type Found = doctor.Found

// Places is where Discover looks. The zero Places is nowhere.
type Places struct {
	doctor.Where
	// Adapters describe the agent programs to look for.
	Adapters []program.Adapter
	// Offline asks neither servers on this machine nor programs.
	Offline bool
}

// Discover looks for participants: model servers that answer on this machine, keys in
// the environment, agent programs on the PATH, in the order of the presets, then the
// programs. It asks servers on this machine for their models and programs for their
// version, in parallel and each within the limit. It sends nothing to services
// elsewhere, and never sends a key.
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

// Proposal names two participants for the seats, with the reason.
type Proposal struct {
	Orchestrator, Consultee string
	Why                     string
	// Seated are the ones that were found, without rules, with why and what they cost.
	Seated []Found
}

// Propose chooses two different participants, because a second opinion is the point:
// of two vendors if possible, else of two services, else two models of one. A single
// model takes both seats, with a warning. Headless, or if nothing was found, rules take
// the seats: moot never asks a paid model without consent.
func Propose(found []Found, headless bool) Proposal {
	var usable []Found
	for _, f := range found {
		if f.Usable {
			usable = append(usable, f)
		}
	}
	switch {
	case headless:
		return Proposal{
			Orchestrator: rules.Name, Consultee: rules.Name,
			Why: "no terminal to confirm a participant: rules, which uses no language model, takes each empty seat" +
				others(usable),
		}
	case len(usable) == 0:
		return Proposal{
			Orchestrator: rules.Name, Consultee: rules.Name,
			Why: "found no key, local model or working agent program: rules, which uses no language model, " +
				"takes each empty seat",
		}
	case len(usable) == 1:
		return Proposal{
			Orchestrator: usable[0].Name, Consultee: usable[0].Name, Seated: usable,
			Why: usable[0].Title + " is the only model available (" + usable[0].Why + ") and takes both seats: " +
				"a model that agrees with itself is no second opinion",
		}
	}
	first := usable[0]
	second := differing(first, usable[1:])
	why := first.Title + ": " + first.Why
	if also := second.Title + ": " + second.Why; also != why {
		why += "; " + also
	}
	return Proposal{Orchestrator: first.Name, Consultee: second.Name, Seated: []Found{first, second}, Why: why}
}

// differing returns the participant that differs most from the first: another model of
// another vendor, else of another service, else any other model, else any other.
func differing(first Found, rest []Found) Found {
	model := modelOf(first.Name)
	for _, unlike := range []func(f *Found) bool{
		func(f *Found) bool { return f.Vendor != first.Vendor },
		func(f *Found) bool { return f.Title != first.Title },
		func(*Found) bool { return true },
	} {
		for i := range rest {
			if another := model == "" || modelOf(rest[i].Name) != model; another && unlike(&rest[i]) {
				return rest[i]
			}
		}
	}
	return rest[0]
}

// modelOf is the model that a participant names, without its vendor where a router
// has one before it, or "": one model on two servers is no second one.
func modelOf(name string) string {
	_, model, _ := strings.Cut(name, ":")
	return strings.ToLower(model[strings.LastIndex(model, "/")+1:])
}

// others lists the participants that could be used instead.
func others(usable []Found) string {
	if len(usable) == 0 {
		return ""
	}
	var names []string
	for _, f := range usable {
		names = append(names, f.Name)
	}
	return "; found but not used: " + strings.Join(names, ", ")
}

// KeyUse is a variable that may hold a key, and who uses it.
type KeyUse struct {
	Variable string
	// For lists the presets and configured names that use it.
	For []string
}

// KeyUses are all variables that may hold a key: those of the presets in their
// order, that of endpoints that are named by their URL, and those of the Book.
func KeyUses(b *Book) []KeyUse {
	var uses []KeyUse
	add := func(variable, of string) {
		for i := range uses {
			if uses[i].Variable == variable {
				if !slices.Contains(uses[i].For, of) {
					uses[i].For = append(uses[i].For, of)
				}
				return
			}
		}
		uses = append(uses, KeyUse{variable, []string{of}})
	}
	presets, err := endpoint.Presets()
	if err != nil {
		// They are built in; a test reads them.
		presets = nil
	}
	for _, p := range presets {
		for _, variable := range p.Keys {
			add(variable, p.Name)
		}
	}
	add(endpoint.URLKeyVariable, "http://host:port/v1#MODEL")
	for _, use := range b.Secrets() {
		for _, of := range use.For {
			add(use.Variable, of)
		}
	}
	return uses
}

// variablesOf are the variables that a text names as $NAME or ${NAME}.
func variablesOf(text string) []string {
	var names []string
	os.Expand(text, func(name string) string {
		if name != "$" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		return ""
	})
	return names
}
