package endpoint

import (
	"bytes"
	_ "embed" // The presets are a file of their own.
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"

	"moot/config"
	"moot/enum"
)

//go:embed presets.toml
var presetFile []byte

// Preset is an endpoint that moot knows by name. The fields are those of
// presets.toml, which explains them.
type Preset struct {
	Name         string    `toml:"name"`
	Title        string    `toml:"title"`
	Base         string    `toml:"base"`
	BaseVariable string    `toml:"base_variable"`
	Keys         []string  `toml:"keys"`
	OptionalKey  bool      `toml:"optional_key"`
	Local        bool      `toml:"local"`
	Model        string    `toml:"model"`
	Example      string    `toml:"example"`
	Structured   Structure `toml:"structured"`
	ReportsCost  bool      `toml:"reports_cost"`
	Start        string    `toml:"start"`
	Pull         string    `toml:"pull"`
	Notes        string    `toml:"notes"`
	DatedBase    string    `toml:"dated_base"`
	KeyHeader    string    `toml:"key_header"`
	SharedKey    bool      `toml:"shared_key"`
	Version      string    `toml:"version"`
	Contexts     string    `toml:"contexts"`
	NoModels     bool      `toml:"no_models"`
	PerMinute    int       `toml:"per_minute"`
	Parallel     int       `toml:"parallel"`

	Headers map[string]string `toml:"headers"`
}

// Structure is how a structured reply is asked for.
type Structure string

// The structures, from the strongest. Each falls back to the next.
const (
	// StructureStrict is json_schema with strict set and a schema that follows
	// its rules.
	StructureStrict Structure = "strict"
	// StructureSchema is json_schema with the schema as it is.
	StructureSchema Structure = "schema"
	// StructureObject is json_object, with the schema in the prompt.
	StructureObject Structure = "object"
	// StructurePlain is text, with the schema in the prompt.
	StructurePlain Structure = "plain"
)

// Structures returns every Structure, the strongest first.
func Structures() []Structure {
	return []Structure{StructureStrict, StructureSchema, StructureObject, StructurePlain}
}

// String returns the word itself.
func (s Structure) String() string { return string(s) }

// UnmarshalText refuses a word that is no Structure.
func (s *Structure) UnmarshalText(text []byte) error {
	return enum.Unmarshal("structure", text, Structures(), s)
}

// weaker returns the structure to try when this one is refused.
func (s Structure) weaker() Structure {
	switch s {
	case StructureStrict:
		return StructureSchema
	case StructureSchema:
		return StructureObject
	case StructureObject, StructurePlain:
		return StructurePlain
	}
	return StructurePlain
}

// Presets returns the endpoints that moot knows by name, in the order of
// presets.toml. The error says that the file built into the program is
// damaged.
func Presets() ([]Preset, error) { return readPresets(presetFile) }

// readPresets reads presets.toml, or a part of it.
func readPresets(text []byte) ([]Preset, error) {
	var file struct {
		Preset []Preset `toml:"preset"`
	}
	if err := config.Strict(text, &file); err != nil {
		return nil, fmt.Errorf("reading the presets that moot is built with: %w", err)
	}
	return file.Preset, nil
}

// findPreset returns the preset of that name, or an error that names the
// nearest and the known ones. It reads no other: names are read again and again.
func findPreset(name string) (Preset, error) {
	const begins = "[[preset]]\n"
	for part := range bytes.SplitSeq(presetFile, []byte(begins)) {
		if !bytes.HasPrefix(part, fmt.Appendf(nil, "name = %q\n", name)) {
			continue
		}
		found, err := readPresets(append([]byte(begins), part...))
		if err != nil {
			return Preset{}, err
		}
		return found[0], nil
	}
	presets, err := Presets()
	if err != nil {
		return Preset{}, err
	}
	names := make([]string, len(presets))
	for i := range presets {
		names[i] = presets[i].Name
	}
	return Preset{}, &enum.UnknownError{
		What: "model endpoint", Word: name, Known: names, Nearest: enum.Nearest(name, names),
	}
}

// config is the preset as a config, before its address and key are known.
func (p *Preset) config(name, model string) Config {
	config := Config{
		Name: name, Model: model, Structured: p.Structured, ReportsCost: p.ReportsCost, Start: p.Start, Pull: p.Pull,
		KeyHeader: p.KeyHeader, Version: p.Version, Contexts: p.Contexts, NoModels: p.NoModels, PerMinute: p.PerMinute, Parallel: p.Parallel,
	}
	for header, value := range p.Headers {
		if config.Headers == nil {
			config.Headers = map[string]Secret{}
		}
		config.Headers[header] = NewSecret(value)
	}
	return config
}

// base returns the base URL that holds in this environment, and whether the
// environment changed it. missing is a variable that the address needs and that
// is not set, or "".
func (p *Preset) base(model string, env func(string) string) (base string, overridden bool, missing string) {
	if value := strings.TrimSpace(env(p.BaseVariable)); p.BaseVariable != "" && value != "" {
		if strings.Contains(value, "://") {
			return value, true, ""
		}
		return hostBase(value, p.Base), true, ""
	}
	if p.DatedBase != "" {
		if base, missing = fillBase(p.DatedBase, model, env); missing == "" {
			return base, false, ""
		}
	}
	base, missing = fillBase(p.Base, model, env)
	return base, false, missing
}

// variables names those that the address is made of.
func (p *Preset) variables() string {
	names := p.BaseVariable
	for _, template := range []string{p.DatedBase, p.Base} {
		for _, found := range baseVariable.FindAllStringSubmatch(template, -1) {
			if found[1] != modelVariable && !strings.Contains(names, found[1]) {
				names = strings.TrimPrefix(names+" and "+found[1], " and ")
			}
		}
	}
	return names
}

// modelVariable stands for the model in an address.
const modelVariable = "MODEL"

// baseVariable finds a variable in an address.
var baseVariable = regexp.MustCompile(`\$\{([A-Z_]+)\}`)

// fillBase puts the values of variables into an address, or says which one is not
// set.
func fillBase(template, model string, env func(string) string) (base, missing string) {
	base = baseVariable.ReplaceAllStringFunc(template, func(found string) string {
		name := found[len("${") : len(found)-len("}")]
		if name == modelVariable {
			return url.PathEscape(model)
		}
		value := strings.TrimSpace(env(name))
		if value == "" && missing == "" {
			missing = name
		}
		if !strings.HasPrefix(template, found) {
			return url.QueryEscape(value)
		}
		// An address is set with and without the path that follows it.
		value = strings.TrimSuffix(strings.TrimRight(value, "/"), "/v1")
		return strings.TrimSuffix(value, "/openai")
	})
	return base, missing
}

// hostBase reads the "host", ":port" or "host:port" of OLLAMA_HOST, which is
// first of all where the server listens: an address for all interfaces becomes
// this machine's.
func hostBase(value, preset string) string {
	known, err := url.Parse(preset)
	if err != nil {
		return preset
	}
	host, port, err := net.SplitHostPort(value)
	if err != nil {
		host, port = strings.Trim(value, "[]"), known.Port()
	}
	if ip := net.ParseIP(host); host == "" || (ip != nil && ip.IsUnspecified()) {
		host = known.Hostname()
	}
	known.Host = net.JoinHostPort(host, port)
	return known.String()
}
