//go:build unix

package cli

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// inOwnSession makes a program the leader of a session without a terminal, which no key and no closed window reaches.
func inOwnSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// keepStreams keeps what a program inherits to its three streams: an open file of the shell, such as a pipe whose end
// somebody waits for, is not for a session in the background.
func keepStreams() {
	open, err := os.ReadDir("/dev/fd")
	if err != nil {
		return
	}
	for _, file := range open {
		if fd, err := strconv.Atoi(file.Name()); err == nil && fd > 2 {
			unix.CloseOnExec(fd)
		}
	}
}

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
