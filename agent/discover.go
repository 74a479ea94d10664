package agent

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"moot/agent/doctor"
	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/agent/rules"
	"moot/internal/lists"
	"moot/state"
)

// Found is something available that could take a seat.
type Found = doctor.Found

// Places says where Discover looks. The zero value looks nowhere.
type Places struct {
	doctor.Where
	// Adapters describe the agent programs to look for.
	Adapters []program.Adapter
	// Offline skips servers on this machine and agent programs.
	Offline bool
}

// Discover looks for participants: model servers on this machine, keys in the environment (both in the order of the
// presets), and agent programs on the PATH. It asks local servers for their models and programs for their version, in
// parallel and each within the limit. It sends nothing to remote services, and never sends a key.
func Discover(ctx context.Context, where Places) []Found {
	where.Online, where.Limit = false, cmp.Or(where.Limit, doctor.DefaultLimit)
	checks, err := doctor.Examine(ctx, where.Limit, where.tasks())
	if err != nil {
		return nil
	}
	return Candidates(checks)
}

func (w *Places) tasks() []doctor.Task {
	presets, err := endpoint.Presets()
	if err != nil {
		// Unreachable: the presets are built in, and a test reads them.
		return nil
	}
	if w.Offline {
		return w.Services(presets)
	}
	return append(append(w.Servers(presets), w.Services(presets)...), w.Programs(w.Adapters)...)
}

// Candidates returns the candidates of all checks, in order.
func Candidates(checks []doctor.Check) []Found {
	var found []Found
	for i := range checks {
		found = append(found, checks[i].Candidates...)
	}
	return found
}

// Pair names the participants for the two seats.
type Pair struct{ Orchestrator, Consultee string }

// Proposal names two participants for the seats, with the reason.
type Proposal struct {
	Pair
	Why string
	// Pairs lists the possible choices, the proposed one first. Usable lists the participants that can take a seat.
	Pairs  []Pair
	Usable []Found
}

// Propose chooses two different participants, because a second opinion is the point. It prefers models of two
// families and two vendors, and agent programs for a question about code, because they look around by themselves. If
// only one model was found, it takes both seats with a warning, or the person judges it. If the run is headless or
// nothing was found, the rules take the seats: moot never calls a paid model without consent. Seats in named stay as
// they are.
func Propose(found []Found, named Pair, headless, code bool) Proposal {
	byRules := Pair{rules.Name, rules.Name}
	usable := slices.DeleteFunc(slices.Clone(found), func(f Found) bool { return !f.Usable })
	switch {
	case headless:
		why := "no terminal to confirm a participant: rules, which uses no language model, takes each empty seat"
		if len(usable) > 0 {
			names := lists.Map(usable, func(f Found) string { return f.Name })
			why += "; found but not used: " + strings.Join(names, ", ")
		}
		return Proposal{Pair: byRules, Why: why}
	case len(usable) == 0:
		return Proposal{
			Pair: byRules,
			Why: "found no key, local model or working agent program: rules, which uses no language model, " +
				"takes each empty seat",
		}
	case len(usable) == 1 && named == Pair{}:
		both := Pair{usable[0].Name, usable[0].Name}
		return Proposal{
			Pair: both, Pairs: []Pair{both, {state.Person, usable[0].Name}}, Usable: usable,
			Why: usable[0].Title + " is the only model available (" + usable[0].Why + ") and takes both seats: " +
				"a model that agrees with itself is no second opinion",
		}
	}
	var pairs [][2]Found
	known := func(name string) Found {
		if i := slices.IndexFunc(found, func(f Found) bool { return f.Name == name }); i >= 0 {
			return found[i]
		}
		vendor, _, _ := strings.Cut(name, ":")
		return Found{Name: name, Title: name, Vendor: vendor, Why: "you named it"}
	}
	for i, f := range usable {
		switch {
		case named.Orchestrator != "":
			pairs = append(pairs, [2]Found{known(named.Orchestrator), f})
		case named.Consultee != "":
			pairs = append(pairs, [2]Found{f, known(named.Consultee)})
		default:
			for _, other := range usable[i+1:] {
				pairs = append(pairs, [2]Found{f, other})
			}
		}
	}
	slices.SortStableFunc(pairs, func(p, q [2]Found) int {
		order := cmp.Compare(likeness(&p), likeness(&q))
		if order == 0 && code {
			order = cmp.Compare(programs(&q), programs(&p))
		}
		return order
	})
	proposal := Proposal{Usable: usable, Why: pairs[0][0].Title + ": " + pairs[0][0].Why}
	if also := pairs[0][1].Title + ": " + pairs[0][1].Why; also != proposal.Why {
		proposal.Why += "; " + also
	}
	for i := range pairs {
		proposal.Pairs = append(proposal.Pairs, Pair{pairs[i][0].Name, pairs[i][1].Name})
	}
	proposal.Pair = proposal.Pairs[0]
	return proposal
}

