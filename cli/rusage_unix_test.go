//go:build unix

package cli_test

import (
	"os"
	"runtime"
	"syscall"
)

// maxResident is the largest resident memory of a process that ended, in bytes.
func maxResident(s *os.ProcessState) int64 {
	usage, is := s.SysUsage().(*syscall.Rusage)
	if !is {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) //nolint:unconvert // not everywhere an int64
	}
	return int64(usage.Maxrss) * 1024 //nolint:unconvert // not everywhere an int64
}
