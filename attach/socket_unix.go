//go:build unix

package attach

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// errDead reports that the process that listened on a socket has ended.
var errDead = errors.New("its process is gone")

// listen opens the socket of a session, to which only the user can connect. It replaces the socket of a dead process:
// since the session file is locked, no other process runs the session.
func listen(folder, id string) (net.Listener, string, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, "", err
	}
	if err := checkFolder(folder); err != nil {
		return nil, "", err
	}
	path := filepath.Join(folder, id+extension)
	// The final name appears once the socket is ready.
	early := filepath.Join(folder, id+".new")
	_ = os.Remove(early)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: early, Net: "unix"})
	if err != nil {
		return nil, "", err
	}
	listener.SetUnlinkOnClose(false)
	if err = os.Chmod(early, 0o600); err == nil {
		err = os.Rename(early, path)
	}
	if err != nil {
		_ = listener.Close()
		_ = os.Remove(early)
		return nil, "", err
	}
	return listener, path, nil
}

// checkFolder refuses a folder that another user could have put sockets into.
func checkFolder(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", folder)
	case !ok || int(owner.Uid) != os.Getuid():
		return fmt.Errorf("%s belongs to another user", folder)
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("other users may write to %s; type: chmod 700 %[1]s", folder)
	}
	return nil
}

// connect connects to a socket of the user, and removes it if its process has ended.
func connect(ctx context.Context, path string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		_ = os.Remove(path)
		return nil, errDead
	case errors.Is(err, os.ErrNotExist):
		return nil, errDead
	case err != nil:
		return nil, err
	}
	if err := checkPeer(conn); err != nil {
		_ = conn.Close()
		return nil, err
	}
	return conn, nil
}

// checkPeer refuses a process of another user, if the system reports the user.
func checkPeer(conn net.Conn) error {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return errors.New("not a Unix socket")
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return err
	}
	var uid int
	failed := raw.Control(func(fd uintptr) { uid, err = peer(int(fd)) })
	if err = errors.Join(failed, err); err != nil {
		return fmt.Errorf("ask who is at the other end of the socket: %w", err)
	}
	if uid != os.Getuid() {
		return fmt.Errorf("the other end of the socket is user %d, not you", uid)
	}
	return nil
}
