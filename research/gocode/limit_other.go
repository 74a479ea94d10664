//go:build !unix

package gocode

// limitMemory does nothing: only the time is limited.
func limitMemory() {}
