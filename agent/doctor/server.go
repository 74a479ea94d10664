package doctor

import (
	"context"
	"fmt"
	"strings"

	"moot/agent/endpoint"
	"moot/plain"
)

// mostModels is how many models of one server become candidates.
const mostModels = 4

// Servers are the tasks that look for model servers: those that run on this
// machine, and services whose address a variable moved here. Presets that share an
// address are one server, which the first of them has.
func (w *Where) Servers(presets []endpoint.Preset) []Task {
	var tasks []Task
	asked := map[string]bool{}
	for i := range presets {
		preset := &presets[i]
		config, ok := w.here(preset)
		if !ok || asked[config.Base] {
			continue
		}
		asked[config.Base] = true
		tasks = append(tasks, Task{
			Part: PartServers, Name: preset.Title, Limit: w.limit(), Configured: w.moved(preset),
			Run: func(ctx context.Context) []Check { return []Check{w.server(ctx, preset, config)} },
		})
	}
	return tasks
}

// here is the endpoint of a preset without its key, where it is on this machine.
func (w *Where) here(preset *endpoint.Preset) (endpoint.Config, bool) {
	config, err := endpoint.Parse(preset.Name+":"+preset.Example, w.keyless(preset))
	return config.Keyless(), err == nil && config.IsHere()
}

// moved reports that a variable says where the server of a preset is.
func (w *Where) moved(preset *endpoint.Preset) bool {
	return preset.BaseVariable != "" && strings.TrimSpace(w.env(preset.BaseVariable)) != ""
}

// key is the first variable of a preset that holds a key, or "".
func (w *Where) key(preset *endpoint.Preset) string {
	for _, variable := range preset.Keys {
		if strings.TrimSpace(w.env(variable)) != "" {
			return variable
		}
	}
	return ""
}

// server asks a server on this machine how it stands, without any key at first.
func (w *Where) server(ctx context.Context, preset *endpoint.Preset, config endpoint.Config) Check {
	c := Check{Part: PartServers, Name: preset.Title}
	survey, err := w.endpoint(config).Survey(ctx)
	if err != nil {
		survey = endpoint.Survey{Standing: endpoint.StandingSilent}
	}
	key := w.key(preset)
	if survey.Standing == endpoint.StandingDenied && key != "" && w.Online {
		// What is not set is no error: the key is there.
		if keyed, err := endpoint.Parse(preset.Name+":"+preset.Example, w.env); err == nil {
			c.Configured = true
			if again, err := w.endpoint(keyed).Survey(ctx); err == nil {
				survey = again
			}
		}
	}
	at := "at " + config.Base
	c.Millis = millis(survey.Took)
	switch survey.Standing {
	case endpoint.StandingAnswers:
		c.Word, c.Models = OK, len(survey.Models)
		c.Version = w.version(ctx, config)
		c.Candidates = w.served(preset, survey.Models, config.Base)
		c.Found = strings.TrimSpace(c.Version+" "+at) + ": " + plain.Counted(c.Models, "model")
		if len(c.Candidates) == 0 {
			c.Word, c.Found = Missing, c.Found+" that can take a seat"
			c.Fix = loadFix(preset)
		}
	case endpoint.StandingAbsent:
		c.Word, c.Found, c.Fix, c.Millis = Missing, "not running "+at, preset.Start, 0
		c.Absent = !w.moved(preset)
	case endpoint.StandingSilent:
		c.Word, c.Found = Broken, fmt.Sprintf("something listens %s and gave no answer within %s", at, w.limit())
		c.Fix = "end what listens there, then: " + preset.Start
	case endpoint.StandingDenied:
		w.denied(&c, preset, key, at)
	case endpoint.StandingForeign:
		c.Word, c.Found = Missing, "something else answers "+at+": it "+quoted(survey.What)
		c.Fix = elsewhere(preset)
	case endpoint.StandingFailing:
		c.Word, c.Found, c.Fix = Broken, at+" it "+quoted(survey.What), preset.Start
	}
	if c.Word != OK && w.moved(preset) {
		c.Configured = true
		if c.Word == Missing {
			c.Word = Broken
		}
		c.Found += " (" + preset.BaseVariable + ")"
	}
	return c
}

// denied says what becomes of a server that wants a key.
func (w *Where) denied(c *Check, preset *endpoint.Preset, key, at string) {
	switch {
	case key == "":
		c.Word, c.Found = Missing, "it answers "+at+" and asks for a key"
		if len(preset.Keys) > 0 {
			c.Fix = "export " + preset.Keys[0] + "=…"
		}
	case w.Online:
		c.Word, c.Found, c.Fix = Broken, "the key in "+key+" is refused "+at, "export "+key+"=…"
	default:
		c.Word, c.Found, c.Fix = Untried, "it answers "+at+" and asks for a key; "+key+" is set and was not sent", "moot doctor --online"
		if preset.Model != "" {
			c.Candidates = w.served(preset, []string{preset.Model}, at[len("at "):])
		}
	}
}

// loadFix is how a server gets a model.
func loadFix(preset *endpoint.Preset) string {
	if preset.Pull != "" {
		return preset.Pull + " " + preset.Example
	}
	return "load a model in " + preset.Title
}

// elsewhere is how a server is started and named where another has its port.
func elsewhere(preset *endpoint.Preset) string {
	return "start " + preset.Title + " at another port, and name it http://127.0.0.1:PORT/v1#MODEL"
}

// served are the candidates of what a server serves. Models that make vectors
// answer nobody.
func (w *Where) served(preset *endpoint.Preset, models []string, base string) []Found {
	var found []Found
	cost := "free, on this machine"
	if !preset.Local {
		cost = "costs what the service behind it costs"
	}
	for _, model := range models {
		if len(found) == mostModels || !sound(model) || strings.Contains(strings.ToLower(model), "embed") {
			continue
		}
		found = append(found, Found{
			Name: preset.Name + ":" + model, Title: preset.Title, Vendor: preset.Name,
			Why: "it answers at " + base, Cost: cost, Usable: true, Local: true,
		})
	}
	return found
}

// version asks a server for its version; "" where it tells none.
func (w *Where) version(ctx context.Context, config endpoint.Config) string {
	version, err := w.endpoint(config).Version(ctx)
	if err != nil {
		return ""
	}
	return plain.Clip(quoted(version), mostVersion)
}

// mostVersion is the longest version that is shown, in characters.
const mostVersion = 40
