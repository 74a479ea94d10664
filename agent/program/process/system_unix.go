//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// signalOf names the signal that ended a program, or returns "".
func signalOf(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if !ok || !status.Signaled() {
		return ""
	}
	return unix.SignalName(status.Signal())
}

// held reads what a stream holds now, and does not wait for more: that is an error if it
// holds nothing. It removes the deadline.
func held(from *os.File, into []byte) (n int, err error) {
	if err := from.SetReadDeadline(time.Time{}); err != nil {
		return 0, err
	}
	raw, err := from.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	err = raw.Read(func(descriptor uintptr) bool {
		n, failed = unix.Read(int(descriptor), into)
		return true
	})
	return max(n, 0), errors.Join(err, failed)
}
