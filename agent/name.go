// Package agent names the participants: one short string each, which Parse reads and
// New seats. Book adds the names of the configuration, Discover looks for what is
// available. The participants themselves are the packages below: endpoint for models,
// program for programs, rules, script and person without a model. Start at Parse.
package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"moot/agent/endpoint"
	"moot/agent/person"
	"moot/agent/program"
	"moot/agent/record"
	"moot/agent/rules"
	"moot/agent/script"
	"moot/config"
	"moot/internal/enum"
	"moot/internal/git"
	"moot/internal/process"
	"moot/protocol"
	"moot/state"
)

// Kind is the kind of a participant.
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

// Spec is a parsed participant string.
type Spec struct {
	// Name is the string as given. It may hold the password of a URL, so display the participant's Name instead.
	Name string
	Kind Kind
	// File is the path of a script, or "".
	File string
}

// Modelless reports whether the participant uses no language model.
func (s Spec) Modelless() bool { return s.Kind != KindEndpoint && s.Kind != KindProgram }

// Parse parses a participant string. It does not check keys or files; New does. For an unknown name the error is an
// *enum.UnknownError with the nearest one. programs are the agent programs that may be named; the default is the
// built-in ones.
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
		return Spec{}, fmt.Errorf("%q names no participant: write rules, me, script:FILE, exec:PATH, codex or another "+
			"agent program, or an endpoint such as ollama:MODEL", name)
	}
	if a := programNamed(name, programs); a != nil {
		if parted && strings.TrimSpace(rest) == "" {
			return Spec{}, fmt.Errorf("%q names no model after the colon: write %s or %s:MODEL", name, word, word)
		}
		return Spec{Name: name, Kind: KindProgram}, nil
	}
	if parted && (word == rules.Name || word == person.Name) {
		return Spec{}, fmt.Errorf("%q: %s takes nothing after it; write %s", name, word, word)
	}
	return parseEndpoint(name, programs)
}

func isURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// parseEndpoint parses an endpoint string without needing a key.
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

// Deps are the dependencies of participants. All fields are optional.
type Deps struct {
	// Env looks up environment variables or keyring entries.
	Env func(string) string
	// Workspace is the folder of the session.
	Workspace string
	// Tree holds the files of the commit under review, or is nil.
	Tree *git.Tree
	// Copy makes a copy of the files of Tree for one program, or is nil without a Tree.
	Copy func(context.Context) (string, error)
	// Environ is the environment for programs, before secrets are removed.
	Environ []string
	// Programs are the agent programs that may be named; the default is the built-in ones. Alone is the folder for
	// programs without a workspace; the default is a temporary one. Versions is a file with the untested versions
	// that were already reported.
	Programs []program.Adapter
	Alone    string
	Versions string
	// Asker prompts the person.
	Asker person.Asker
	// Limits bound the calls to an endpoint or a program.
	Limits endpoint.Limits
	// Transport is shared by the endpoints; by default each has its own. Memory shares what they learn about servers.
	Transport http.RoundTripper
	Memory    *endpoint.Memory
	// Path makes a file path absolute.
	Path func(string) string
	// Seat and Events let a script continue after the replies that it already gave in this session.
	Seat   state.Seat
	Events []state.Event
	// Format is the session's format, or nil: rules refuse seats that they cannot play.
	Format protocol.Format
	// Ours lists the paths that moot itself writes to during a call.
	Ours []string
	// Recorder records the exchange with participants.
	Recorder *record.Recorder
	// Configure adjusts the config of an endpoint before it is made.
	Configure func(*endpoint.Config)
	// Settings are the options of model calls; they override those of Configure.
	Settings endpoint.Settings

	// as is the name in the record, and own the configuration of a named participant.
	as  string
	own *config.Participant
}

// New makes the participant for a parsed string. It sends nothing. The error names a missing key or file.
func New(spec Spec, deps Deps) (protocol.Participant, error) {
	switch spec.Kind {
	case KindRules:
		if deps.Format != nil {
			if err := rules.Refuse(deps.Format, deps.Seat); err != nil {
				return nil, err
			}
		}
		return rules.New(rules.Options{Workspace: deps.Workspace, Tree: deps.Tree}), nil
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
			return nil, errors.New("me cannot take a seat here: there is no terminal; " +
				"name rules, script:FILE, exec:PATH or a model endpoint")
		}
		return person.New(deps.Asker), nil
	case KindEndpoint:
		return newEndpoint(spec, deps)
	case KindProgram:
		return newProgram(spec, deps)
	}
	return nil, fmt.Errorf("%q was not parsed: this is a bug in moot", spec.Name)
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
	transport := deps.Transport
	if transport == nil {
		transport = endpoint.NewTransport()
	}
	c.Hide(deps.Recorder.Hidden())
	e := endpoint.New(c, deps.Limits, deps.Recorder.Transport(transport), deps.Memory)
	for _, event := range deps.Events {
		if learned, ok := event.Data.(*state.ParticipantLearned); ok && learned.Seat == deps.Seat {
			e.Recall(learned.Lessons)
		}
	}
	return e, nil
}

// programsOr returns the given agent programs, or the built-in ones.
func programsOr(given []program.Adapter) []program.Adapter {
	if len(given) > 0 {
		return given
	}
	// Cannot fail: a test reads the built-in files.
	known, _ := program.Known("")
	return known
}

// programNamed returns the agent program that a participant string starts with, or nil.
func programNamed(name string, given []program.Adapter) *program.Adapter {
	word, _, _ := strings.Cut(name, ":")
	known := programsOr(given)
	if i := slices.IndexFunc(known, func(a program.Adapter) bool { return a.Name == word }); i >= 0 {
		return &known[i]
	}
	return nil
}

// newProgram makes a program with the limits of an endpoint: the limit for the first token becomes the limit on
// silence.
func newProgram(spec Spec, deps Deps) (protocol.Participant, error) {
	o := program.Options{
		Name: cmp.Or(deps.as, spec.Name), Command: spec.Name, Effort: deps.Settings.Effort, Workspace: deps.Workspace,
		Copy: deps.Copy, Ours: deps.Ours, Alone: deps.Alone, Versions: deps.Versions, Environ: deps.Environ,
		MaxReplyBytes: deps.Limits.MaxReplyBytes,
		Limits:        process.Limits{Total: deps.Limits.Total, Silence: deps.Limits.FirstToken},
	}
	if o.MaxReplyBytes <= 0 {
		o.MaxReplyBytes = endpoint.DefaultLimits().MaxReplyBytes
	}
	var p *program.Program
	var err error
	if strings.HasPrefix(spec.Name, program.ExecPrefix) {
		o.Limits.MaxOutputBytes = o.MaxReplyBytes
		p, err = program.NewExec(o, deps.Path)
	} else {
		adapter := programNamed(spec.Name, deps.Programs)
		if adapter == nil {
			return nil, fmt.Errorf("%s is no longer an agent program: restore its file in the programs folder of the "+
				"configuration, or name another participant", spec.Name)
		}
		_, o.Model, _ = strings.Cut(spec.Name, ":")
		o.Adapter = *adapter
		p, err = program.New(o)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}
