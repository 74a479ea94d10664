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
	"moot/internal/enum"
)

//go:embed presets.toml
var presetFile []byte

// Preset is an endpoint that moot knows by name; presets.toml explains the fields.
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

	Headers map[string]string `toml:"headers"`
}

// Structure is how a structured reply is requested.
type Structure string

// The structures, the strongest first. Each falls back to the next.
const (
	// StructureStrict is json_schema with strict set and a schema that follows its rules.
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

// String returns the word itself.
func (s Structure) String() string { return string(s) }

// UnmarshalText refuses an unknown word.
func (s *Structure) UnmarshalText(text []byte) error {
	return enum.Unmarshal("structure", text, Structures(), s)
}

// Presets returns the endpoints that moot knows by name, in the order of presets.toml.
func Presets() ([]Preset, error) { return readPresets(presetFile) }

func readPresets(text []byte) ([]Preset, error) {
	var file struct {
		Preset []Preset `toml:"preset"`
	}
	if err := config.Strict(text, &file); err != nil {
		return nil, fmt.Errorf("reading the built-in presets: %w", err)
	}
	return file.Preset, nil
}

// findPreset parses only the part of the file that it needs, since names are
// looked up often. The error names the nearest preset and all known ones.
func findPreset(name string) (*Preset, error) {
	const begins = "[[preset]]\n"
	for part := range bytes.SplitSeq(presetFile, []byte(begins)) {
		if bytes.HasPrefix(part, fmt.Appendf(nil, "name = %q\n", name)) {
			found, err := readPresets(append([]byte(begins), part...))
			if err != nil {
				return nil, err
			}
			return &found[0], nil
		}
	}
	presets, err := Presets()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(presets))
	for i := range presets {
		names[i] = presets[i].Name
	}
	return nil, &enum.UnknownError{
		What: "model endpoint", Word: name, Known: names, Nearest: enum.Nearest(name, names),
	}
}

// base returns the base URL in this environment, and whether the environment
// replaced it. missing is a variable that the URL needs and that is not set, or "".
func (p *Preset) base(model string, env func(string) string) (base string, overridden bool, missing string) {
	if value := strings.TrimSpace(env(p.BaseVariable)); p.BaseVariable != "" && value != "" {
		if !strings.Contains(value, "://") {
			value = hostBase(value, p.Base)
		}
		return value, true, ""
	}
	if p.DatedBase != "" {
		if base, missing = fillBase(p.DatedBase, model, env); missing == "" {
			return base, false, ""
		}
	}
	base, missing = fillBase(p.Base, model, env)
	return base, false, missing
}

// variables names the environment variables that the address consists of.
func (p *Preset) variables() string {
	var names []string
	if p.BaseVariable != "" {
		names = append(names, p.BaseVariable)
	}
	for _, found := range baseVariable.FindAllStringSubmatch(p.DatedBase+p.Base, -1) {
		if joined := strings.Join(names, " "); found[1] != modelVariable && !strings.Contains(joined, found[1]) {
			names = append(names, found[1])
		}
	}
	return strings.Join(names, " and ")
}

// modelVariable is replaced by the model in an address.
const modelVariable = "MODEL"

var baseVariable = regexp.MustCompile(`\$\{([A-Z_]+)\}`)

// fillBase replaces the variables in an address, or returns one that is not set.
func fillBase(template, model string, env func(string) string) (base, missing string) {
	base = baseVariable.ReplaceAllStringFunc(template, func(found string) string {
		name := strings.Trim(found, "${}")
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
		// People set an address with and without the path that follows it.
		value = strings.TrimSuffix(strings.TrimRight(value, "/"), "/v1")
		return strings.TrimSuffix(value, "/openai")
	})
	return base, missing
}

// hostBase reads the "host", ":port" or "host:port" of OLLAMA_HOST. It is
// primarily the address that the server listens on: an address for all
// interfaces becomes the one of this machine.
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
