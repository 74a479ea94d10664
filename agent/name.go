package agent

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"moot/agent/endpoint"
	"moot/agent/person"
	"moot/agent/program"
	"moot/agent/record"
	"moot/agent/rules"
	"moot/agent/script"
	"moot/config"
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
	// KindProgram is a program that runs on this machine.
	KindProgram Kind = "program"
)

// Kinds returns every Kind.
func Kinds() []Kind { return []Kind{KindRules, KindScript, KindPerson, KindEndpoint, KindProgram} }

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
func (s Spec) Modelless() bool { return s.Kind != KindEndpoint && s.Kind != KindProgram }

// Parse reads the string that names a participant. It looks at nothing but the
// string: whether a key is set or a file exists, New says. A name that nobody
// has is an *enum.UnknownError with the nearest. Programs are the agent programs
// that may be named, those that are built in where none are given.
func Parse(name string, programs ...program.Adapter) (Spec, error) {
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
	case word+":" == program.ExecPrefix:
		if _, err := program.Words(name); err != nil {
			return Spec{}, err
		}
		return Spec{Name: name, Kind: KindProgram}, nil
	case isURL(name):
		return parseEndpoint(name, programs)
	case word == "" || strings.TrimSpace(name) != name:
		return Spec{}, fmt.Errorf("%q names no participant: write rules, me, script:FILE, exec:PATH, codex or another agent program, or an endpoint such as ollama:MODEL", name)
	}
	if a := programNamed(name, programs); a != nil {
		if parted && strings.TrimSpace(rest) == "" {
			return Spec{}, fmt.Errorf("%q names no model behind the colon: write %s or %s:MODEL", name, word, word)
		}
		return Spec{Name: name, Kind: KindProgram}, nil
	}
	if parted && (word == rules.Name || word == person.Name) {
		return Spec{}, fmt.Errorf("%q: %s takes nothing behind it; write %s", name, word, word)
	}
	return parseEndpoint(name, programs)
}

func isURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// parseEndpoint lets the endpoints read the name, without any key.
func parseEndpoint(name string, programs []program.Adapter) (Spec, error) {
	_, err := endpoint.Parse(name, func(string) string { return "" })
	var missing *endpoint.MissingKeyError
	var unknown *enum.UnknownError
	switch {
	case err == nil, errors.As(err, &missing):
		return Spec{Name: name, Kind: KindEndpoint}, nil
	case errors.As(err, &unknown):
		known := append([]string{rules.Name, person.Name, "script", "exec"}, unknown.Known...)
		known = append(known, program.Names(programsOr(programs))...)
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
	// Environ is what programs find in their environment, less its secrets.
	Environ []string
	// Programs are the agent programs that may be named, those that are built in
	// where there are none; Alone is where those that are given no workspace find an
	// empty folder, "" for the system's temporary one.
	Programs []program.Adapter
	Alone    string
	// Asker asks the person.
	Asker person.Asker
	// Limits bound the calls to an endpoint or a program; zero fields take their defaults.
	Limits endpoint.Limits
	// Transport is shared by endpoints; nil gives each its own.
	Transport http.RoundTripper
	// Path makes the path of a file absolute; nil leaves it as it is.
	Path func(string) string
	// Seat is the seat that is taken, and Events what the session holds so far: a
	// script goes on after the replies that it gave.
	Seat   state.Seat
	Events []state.Event
	// Format is that of the session, "" if there is none: rules refuse seats that they
	// cannot play.
	Format state.Format
	// Ours are the paths of files and folders that moot itself writes meanwhile: what
	// changes there is no doing of a program.
	Ours []string
	// Recorder keeps what goes over the wire; nil keeps nothing.
	Recorder *record.Recorder
	// Configure changes what an endpoint is made of before it is made: prices,
	// headers, its own settings; nil changes nothing.
	Configure func(*endpoint.Config)
	// Settings are how models are asked, by whatever takes such things: they go
	// before those of Configure.
	Settings endpoint.Settings
	// Pacer is shared by the endpoints of this process; nil paces each alone.
	Pacer *endpoint.Pacer

	// as is the name that the person gave the participant, with what it is, and own
	// what the configuration says of it; Seat sets them.
	as  string
	own *config.Participant
}

// New seats the participant that Parse read. It sends nothing. Errors are those
// of the key or file that is missing.
func New(spec Spec, deps Deps) (protocol.Participant, error) {
	switch spec.Kind {
	case KindRules:
		if deps.Format != "" {
			if err := rules.Refuse(deps.Format, deps.Seat); err != nil {
				return nil, err
			}
		}
		return rules.New(rules.Options{Workspace: deps.Workspace, Context: deps.Context}), nil
	case KindScript:
		file := spec.File
		if deps.Path != nil {
			file = deps.Path(file)
		}
		s, err := script.Open(file)
		if err != nil {
			return nil, err
		}
		s.Skip(deps.Events, deps.Seat)
		return s, nil
	case KindPerson:
		if deps.Asker == nil {
			return nil, errors.New("me cannot take a seat here: nobody is at the keyboard; name rules, script:FILE, exec:PATH or a model endpoint")
		}
		return person.New(deps.Asker), nil
	case KindEndpoint:
		return newEndpoint(spec, deps)
	case KindProgram:
		return newProgram(spec, deps)
	}
	return nil, fmt.Errorf("%q was not read by Parse: this is a defect of moot", spec.Name)
}

func newEndpoint(spec Spec, deps Deps) (protocol.Participant, error) {
	env := deps.Env
	if env == nil {
		env = func(string) string { return "" }
	}
	c, err := deps.endpoint(spec.Name, env)
	if err != nil {
		return nil, err
	}
	if deps.Configure != nil {
		deps.Configure(&c)
	}
	c.Settings = deps.Settings.Over(c.Settings)
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	transport := deps.Transport
	if transport == nil {
		transport = endpoint.NewTransport()
	}
	c.Hide(deps.Recorder.Hidden())
	options := []endpoint.Option{endpoint.WithTransport(deps.Recorder.Transport(transport))}
	if deps.Pacer != nil {
		options = append(options, endpoint.WithPacer(deps.Pacer))
	}
	return endpoint.New(c, deps.Limits, options...), nil
}
