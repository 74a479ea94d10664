package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/zalando/go-keyring"
)

// The system's keyring is asked for an entry once.
func TestKeysAreKept(t *testing.T) {
	keyring.MockInit()
	c := &Console{Keyring: systemKeyring{}}
	if err := c.Keyring.Set(keyService, "A_KEY", "sk-1"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if key, err := c.storedKey("A_KEY"); key != "sk-1" || err != nil {
			t.Errorf("%q, %v", key, err)
		}
		if key, err := c.storedKey("B_KEY"); key != "" || err != nil {
			t.Errorf("%q, %v", key, err)
		}
		if err := c.Keyring.Delete(keyService, "A_KEY"); err != nil && !errors.Is(err, keyring.ErrNotFound) {
			t.Fatal(err)
		}
	}
	keyring.MockInitWithError(errors.New("no such service"))
	c = &Console{Keyring: systemKeyring{}}
	if key, err := c.storedKey("A_KEY"); key != "" || err == nil || !strings.Contains(err.Error(), "no such service; set the environment variable") || c.keyringTrouble() == nil {
		t.Errorf("%q, %v", key, err)
	}
}

func TestColorOnlyOnColorTerminals(t *testing.T) {
	for _, c := range []struct {
		what     string
		terminal bool
		environ  []string
		colored  bool
	}{
		{"a terminal", true, []string{"TERM=xterm-256color"}, true},
		{"NO_COLOR", true, []string{"TERM=xterm-256color", "NO_COLOR=1"}, false},
		{"a dumb terminal", true, []string{"TERM=dumb"}, false},
		{"a pipe", false, []string{"TERM=xterm-256color"}, false},
	} {
		console := &Console{OutTerminal: c.terminal, Environ: c.environ}
		got := console.styled("● architect", ansi.NewStyle().Bold())
		if strings.Contains(got, "\x1b[") != c.colored || ansi.Strip(got) != "● architect" {
			t.Errorf("%s: %q", c.what, got)
		}
	}
}
