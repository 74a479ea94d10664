//go:build !linux

package confine

// Supported returns 0: there is no Landlock.
func Supported() (abi int, why string) { return 0, "Landlock is part of Linux only" }

// Main is not called: no helper is started.
func Main([]string) int { return 1 }
