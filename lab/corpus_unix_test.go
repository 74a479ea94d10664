//go:build unix

package lab

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe that nobody writes to would be waited for until the end of time.
func TestAPipeIsNoScenario(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "sound.json"), []byte(scenario("a")), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := OpenCorpus(folder)
	if err != nil {
		t.Fatal(err)
	}
	if ids(&c) != "a/" || len(c.Broken) != 1 || !strings.Contains(c.Broken[0].What[0], "no regular file") {
		t.Errorf("read are %s, broken %+v", ids(&c), c.Broken)
	}
}
