package endpoint

import (
	_ "embed"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"

	"moot/config"
	"moot/internal/enum"
)

//go:embed presets.toml
var presetFile []byte

// Preset is a known endpoint; presets.toml explains the fields.
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
	KeyHeader    string    `toml:"key_header"`
	SharedKey    bool      `toml:"shared_key"`
	Contexts     string    `toml:"contexts"`
	NoModels     bool      `toml:"no_models"`
	Responses    bool      `toml:"responses"`
}

// AddressVariables returns the environment variables that its address depends on.
func (p *Preset) AddressVariables() (names []string) {
	if p.BaseVariable != "" {
		names = append(names, p.BaseVariable)
	}
	os.Expand(p.Base, func(name string) string {
		names = append(names, name)
		return ""
	})
	return names
}

// Structure is a way to request a structured reply.
type Structure string

// The structures, the strongest first. Each falls back to the next.
const (
	// StructureStrict is json_schema in strict mode, with a schema that follows its rules.
	StructureStrict Structure = "strict"
	// StructureSchema is json_schema with the schema unchanged.
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

// UnmarshalText rejects an unknown word.
func (s *Structure) UnmarshalText(text []byte) error {
	return enum.Unmarshal("structure", text, Structures(), s)
}

// Presets returns the known endpoints in the order of presets.toml.
func Presets() ([]Preset, error) {
	var file struct {
		Preset []Preset `toml:"preset"`
	}
	if err := config.Strict(presetFile, &file); err != nil {
		return nil, fmt.Errorf("reading the built-in presets: %w", err)
	}
	return file.Preset, nil
}

// findPreset finds a preset by name. The error lists the known names and suggests the nearest.
func findPreset(name string) (*Preset, error) {
	presets, err := Presets()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(presets))
	for i := range presets {
		if names[i] = presets[i].Name; names[i] == name {
			return &presets[i], nil
		}
	}
	return nil, &enum.UnknownError{
		What: "model endpoint", Word: name, Known: names, Nearest: enum.Nearest(name, names),
	}
}

// base returns the base URL in this environment, and the variable that overrides it. missing is a variable that the
// URL needs but that is not set, or "".
func (p *Preset) base(env func(string) string) (base, variable, missing string) {
	if value := strings.TrimSpace(env(p.BaseVariable)); p.BaseVariable != "" && value != "" {
		if !strings.Contains(value, "://") {
			value = hostBase(value, p.Base)
		}
		return value, p.BaseVariable, ""
	}
	base = os.Expand(p.Base, func(name string) string {
		value := strings.TrimSpace(env(name))
		if value == "" {
			missing = name
		}
		if !strings.HasPrefix(p.Base, "$") {
			return url.QueryEscape(value)
		}
		// Users set addresses with and without the "/v1" suffix.
		value = strings.TrimSuffix(strings.TrimRight(value, "/"), "/v1")
		return strings.TrimSuffix(value, "/openai")
	})
	return base, "", missing
}

// hostBase reads "host", ":port" or "host:port" from OLLAMA_HOST. This is primarily the server's listen address, so
// "all interfaces" becomes this machine.
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
