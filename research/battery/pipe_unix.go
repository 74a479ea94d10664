//go:build unix

package battery

import (
	"fmt"
	"syscall"
)

// makePipe makes a named pipe, which nobody ever writes to.
func makePipe(path string) error {
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		return fmt.Errorf("making the named pipe %q: %w", path, err)
	}
	return nil
}
