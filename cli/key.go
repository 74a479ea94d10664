package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/zalando/go-keyring"

	"moot/agent"
	"moot/config"
	"moot/internal/enum"
)

func newKey(c *Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key COMMAND",
		Short: "Keep keys in the keyring of your system",
		Long: "Keep keys for model endpoints in the keyring of your system, so that no file holds them. An\n" +
			"entry is named as the variable whose place it takes; a variable that is set goes before it.",
		Example: "  moot key set OPENAI_API_KEY\n  moot key list\n  moot key remove OPENAI_API_KEY",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchCommand(cmd, args[0])
			}
			return usage("the command is missing: set, list or remove; %s --help says more", cmd.CommandPath())
		},
	}
	cmd.AddCommand(newKeySet(c), newKeyList(c), newKeyRemove(c))
	for _, below := range cmd.Commands() {
		below.DisableFlagsInUseLine = true
	}
	return cmd
}

func newKeySet(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:   "set NAME",
		Short: "Put a key into the keyring",
		Long: "Put a key into the keyring. It is asked for, and not shown as you type it; without a terminal\n" +
			"it is read from standard input. It is never an argument, which others on the machine see.",
		Example: "  moot key set OPENAI_API_KEY\n  pass show openai | moot key set OPENAI_API_KEY",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				// Never shown.
				return usage("a key is never an argument, which others see and your shell remembers: type moot key set NAME, and the key when it is asked for; what was typed was not kept, but take it out of your shell's history")
			}
			return checkKeyName(args, "set")
		},
		RunE: func(cmd *cobra.Command, args []string) error { return setKey(cmd.Context(), c, args[0]) },
	}
}

// checkKeyName refuses what is no name of a variable. It is not shown: it may be
// the key itself.
func checkKeyName(args []string, command string) error {
	if len(args) == 0 {
		return usage("the name is missing; for example: moot key %s OPENAI_API_KEY", command)
	}
	if len(args) > 1 {
		return usage("one name is enough, not %d; for example: moot key %s OPENAI_API_KEY", len(args), command)
	}
	if !config.IsVariable(args[0]) {
		return usage("that is no name of a variable, which is capitals, digits and _, such as OPENAI_API_KEY; if it is the key itself, take it out of your shell's history, and type moot key set NAME")
	}
	return nil
}

// longestKey is the longest key that is kept, in bytes.
const longestKey = 4 << 10

func setKey(_ context.Context, c *Console, name string) error {
	if _, err := c.ring(); err != nil {
		// Nobody types a key in vain.
		return err
	}
	text, err := c.readSecret(name)
	if err != nil {
		return err
	}
	key := strings.TrimSpace(text)
	switch {
	case key == "":
		return usage("no key was given, and nothing was kept")
	case len(key) > longestKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return usage("that is no key: it is one line of signs without blanks, %d at most; nothing was kept", longestKey)
	}
	if _, err := c.keep(unlockTime, func(ring Keyring) (string, error) { return "", ring.Set(keyService, name, key) }); err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	c.Say("kept       %s, in the keyring", name)
	c.tellUse(name)
	if strings.TrimSpace(c.Getenv(name)) != "" {
		c.Say("note       %s is set in the environment too, which goes before the keyring", name)
	}
	return nil
}

// tellUse says who asks for a key, so that a name typed wrong is seen.
func (c *Console) tellUse(name string) {
	h, err := c.holds()
	if err != nil {
		h = nil
	}
	var known []string
	for _, use := range agent.KeyUses(h.names()) {
		if use.Variable == name {
			c.Say("note       %s asks for it", strings.Join(use.For, ", "))
			return
		}
		known = append(known, use.Variable)
	}
	said := "no preset asks for it, and no participant of your configuration: name it there with key = \"" + name + "\""
	if nearest := enum.Nearest(name, known); nearest != "" {
		said += "; or did you mean " + nearest + "?"
	}
	c.Say("note       %s", said)
}

// readSecret reads a key: from the terminal without showing it, else from
// standard input.
func (c *Console) readSecret(name string) (string, error) {
	file, isFile := c.In.(*os.File)
	if !c.InTerminal || !isFile {
		text, err := io.ReadAll(io.LimitReader(c.In, longestKey+2))
		if err != nil {
			return "", fmt.Errorf("read the key from standard input: %w", err)
		}
		return string(text), nil
	}
	fd := file.Fd()
	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("hide what is typed: %w; nothing was read", err)
	}
	type typed struct {
		key []byte
		err error
	}
	signals, stop := c.signals()
	defer stop()
	c.mutex.Lock()
	_, _ = fmt.Fprintf(c.Err, "%s (not shown as you type it): ", name)
	c.mutex.Unlock()
	done := make(chan typed, 1)
	// It ends with the line, or with the program: the terminal cannot be told.
	go func() {
		key, err := term.ReadPassword(fd)
		done <- typed{key, err}
	}()
	select {
	case got := <-signals:
		err := term.Restore(fd, before)
		c.Say("")
		return "", errors.Join(err, leaveWith(signalCode(got)))
	case t := <-done:
		c.Say("")
		if t.err != nil {
			return "", fmt.Errorf("read the key: %w; nothing was kept", t.err)
		}
		return string(t.key), nil
	}
}

func newKeyList(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the keys that are asked for, and where they are",
		Long: "List the keys that a preset or a participant of your configuration asks for, by name, with who\n" +
			"asks for them and whether they are in the environment or in the keyring. No key is shown.",
		Example: "  moot key list",
		Args:    noArguments,
		RunE: func(*cobra.Command, []string) error {
			h, err := c.holds()
			if err != nil {
				return err
			}
			keys := c.secretsShown(h)
			if trouble := c.keyringTrouble(); trouble != nil {
				c.Say("note       %s", trouble)
			}
			// Those that are there stand first.
			slices.SortStableFunc(keys, func(a, b secretShown) int {
				switch {
				case (a.Where == "") == (b.Where == ""):
					return 0
				case a.Where == "":
					return 1
				}
				return -1
			})
			return c.Print(keyTable(keys))
		},
	}
}

func newKeyRemove(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:     "remove NAME",
		Short:   "Take a key out of the keyring",
		Example: "  moot key remove OPENAI_API_KEY",
		Args:    func(_ *cobra.Command, args []string) error { return checkKeyName(args, "remove") },
		RunE: func(_ *cobra.Command, args []string) error {
			_, err := c.keep(unlockTime, func(ring Keyring) (string, error) { return "", ring.Delete(keyService, args[0]) })
			if errors.Is(err, keyring.ErrNotFound) {
				return fmt.Errorf("the keyring has no %s of moot's: nothing was removed; moot key list shows what there is", args[0])
			}
			if err != nil {
				return fmt.Errorf("remove %s: %w", args[0], err)
			}
			c.Say("removed    %s, from the keyring", args[0])
			return nil
		},
	}
}
