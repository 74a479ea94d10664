//go:build unix

package search

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipesDoNotBlock opens a pipe the way a file is opened that was replaced
// by one.
func TestPipesDoNotBlock(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	index := openIndex(t, root)
	r := reader{limit: DefaultMaxFileSize}
	if _, reason := r.read(index.root, "pipe", false); reason != ReasonSpecial {
		t.Errorf("read gives reason %q, want %s", reason, ReasonSpecial)
	}
	if got := find(t, index, "where is the flamingo?").Survey.Skipped[ReasonSpecial]; got != 1 {
		t.Errorf("skipped %d special, want 1", got)
	}
}
