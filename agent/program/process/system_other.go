//go:build !unix

package process

import (
	"io"
	"os"
)

// signalOf returns "": no signal ends a program here.
func signalOf(*os.ProcessState) string { return "" }

// held returns nothing: streams have no deadlines on this system.
func held(*os.File, []byte) (n int, err error) { return 0, io.EOF }
