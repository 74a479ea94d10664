package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/state/store"
)

func newFork(c *Console) *cobra.Command {
	var at uint
	var resuming bool
	// The flags of moot resume need --resume.
	resume := &resumeOptions{console: c}
	cmd := &cobra.Command{
		Use:               "fork",
		Args:              oneArgument("session", "moot fork 20261121-153045-k3f9 --at 40"),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			stray := ""
			cmd.Flags().Visit(func(f *pflag.Flag) {
				if f.Name != "at" && f.Name != "resume" && stray == "" {
					stray = f.Name
				}
			})
			if stray != "" && !resuming {
				return usage("--%s needs --resume: add it, or pass the flag to moot resume", stray)
			}
			if resuming {
				// Check the other flags before making a session.
				if err := resume.check(); err != nil {
					return err
				}
			}
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
			if !resuming {
				c.Say("continue with: moot resume %s", made.ID)
				return c.Print(made.ID + "\n")
			}
			resume.id = made.ID
			err = resume.run(cmd.Context())
			if err != nil && err.Error() != "" {
				c.Say("kept       %s; continue with: moot resume %s", made.ID, made.ID)
			}
			return err
		},
	}
	group(cmd, "Fork", func(f *pflag.FlagSet) {
		f.UintVar(&at, "at", 0, "the last event to copy, from 1 (default: the last one, or of a finished session "+
			"the last one before it ended)")
		f.BoolVar(&resuming, "resume", false, "continue at once, like moot resume")
	})
	resume.flags(cmd)
	return cmd
}

// maxEvent keeps --at in the range of an int on every platform.
const maxEvent = 1<<31 - 1

// fork copies the events of a session up to at, or up to the last event from which it can continue. It returns notes to
// print.
func fork(c *Console, id string, at int) (made store.Forked, notes []string, err error) {
	dir, err := store.Dir()
	if err != nil {
		return made, nil, err
	}
	now := c.Now()
	made, err = store.Fork(dir, id, at, store.NewID(now, c.Random), now)
	if errors.As(err, new(*store.RangeError)) {
		return made, nil, usage("%w", err)
	}
	if err != nil {
		return made, nil, err
	}
	last := made.Fork.Seq
	notes = []string{fmt.Sprintf("forked     %s, the first %d events of %s", made.ID, last, made.Fork.From)}
	switch {
	case at == store.LastOpen || last == at:
	case last > at:
		notes = append(notes, fmt.Sprintf("note       event %d is part of a step that ends with event %d: the fork "+
			"has the whole step",
			at, last))
	default:
		notes = append(notes, fmt.Sprintf("note       event %d is part of the step that closes the session: the "+
			"fork ends before it", at))
	}
	return made, notes, nil
}
