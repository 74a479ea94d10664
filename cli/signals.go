package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// signals returns what asks the process to leave, until stop is called.
func (c *Console) signals() (got <-chan os.Signal, stop func()) {
	if c.Signals != nil {
		return c.Signals, func() {}
	}
	own := make(chan os.Signal, 4)
	signal.Notify(own, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	return own, func() { signal.Stop(own) }
}

// signalCode is the exit code after a signal.
func signalCode(s os.Signal) int {
	switch s {
	case syscall.SIGTERM:
		return ExitTerminated
	case syscall.SIGHUP:
		return ExitHangup
	}
	return ExitInterrupted
}
