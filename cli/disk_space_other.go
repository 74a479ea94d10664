//go:build !(linux || darwin || freebsd || windows)

package cli

import "errors"

// freeSpace is not known here.
func freeSpace(string) (uint64, error) { return 0, errors.ErrUnsupported }
