package cli

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/zalando/go-keyring"

	"moot/state"
	"moot/state/store"
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

// locked is a keyring that waits for somebody to unlock it.
type locked struct {
	asked    atomic.Int32
	unlocked chan struct{}
}

func (l *locked) Get(_, _ string) (string, error) {
	l.asked.Add(1)
	<-l.unlocked
	return "", keyring.ErrNotFound
}
func (*locked) Set(_, _, _ string) error { return nil }
func (*locked) Delete(_, _ string) error { return nil }

// A keyring that hangs costs two seconds, once.
func TestALockedKeyringIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ring := &locked{unlocked: make(chan struct{})}
		c, began := &Console{Keyring: ring}, time.Now()
		for range 3 {
			_, err := c.storedKey("A_KEY")
			if err == nil || !strings.Contains(err.Error(), "did not answer within 2s: it may be locked; set the environment variable") {
				t.Errorf("%v", err)
			}
		}
		if took := time.Since(began); took != keyringTime || ring.asked.Load() != 1 {
			t.Errorf("asked %d times, in %v", ring.asked.Load(), took)
		}
		close(ring.unlocked)
	})
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

// A council's line says how many rounds there may be and whether there is consensus,
// and where the moderator said what the rules do not bear out.
func TestTheLineOfACouncil(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]store.Summary{
		"round 1/3 ":                           {Round: 1, Rounds: 3},
		"; consensus in round 2\n":             {Round: 2, Rounds: 3, Tested: &state.Consensus{Round: 2, Reached: true, Reported: state.AgreementYes}},
		"; no consensus in round 3: P1, P4\n":  {Round: 3, Rounds: 3, Tested: &state.Consensus{Round: 3, Unsettled: []string{"P1", "P4"}}},
		"P1 (the moderator said otherwise)\n":  {Round: 1, Rounds: 1, Tested: &state.Consensus{Round: 1, Unsettled: []string{"P1"}, Reported: state.AgreementYes}},
		"in round 1 (the moderator said other": {Round: 1, Rounds: 1, Tested: &state.Consensus{Round: 1, Reached: true, Reported: state.AgreementNo}},
	} {
		line := listLine(&s, s.UpdatedAt)
		if !strings.Contains(line, want) {
			t.Errorf("%q is not in %q", want, line)
		}
	}
}
