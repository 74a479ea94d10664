//go:build unix

package processtest

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// most is how long Gone waits before it fails a test.
const most = time.Minute

// Ended reports whether a process has ended. It may still be a zombie, as in a container without an init.
func Ended(pid int) bool {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return true
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(status), ") Z ")
}

// Gone waits until a process has ended, or fails the test.
func Gone(t testing.TB, pid int) {
	t.Helper()
	for deadline := time.Now().Add(most); !Ended(pid); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d still runs", pid)
		}
	}
}

// ChildOf returns the process id in the line "child N" of a test program's output.
func ChildOf(t testing.TB, output string) int {
	t.Helper()
	for line := range strings.Lines(output) {
		if number, found := strings.CutPrefix(strings.TrimSpace(line), "child "); found {
			pid, err := strconv.Atoi(number)
			if err != nil {
				t.Fatal(err)
			}
			return pid
		}
	}
	t.Fatalf("no child is named: %q", output)
	return 0
}
