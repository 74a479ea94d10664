package endpoint

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

// URLKeyVariable holds the key for an endpoint that is named by its URL.
const URLKeyVariable = "MOOT_API_KEY"

// Own is what the person says otherwise of an endpoint. What is empty is as moot
// knows it.
type Own struct {
	// Base is another address for a preset.
	Base string
	// Key is the variable that holds the key, in the place of the usual ones. An
	// endpoint that is given one is not asked without it.
	Key string
}

// Config says which model at which endpoint. It can be printed, logged and
// stored: secrets show as [REDACTED].
type Config struct {
	// Name is the participant's name, without secrets: "ollama:qwen3:8b".
	Name string
	// Base is the base URL without user information and trailing slash.
	Base string
	// Model is the model to ask for.
	Model string
	// Query is what every request carries behind its path, as in
	// "api-version=2024-10-21", or "".
	Query string
	// Key is sent as a bearer token, or not at all if it is zero.
	Key Secret
	// KeyHeader is the header in which the key is sent as it is, or "" for a
	// bearer token in Authorization.
	KeyHeader string
	// Headers are sent with every request besides moot's own. Their values may
	// be secrets and are shown nowhere.
	Headers map[string]Secret
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
	// Version is the path at which the server tells its version, from the root
	// of its address, or "".
	Version string
	// Contexts is the path at which the server tells how much context each model has
	// that it runs, from the root of its address, or "".
	Contexts string
	// NoModels says that the endpoint gives no list of its models.
	NoModels bool
	// Settings are how the model is asked.
	Settings
	// PerMinute is how many requests go out to the endpoint in a minute, evenly
	// spread and over all sessions of this machine; 0 sets no limit.
	PerMinute int
	// Parallel is how many requests of this process are under way at once; 0 sets
	// no limit.
	Parallel int
	// Prices override the table that moot is built with, by model name.
	Prices map[string]Price
	// Warning is what the session should say once of this participant, or "".
	Warning string
}

// MissingKeyError says that an endpoint needs a key, or an address of the
// user's own, and none is set.
type MissingKeyError struct {
	// What is missing: "the address of"; "" is "a key for".
	What string
	// Participant is the string that named the endpoint.
	Participant string
	// Service is what people call it.
	Service string
	// Variables are those that may hold the key, the first is preferred.
	Variables []string
}

// Error names the variable and what to do.
func (e *MissingKeyError) Error() string {
	return fmt.Sprintf("%s %s: nothing was sent; %s", e.Participant, e.Lack(), e.Fix())
}

// Lack says what is missing, as what the endpoint does: "needs a key for …".
func (e *MissingKeyError) Lack() string {
	needs := "a key for"
	if e.What != "" {
		needs = e.What
	}
	return fmt.Sprintf("needs %s %s, and %s is not set", needs, e.Service, strings.Join(e.Variables, " or "))
}

// Fix says what to do.
func (e *MissingKeyError) Fix() string {
	set := "yours"
	if e.What == "" {
		set = fmt.Sprintf("your key, or keep the key in the keyring (moot key set %s),", e.Variables[0])
	}
	return fmt.Sprintf("set it to %s and try again, or name a participant that needs none, such as ollama:MODEL or rules", set)
}

// Parse reads the string that names an endpoint: "PRESET:MODEL", or the URL of
// one with the model as its fragment, "http://host:port/v1#MODEL". Keys are
// asked of env, which may look further than the environment, in a keyring say;
// the key for a URL is MOOT_API_KEY if that is set. A preset that does not
// exist is an *enum.UnknownError, a key that is missing a *MissingKeyError.
func Parse(name string, env func(string) string) (Config, error) { return ParseOwn(name, env, Own{}) }

