//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// inOwnSession makes a program the leader of a session without a terminal, which no key and no closed window reaches.
func inOwnSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// askToEnd asks a process to end.
func askToEnd(p *os.Process) error { return p.Signal(syscall.SIGTERM) }

// leaveStreams makes errors the standard error of this process, and closes its input and output. Nothing else gets their
// descriptors, so a stray line never lands in a session file.
func leaveStreams(errs *os.File) error {
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(
		unix.Dup2(int(nothing.Fd()), 0), unix.Dup2(int(nothing.Fd()), 1), unix.Dup2(int(errs.Fd()), 2), nothing.Close(),
	)
}
