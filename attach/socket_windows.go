package attach

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Windows has Unix sockets since version 1803, but they don't say who is at the other end. Only the user can open what is
// in the folder of the sockets: its access list names nobody else, and sockets inherit it.

// errDead reports that the process that listened on a socket has ended.
var errDead = errors.New("its process is gone")

// onlyUser returns the access list of a folder that only the user of this process can open.
func onlyUser() (*windows.SECURITY_DESCRIPTOR, error) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return nil, err
	}
	return windows.SecurityDescriptorFromString("D:P(A;OICI;FA;;;" + user.User.Sid.String() + ")")
}

// makeFolder makes a folder that only the user can open, unless it exists.
func makeFolder(folder string) error {
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		return err
	}
	access, err := onlyUser()
	if err != nil {
		return err
	}
	name, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return err
	}
	attributes := &windows.SecurityAttributes{SecurityDescriptor: access}
	attributes.Length = uint32(unsafe.Sizeof(*attributes))
	err = windows.CreateDirectory(name, attributes)
	if errors.Is(err, windows.ERROR_ALREADY_EXISTS) {
		return nil
	}
	return err
}

// listen opens the socket of a session, to which only the user can connect. It replaces the socket of a dead process:
// since the session file is locked, no other process runs the session.
func listen(folder, id string) (net.Listener, string, error) {
	if err := makeFolder(folder); err != nil {
		return nil, "", err
	}
	if err := checkFolder(folder); err != nil {
		return nil, "", err
	}
	path := filepath.Join(folder, id+extension)
	_ = os.Remove(path)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, "", err
	}
	listener.SetUnlinkOnClose(false)
	return listener, path, nil
}

// checkFolder refuses a folder that another user could have put sockets into: one whose owner is another user, or whose
// access list names anybody else. Administrators can open everything anyway.
func checkFolder(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is not a folder", folder)
	}
	has, err := windows.GetNamedSecurityInfo(folder, windows.SE_FILE_OBJECT,
		windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return fmt.Errorf("ask who may open %s: %w", folder, err)
	}
	owner, _, err := has.Owner()
	if err != nil {
		return fmt.Errorf("ask whose folder %s is: %w", folder, err)
	}
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return err
	}
	wanted, err := onlyUser()
	if err != nil {
		return err
	}
	if !owner.Equals(user.User.Sid) && !owner.IsWellKnown(windows.WinBuiltinAdministratorsSid) {
		return fmt.Errorf("%s belongs to another user", folder)
	}
	if entries(has) != entries(wanted) {
		return fmt.Errorf("others may open %s; remove it while no session runs, and moot makes it again", folder)
	}
	return nil
}

// entries returns the entries of an access list as text: "(A;OICI;FA;;;SID)".
func entries(of *windows.SECURITY_DESCRIPTOR) string {
	_, list, _ := strings.Cut(of.String(), "D:")
	_, list, found := strings.Cut(list, "(")
	if !found {
		return ""
	}
	return "(" + list
}

// bindTime is longer than a process takes between making a socket and listening on it.
const bindTime = 2 * time.Second

// connect connects to a socket of the user, and removes it if its process has ended.
func connect(ctx context.Context, path string) (net.Conn, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errDead
	}
	conn, dialed := (&net.Dialer{}).DialContext(ctx, "unix", path)
	if errors.Is(dialed, windows.WSAECONNREFUSED) {
		if err == nil && time.Since(info.ModTime()) > bindTime {
			_ = os.Remove(path)
		}
		return nil, errDead
	}
	return conn, dialed
}

// checkPeer accepts everyone: only the user can open the socket.
func checkPeer(net.Conn) error { return nil }
