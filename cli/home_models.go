package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"moot/agent"
	"moot/agent/endpoint"
	"moot/plain"
	"moot/tui"
)

// modelsTime is how long an endpoint may take to list its models.
const modelsTime = 5 * time.Second

// endpoints are those whose models can be listed, those that can be asked first.
func (c *Console) endpoints(h *holding, found []agent.Found) []tui.Endpoint {
	presets, err := endpoint.Presets()
	if err != nil {
		// The presets are built in; a test reads them.
		return nil
	}
	why := map[string]string{}
	for _, f := range found {
		if f.Usable && why[f.Vendor] == "" {
			why[f.Vendor] = f.Why
		}
	}
	var can, cannot []tui.Endpoint
	env := c.secrets(h)
	answers := answering(presets, why, env)
	for i := range presets {
		p := &presets[i]
		config, err := endpoint.Parse(p.Name+":"+p.Example, env)
		e := tui.Endpoint{Name: p.Name, Title: p.Title, Why: why[p.Name], Here: err == nil && config.IsHere()}
		missing, lacks := errors.AsType[*endpoint.MissingKeyError](err)
		switch {
		case lacks:
			e.Missing = strings.Join(missing.Variables, " or ") + " is not set"
		case err != nil:
			e.Missing = plain.Clip(plain.Line(err.Error()), mostTold)
		case p.NoModels:
			e.Missing = "it gives no list of its models"
		case e.Why == "" && e.Here:
			e.Why = "no server with a model answered at " + config.Base
			if title := answers[config.Base]; title != "" {
				e.Why = "a server answers at " + config.Base + ", which is the address of " + title + " too"
			}
		case e.Why == "":
			e.Why = config.KeyVariable + " is set"
		}
		if e.Missing != "" {
			cannot = append(cannot, e)
		} else {
			can = append(can, e)
		}
	}
	return append(can, cannot...)
}

// answering gives the title of the preset that was found at an address. Presets that
// share one are one server, which is told as the first of them: it may be another.
func answering(presets []endpoint.Preset, why map[string]string, env func(string) string) map[string]string {
	at := map[string]string{}
	for i := range presets {
		p := &presets[i]
		if why[p.Name] == "" {
			continue
		}
		if config, err := endpoint.Parse(p.Name+":"+p.Example, env); err == nil && config.IsHere() {
			at[config.Base] = p.Title
		}
	}
	return at
}

// models asks an endpoint for its models, because the person wants to choose one. It is
// named as moot knows it, or by its address.
func (o *outside) models(ctx context.Context, name string) ([]string, error) {
	h, err := o.console.holds()
	if err != nil {
		h = nil
	}
	one, err := oneOfItsModels(name)
	if err != nil {
		return nil, err
	}
	config, err := endpoint.Parse(one, o.console.secrets(h))
	if err != nil {
		return nil, err
	}
	where := o.console.where(h)
	where.Limit = o.console.checkTime(modelsTime)
	return where.Models(ctx, config)
}

// oneOfItsModels is a participant of the endpoint: any model of it, by which it can be asked.
func oneOfItsModels(name string) (string, error) {
	if strings.Contains(name, "://") {
		return name + "#any", nil
	}
	presets, err := endpoint.Presets()
	if err != nil {
		return "", err
	}
	for i := range presets {
		if presets[i].Name == name {
			return name + ":" + presets[i].Example, nil
		}
	}
	return "", fmt.Errorf("moot knows no endpoint %q", name)
}
