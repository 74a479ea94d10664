//go:build !unix

package research

// playSystem plays nothing here.
func playSystem(string, []string) int { return 1 }
