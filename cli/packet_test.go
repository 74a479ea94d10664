package cli_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ctrl-c ends the making of a packet, even while standard input gives nothing, and nothing is written.
func TestPacketMakeEndsWithASignal(t *testing.T) {
	d := newDesk(t)
	in, out := io.Pipe()
	defer out.Close()
	d.In = in
	d.signals <- syscall.SIGINT
	if code := d.run("packet", "make", "-"); code != 130 || d.out.String() != "" || !strings.Contains(d.err.String(), "stopped    nothing was written") {
		t.Errorf("code %d, %q, %q", code, d.out.String(), d.err.String())
	}
}

// A terminal shows how far the reading is, in a line that is cleared before others.
func TestPacketMakeShowsItsProgress(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		d := newDesk(t)
		if err := os.WriteFile(filepath.Join(d.Dir, "app.log"), []byte(strings.Repeat("2026-11-21T10:00:00Z x\n", 9)), 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
		d.Now = func() time.Time {
			at = at.Add(time.Second)
			return at
		}
		d.ErrTerminal = terminal
		if code := d.run("packet", "make", "app.log"); code != 0 {
			t.Fatal(d.err.String())
		}
		said := d.err.String()
		if shown := strings.Contains(said, "\rreading    app.log: 100 %, 0 records"); shown != terminal {
			t.Errorf("terminal %v: %q", terminal, said)
		}
		if last := said[strings.LastIndexByte(said, '\r')+1:]; !strings.HasPrefix(last, "read       app.log: lines, 9 records\n") {
			t.Errorf("terminal %v: behind the progress is %q", terminal, last)
		}
	}
}

// A log of Windows goes from file to verdict.
func TestHearingOnAnEventLog(t *testing.T) {
	d := newDesk(t)
	log, err := os.ReadFile(filepath.Join("..", "research", "extract", "windows", "testdata", "account-created.evtx"))
	if err != nil {
		t.Fatal(err)
	}
	// Its name says something else.
	if err := os.WriteFile(filepath.Join(d.Dir, "events.json"), log, 0o600); err != nil {
		t.Fatal(err)
	}
	code := d.run("ask", "--headless", "--format", "hearing", "--closed-world", "events.json")
	said := d.out.String() + d.err.String()
	if code != 3 {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{
		"read       events.json: Windows event log, 4 records", "packet     made of events.json: 84 facts, ",
		"THREAT_INCONCLUSIVE", "Account created or put into an administrators group (rule account-created, T1136)",
		`events.json:2 IE8Win7, WORKGROUP\WIN-QALA5Q3KJ43$ at 2013-10-23 16:22: 4720 account created`,
	} {
		if !strings.Contains(said, want) {
			t.Errorf("want %q in\n%s", want, said)
		}
	}
}
