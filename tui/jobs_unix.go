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

// jobSignals are those of a shell's job control.
func jobSignals() []os.Signal { return []os.Signal{syscall.SIGTSTP, syscall.SIGCONT} }

func isStop(s os.Signal) bool { return s == syscall.SIGTSTP }

func isContinue(s os.Signal) bool { return s == syscall.SIGCONT }

// withoutShell reports whether no shell could make the processes that belong together
// with this one go on: a shell starts its jobs in groups of their own, and the group
// of its session's first process it is in itself. The system stops no such group.
func withoutShell() bool {
	session, err := unix.Getsid(0)
	return err == nil && session == syscall.Getpgrp()
}

// inBackground reports whether the terminal belongs to others.
func inBackground(in io.Reader) bool {
	terminal, ok := in.(term.File)
	if !ok {
		return false
	}
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group != syscall.Getpgrp()
}

// stopGroup stops all processes that belong together with this one. The runtime
// never gives a signal that was listened to its own effect back, so it is not
// SIGTSTP but the other one with the same effect.
func stopGroup() { _ = syscall.Kill(0, syscall.SIGTTOU) }

// stopProcess stops this process alone.
func stopProcess() { _ = syscall.Kill(os.Getpid(), syscall.SIGTTOU) }

// runInBackground keeps the system from stopping a process that uses the terminal
// while it belongs to the shell.
func runInBackground() { signal.Ignore(syscall.SIGTTOU, syscall.SIGTTIN) }
