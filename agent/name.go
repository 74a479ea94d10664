package agent

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"moot/agent/endpoint"
	"moot/agent/person"
	"moot/agent/rules"
	"moot/agent/script"
	"moot/enum"
	"moot/protocol"
	"moot/state"
)

// Kind is what sort of participant a name means.
type Kind string

// The kinds.
const (
	KindRules    Kind = "rules"
	KindScript   Kind = "script"
	KindPerson   Kind = "person"
	KindEndpoint Kind = "endpoint"
)

// Kinds returns every Kind.
func Kinds() []Kind { return []Kind{KindRules, KindScript, KindPerson, KindEndpoint} }

// String returns the word itself.
func (k Kind) String() string { return string(k) }

// UnmarshalText refuses a word that is no Kind.
func (k *Kind) UnmarshalText(text []byte) error {
	return enum.Unmarshal("kind of participant", text, Kinds(), k)
}

// Spec is a participant as it was named.
type Spec struct {
	// Name is the string as it was given; it may hold the password of a URL, so
	// show that of the participant instead.
	Name string
	Kind Kind
	// File is that of a script, "" otherwise.
	File string
}

// Modelless reports that no language model would be at work.
func (s Spec) Modelless() bool { return s.Kind != KindEndpoint }

// LaterError says that a name is known and its participant not there yet.
type LaterError struct {
	// Name is the participant's, What what it is.
	Name, What string
}

// Error says what to name instead.
func (e *LaterError) Error() string {
	return fmt.Sprintf("%s (%s) cannot take a seat yet: it comes with a later release; "+
		"name a model endpoint such as ollama:MODEL, or rules, script:FILE or me", e.Name, e.What)
}

// Parse reads the string that names a participant. It looks at nothing but the
// string: whether a key is set or a file exists, New says. A name that nobody
// has is an *enum.UnknownError with the nearest, one of a later release a
// *LaterError.
func Parse(name string) (Spec, error) {
	word, rest, parted := strings.Cut(name, ":")
	switch {
	case name == rules.Name:
		return Spec{Name: name, Kind: KindRules}, nil
	case name == person.Name:
		return Spec{Name: name, Kind: KindPerson}, nil
	case word == "script":
		if rest == "" {
			return Spec{}, errors.New("script names no file: write script:FILE")
		}
		return Spec{Name: name, Kind: KindScript, File: rest}, nil
	case isURL(name):
		return parseEndpoint(name)
	case word == "" || strings.TrimSpace(name) != name:
		return Spec{}, fmt.Errorf("%q names no participant: write rules, me, script:FILE, or an endpoint such as ollama:MODEL", name)
	}
	if later := laterNamed(word); later != nil {
		return Spec{}, &LaterError{Name: name, What: later.What}
	}
	if parted && (word == rules.Name || word == person.Name) {
		return Spec{}, fmt.Errorf("%q: %s takes nothing behind it; write %s", name, word, word)
	}
	return parseEndpoint(name)
}

func isURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// parseEndpoint lets the endpoints read the name, without any key.
func parseEndpoint(name string) (Spec, error) {
	_, err := endpoint.Parse(name, func(string) string { return "" })
	var missing *endpoint.MissingKeyError
	var unknown *enum.UnknownError
	switch {
	case err == nil, errors.As(err, &missing):
		return Spec{Name: name, Kind: KindEndpoint}, nil
	case errors.As(err, &unknown):
		known := append([]string{rules.Name, person.Name, "script"}, unknown.Known...)
		for _, p := range programs() {
			known = append(known, p.Name)
		}
		return Spec{}, &enum.UnknownError{
			What: "participant", Word: unknown.Word, Known: known, Nearest: enum.Nearest(unknown.Word, known),
		}
	}
	return Spec{}, err
}

// Deps are what participants are made with. A zero field is what the
// participant at hand does without.
type Deps struct {
	// Env gives environment variables, or keys of a keyring; nil gives none.
	Env func(string) string
	// Workspace is the folder that rules searches, "" for none; Context is what
	// it reads besides the session's own context.
	Workspace string
	Context   []state.Document
	// Asker asks the person.
	Asker person.Asker
	// Limits bound the calls to an endpoint; zero fields take their defaults.
	Limits endpoint.Limits
	// Transport is shared by endpoints; nil gives each its own.
	Transport http.RoundTripper
	// Configure changes what an endpoint is made of before it is made: prices,
	// temperature; nil changes nothing.
	Configure func(*endpoint.Config)
}

// New seats the participant that Parse read. It sends nothing. Errors are those
// of the key or file that is missing.
func New(spec Spec, deps Deps) (protocol.Participant, error) {
	switch spec.Kind {
	case KindRules:
		return rules.New(rules.Options{Workspace: deps.Workspace, Context: deps.Context}), nil
	case KindScript:
		s, err := script.Open(spec.File)
		if err != nil {
			return nil, err
		}
		return s, nil
	case KindPerson:
		if deps.Asker == nil {
			return nil, errors.New("me cannot take a seat here: nobody is at the keyboard; name rules, script:FILE or a model endpoint")
		}
		return person.New(deps.Asker), nil
	case KindEndpoint:
		return newEndpoint(spec, deps)
	}
	return nil, fmt.Errorf("%q was not read by Parse: this is a defect of moot", spec.Name)
}

func newEndpoint(spec Spec, deps Deps) (protocol.Participant, error) {
	env := deps.Env
	if env == nil {
		env = func(string) string { return "" }
	}
	config, err := endpoint.Parse(spec.Name, env)
	if err != nil {
		return nil, err
	}
	if deps.Configure != nil {
		deps.Configure(&config)
	}
	var options []endpoint.Option
	if deps.Transport != nil {
		options = append(options, endpoint.WithTransport(deps.Transport))
	}
	return endpoint.New(config, deps.Limits, options...), nil
}
