package agent

import (
	"strings"

	"moot/agent/rules"
)

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
			Why: "no terminal to confirm a participant: rules, which uses no language model, takes each empty seat" + others(usable),
		}
	case len(usable) == 0:
		return Proposal{
			Orchestrator: rules.Name, Consultee: rules.Name,
			Why: "found no key, local model or working agent program: rules, which uses no language model, takes each empty seat",
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

// differing is the one that is most unlike the first: another model of another
// vendor, else of another service, else another model at all, else just another.
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

// others names what could be named instead.
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
