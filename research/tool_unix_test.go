//go:build unix

package research

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/internal/process/processtest"
)

// A server that ignores SIGTERM, and its children, end with the session.
func TestServersEndWithTheSession(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "pids")
	tools := openTools(t, local("stubborn", file))
	if f := tools.Check(within(t, patient), "TOOL db/query", `output has "done"`); !f.Verified {
		t.Fatal(f.Reason)
	}
	pids, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := tools.Close(); err != nil {
		t.Fatal(err)
	}
	parent, child, _ := strings.Cut(string(pids), "\n")
	for _, line := range []string{parent, child} {
		if pid := processtest.ChildOf(t, line); !processtest.Ended(pid) {
			t.Errorf("%s still runs", line)
		}
	}
}
