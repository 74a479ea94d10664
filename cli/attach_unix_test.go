//go:build unix

package cli_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/state/store"
)

// A session is joined from home and as lines. The joined screen acts and leaves; the lines end with the session.
func TestAttach(t *testing.T) {
	workspace := stateIn(t)
	short, err := os.MkdirTemp("", "moot") //nolint:usetesting // the names of t.TempDir are too long for sockets
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	d := newDesk(t)
	t.Setenv(store.StateVariable, short)
	if code := d.run("attach"); code != int(protocol.ExitError) || !strings.Contains(d.err.String(), "no session is running") {
		t.Errorf("without sessions: exit code %d, %s", code, d.err.String())
	}

	first := newScreen(t, 120, 36)
	first.moot(workspace, "ask", "--step", "--orchestrator", "rules", "--consultee", "rules", "Where are retries limited?")
	first.shows("next: orchestrator to map")
	lines := newDesk(t)
	t.Setenv(store.StateVariable, short)
	over := make(chan int, 1)
	go func() { over <- lines.run("attach", "--plain") }()

	second := newScreen(t, 80, 24)
	second.moot(workspace)
	second.shows("Where are retries limited?", "needs you", "step by step: next is the orchestrator")
	second.walk(
		act{keys: enter, shows: "joined, step by step"},
		act{keys: "F", shows: "Record a fact"},
		act{keys: "the limit is a rule" + enter, shows: "recorded as a fact of the user"},
	)
	first.shows("the limit is a rule")
	second.walk(act{keys: "q", shows: "press enter to join it again"})
	second.press("q")
	second.left(int(protocol.ExitConcluded))

	d.err.Reset()
	if code := d.run("attach", "nosuch"); code != int(protocol.ExitError) || !strings.Contains(d.err.String(), `no session "nosuch"`) {
		t.Errorf("an unknown session: exit code %d, %s", code, d.err.String())
	}
	other := newScreen(t, 80, 24)
	other.waited.Store(int64(time.Hour)) // for another id
	other.moot(workspace, "ask", "--step", "--mode", "quick", "--orchestrator", "rules", "--consultee", "rules", "Is it quick?")
	other.shows("next: ", "mode quick: nothing is saved")
	d.err.Reset()
	if code := d.run("attach"); code != int(protocol.ExitUsage) || !strings.Contains(d.err.String(), "2 sessions are running") ||
		!strings.Contains(d.out.String(), "Where are retries limited?") {
		t.Errorf("two sessions: exit code %d, %s%s", code, d.out.String(), d.err.String())
	}
	other.press("q")
	other.left(int(protocol.ExitInconclusive))

	first.press("q")
	first.left(int(protocol.ExitInconclusive))
	if code := <-over; code != int(protocol.ExitInconclusive) {
		t.Errorf("the lines end with exit code %d: %s", code, lines.err.String())
	}
	for _, want := range []string{"question   Where are retries limited?", "the limit is a rule", "paused     continue with: moot resume"} {
		if !strings.Contains(lines.out.String(), want) {
			t.Errorf("the lines lack %q:\n%s", want, lines.out.String())
		}
	}
}
