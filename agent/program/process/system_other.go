//go:build !unix

package process

import (
	"io"
	"os"
)

// signalOf is "": a program is ended by no signal here.
func signalOf(*os.ProcessState) string { return "" }

// held holds nothing: streams have no deadlines here, which would ask for it.
func held(*os.File, []byte) (n int, err error) { return 0, io.EOF }
