package cli

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

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
