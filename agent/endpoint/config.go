package endpoint

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// URLKeyVariable holds the key for an endpoint given by URL.
const URLKeyVariable = "MOOT_API_KEY"

// Own is the user's configuration of an endpoint. Empty fields keep the preset's value.
type Own struct {
	// Base replaces the address of a preset.
	Base string
	// Key names the variable that holds the key, instead of the usual ones. If it is set, the endpoint is never
	// called without a key.
	Key string
}

// Config is a model at an endpoint. It is safe to print, log and store: secrets show as [REDACTED].
type Config struct {
	// Name is the participant's name, without secrets: "ollama:qwen3:8b".
	Name string
	// Base is the base URL without user information or trailing slash.
	Base string
	// Model is the model to ask for.
	Model string
	// Key is sent as a bearer token, or in KeyHeader if that is set.
	Key       Secret
	KeyHeader string
	// KeyVariable is the environment variable that the key came from, or that
	// would hold it.
	KeyVariable string
	// User and Password are the URL's user information. If either is set, they are sent instead of the key.
	User, Password Secret
	// Local says that the server is on this machine, Free that its models cost nothing: a local address may forward
	// to a paid service.
	Local, Free bool
	// Structured is the strongest response format to request; "" means StructureSchema.
	Structured Structure
	// ReportsCost says that usage.cost in a reply is its price in US dollars.
	ReportsCost bool
	// Start is the command that starts the server, and Pull the command (before the model's name) that downloads a
	// model; "" if unknown.
	Start, Pull string
	// Contexts is the path, from the root of the address, where the server reports the context sizes of loaded
	// models; "" if unknown.
	Contexts string
	// NoModels says that the endpoint cannot list models, Responses that it has the Responses API.
	NoModels, Responses bool
	Settings
	// Prices override the built-in table, by model name.
	Prices map[string]Price
	// Warning is shown once in the session, or "".
	Warning string
}

// MissingKeyError reports that an endpoint needs a key or an address that is not set.
type MissingKeyError struct {
	// What names the missing part, such as "the address of"; the default is "a key for".
	What string
	// Participant is the participant string, and Service the display name of the endpoint.
	Participant, Service string
	// Variables are the variables that may hold it, the preferred one first.
	Variables []string
}

// Error implements error. It names the variable and says what to do.
func (e *MissingKeyError) Error() string {
	return fmt.Sprintf("%s %s: nothing was sent; %s", e.Participant, e.Lack(), e.Fix())
}

// Lack says what is missing: "needs a key for …, and … is not set".
func (e *MissingKeyError) Lack() string {
	what, variables := cmp.Or(e.What, "a key for"), strings.Join(e.Variables, " or ")
	return fmt.Sprintf("needs %s %s, and %s is not set", what, e.Service, variables)
}

// Fix says what to do.
func (e *MissingKeyError) Fix() string {
	set := "yours"
	if e.What == "" {
		set = fmt.Sprintf("your key, or keep the key in the keyring (moot key set %s),", e.Variables[0])
	}
	const otherwise = "or name a participant that needs none, such as ollama:MODEL or rules"
	return fmt.Sprintf("set it to %s and try again, %s", set, otherwise)
}

// Parse parses an endpoint string: "PRESET:MODEL", or a URL with the model as the fragment,
// "http://host:port/v1#MODEL". It gets keys from env, which may also search a keyring; the key for a URL is
// MOOT_API_KEY. The error is an *enum.UnknownError for an unknown preset, or a *MissingKeyError.
func Parse(name string, env func(string) string) (Config, error) { return ParseOwn(name, env, Own{}) }

