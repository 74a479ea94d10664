// Package git runs git in folders that nobody vouches for: no program that a repository names is started, nothing is
// fetched, and nothing is written.
package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"moot/internal/process"
)

// MaxTime limits one call of git.
const MaxTime = 20 * time.Second

// Error says why git did not answer. Text is one line for the user.
type Error struct {
	Text string
	// NoRepository says that git takes the folder for no work tree.
	NoRepository bool
}

// Error implements error.
func (e *Error) Error() string { return e.Text }

// Options are the arguments before every command: no hooks, file system monitors or pagers of the repository, no
// network, and names as they are.
func Options() []string {
	return []string{
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.quotePath=false",
		"-c", "protocol.allow=never", "-c", "safe.bareRepository=explicit", "-c", "submodule.recurse=false",
		"--no-pager", "--literal-pathspecs",
	}
}

// Environ is the environment of git: that of moot without the variables that would lead git to another repository,
// such as those that git sets for a hook.
func Environ() []string {
	kept := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "GIT_") && !strings.HasPrefix(name, "GIT_CONFIG_GLOBAL") &&
			!strings.HasPrefix(name, "GIT_CONFIG_SYSTEM") && name != "GIT_CONFIG_NOSYSTEM" &&
			name != "GIT_CEILING_DIRECTORIES" && name != "GIT_DISCOVERY_ACROSS_FILESYSTEM"
	})
	return append(kept, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_TERMINAL_PROMPT=0")
}

// Output returns what git prints in a folder, at most limit bytes. Errors are a *Error, or that of the context.
func Output(ctx context.Context, dir string, limit int, args ...string) (string, error) {
	runner := &process.Runner{}
	out, result, err := runner.Output(ctx, process.Spec{
		Path: "git", Dir: dir, Env: Environ(), Args: append(Options(), args...),
		Limits: process.Limits{Total: MaxTime, Silence: MaxTime, MaxOutputBytes: limit},
	})
	err = errors.Join(err, runner.Close())
	var start *process.StartError
	switch {
	case err == nil && result.Exit == 0:
		return out, nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &start) && start.Missing:
		return "", &Error{Text: "git is not installed"}
	case err != nil:
		return "", &Error{Text: fmt.Sprintf("git %s: %v", args[0], err)}
	}
	// The first line says what is wrong, the others how to configure it away.
	line, _, _ := strings.Cut(strings.TrimSpace(result.Stderr), "\n")
	if line == "" {
		line = result.Ending()
	}
	line = strings.ToValidUTF8(strings.TrimPrefix(line, "fatal: "), "\uFFFD")
	return "", &Error{
		Text: fmt.Sprintf("git %s: %s", args[0], line), NoRepository: strings.HasPrefix(line, "not a git repository"),
	}
}
