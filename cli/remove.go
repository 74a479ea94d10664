package cli

import (
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/state/store"
)

func newRemove(c *Console) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:     "rm [--yes] ID",
		Short:   "Remove a session and its labels",
		Example: "  moot rm 20261121-153045-k3f9",
		Args:    oneArgument("session", "moot rm 20261121-153045-k3f9"),
		RunE: func(_ *cobra.Command, args []string) error {
			return remove(c, args[0], yes)
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
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
	whole := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if !yes {
		if !c.InTerminal {
			return usage("removing %s cannot be undone, and there is no terminal to ask at: add --yes", whole)
		}
		question := whole
		if s, err := read(whole); err == nil {
			question += ", " + plain.Line(clip(s.state.Question))
		}
		c.Say("remove %s? This cannot be undone. Type yes:", question)
		answer, err := c.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if !strings.EqualFold(strings.TrimSpace(answer), "yes") {
			c.Say("kept %s", whole)
			return nil
		}
	}
	if err := store.Remove(dir, whole); err != nil {
		return err
	}
	c.Say("removed %s", whole)
	return nil
}
