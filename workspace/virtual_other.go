//go:build !linux

package workspace

import "os"

// isVirtual returns false: only Linux has such folders.
func isVirtual(*os.File) bool { return false }
