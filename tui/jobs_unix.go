//go:build unix

package tui

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// orphaned reports whether no shell could continue the process group: a shell starts each job in a group of its own,
// which is not the group of the session's first process. The system doesn't stop such a group.
func orphaned() bool {
	session, err := unix.Getsid(0)
	return err == nil && session == syscall.Getpgrp()
}
