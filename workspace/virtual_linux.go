package workspace

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"
)

// isVirtual reports whether a folder shows the state of the system, such as /proc and /sys. It may be endless, and
// reading its files may block or change something.
func isVirtual(folder *os.File) bool {
	var stat unix.Statfs_t
	conn, err := folder.SyscallConn()
	if err != nil {
		return false
	}
	failed := conn.Control(func(fd uintptr) { err = unix.Fstatfs(int(fd), &stat) })
	return failed == nil && err == nil && slices.Contains([]int64{
		unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC, unix.DEBUGFS_MAGIC,
		unix.TRACEFS_MAGIC, unix.DEVPTS_SUPER_MAGIC, unix.SECURITYFS_MAGIC, unix.BPF_FS_MAGIC, unix.PSTOREFS_MAGIC,
		unix.EFIVARFS_MAGIC, unix.SELINUX_MAGIC, unix.BINFMTFS_MAGIC, unix.AUTOFS_SUPER_MAGIC,
	}, int64(stat.Type)) //nolint:unconvert // the size differs between processors
}
