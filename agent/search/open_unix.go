//go:build unix

package search

import (
	"os"
	"syscall"
)

// openFlags opens without waiting: a pipe that took a file's place after the
// folder was listed must not hold up the search until somebody writes to it.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK
