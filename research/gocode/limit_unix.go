//go:build unix

package gocode

import "golang.org/x/sys/unix"

// limitMemory makes a request for too much memory fail, which ends this process.
func limitMemory() {
	_ = unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: maxMemory, Max: maxMemory}) // Without it, only time is limited.
}
