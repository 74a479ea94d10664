package doctor

import (
	"net/http"
	"slices"
	"time"

	"moot/agent/endpoint"
)

// Where is where it is looked, and how far a look may go. The zero Where is
// nowhere.
type Where struct {
	// Env gives environment variables, or keys of a keyring; nil gives none.
	Env func(string) string
	// Environ is the environment that programs are started with, less what is none
	// of their business; NAME=value each.
	Environ []string
	// LookPath finds a program, as exec.LookPath does; nil finds none.
	LookPath func(string) (string, error)
	// Transport carries what is asked; nil makes one.
	Transport http.RoundTripper
	// Limit is how long each check may take; 0 is DefaultLimit.
	Limit time.Duration
	// Online lets keys and questions about models go to the services that they are
	// for.
	Online bool
}

// env is a variable, "" where none are known.
func (w *Where) env(name string) string {
	if w.Env == nil {
		return ""
	}
	return w.Env(name)
}

func (w *Where) limit() time.Duration {
	if w.Limit > 0 {
		return w.Limit
	}
	return DefaultLimit
}

// keyless gives the environment without the keys of a preset.
func (w *Where) keyless(preset *endpoint.Preset) func(string) string {
	return func(name string) string {
		if slices.Contains(preset.Keys, name) {
			return ""
		}
		return w.env(name)
	}
}

// endpoint makes an endpoint to be asked for its models.
func (w *Where) endpoint(config endpoint.Config) *endpoint.Endpoint {
	var options []endpoint.Option
	if w.Transport != nil {
		options = append(options, endpoint.WithTransport(w.Transport))
	}
	return endpoint.New(config, endpoint.Limits{Probe: w.limit()}, options...)
}