// ParseOwn is Parse with what the person says otherwise. An address for an
// endpoint that is named by its URL is not looked at.
func ParseOwn(name string, env func(string) string, own Own) (Config, error) {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return parseURL(name, env, own)
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
	base, overridden, missing := preset.base(model, env)
	where := preset.variables()
	if own.Base != "" {
		base, overridden, missing, where = own.Base, true, "", "base"
	}
	if missing != "" {
		return Config{}, &MissingKeyError{
			What: "the address of", Participant: name, Service: preset.Title, Variables: []string{missing},
		}
	}
	if own.Key != "" {
		preset.Keys, preset.OptionalKey = []string{own.Key}, false
	}
	config := preset.config(name, model)
	if base == preset.Base {
		config.Base = base
	} else if err := config.setBase(base); err != nil {
		return Config{}, fmt.Errorf("%s: the address in %s: %w", word, where, err)
	}
	config.Local = preset.Local || (overridden && isLoopback(config.Base))
	config.findKey(preset.Keys, env)
	if overridden && own.Base == "" {
		config.Warning = fmt.Sprintf("%s is set: %s is asked at %s", preset.BaseVariable, name, config.Base)
	}
	if config.Key.IsZero() && len(preset.Keys) > 0 {
		config.KeyVariable = preset.Keys[0]
		if !preset.OptionalKey && (!overridden || own.Key != "") {
			return Config{}, &MissingKeyError{Participant: name, Service: preset.Title, Variables: preset.Keys}
		}
	}
	return config, nil
}

// parseURL reads the URL of an endpoint.
func parseURL(text string, env func(string) string, own Own) (Config, error) {
	address, model, _ := strings.Cut(text, "#")
	variable := cmp.Or(own.Key, URLKeyVariable)
	config := Config{
		Structured: StructureSchema, KeyVariable: variable, Key: NewSecret(env(variable)),
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
	if config.Query != "" {
		config.Name = config.Base + "?" + config.Query + "#" + model
	}
	config.Local = isLoopback(config.Base)
	if config.port() == ollamaPort {
		config.Contexts = ollamaContexts
	}
	if config.isAzure() {
		config.KeyHeader = azureKeyHeader
		if own.Key == "" {
			config.findKey([]string{variable, azureKeyVariable}, env)
		}
	}
	if own.Key != "" && config.Key.IsZero() {
		return Config{}, &MissingKeyError{Participant: config.Name, Service: config.Base, Variables: []string{own.Key}}
	}
	return config, nil
}

// findKey takes the key from the first variable that holds one.
func (c *Config) findKey(variables []string, env func(string) string) {
	for _, variable := range variables {
		if c.Key = NewSecret(env(variable)); !c.Key.IsZero() {
			c.KeyVariable = variable
			return
		}
	}
}

const (
	// azureKeyHeader and azureKeyVariable are those of Azure OpenAI.
	azureKeyHeader   = "api-key"
	azureKeyVariable = "AZURE_OPENAI_API_KEY"
	// versionParameter is the only query that an address may carry: any other
	// may hold a secret, which would stand in every log on the way.
	versionParameter = "api-version"
)

// isAzure reports that a base URL is a resource of Azure OpenAI.
func (c *Config) isAzure() bool {
	parsed, err := url.Parse(c.Base)
	if err != nil {
		return false
	}
	for _, domain := range []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com"} {
		if strings.HasSuffix(parsed.Hostname(), domain) {
			return true
		}
	}
	return false
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
		query := parsed.Query()
		version := query.Get(versionParameter)
		if len(query) != 1 || version == "" {
			return fmt.Errorf("%s://%s has a query, and moot sends none but %s; write it as http://host:port/v1",
				parsed.Scheme, parsed.Host, versionParameter)
		}
		c.Query = url.Values{versionParameter: {version}}.Encode()
	}
	if parsed.User != nil {
		password, _ := parsed.User.Password()
		c.User, c.Password = NewSecret(parsed.User.Username()), NewSecret(password)
	}
	parsed.User, parsed.Fragment, parsed.RawFragment, parsed.RawQuery = nil, "", "", ""
	base := strings.TrimRight(parsed.String(), "/")
	base = strings.TrimRight(strings.TrimSuffix(base, "/chat/completions"), "/")
	if strings.Trim(parsed.Path, "/") == "" {
		base += "/v1"
	}
	c.Base = base
	return nil
}

const (
	// ollamaPort is where Ollama listens unless told otherwise, and ollamaContexts
	// where it tells how much context each model has: what listens there is asked.
	ollamaPort     = "11434"
	ollamaContexts = "/api/ps"
)

// port is that of the base URL, or "".
func (c *Config) port() string {
	parsed, err := url.Parse(c.Base)
	if err != nil {
		return ""
	}
	return parsed.Port()
}

// fromRoot is the address of a path at the server, or "" where there is no path.
func (c *Config) fromRoot(path string) string {
	root, err := url.Parse(c.Base)
	if err != nil || path == "" {
		return ""
	}
	root.Path, root.RawPath = path, ""
	return root.String()
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
