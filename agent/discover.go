package agent

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"moot/agent/endpoint"
	"moot/agent/rules"
)

// DefaultProbe is how long a server on this machine may take to answer.
const DefaultProbe = 300 * time.Millisecond

// Found is something at hand that could take a seat.
type Found struct {
	// Name is the string that names the participant: "openai:gpt-5-mini".
	Name string
	// Title is what people call it: "OpenAI", "Ollama".
	Title string
	// Why says what it was found by: "OPENAI_API_KEY is set".
	Why string
	// Usable says that it can take a seat now; agent programs cannot yet.
	Usable bool
	// Local says that it runs on this machine and costs nothing.
	Local bool
}

// Places is where Discover looks. The zero Places is nowhere.
type Places struct {
	// Env gives environment variables, or keys of a keyring.
	Env func(string) string
	// LookPath finds a program: exec.LookPath. nil looks for none.
	LookPath func(string) (string, error)
	// Transport carries the probes; nil makes one.
	Transport http.RoundTripper
	// Probe is how long each probe may take; 0 means DefaultProbe.
	Probe time.Duration
	// Offline leaves out the probes: nothing is sent at all.
	Offline bool
}

// Discover looks for participants where none was named: model servers that
// answer on this machine, keys in the environment, agent programs on the PATH.
// The order is that of endpoint's presets, then the programs; it does not depend
// on who answers first. Servers on this machine are asked side by side; to
// services elsewhere nothing is sent.
func Discover(ctx context.Context, where Places) []Found {
	if where.Env == nil {
		where.Env = func(string) string { return "" }
	}
	if where.Probe <= 0 {
		where.Probe = DefaultProbe
	}
	presets, err := endpoint.Presets()
	if err != nil {
		// The presets are built in; a test reads them.
		presets = nil
	}
	parts := make([][]Found, len(presets))
	var group sync.WaitGroup
	for i := range presets {
		if presets[i].Local {
			group.Go(func() { parts[i] = where.local(ctx, &presets[i]) })
		} else {
			parts[i] = where.keyed(&presets[i])
		}
	}
	group.Wait()
	var found []Found
	for _, part := range parts {
		found = append(found, part...)
	}
	return append(found, where.programs()...)
}

// keyed finds a service by its key.
func (w *Places) keyed(preset *endpoint.Preset) []Found {
	for _, variable := range preset.Keys {
		if strings.TrimSpace(w.Env(variable)) != "" {
			model := preset.Model
			if model == "" {
				model = preset.Example
			}
			return []Found{{Name: preset.Name + ":" + model, Title: preset.Title, Why: variable + " is set", Usable: true}}
		}
	}
	return nil
}

// mostModels is how many models of one server are told.
const mostModels = 4

// local asks a server on this machine what it serves.
func (w *Places) local(ctx context.Context, preset *endpoint.Preset) []Found {
	if w.Offline {
		return nil
	}
	config, err := endpoint.Parse(preset.Name+":"+preset.Example, w.Env)
	if err != nil {
		return nil
	}
	var options []endpoint.Option
	if w.Transport != nil {
		options = append(options, endpoint.WithTransport(w.Transport))
	}
	models, err := endpoint.New(config, endpoint.Limits{Probe: w.Probe}, options...).Models(ctx)
	if err != nil {
		return nil
	}
	var found []Found
	for _, model := range models {
		if len(found) == mostModels || strings.Contains(model, "embed") {
			continue
		}
		found = append(found, Found{
			Name: preset.Name + ":" + model, Title: preset.Title, Why: "it answers at " + config.Base, Usable: true, Local: true,
		})
	}
	return found
}

// programs finds agent programs, which are told and not usable yet.
func (w *Places) programs() []Found {
	if w.LookPath == nil {
		return nil
	}
	var found []Found
	for _, p := range programs() {
		if p.Command == "" {
			continue
		}
		if path, err := w.LookPath(p.Command); err == nil {
			found = append(found, Found{Name: p.Name, Title: p.What, Why: path + " is on the PATH", Local: true})
		}
	}
	return found
}

// Proposal is who could take the two seats, and why, in a sentence to show.
type Proposal struct {
	Orchestrator, Consultee string
	Why                     string
}

// Propose chooses two different participants of those found: a second model is
// the point, so they are of two services where there are two, else two models
// of one. With a single one, rules judges what it says. Where nobody can confirm
// the choice (headless), or nothing was found, rules takes the seats: a model
// that costs money is never asked unbidden.
func Propose(found []Found, headless bool) Proposal {
	var usable []Found
	for _, f := range found {
		if f.Usable {
			usable = append(usable, f)
		}
	}
	switch {
	case headless:
		return Proposal{rules.Name, rules.Name, "nobody is here to confirm a participant: rules, which is no language model, takes each empty seat" + others(usable)}
	case len(usable) == 0:
		return Proposal{rules.Name, rules.Name, "no key and no local model was found: rules, which is no language model, takes each empty seat"}
	case len(usable) == 1:
		return Proposal{rules.Name, usable[0].Name, usable[0].Title + " is the only model at hand (" + usable[0].Why + "): it answers, and rules judges by its evidence"}
	}
	first, second := usable[0], usable[1]
	for _, f := range usable[1:] {
		if f.Title != first.Title {
			second = f
			break
		}
	}
	return Proposal{first.Name, second.Name, first.Title + ": " + first.Why + "; " + second.Title + ": " + second.Why}
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
	return "; found and not asked: " + strings.Join(names, ", ")
}
