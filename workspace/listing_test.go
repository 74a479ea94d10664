package workspace_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/workspace"
)

// A listing says what it leaves out, and reads each file as it is now.
func TestListing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a\n", "b/b.go": "package b\n", "b/.env": "X=1\n", "c.txt": "c\n"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w, err := workspace.New(dir, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for glob, want := range map[string]string{"*.go": "a.go b/b.go", "b": "b/b.go", "": "a.go b/b.go c.txt", "*.rs": ""} {
		got, err := w.Listing(t.Context(), glob)
		if err != nil || strings.Join(got.Files, " ") != want || (glob == "b" || glob == "") != slices.Equal(got.Secret, []string{"b/.env"}) {
			t.Errorf("%q: %+v, %v, want %s", glob, got, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "new.go"), []byte("package a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Listing(t.Context(), "new.go"); err != nil || len(got.Files) != 1 {
		t.Errorf("a new file is not listed: %+v, %v", got, err)
	}
	if _, err := w.Content("c.txt", 1); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a file over the limit is read: %v", err)
	}
	if _, err := w.Content("b", 1<<20); err == nil {
		t.Error("a folder is read")
	}
	if _, err := w.Listing(t.Context(), "["); err == nil {
		t.Error("a wrong glob is taken")
	}
}
