package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"github.com/spf13/cobra"
	"github.com/zalando/go-keyring"

	"moot/agent"
	"moot/config"
	"moot/protocol"
	"moot/tui/tty"
)

func newKey(c *Console) *cobra.Command {
	set := &cobra.Command{
		Use: "set",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				// The second argument may be the key, so it isn't shown.
				return usage("don't pass the key as an argument: other users can see it, and your shell records it; " +
					"type moot key set NAME, and the key when moot asks for it; nothing was stored, " +
					"but remove the key from your shell's history")
			}
			return checkKeyName(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return setKey(cmd.Context(), c, args[0]) },
	}
	return parent("key", set,
		command("list", cobra.ExactArgs(0), func([]string) error { return listKeys(c) }),
		command("remove", checkKeyName, func(args []string) error { return removeKey(c, args[0]) }))
}

// checkKeyName refuses a name that isn't a variable. The error doesn't show the name: it may be the key itself.
func checkKeyName(cmd *cobra.Command, args []string) error {
	if err := cobra.ExactArgs(1)(cmd, args); err != nil {
		return err
	}
	if !config.IsVariable(args[0]) {
		return usage("that is not the name of a variable: capitals, digits and _, such as OPENAI_API_KEY; " +
			"if it is the key itself, remove it from your shell's history, and type moot key set NAME")
	}
	return nil
}

const maxKeyBytes = 4 << 10

func setKey(ctx context.Context, c *Console, name string) error {
	// Check for a keyring before the user types the key.
	if _, err := c.openKeyring(); err != nil {
		return err
	}
	text, err := c.readSecret(ctx, name)
	if err != nil {
		return err
	}
	key := strings.TrimSpace(text)
	switch {
	case key == "":
		return usage("the key is empty; nothing was stored")
	case len(key) > maxKeyBytes || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return usage("that is not a key: a key is one line of at most %d characters without spaces; nothing was stored",
			maxKeyBytes)
	}
	set := func(ring Keyring) (string, error) { return "", ring.Set(keyService, name, key) }
	if _, err := c.useKeyring(unlockTime, set); err != nil {
		return fmt.Errorf("store %s: %w", name, err)
	}
	c.Say("stored     %s, in the keyring", name)
	// A wrong name is used by nobody.
	use := "no preset and no participant of your configuration uses it: name it there with key = \"" + name + "\""
	for _, u := range agent.KeyUses(c.readDefaults().book) {
		if u.Variable == name {
			use = "used by " + strings.Join(u.For, ", ")
		}
	}
	c.Say("note       %s", use)
	if strings.TrimSpace(c.Getenv(name)) != "" {
		c.Say("note       the environment variable %s is set too, and overrides the keyring", name)
	}
	return nil
}

// readSecret reads a key from the terminal without showing it, or from standard input.
func (c *Console) readSecret(ctx context.Context, name string) (string, error) {
	if !c.InTerminal {
		text, err := io.ReadAll(io.LimitReader(c.In, maxKeyBytes+2))
		if err != nil {
			return "", fmt.Errorf("read the key from standard input: %w", err)
		}
		return string(text), nil
	}
	key := ""
	form := huh.NewForm(huh.NewGroup(huh.NewInput().Title(name).EchoMode(huh.EchoModeNone).Value(&key)))
	// After an interrupt, Bubble Tea does not wait until it has stopped reading the terminal.
	form.WithProgramOptions(tea.WithFilter(func(_ tea.Model, message tea.Msg) tea.Msg {
		if _, is := message.(tea.InterruptMsg); is {
			return tea.Quit()
		}
		return message
	}))
	in := c.In
	if terminal, ok := in.(*os.File); ok {
		in = tty.NewInput(terminal, nil)
	}
	err := form.WithShowHelp(false).WithInput(in).WithOutput(c.Err).RunWithContext(ctx)
	if errors.Is(err, huh.ErrUserAborted) {
		return "", leaveWith(protocol.ExitInterrupted)
	}
	if err != nil {
		return "", fmt.Errorf("read the key: %w; nothing was stored", err)
	}
	return key, nil
}

