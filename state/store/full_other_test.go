//go:build !unix

package store_test

// fillUp is for systems that can limit the size of files.
func fillUp(string) int { return 2 }

// forkInLittleRoom is for them, too.
func forkInLittleRoom(string) int { return 2 }
