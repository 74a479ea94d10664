package cli

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/redact"
	"moot/ledger"
	"moot/protocol"
	"moot/research"
	"moot/state"
)

// commandOptions say which commands may run as evidence unasked, and for how
// long.
type commandOptions struct {
	allowed []string
	timeout time.Duration
}

func (o *commandOptions) flags(cmd *cobra.Command) {
	group(cmd, "Commands as evidence (you are asked before one runs; headless only these run)", func(f *pflag.FlagSet) {
		f.StringArrayVar(&o.allowed, "allow-command", nil, "a command that may run unasked in this run, as \"go test ...\": exact words,\n* for one word, ... at the end for the rest (repeatable)")
		f.DurationVar(&o.timeout, "command-timeout", protocol.DefaultCommandTime, "how long one command may run")
	})
}

// patterns reads the commands that are allowed, in their normal form, each once.
func (o *commandOptions) patterns() ([]string, error) {
	patterns := []string{}
	for _, text := range o.allowed {
		p, err := ledger.ParseCommandPattern(text)
		if err != nil {
			return nil, in(fieldAllowCommand, usage("--allow-command: %w", err))
		}
		if !slices.Contains(patterns, p.String()) {
			patterns = append(patterns, p.String())
		}
	}
	// A form leaves it out.
	if o.timeout < 0 {
		return nil, in(fieldCommandTimeout, usage("--command-timeout is a time that a command may take, as in 5m"))
	}
	return patterns, nil
}

// allow records which commands may run unasked in this run, in the place of those
// of the run before.
func (s *sitting) allow(patterns []string) []state.Payload {
	if slices.Equal(patterns, s.state.AllowedCommands) {
		return nil
	}
	return []state.Payload{&state.CommandsAllowed{Patterns: patterns, By: state.User}}
}

// researcher is what checks references: without secrets in its findings, unless
// the user wants them.
func (s *sitting) researcher() (protocol.Researcher, error) {
	if s.citation == nil {
		return nil, nil //nolint:nilnil // no workspace is no error
	}
	redactor, err := redact.New()
	if err != nil {
		return nil, err
	}
	command, err := research.OpenCommand(s.state.Settings.Workspace, s.console.Environ, redactor)
	if err != nil {
		return nil, fmt.Errorf("%w; the session needs it to run commands, and is kept as it is", err)
	}
	kinds := research.Kinds{Citation: s.citation, Command: command}
	if s.state.Settings.NoRedact {
		return kinds, nil
	}
	return research.NewRedacting(kinds, redactor), nil
}
