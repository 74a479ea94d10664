//go:build unix

package git

import (
	"os"
	"strconv"
	"syscall"
)

// isOwn reports whether a file belongs to the user or, under sudo, to the user who ran it, as in git.
func isOwn(name string) bool {
	info, err := os.Lstat(name)
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	user := os.Geteuid()
	if int(stat.Uid) == user {
		return true
	}
	sudo, err := strconv.Atoi(os.Getenv("SUDO_UID"))
	return user == 0 && err == nil && int(stat.Uid) == sudo
}
