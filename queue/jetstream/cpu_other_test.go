//go:build !unix

package jetstream

import (
	"testing"
	"time"
)

func cpuTime(b *testing.B) time.Duration {
	b.Helper()
	b.Skip("the CPU time of a process is measured on Unix only")
	return 0
}
