package research

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"moot/internal/group"
	"moot/ledger"
)

// MaxOutput is how much a command may write before it is ended, in bytes.
const MaxOutput = 4 << 20

// patience is how long the output of a command that has ended may be held open
// by what it started.
const patience = time.Second

// errEndless ends a command that writes too much.
var errEndless = errors.New("too much output")

// run is how a command ran.
type run struct {
	// outcome is RunMet where the command came to its end; what is expected of it
	// is compared later.
	outcome RunOutcome
	// reason says why it did not come to its end.
	reason string
	// started says that it ran at all, survivors that it left something running.
	started, survivors bool
	took               time.Duration
	ended              ledger.Ended
}

// run runs words in the workspace, and comes back when all of it has ended.
func (c *Command) run(ctx context.Context, words []string) (r run) {
	begun := time.Now()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	written := &meter{left: MaxOutput, over: func() { end(errEndless) }}
	stdout, stderr := &stream{meter: written}, &stream{meter: written}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Env = c.directory, c.environ
	cmd.Stdout, cmd.Stderr = stdout, stderr
	cmd.WaitDelay = patience
	all := group.New(cmd)
	cmd.Cancel = all.Kill
	err := ctx.Err()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.outcome, r.reason = unstarted(ctx, words[0], err)
		return r
	}
	all.Started()
	err = cmd.Wait()
	r.survivors = all.Close()
	r.started, r.took = true, time.Since(begun)
	r.ended = ledger.Ended{Code: cmd.ProcessState.ExitCode(), Stdout: stdout.bytes(), Stderr: stderr.bytes()}
	r.outcome, r.reason = ending(ctx, err, r.took)
	return r
}

// unstarted says why a command did not start.
func unstarted(ctx context.Context, program string, err error) (RunOutcome, string) {
	switch {
	case ctx.Err() != nil:
		return RunEnded, "the check was ended before the command ran"
	case errors.Is(err, exec.ErrDot):
		return RunNotFound, fmt.Sprintf("there is no program %q on the search path; for a file of the workspace write ./%s", program, program)
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		return RunNotFound, fmt.Sprintf("there is no program %q here", program)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOEXEC):
		return RunNotExecutable, fmt.Sprintf("%q is no program that may be run here", program)
	}
	return RunFailed, fmt.Sprintf("%q could not be run: %v", program, err)
}

// ending reports how a command ended; err is that of its Wait.
func ending(ctx context.Context, err error, took time.Duration) (RunOutcome, string) {
	var exit *exec.ExitError
	switch cause := context.Cause(ctx); {
	case err == nil:
		return RunMet, ""
	case errors.Is(cause, errEndless):
		return RunEndless, fmt.Sprintf("it wrote over %d MiB and was ended, with all that it had started",
			MaxOutput>>20)
	case errors.Is(cause, context.DeadlineExceeded):
		return RunLate, fmt.Sprintf("it was still running after %s and was ended, with all that it had started",
			lasted(took))
	case cause != nil:
		return RunEnded, "it was cancelled and ended, with all that it had started"
	case errors.Is(err, exec.ErrWaitDelay):
		return RunHeld, "it ended, and what it had started held its output open: that was ended, and its output may not be whole"
	case errors.As(err, &exit) && exit.ExitCode() >= 0:
		return RunMet, ""
	}
	return RunSignalled, fmt.Sprintf("it did not exit by itself: %v", err)
}

// meter counts what all streams of a command write.
type meter struct {
	mutex sync.Mutex
	left  int
	// over is called when nothing more is taken.
	over func()
}

// take returns how many of n bytes are taken still.
func (m *meter) take(n int) int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	taken := min(n, m.left)
	m.left -= taken
	if taken < n {
		m.over()
	}
	return taken
}

// stream keeps what a command writes, as far as the meter takes it.
type stream struct {
	*meter
	mutex sync.Mutex
	kept  bytes.Buffer
}

// Write never fails: a command that writes too much is ended, not choked.
func (s *stream) Write(p []byte) (int, error) {
	taken := s.take(len(p))
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.kept.Write(p[:taken])
	return len(p), nil
}

func (s *stream) bytes() []byte {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.kept.Bytes()
}
