package cli

import (
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/state/store"
)

func newRemove(c *Console) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:               "rm",
		Args:              oneArgument("session", "moot rm 20261121-153045-k3f9"),
		ValidArgsFunction: completeSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			return remove(c, args[0], yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	return cmd
}

func remove(c *Console, id string, yes bool) error {
	dir, err := store.Dir()
	if err != nil {
		return err
	}
	path, err := store.Find(dir, id)
	if err != nil {
		return err
	}
	id = sessionID(path)
	if !yes {
		if !c.InTerminal {
			return usage("removing %s cannot be undone, and there is no terminal to confirm it: add --yes", id)
		}
		question := id
		if s, err := read(c, id); err == nil {
			question += ", " + plain.Line(clip(s.state.Question))
		}
		c.Say("remove %s? This cannot be undone. Type yes:", question)
		answer, err := c.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if !strings.EqualFold(strings.TrimSpace(answer), "yes") {
			c.Say("kept %s", id)
			return nil
		}
	}
	if err := store.Remove(dir, id); err != nil {
		return err
	}
	c.Say("removed %s", id)
	return nil
}
