package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/cli"
)

// A packet that cannot be written leaves no file behind.
func TestAPacketThatCannotBeWrittenIsNoFile(t *testing.T) {
	d := newDesk(t)
	from := filepath.Join(d.Dir, "events.csv")
	if err := os.WriteFile(from, []byte("entity,field,value,timestamp\nw,f,1,2026-11-21T10:00:00Z\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if code := d.run("packet", "make", "--out", filepath.Join("none", "out.json"), from); code != cli.ExitUsage {
		t.Errorf("exit code %d", code)
	}
	if said := d.err.String(); !strings.Contains(said, "there is no folder") {
		t.Errorf("it says %q", said)
	}
	if entries, err := os.ReadDir(d.Dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
