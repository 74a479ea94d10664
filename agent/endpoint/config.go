package endpoint

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// urlKeyVariable holds the key for an endpoint that is named by its URL.
const urlKeyVariable = "MOOT_API_KEY"

// Config says which model at which endpoint. It can be printed, logged and
// stored: secrets show as [REDACTED].
type Config struct {
	// Name is the participant's name, without secrets: "ollama:qwen3:8b".
	Name string
	// Base is the base URL without user information and trailing slash.
	Base string
	// Model is the model to ask for.
	Model string
	// Key is sent as a bearer token, or not at all if it is zero.
	Key Secret
	// KeyVariable is the environment variable that the key came from, or that
	// would hold it.
	KeyVariable string
	// User and Password are the user information of the URL. They are sent
	// instead of the key if either is set.
	User, Password Secret
	// Local says that the model runs on the user's own machine and is free.
	Local bool
	// Structured is the strongest structure to ask for; "" is StructureSchema.
	Structured Structure
	// ReportsCost says that usage.cost in a reply is its price in US dollars.
	ReportsCost bool
	// Start is the command that starts the server, or "".
	Start string
	// Pull is the command that fetches a model, before its name, or "".
	Pull string
	// Temperature is the sampling temperature, 0 to 2; nil leaves it to the
	// endpoint. Reasoning models are never given one.
	Temperature *float64
	// MaxTokens caps a reply, in tokens; 0 leaves it to the endpoint.
	MaxTokens int
	// Prices override the table that moot is built with, by model name.
	Prices map[string]Price
	// Warning is what the session should say once of this participant, or "".
	Warning string
}

// MissingKeyError says that an endpoint needs a key and none is set.
type MissingKeyError struct {
	// Participant is the string that named the endpoint.
	Participant string
	// Service is what people call it.
	Service string
	// Variables are those that may hold the key, the first is preferred.
	Variables []string
}

// Error names the variable and what to do.
func (e *MissingKeyError) Error() string {
	return fmt.Sprintf("%s needs a key for %s, and %s is not set: nothing was sent; "+
		"set it to your key and try again, or name a participant that needs none, such as ollama:MODEL or rules",
		e.Participant, e.Service, strings.Join(e.Variables, " or "))
}

// Parse reads the string that names an endpoint: "PRESET:MODEL", or the URL of
// one with the model as its fragment, "http://host:port/v1#MODEL". Keys are
// asked of env, which may look further than the environment, in a keyring say;
// the key for a URL is MOOT_API_KEY if that is set. A preset that does not
// exist is an *enum.UnknownError, a key that is missing a *MissingKeyError.
func Parse(name string, env func(string) string) (Config, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return parseURL(name, env)
	}
	word, model, _ := strings.Cut(name, ":")
	preset, err := findPreset(word)
	if err != nil {
		return Config{}, err
	}
	if model == "" {
		model = preset.Model
	}
	if model == "" {
		return Config{}, fmt.Errorf("%s names no model: write %s:MODEL, for example %s:%s",
			word, word, word, preset.Example)
	}
	base, overridden := preset.base(env)
	config := Config{
		Name: name, Model: model, Structured: preset.Structured,
		ReportsCost: preset.ReportsCost, Start: preset.Start, Pull: preset.Pull,
	}
	if err := config.setBase(base); err != nil {
		return Config{}, fmt.Errorf("%s: the address in %s: %w", word, preset.BaseVariable, err)
	}
	config.Local = preset.Local || (overridden && isLoopback(config.Base))
	for _, variable := range preset.Keys {
		if config.Key = NewSecret(env(variable)); !config.Key.IsZero() {
			config.KeyVariable = variable
			break
		}
	}
	if overridden {
		config.Warning = fmt.Sprintf("%s is set: %s is asked at %s", preset.BaseVariable, name, config.Base)
	}
	if config.Key.IsZero() && len(preset.Keys) > 0 {
		config.KeyVariable = preset.Keys[0]
		if !preset.OptionalKey && !overridden {
			return Config{}, &MissingKeyError{Participant: name, Service: preset.Title, Variables: preset.Keys}
		}
	}
	return config, nil
}

// parseURL reads the URL of an endpoint.
func parseURL(text string, env func(string) string) (Config, error) {
	address, model, _ := strings.Cut(text, "#")
	config := Config{
		Structured: StructureSchema, KeyVariable: urlKeyVariable, Key: NewSecret(env(urlKeyVariable)),
	}
	if err := config.setBase(address); err != nil {
		return Config{}, fmt.Errorf("the address of a model endpoint: %w", err)
	}
	if unescaped, err := url.PathUnescape(model); err == nil {
		model = unescaped
	}
	if model == "" {
		return Config{}, fmt.Errorf("%s names no model: write %s#MODEL", config.Base, config.Base)
	}
	config.Model = model
	config.Name = config.Base + "#" + model
	config.Local = isLoopback(config.Base)
	return config, nil
}

// setBase checks an address, takes the user information out of it, and brings
// it into the form that paths are added to. Its errors show nothing of an
// address that cannot be read, since that may hold a password.
func (c *Config) setBase(address string) error {
	parsed, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return errors.New("it is no URL; write it as http://host:port/v1")
	}
	if (parsed.Scheme != "http" && parsed.Scheme != "https") || parsed.Host == "" {
		return errors.New("it is no http or https URL; write it as http://host:port/v1")
	}
	if parsed.RawQuery != "" {
		return fmt.Errorf("%s://%s has a query, which moot cannot send; write it as http://host:port/v1", parsed.Scheme, parsed.Host)
	}
	if parsed.User != nil {
		password, _ := parsed.User.Password()
		c.User, c.Password = NewSecret(parsed.User.Username()), NewSecret(password)
	}
	parsed.User, parsed.Fragment, parsed.RawFragment = nil, "", ""
	base := strings.TrimRight(parsed.String(), "/")
	base = strings.TrimRight(strings.TrimSuffix(base, "/chat/completions"), "/")
	if strings.Trim(parsed.Path, "/") == "" {
		base += "/v1"
	}
	c.Base = base
	return nil
}

// isLoopback reports that a base URL is on this machine.
func isLoopback(base string) bool {
	parsed, err := url.Parse(base)
	if err != nil {
		return false
	}
	host := parsed.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
