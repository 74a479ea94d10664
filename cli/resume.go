package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"moot/state/store"
)

func newResume(c *Console) *cobra.Command {
	b := &builder{console: c}
	cmd := &cobra.Command{
		Use:               "resume",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return resume(cmd.Context(), b, firstOf(args))
		},
	}
	b.seats.flags(cmd, c.formats())
	b.commands.flags(cmd)
	b.hosts.flags(cmd)
	b.front.flags(cmd)
	b.budget.flags(cmd, nil)
	b.calls.flags(cmd)
	b.flagged = cmd.Flags()
	b.detachable(cmd)
	c.completeFlags(cmd)
	return cmd
}

func resume(ctx context.Context, b *builder, id string) error {
	if err := b.front.check(b.console); err != nil {
		return err
	}
	if err := b.budget.check(); err != nil {
		return err
	}
	if b.front.background != nil {
		b.front.background.resumed = true
	}
	path, err := find(b.console, id)
	if err != nil {
		return err
	}
	s, notes, err := b.reopen(path)
	if err != nil {
		return err
	}
	defer s.close()
	for _, note := range notes {
		b.console.Say("%s", note)
	}
	return s.run(ctx)
}

func newFork(c *Console) *cobra.Command {
	var at uint
	cmd := &cobra.Command{
		Use:               "fork",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			last := store.LastOpen
			if cmd.Flags().Changed("at") {
				last = int(min(at, maxEvent))
			}
			made, notes, err := fork(c, args[0], last)
			if err != nil {
				return err
			}
			for _, note := range notes {
				c.Say("%s", note)
			}
			c.Say("continue with: moot resume %s", made.ID)
			return c.Print(made.ID + "\n")
		},
	}
	cmd.Flags().UintVar(&at, "at", 0, "the last event to copy, from 1 (default: the last one, or of a finished "+
		"session the last one before it ended)")
	return cmd
}

// maxEvent keeps --at in the range of an int on every platform.
const maxEvent = 1<<31 - 1

// fork copies the events of a session up to at, or up to the last event from which it can continue. It returns notes to
// print.
func fork(c *Console, id string, at int) (made store.Forked, notes []string, err error) {
	dir, err := c.sessions()
	if err != nil {
		return made, nil, err
	}
	now := c.Now()
	made, err = store.Fork(dir, id, at, store.NewID(now, c.Random), now, c.rules()...)
	if errors.As(err, new(*store.RangeError)) {
		return made, nil, usage("%w", err)
	}
	if err != nil {
		return made, nil, err
	}
	last := made.Fork.Seq
	notes = []string{fmt.Sprintf("forked     %s, the first %d events of %s", made.ID, last, made.Fork.From)}
	if at != store.LastOpen && last != at {
		notes = append(notes, fmt.Sprintf("note       event %d is part of a step, which is copied whole or, at "+
			"the end of the session, left out: the fork ends with event %d", at, last))
	}
	return made, notes, nil
}
