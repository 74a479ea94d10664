//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// mayWrite says why files cannot be made in a folder, without making one.
func mayWrite(dir string) error {
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return &os.PathError{Op: "write", Path: dir, Err: err}
	}
	return nil
}
