package attach

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// A process of another user is disconnected, even if it may open the socket.
func TestOtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can act as another user")
	}
	f, path := start(t, Options{})
	if err := errors.Join(os.Chmod(filepath.Dir(path), 0o755), os.Chmod(path, 0o666)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		// Only this thread changes its user. It ends with the goroutine.
		runtime.LockOSThread()
		done <- func() error {
			if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, 12345, 12345, 12345); errno != 0 {
				return errno
			}
			fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
			if err != nil {
				return err
			}
			defer unix.Close(fd)
			if err := unix.Connect(fd, &unix.SockaddrUnix{Name: path}); err != nil {
				return err
			}
			hello, err := encode(kindHello, 0, Hello{Version: version, Mode: Join})
			if err != nil {
				return err
			}
			_, _ = unix.Write(fd, hello)
			if n, err := unix.Read(fd, make([]byte, 100)); n > 0 {
				t.Errorf("another user is answered with %d bytes, %v", n, err)
			}
			return nil
		}()
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	j := join(t, path, Join)
	j.Step(t.Context())
	f.did(t, "step")
}
