//go:build !unix

package tui

// orphaned reports that there is no job control.
func orphaned() bool { return true }
