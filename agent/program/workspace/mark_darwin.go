package workspace

import (
	"io/fs"
	"syscall"
)

// systemMark is when anything of a file was changed, which no program can set, and
// its number in the file system.
func systemMark(info fs.FileInfo) (changed int64, node uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano(), s.Ino
	}
	return 0, 0
}
