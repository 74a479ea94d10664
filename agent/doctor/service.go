package doctor

import (
	"context"
	"errors"
	"fmt"

	"moot/agent/endpoint"
	"moot/plain"
)

// A session that is not unusual sends a seat about so many tokens and gets so many
// back: what a price is told for.
const (
	usualPrompt     = 40_000
	usualCompletion = 8_000
)

// Services are the tasks that look at the services elsewhere: is there a key, and
// where the look may go that far, is it taken.
func (w *Where) Services(presets []endpoint.Preset) []Task {
	var tasks []Task
	for i := range presets {
		preset := &presets[i]
		if _, here := w.here(preset); here {
			continue
		}
		key := w.key(preset)
		tasks = append(tasks, Task{
			Part: PartServices, Name: preset.Title, Limit: w.limit(), Configured: key != "" && !preset.SharedKey || w.moved(preset),
			Run: func(ctx context.Context) []Check { return []Check{w.service(ctx, preset, key)} },
		})
	}
	return tasks
}

// service looks at one service.
func (w *Where) service(ctx context.Context, preset *endpoint.Preset, key string) Check {
	c := Check{Part: PartServices, Name: preset.Title, Configured: key != "" && !preset.SharedKey || w.moved(preset)}
	config, err := endpoint.Parse(preset.Name+":"+preset.Example, w.env)
	missing, lacks := errors.AsType[*endpoint.MissingKeyError](err)
	switch {
	case key == "" && !w.moved(preset):
		c.Word, c.Found, c.Absent = Missing, "no key", true
		if len(preset.Keys) > 0 {
			c.Found, c.Fix = "no key: "+preset.Keys[0]+" is not set", "export "+preset.Keys[0]+"=…"
		}
		return c
	case lacks:
		c.Word, c.Found = Missing, missing.Variables[0]+" is not set"
		c.Fix = "export " + missing.Variables[0] + "=…"
		return c
	case err != nil:
		// An address that a variable gave, without what it holds.
		c.Word, c.Found = Broken, quoted(err.Error())
		return c
	}
	c.Found = key + " is set"
	if key == "" {
		c.Found = preset.BaseVariable + " is set"
	}
	if !preset.SharedKey {
		// Nobody is proposed for a key that is often set for something else.
		c.Candidates = []Found{w.keyed(preset, config, c.Found)}
	}
	if !w.Online {
		c.Word, c.Fix = Untried, "moot doctor --online"
		c.Found += "; nothing was sent"
		return c
	}
	survey, err := w.endpoint(config).Survey(ctx)
	if err != nil {
		survey = endpoint.Survey{Standing: endpoint.StandingSilent}
	}
	w.surveyed(&c, survey, key)
	return c
}

// surveyed says what a service answered.
func (w *Where) surveyed(c *Check, survey endpoint.Survey, key string) {
	c.Millis = millis(survey.Took)
	if survey.Standing == endpoint.StandingAnswers {
		c.Word, c.Models = OK, len(survey.Models)
		c.Found += " and taken: " + plain.Counted(c.Models, "model")
		return
	}
	c.Word = Broken
	switch {
	case survey.Standing == endpoint.StandingDenied && key != "":
		c.Found, c.Fix = "the key in "+key+" is refused", "export "+key+"=…"
	case survey.Standing == endpoint.StandingSilent:
		c.Found += fmt.Sprintf("; it gave no answer within %s", w.limit())
		c.Fix = "check the network and its proxy"
	default:
		c.Found += "; it " + quoted(survey.What)
		c.Fix = quoted(survey.Fix)
	}
	for i := range c.Candidates {
		c.Candidates[i].Usable, c.Candidates[i].Why = false, c.Found
	}
}

// keyed is the candidate of a service.
func (w *Where) keyed(preset *endpoint.Preset, config endpoint.Config, why string) Found {
	model := preset.Model
	if model == "" {
		model = preset.Example
	}
	return Found{
		Name: preset.Name + ":" + model, Title: preset.Title, Vendor: preset.Name, Why: why,
		Cost: w.price(config), Usable: true,
	}
}

// price says roughly what a session costs.
func (w *Where) price(config endpoint.Config) string {
	price, known := endpoint.New(config, endpoint.Limits{}).Price()
	if !known {
		return "costs money by its own price list"
	}
	dollars := price.Cost(usualPrompt, usualCompletion)
	if dollars < 0.01 {
		return "costs money, under $0.01 a session"
	}
	return fmt.Sprintf("costs money, about $%.2f a session", dollars)
}
