//go:build !unix

package process

import "os"

// signalOf returns "": no signal ends a program here.
func signalOf(*os.ProcessState) string { return "" }
