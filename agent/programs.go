package agent

import (
	"fmt"
	"slices"
	"strings"

	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/agent/program/process"
	"moot/protocol"
)

// programsOr are the agent programs at hand: those that are given, else those that
// moot is built with.
func programsOr(given []program.Adapter) []program.Adapter {
	if len(given) > 0 {
		return given
	}
	// What is built in has no problems; a test reads it.
	known, _ := program.Known("")
	return known
}

// programNamed finds the agent program that a participant's string begins with, nil
// where there is none.
func programNamed(name string, given []program.Adapter) *program.Adapter {
	word, _, _ := strings.Cut(name, ":")
	known := programsOr(given)
	if i := slices.IndexFunc(known, func(a program.Adapter) bool { return a.Name == word }); i >= 0 {
		return &known[i]
	}
	return nil
}

// newProgram makes a program, which is given as long as an endpoint: what it may
// take to its first token is how long it may be silent.
func newProgram(spec Spec, deps Deps) (protocol.Participant, error) {
	limits := process.Limits{Total: deps.Limits.Total, Silence: deps.Limits.FirstToken}
	most := deps.Limits.MaxReplyBytes
	if most <= 0 {
		most = endpoint.DefaultLimits().MaxReplyBytes
	}
	if strings.HasPrefix(spec.Name, program.ExecPrefix) {
		limits.MaxOutputBytes = most
		p, err := program.NewExec(program.Options{
			Name: spec.Name, Workspace: deps.Workspace, Ours: deps.Ours, Environ: deps.Environ, Limits: limits,
		}, deps.Path)
		if err != nil {
			return nil, err
		}
		return p, nil
	}
	adapter := programNamed(spec.Name, deps.Programs)
	if adapter == nil {
		return nil, fmt.Errorf("%s is no agent program here any more: put its file back into the folder programs of the configuration, or name another participant", spec.Name)
	}
	_, model, _ := strings.Cut(spec.Name, ":")
	p, err := program.New(program.Options{
		Adapter: *adapter, Name: spec.Name, Model: model, Effort: string(deps.Settings.Effort), Workspace: deps.Workspace, Ours: deps.Ours, Alone: deps.Alone,
		Environ: deps.Environ, Limits: limits, MaxReplyBytes: most,
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}
