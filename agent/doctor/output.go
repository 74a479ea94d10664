package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"moot/agent/program"
	"moot/agent/program/process"
	"moot/agent/scrub"
)

// output runs a program with nothing to read and none of the person's keys, and
// returns what it wrote on standard output. The error is a sentence without its
// subject.
func (w *Where) output(ctx context.Context, path string, arguments []string) (string, time.Duration, error) {
	environ, err := scrub.Environment(w.Environ, nil)
	if err != nil {
		return "", 0, err
	}
	begun := time.Now()
	runner := &process.Runner{}
	said, result, err := program.AskVersion(ctx, runner, process.Spec{
		Path: path, Args: arguments, Env: environ,
		Limits: process.Limits{Total: max(w.limit()-patience, w.limit()/2), TermWait: patience / 2, Linger: patience / 2},
	})
	if closed := runner.Close(); err == nil {
		err = closed
	}
	took := time.Since(begun)
	var limit *process.LimitError
	switch {
	case errors.As(err, &limit) && limit.Limit == process.Output:
		return "", took, errors.New("writes without end")
	case errors.As(err, &limit), ctx.Err() != nil:
		return "", took, fmt.Errorf("gave no answer within %s", w.limit())
	case err != nil:
		return "", took, fmt.Errorf("could not be run: %s", quoted(err.Error()))
	case result.Exit != 0:
		what := "ended " + result.Ending()
		if text := quoted(result.Stderr); text != "" {
			what += fmt.Sprintf(" (%s)", text)
		}
		return "", took, errors.New(what)
	}
	return said, took, nil
}

// patience is how long what a program has started may take to end, once it is told
// to: within the limit, so that nothing is left behind.
const patience = 200 * time.Millisecond
