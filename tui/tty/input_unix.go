//go:build unix

package tty

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"
)

// expansion is how many times longer than its input the output of a Filter may be: an escape character becomes
// escapeKey, and a paste gets brackets.
const expansion = 8

// Read reads what the user has typed or pasted, and what the terminal has replied. It may return nothing.
//
// Bubble Tea calls it only when the terminal has something to read. So it returns only when nothing depends on how much
// time passes, or when there is more to read.
func (in *Input) Read(into []byte) (int, error) {
	out := in.rest
	in.rest = nil
	scratch := make([]byte, max(len(into)/expansion, 1))
	for len(out) == 0 || in.filter.Wait() > 0 && len(out) < len(into)/2 {
		n, err := in.File.Read(scratch)
		if err != nil {
			in.lose()
			if len(out) == 0 {
				return 0, io.EOF
			}
			break
		}
		out = append(out, in.feed(scratch[:n])...)
		for in.filter.Wait() > 0 && !in.ready(in.filter.Wait()) {
			out = append(out, in.filter.Expire(time.Now())...)
		}
		if in.filter.Wait() == 0 {
			break
		}
	}
	n := copy(into, out)
	in.rest = out[n:]
	return n, nil
}

// ready waits until the terminal has something to read.
func (in *Input) ready(limit time.Duration) bool {
	fd := int(in.Fd())
	if fd >= unix.FD_SETSIZE {
		return false
	}
	for end := time.Now().Add(limit); ; {
		set := unix.FdSet{}
		set.Set(fd)
		left := unix.NsecToTimeval(max(time.Until(end), 0).Nanoseconds())
		n, err := unix.Select(fd+1, &set, nil, nil, &left)
		if !errors.Is(err, unix.EINTR) {
			return n > 0 && err == nil
		}
	}
}