// likeness ranks how similar two participants are: 0 for different families and vendors, 4 for the same model.
func likeness(p *[2]Found) int {
	models := [2]string{modelOf(p[0].Name), modelOf(p[1].Name)}
	family := func(model string) string {
		return model[:len(model)-len(strings.TrimLeftFunc(model, unicode.IsLetter))]
	}
	unknown := models[0] == "" || models[1] == ""
	switch vendors := p[0].Vendor != p[1].Vendor; {
	case vendors && (unknown || family(models[0]) != family(models[1])):
		return 0
	case !unknown && family(models[0]) != family(models[1]):
		return 1
	case models[0] == models[1] && !unknown:
		return 4
	case vendors || p[0].Title != p[1].Title:
		return 2
	}
	return 3
}

// programs counts the agent programs of a pair.
func programs(p *[2]Found) (n int) {
	for i := range p {
		if p[i].Program {
			n++
		}
	}
	return n
}

// modelOf returns the model that a participant names, or "". It drops the vendor that a router puts in front: two
// servers running the same model do not count as two models.
func modelOf(name string) string {
	_, model, _ := strings.Cut(name, ":")
	return strings.ToLower(model[strings.LastIndex(model, "/")+1:])
}

// KeyUse is a variable that may hold a key, and the endpoints that use it.
type KeyUse struct {
	Variable string
	// For lists the presets and configured participants that use the key.
	For []string
	// Addresses are the variables that hold the address of the endpoint. Without them, the key would be sent to the
	// default address.
	Addresses []string
}

// KeyUses returns all variables that may hold a key: those of the presets in order, the one for endpoints given by
// URL, and those of the Book.
func KeyUses(b *Book) []KeyUse {
	var uses []KeyUse
	add := func(variable, of string, addresses []string) {
		at := slices.IndexFunc(uses, func(u KeyUse) bool { return u.Variable == variable })
		if at < 0 {
			at, uses = len(uses), append(uses, KeyUse{Variable: variable})
		}
		u := &uses[at]
		if !slices.Contains(u.For, of) {
			u.For = append(u.For, of)
		}
		for _, address := range addresses {
			if !slices.Contains(u.Addresses, address) {
				u.Addresses = append(u.Addresses, address)
			}
		}
	}
	presets, err := endpoint.Presets()
	if err != nil {
		// Unreachable: the presets are built in, and a test reads them.
		presets = nil
	}
	addresses := map[string][]string{}
	for _, p := range presets {
		addresses[p.Name] = p.AddressVariables()
		for _, variable := range p.Keys {
			add(variable, p.Name, addresses[p.Name])
		}
	}
	add(endpoint.URLKeyVariable, "http://host:port/v1#MODEL", nil)
	if b != nil {
		for _, e := range b.entries {
			preset, _, _ := strings.Cut(e.is, ":")
			if e.options.Key != "" {
				add(e.options.Key, e.options.Name, addresses[preset])
			}
		}
	}
	return uses
}
