//go:build !unix

package search

import "os"

// openFlags opens a file for reading.
const openFlags = os.O_RDONLY
