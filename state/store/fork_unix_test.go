//go:build unix

package store_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"moot/state/store"
)

// forkInLittleRoom forks a session where the system refuses to let a file grow
// to its size.
func forkInLittleRoom(path string) int {
	signal.Ignore(syscall.SIGXFSZ)
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return fail(err)
	}
	limit.Cur = room
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return fail(err)
	}
	_, err := store.Fork(filepath.Dir(path), "s1", store.LastOpen, "s2", later)
	if !errors.Is(err, syscall.EFBIG) {
		return fail(fmt.Errorf("not refused: %w", err))
	}
	fmt.Println(err)
	return 0
}

func TestAFullDiskLeavesNoPartOfAFork(t *testing.T) {
	f := create(t, t.TempDir(), "s1")
	appendTo(t, f, opened("q"))
	appendTo(t, f, points(2, 40)...)
	cmd, out, _ := child(t, "fork", f.Path())
	said, _ := io.ReadAll(out)
	if err := cmd.Wait(); err != nil || !strings.Contains(string(said), "nothing was kept") {
		t.Fatalf("%v: %s", err, said)
	}
	if entries, err := os.ReadDir(filepath.Dir(f.Path())); err != nil || len(entries) != 1 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}
