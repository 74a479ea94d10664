//go:build unix

package store_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"moot/state/store"
)

// room is how large files may grow in the child, in bytes.
const room = 4000

// fillUp appends until the system refuses to let the file grow, then continues with more room.
func fillUp(path string) int {
	signal.Ignore(syscall.SIGXFSZ)
	f, _, err := store.Open(path)
	if err != nil {
		return fail(err)
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return fail(err)
	}
	all := limit.Cur
	limit.Cur = room
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return fail(err)
	}
	for err == nil {
		err = f.Append(points(f.Len()+1, 2))
	}
	full := err
	if !errors.Is(full, syscall.EFBIG) {
		return fail(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fail(err)
	}
	fmt.Println(f.Len(), info.Size(), full)
	limit.Cur = all
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		return fail(err)
	}
	if err := f.Append(points(f.Len()+1, 2)); err != nil {
		return fail(err)
	}
	if err := f.Close(); err != nil {
		return fail(err)
	}
	return 0
}

// A full disk cuts a write short: the file is restored, and the session continues once there is room.
func TestAFullDiskLeavesTheSessionWhole(t *testing.T) {
	f := create(t, t.TempDir(), "s1")
	appendTo(t, f, opened("q"))
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	cmd, out, _ := child(t, "fill", f.Path())
	said, _ := io.ReadAll(out)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	var events, size int
	if _, err := fmt.Sscan(string(said), &events, &size); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	want := fmt.Sprintf("write event %d to %s: ", events+1, f.Path())
	if !strings.Contains(string(said), want) || !strings.Contains(string(said), fmt.Sprintf("the first %d events are kept: free disk space", events)) {
		t.Errorf("said: %s", said)
	}
	got, err := store.Read(f.Path())
	if err != nil || len(got.Events) != events+2 || got.Repaired != (store.Repair{}) {
		t.Fatalf("%d events, %v", len(got.Events), err)
	}
	if size >= room || events < 3 || !reflect.DeepEqual(got.Events[1:], points(2, events+1)) {
		t.Errorf("%d events in %d bytes", events, size)
	}
}
