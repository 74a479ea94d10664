//go:build unix

package tui

import (
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// jobSignals returns the signals of a shell's job control.
func jobSignals() []os.Signal { return []os.Signal{syscall.SIGTSTP, syscall.SIGCONT} }

func isStop(s os.Signal) bool { return s == syscall.SIGTSTP }

func isContinue(s os.Signal) bool { return s == syscall.SIGCONT }

// withoutShell reports whether no shell could continue the process group: a shell starts each job in a group of its
// own, which is not the group of the session's first process. The system doesn't stop such a group.
func withoutShell() bool {
	session, err := unix.Getsid(0)
	return err == nil && session == syscall.Getpgrp()
}

// inBackground reports whether another process group has the terminal.
func inBackground(in io.Reader) bool {
	terminal, ok := in.(term.File)
	if !ok {
		return false
	}
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group != syscall.Getpgrp()
}

// stopGroup stops the process group. It sends SIGTTOU because the Go runtime never restores the default effect of a
// signal that was listened to, such as SIGTSTP.
func stopGroup() { _ = syscall.Kill(0, syscall.SIGTTOU) }

// stopProcess stops this process alone.
func stopProcess() { _ = syscall.Kill(os.Getpid(), syscall.SIGTTOU) }

// runInBackground keeps the system from stopping a process that uses the terminal in the background.
func runInBackground() { signal.Ignore(syscall.SIGTTOU, syscall.SIGTTIN) }
