//go:build unix

package tui

import (
	"os"
	"os/signal"
	"syscall"
)

// jobSignals are those of a shell's job control.
func jobSignals() []os.Signal { return []os.Signal{syscall.SIGTSTP, syscall.SIGCONT} }

func isStop(s os.Signal) bool { return s == syscall.SIGTSTP }

func isContinue(s os.Signal) bool { return s == syscall.SIGCONT }

// stopGroup stops all processes that belong together with this one. The runtime
// never gives a signal that was listened to its own effect back, so it is not
// SIGTSTP but the other one with the same effect.
func stopGroup() { _ = syscall.Kill(0, syscall.SIGTTOU) }

// stopProcess stops this process alone.
func stopProcess() { _ = syscall.Kill(os.Getpid(), syscall.SIGTTOU) }

// runInBackground keeps the system from stopping a process that uses the terminal
// while it belongs to the shell.
func runInBackground() { signal.Ignore(syscall.SIGTTOU, syscall.SIGTTIN) }
