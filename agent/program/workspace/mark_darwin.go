package workspace

import (
	"io/fs"
	"syscall"
)

// systemMark returns the time of the last change, which no program can set, and the
// inode of a file.
func systemMark(info fs.FileInfo) (changed int64, node uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano(), s.Ino
	}
	return 0, 0
}
