package agent

import "moot/agent/endpoint"

// Endpoint is the endpoint that was chosen, with what the configuration says of it,
// for whoever wants to look at it without asking its model. It sends nothing. Errors
// are those of the key or address that is missing.
func (c *Choice) Endpoint(env func(string) string) (endpoint.Config, error) {
	deps := Deps{as: c.As, own: c.Options}
	return deps.endpoint(c.Spec.Name, env)
}
