package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"moot/agent/endpoint"
	"moot/internal/plain"
)

const (
	// completionTime is how long a server may take to list its models while the user waits for a completion.
	completionTime = 700 * time.Millisecond
	// maxCompleted is how many models complete a participant.
	maxCompleted = 500
)

// serverIn returns the part of a participant that names a server, without its model: "openai:" or
// "http://127.0.0.1:8080/v1#"; or "" if it names none.
func serverIn(participant string) string {
	if strings.HasPrefix(participant, "http://") || strings.HasPrefix(participant, "https://") {
		base, _, found := strings.Cut(participant, "#")
		if !found {
			return ""
		}
		return base + "#"
	}
	name, _, found := strings.Cut(participant, ":")
	presets, err := endpoint.Presets()
	if !found || err != nil {
		return ""
	}
	for i := range presets {
		if presets[i].Name == name {
			return name + ":"
		}
	}
	return ""
}

// models returns the participants that a server offers, one for each model that can be typed.
func (c *Console) models(
	ctx context.Context, server string, env func(string) string, limit time.Duration,
) ([]string, endpoint.Survey, error) {
	config, err := endpoint.Parse(server+"MODEL", env)
	if err != nil {
		return nil, endpoint.Survey{}, err
	}
	survey := endpoint.New(config, endpoint.Limits{Probe: limit, Connect: limit}, c.Transport, nil).Survey(ctx)
	var names []string
	for _, model := range survey.Models {
		// Google lists its models with the name of the list.
		model = strings.TrimPrefix(model, "models/")
		if plain.Line(model) == model && !strings.ContainsAny(model, " \t") {
			names = append(names, server+model)
		}
	}
	return names, survey, nil
}

// completeParticipant returns the names that complete a participant: with a server, those of its models. The keyring is
// not asked for a key, since it may ask the user for a password.
func (c *Console) completeParticipant(ctx context.Context, typed string) []string {
	server := serverIn(typed)
	if server == "" {
		return c.participantNames()
	}
	names, _, err := c.models(ctx, server, c.Getenv, c.checkTime(completionTime))
	if err != nil {
		return nil
	}
	return names[:min(len(names), maxCompleted)]
}

// listModels prints the models of a server, as participants.
func (o *doctorOptions) listModels(ctx context.Context, server string) error {
	c := o.console
	config, err := endpoint.Parse(server+"MODEL", o.where.Env)
	if err != nil {
		return usage("%w", err)
	}
	if !o.online && (!config.IsHere() || !config.Key.IsZero()) {
		return usage("listing the models of %s sends it your key: moot doctor --online %s", config.Base,
			plain.ShellWord(server))
	}
	names, survey, err := c.models(ctx, server, o.where.Env, o.where.Limit)
	switch {
	case err != nil:
		return err
	case survey.Status != endpoint.StatusAnswers:
		return fmt.Errorf("%s: it %s; %s", config.Base, plain.Line(survey.What), plain.Line(survey.Fix))
	case len(names) == 0:
		return fmt.Errorf("%s lists no models; name one: %sMODEL", config.Base, server)
	}
	return c.Print(strings.Join(names, "\n") + "\n")
}
