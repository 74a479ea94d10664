//go:build !unix

package tty

import "io"

// Read reads from the terminal. On these systems Bubble Tea gets events of the console rather than bytes.
func (in *Input) Read(into []byte) (int, error) {
	n, err := in.File.Read(into)
	if err != nil {
		in.lose()
		return n, io.EOF
	}
	in.feed(into[:n])
	return n, nil
}
