package agent

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"moot/agent/endpoint"
	"moot/config"
)

// endpoint reads the name of an endpoint, with what the configuration says of it.
func (d *Deps) endpoint(name string, env func(string) string) (endpoint.Config, error) {
	own := d.own
	if own == nil {
		c, err := endpoint.Parse(name, env)
		c.Name = cmp.Or(d.as, c.Name)
		return c, err
	}
	c, err := endpoint.ParseOwn(name, env, endpoint.Own{Base: own.Base, Key: own.Key})
	if err != nil {
		return c, err
	}
	c.Name = d.as
	c.PerMinute, c.Parallel = cmp.Or(own.PerMinute, c.PerMinute), cmp.Or(own.Parallel, c.Parallel)
	for _, h := range own.Headers {
		value, err := expand(h.Value, env)
		if err != nil {
			return c, fmt.Errorf("the header %s of %s: %w", h.Name, d.as, err)
		}
		if c.Headers == nil {
			c.Headers = map[string]endpoint.Secret{}
		}
		c.Headers[h.Name] = endpoint.NewSecret(value)
	}
	return c, nil
}

// settingsOf is how a participant of the configuration is asked.
func settingsOf(own *config.Participant) endpoint.Settings {
	return endpoint.Settings{
		Temperature: own.Temperature, MaxTokens: own.MaxTokens, Effort: endpoint.Effort(own.ReasoningEffort),
	}
}

// expand puts variables in the place of $NAME; $$ is a dollar. The error names
// one that is not set.
func expand(text string, env func(string) string) (string, error) {
	missing := ""
	value := os.Expand(text, func(name string) string {
		if name == "$" {
			return "$"
		}
		found := strings.TrimSpace(env(name))
		if found == "" {
			missing = cmp.Or(missing, name)
		}
		return found
	})
	if missing != "" {
		return "", fmt.Errorf("it wants $%s, which is not set: nothing was sent; set it, or keep it in the keyring (moot key set %s)", missing, missing)
	}
	return value, nil
}
