//go:build !unix

package research

import "testing"

// linkOut makes nothing: Windows makes symlinks only with a privilege.
func linkOut(testing.TB, string) {}
