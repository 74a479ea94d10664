//go:build !unix

package cli

import "os"

// mayWrite says why files cannot be made in a folder: one is made, and removed.
func mayWrite(dir string) error {
	file, err := os.CreateTemp(dir, ".moot-*")
	if err != nil {
		return err
	}
	name := file.Name()
	if err := file.Close(); err != nil {
		return err
	}
	return os.Remove(name)
}
