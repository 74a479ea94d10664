package attach

import "golang.org/x/sys/unix"

// peer returns the user at the other end of a socket.
func peer(fd int) (int, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
