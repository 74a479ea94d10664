package cli

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What takes longer than a person's patience is told at a terminal, and taken away when
// it is done; what is quick, or has no terminal, shows nothing.
func TestMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		terminal bool
		term     string
		takes    time.Duration
		want     string
	}{
		"slow":            {true, "xterm", 2 * time.Second, "\rlooking\x1b[K\r\x1b[K"},
		"quick":           {true, "xterm", 200 * time.Millisecond, ""},
		"no terminal":     {false, "xterm", 2 * time.Second, ""},
		"a dumb terminal": {true, "dumb", 2 * time.Second, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said strings.Builder
				console := &Console{Err: &said, ErrTerminal: c.terminal, Environ: []string{"TERM=" + c.term}}
				console.meanwhile("looking", func() { time.Sleep(c.takes) })
				if said.String() != c.want {
					t.Errorf("%q, want %q", said.String(), c.want)
				}
			})
		})
	}
}
