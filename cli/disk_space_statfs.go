//go:build linux || darwin || freebsd

package cli

import "golang.org/x/sys/unix"

// freeSpace is how much a file in a folder may take, in bytes.
func freeSpace(dir string) (uint64, error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return 0, err
	}
	// The types differ between the systems; neither is ever negative here.
	return uint64(max(disk.Bavail, 0)) * uint64(disk.Bsize), nil //nolint:gosec,unconvert // see above
}
