package cli

import (
	"errors"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// inOwnSession detaches a program from the console, so that no key and no closed window reaches it.
func inOwnSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}

// keepStreams does nothing: a program inherits only its streams.
func keepStreams() {}

// askToEnd ends a process: one without a console cannot be asked.
func askToEnd(p *os.Process) error { return p.Kill() }

// leaveStreams makes errors the standard error of this process, and closes its input and output.
func leaveStreams(errs *os.File) error {
	nothing, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	in, out, before := os.Stdin, os.Stdout, os.Stderr
	os.Stdin, os.Stdout, os.Stderr = nothing, nothing, errs
	return errors.Join(
		windows.SetStdHandle(windows.STD_INPUT_HANDLE, windows.Handle(nothing.Fd())),
		windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(nothing.Fd())),
		windows.SetStdHandle(windows.STD_ERROR_HANDLE, windows.Handle(errs.Fd())),
		in.Close(), out.Close(), before.Close(),
	)
}