// ParseOwn is Parse with the user's configuration. It ignores Own.Base for an endpoint given by URL.
func ParseOwn(name string, env func(string) string, own Own) (Config, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return parseURL(name, env, own)
	}
	word, model, _ := strings.Cut(name, ":")
	p, err := findPreset(word)
	if err != nil {
		return Config{}, err
	}
	if model = cmp.Or(model, p.Model); model == "" {
		return Config{}, fmt.Errorf("%s names no model: write %s:MODEL, for example %s:%s", word, word, word, p.Example)
	}
	base, source, missing := p.base(env)
	if own.Base != "" {
		base, source, missing = own.Base, "base", ""
	}
	if missing != "" {
		return Config{}, &MissingKeyError{
			What: "the address of", Participant: name, Service: p.Title, Variables: []string{missing},
		}
	}
	keys, optional := p.Keys, p.OptionalKey || source != ""
	if own.Key != "" {
		keys, optional = []string{own.Key}, false
	}
	c := Config{
		Name: name, Base: base, Model: model, Structured: p.Structured, ReportsCost: p.ReportsCost,
		Start: p.Start, Pull: p.Pull, KeyHeader: p.KeyHeader, Contexts: p.Contexts,
		NoModels: p.NoModels,
	}
	if base != p.Base {
		if err := c.setBase(base); err != nil {
			return Config{}, fmt.Errorf("%s: the address in %s: %w", word, cmp.Or(source, p.Base), err)
		}
	}
	c.Responses = p.Responses && source == "" // other servers may not have it
	c.Local, c.Free = p.Local || source != "" && c.IsHere(), p.Local
	for _, variable := range keys {
		if c.Key = NewSecret(env(variable)); !c.Key.IsZero() {
			c.KeyVariable = variable
			break
		}
	}
	if source != "" && own.Base == "" {
		c.Warning = fmt.Sprintf("%s is set: %s is asked at %s", p.BaseVariable, name, c.Base)
	}
	if c.Key.IsZero() && len(keys) > 0 {
		c.KeyVariable = keys[0]
		if !optional {
			return Config{}, &MissingKeyError{Participant: name, Service: p.Title, Variables: keys}
		}
	}
	return c, nil
}

func parseURL(text string, env func(string) string, own Own) (Config, error) {
	address, model, _ := strings.Cut(text, "#")
	variable := cmp.Or(own.Key, URLKeyVariable)
	c := Config{Structured: StructureSchema, KeyVariable: variable, Key: NewSecret(env(variable))}
	if err := c.setBase(address); err != nil {
		return Config{}, fmt.Errorf("the address of a model endpoint: %w", err)
	}
	if unescaped, err := url.PathUnescape(model); err == nil {
		model = unescaped
	}
	if model == "" {
		return Config{}, fmt.Errorf("%s names no model: write %s#MODEL", c.Base, c.Base)
	}
	c.Model, c.Name = model, c.Base+"#"+model
	c.Local = c.IsHere()
	parsed, err := url.Parse(c.Base)
	if err != nil {
		return Config{}, err
	}
	if parsed.Port() == ollamaPort {
		c.Free = c.Local
		c.Contexts = ollamaContexts
	}
	if own.Key != "" && c.Key.IsZero() {
		return Config{}, &MissingKeyError{Participant: c.Name, Service: c.Base, Variables: []string{own.Key}}
	}
	return c, nil
}

// setBase validates an address, extracts the user information, and normalizes it for appending paths. Its errors do
// not quote an invalid address, because it may hold a password.
func (c *Config) setBase(address string) error {
	parsed, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return errors.New("not a URL; write it as http://host:port/v1")
	}
	if (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
		return errors.New("not an http or https URL; write it as http://host:port/v1")
	}
	if parsed.RawQuery != "" { // A query may hold a secret, which every proxy on the way would log.
		const query = "%s://%s has a query, which is not sent; write it as http://host:port/v1"
		return fmt.Errorf(query, parsed.Scheme, parsed.Host)
	}
	if parsed.User != nil {
		password, _ := parsed.User.Password()
		c.User, c.Password = NewSecret(parsed.User.Username()), NewSecret(password)
	}
	parsed.User, parsed.Fragment, parsed.RawFragment, parsed.RawQuery = nil, "", "", ""
	base := strings.TrimRight(parsed.String(), "/")
	base = strings.TrimSuffix(strings.TrimSuffix(base, "/chat/completions"), "/responses")
	base = strings.TrimRight(base, "/")
	if strings.Trim(parsed.Path, "/") == "" {
		base += "/v1"
	}
	c.Base = base
	return nil
}

// Any server on ollamaPort, the default port of Ollama, is asked for context sizes at ollamaContexts.
const (
	ollamaPort     = "11434"
	ollamaContexts = "/api/ps"
)

// IsHere reports whether the endpoint is on this machine.
func (c *Config) IsHere() bool {
	parsed, err := url.Parse(c.Base)
	if err != nil {
		return false
	}
	ip := net.ParseIP(parsed.Hostname())
	return parsed.Hostname() == "localhost" || (ip != nil && ip.IsLoopback())
}

// Keyless returns the config without secrets, for requests that must not carry a key.
func (c Config) Keyless() Config {
	c.Key, c.User, c.Password = Secret{}, Secret{}, Secret{}
	return c
}
