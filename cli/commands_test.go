package cli

import (
	"errors"
	"strings"
	"testing"

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
