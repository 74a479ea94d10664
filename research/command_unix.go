//go:build unix

package research

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// processGroup is a command with all that it starts. It has a session of its
// own, and so no terminal.
type processGroup struct{}

// prepare is called before the command starts.
func (g *processGroup) prepare(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}

// started is called once it runs.
func (g *processGroup) started(*exec.Cmd) {}

// end ends what the command left running, and reports whether there was any. The
// number of the group is not given to another while one of it lives.
func (g *processGroup) end(cmd *exec.Cmd) bool {
	return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) == nil
}
