package endpoint

import (
	"bytes"
	_ "embed" // The presets are a file of their own.
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/pelletier/go-toml/v2"

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
func Presets() ([]Preset, error) {
	var file struct {
		Preset []Preset `toml:"preset"`
	}
	if err := toml.NewDecoder(bytes.NewReader(presetFile)).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, fmt.Errorf("reading the presets that moot is built with: %w", err)
	}
	return file.Preset, nil
}

// findPreset returns the preset of that name, or an error that names the
// nearest and the known ones.
func findPreset(name string) (Preset, error) {
	presets, err := Presets()
	if err != nil {
		return Preset{}, err
	}
	names := make([]string, len(presets))
	for i, preset := range presets {
		if preset.Name == name {
			return preset, nil
		}
		names[i] = preset.Name
	}
	return Preset{}, &enum.UnknownError{
		What: "model endpoint", Word: name, Known: names, Nearest: enum.Nearest(name, names),
	}
}

// base returns the base URL that holds in this environment, and whether the
// environment changed it.
func (p Preset) base(env func(string) string) (base string, overridden bool) {
	if p.BaseVariable == "" {
		return p.Base, false
	}
	value := strings.TrimSpace(env(p.BaseVariable))
	if value == "" {
		return p.Base, false
	}
	if strings.Contains(value, "://") {
		return value, true
	}
	return hostBase(value, p.Base), true
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
