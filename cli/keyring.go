package cli

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"moot/agent"
)

// Keyring keeps secrets for the person: that of the system, or one of a test. A
// secret that is not there is keyring.ErrNotFound.
type Keyring interface {
	Get(service, entry string) (string, error)
	Set(service, entry, secret string) error
	Delete(service, entry string) error
}

// keyService is what entries of moot stand under in a keyring; each is named as
// the variable whose place it takes.
const keyService = "moot"

const (
	// keyringTime is how long the keyring may take to give a key: it may wait for
	// somebody to unlock it, and nobody may be there.
	keyringTime = 2 * time.Second
	// unlockTime is how long it may take where the person asked for it.
	unlockTime = time.Minute
)

// keychain asks a keyring, each entry once. One that does not answer is not asked
// again.
type keychain struct {
	mutex sync.Mutex
	known map[string]string
	down  error
}

// keyringError says why the keyring gave nothing.
type keyringError struct {
	what string
	// absent says that the machine has none.
	absent bool
}

// Error says what happened and what to do.
func (e *keyringError) Error() string {
	return "the keyring " + e.what + "; set the variable of the environment in its place"
}

// systemKeyring is that of the system.
type systemKeyring struct{}

func (systemKeyring) Get(service, entry string) (string, error) { return keyring.Get(service, entry) }

func (systemKeyring) Set(service, entry, secret string) error {
	return keyring.Set(service, entry, secret)
}
func (systemKeyring) Delete(service, entry string) error { return keyring.Delete(service, entry) }

// ring is the keyring of the console. The error says that this machine has none:
// to ask for one would start a service that nobody wants.
func (c *Console) ring() (Keyring, error) {
	if c.Keyring != nil {
		return c.Keyring, nil
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		return systemKeyring{}, nil
	}
	if at := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); at != "" && at != "autolaunch:" {
		return systemKeyring{}, nil
	}
	for _, socket := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat("/run/user/" + strconv.Itoa(os.Getuid()) + "/" + socket); err == nil {
			return systemKeyring{}, nil
		}
	}
	return nil, &keyringError{what: "cannot be asked: this machine has no session bus (D-Bus)", absent: true}
}

// keep does something with the keyring, and waits for it so long at most. What
// hangs is left behind: a keyring cannot be told to stop.
func (c *Console) keep(limit time.Duration, do func(Keyring) (string, error)) (string, error) {
	ring, err := c.ring()
	if err != nil {
		return "", err
	}
	type answer struct {
		text string
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		text, err := do(ring)
		done <- answer{text, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case a := <-done:
		if a.err == nil || errors.Is(a.err, keyring.ErrNotFound) {
			return a.text, a.err
		}
		return "", &keyringError{what: fmt.Sprintf("gave an error: %s", a.err)}
	case <-timer.C:
		return "", &keyringError{what: fmt.Sprintf("did not answer within %s: it may be locked", limit)}
	}
}

// kept is a key in the keyring, "" where it has none. The error says that the
// keyring could not be asked.
func (c *Console) kept(name string) (string, error) {
	k := &c.keys
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.down != nil {
		return "", k.down
	}
	if key, asked := k.known[name]; asked {
		return key, nil
	}
	key, err := c.keep(keyringTime, func(ring Keyring) (string, error) { return ring.Get(keyService, name) })
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		k.down = err
		return "", err
	}
	if k.known == nil {
		k.known = map[string]string{}
	}
	k.known[name] = key
	return key, nil
}

// keyringTrouble is why the keyring gave nothing, nil where it was not asked or
// answered.
func (c *Console) keyringTrouble() error {
	c.keys.mutex.Lock()
	defer c.keys.mutex.Unlock()
	return c.keys.down
}

// secrets is what gives keys, to whoever asks for one: the environment, and for
// variables that hold keys the keyring after it.
func (c *Console) secrets(h *holding) func(name string) string {
	uses := agent.KeyUses(h.names())
	return func(name string) string {
		if value := c.Getenv(name); strings.TrimSpace(value) != "" {
			return value
		}
		if !slices.ContainsFunc(uses, func(u agent.KeyUse) bool { return u.Variable == name }) {
			return ""
		}
		// Why the keyring gave nothing is told where a key is missing.
		key, _ := c.kept(name)
		return key
	}
}
