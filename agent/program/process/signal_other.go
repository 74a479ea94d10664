//go:build !unix

package process

import "os"

// signalOf is "": a program is ended by no signal here.
func signalOf(*os.ProcessState) string { return "" }
