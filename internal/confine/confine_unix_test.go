//go:build unix

package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A plan opens what exists of the list, never the home folder, and gives programs caches that are missing.
func TestPlan(t *testing.T) {
	t.Parallel()
	home, temporary := t.TempDir(), t.TempDir()
	for _, folder := range []string{".ssh", ".npm/_cacache", "bin", "project", ".config/go", "cache"} {
		if err := os.MkdirAll(filepath.Join(home, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	settings := "GOCACHE=" + filepath.Join(home, "cache") + "\n"
	if err := os.WriteFile(filepath.Join(home, ".config", "go", "env"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	list := string(filepath.ListSeparator)
	environ := []string{
		"HOME=" + home, "PATH=" + home + list + filepath.Dir(home) + list + "." + list + filepath.Join(home, "bin"), "NVM_DIR=" + home,
	}
	for _, test := range []struct {
		name, workspace string
		closed          bool
	}{
		{"a folder of the home folder", filepath.Join(home, "project"), false},
		{"the home folder", home, true},
		{"a folder above the home folder", filepath.Dir(home), true},
	} {
		p := NewPlan("/bin/sh", test.workspace, temporary, environ, []string{home, "/"})
		if p.HomeClosed != test.closed {
			t.Errorf("%s: closed is %v", test.name, p.HomeClosed)
		}
		all := slices.Concat(p.Policy.Read, p.Policy.Write)
		for _, want := range []string{"bin", ".npm/_cacache", "project", ".config/go", "cache"} {
			if !slices.Contains(all, filepath.Join(home, want)) {
				t.Errorf("%s: %s is closed", test.name, want)
			}
		}
		for _, path := range all {
			if holds(path, filepath.Join(home, ".ssh")) {
				t.Errorf("%s: %s opens the keys", test.name, path)
			}
		}
		if !slices.Contains(p.Environ, "GOMODCACHE="+filepath.Join(temporary, "gomodcache")) {
			t.Errorf("%s: a missing cache is not replaced: %v", test.name, p.Environ)
		}
		if slices.ContainsFunc(p.Environ, func(e string) bool { return strings.HasPrefix(e, "GOCACHE=") }) {
			t.Errorf("%s: a cache that exists is replaced: %v", test.name, p.Environ)
		}
	}
}

func TestReports(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Report{
		"abi 7\n":                       {ABI: 7},
		"network closed\nabi 7\n":       {ABI: 7, Network: true},
		"abi 7\nexec no such program\n": {ABI: 7, Exec: "no such program"},
		"failed no rules\n":             {Failed: "no rules"},
	} {
		if got, err := ReadReport(strings.NewReader(text)); err != nil || got != want {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "abi x\n", "anything"} {
		if got, err := ReadReport(strings.NewReader(text)); err == nil {
			t.Errorf("%q: got %+v without an error", text, got)
		}
	}
}

// The words about the network are true of each version.
func TestWords(t *testing.T) {
	t.Parallel()
	for abi, want := range map[int]string{
		1: "ABI 1, the network is open", 3: "the network is open", 4: "no TCP (UDP", 8: "Unix sockets are open",
		9: "no TCP (UDP and Multipath TCP are open)", 10: "no TCP or UDP (Multipath TCP is open)",
	} {
		if got := (Report{ABI: abi}).Words(); !strings.Contains(got, want) {
			t.Errorf("ABI %d: %s", abi, got)
		}
	}
	for abi, want := range map[int]string{1: "ABI 1, no network (Unix sockets are open)", 9: "ABI 9, no network"} {
		if got := (Report{ABI: abi, Network: true}).Words(); !strings.HasSuffix(got, want) {
			t.Errorf("ABI %d: %s", abi, got)
		}
	}
}