func listKeys(c *Console) error {
	// Keys that are set come first.
	var set, unset [][]string
	for _, use := range agent.KeyUses(c.readDefaults().book) {
		row := []string{"  " + use.Variable, "not set", strings.Join(use.For, ", ")}
		if strings.TrimSpace(c.Getenv(use.Variable)) != "" {
			row[1] = "set in " + use.Variable
		} else if key, err := c.storedKey(use.Variable); err == nil && key != "" {
			row[1] = "in the keyring"
		}
		if row[1] == "not set" {
			unset = append(unset, row)
		} else {
			set = append(set, row)
		}
	}
	if trouble := c.keyringTrouble(); trouble != nil {
		c.Say("note       %s", trouble)
	}
	return c.Print(strings.Join(append(columns(append(set, unset...)), ""), "\n"))
}

func removeKey(c *Console, name string) error {
	_, err := c.useKeyring(unlockTime, func(ring Keyring) (string, error) { return "", ring.Delete(keyService, name) })
	if errors.Is(err, keyring.ErrNotFound) {
		return fmt.Errorf("moot has no %s in the keyring: nothing was removed; moot key list shows the keys", name)
	}
	if err != nil {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	c.Say("removed    %s, from the keyring", name)
	return nil
}

const (
	// keyService is the service of moot's entries in a keyring.
	keyService = "moot"
	// keyringTime limits how long a session waits for the keyring, which may wait for someone to unlock it.
	keyringTime = 2 * time.Second
	// unlockTime is the limit if the user asked for the keyring.
	unlockTime = time.Minute
)

// keyringError says why the keyring failed.
func keyringError(format string, args ...any) error {
	return fmt.Errorf("the keyring "+format+"; set the environment variable instead", args...)
}

// systemKeyring is the keyring of the system.
type systemKeyring struct{}

func (systemKeyring) Get(service, entry string) (string, error) { return keyring.Get(service, entry) }

func (systemKeyring) Set(service, entry, secret string) error {
	return keyring.Set(service, entry, secret)
}

func (systemKeyring) Delete(service, entry string) error { return keyring.Delete(service, entry) }

// openKeyring returns the keyring, or an error if the machine has none: on Linux, opening it could start a service.
func (c *Console) openKeyring() (Keyring, error) {
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
	return nil, keyringError("cannot be used: this machine has no session bus (D-Bus)")
}

// useKeyring runs a function with the keyring, and abandons it after a time limit: a keyring can't be canceled.
func (c *Console) useKeyring(limit time.Duration, do func(Keyring) (string, error)) (string, error) {
	ring, err := c.openKeyring()
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
		return "", keyringError("returned an error: %w", a.err)
	case <-timer.C:
		return "", keyringError("did not answer within %s: it may be locked", limit)
	}
}

// storedKey returns a key of the keyring, or "" if it isn't there.
func (c *Console) storedKey(name string) (string, error) {
	c = c.root()
	k := &c.keys
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.down != nil {
		return "", k.down
	}
	if key, cached := k.known[name]; cached {
		return key, nil
	}
	get := func(ring Keyring) (string, error) { return ring.Get(keyService, name) }
	key, err := c.useKeyring(keyringTime, get)
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

// keyringTrouble returns why the keyring failed, or nil.
func (c *Console) keyringTrouble() error {
	c = c.root()
	c.keys.mutex.Lock()
	defer c.keys.mutex.Unlock()
	return c.keys.down
}

// secrets returns a function that looks up variables in the environment, and the keys of participants in the keyring
// too.
func (c *Console) secrets(d *defaults) func(name string) string {
	uses := agent.KeyUses(d.book)
	return func(name string) string {
		if value := c.Getenv(name); strings.TrimSpace(value) != "" {
			return value
		}
		if !slices.ContainsFunc(uses, func(u agent.KeyUse) bool { return u.Variable == name }) {
			return ""
		}
		// keyringTrouble explains a failure when the key turns out to be missing.
		key, _ := c.storedKey(name)
		return key
	}
}
