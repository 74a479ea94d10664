//go:build !unix

package battery

import (
	"errors"
	"fmt"
)

// makePipe fails: this system has no named pipes among its files.
func makePipe(path string) error {
	return fmt.Errorf("making the named pipe %q: %w", path, errors.ErrUnsupported)
}
