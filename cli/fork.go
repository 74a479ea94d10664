package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/state/store"
)

// forkOptions are the flags and arguments of moot fork.
type forkOptions struct {
	console *Console
	id      string
	// at is the last event to copy if it was given.
	at       uint
	given    bool
	resuming bool
	// resume are the flags of moot resume, which need --resume.
	resume resumeOptions
}

func newFork(c *Console) *cobra.Command {
	o := &forkOptions{console: c, resume: resumeOptions{console: c}}
	cmd := &cobra.Command{
		Use:               "fork",
		Args:              oneArgument("session", "moot fork 20261121-153045-k3f9 --at 40"),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.id, o.given = args[0], cmd.Flags().Changed("at")
			stray := ""
			cmd.Flags().Visit(func(f *pflag.Flag) {
				if f.Name != "at" && f.Name != "resume" && stray == "" {
					stray = f.Name
				}
			})
			if stray != "" && !o.resuming {
				return usage("--%s needs --resume: add it, or pass the flag to moot resume", stray)
			}
			return o.run(cmd.Context())
		},
	}
	group(cmd, "Fork", func(f *pflag.FlagSet) {
		f.UintVar(&o.at, "at", 0,
			"the last event to copy, from 1 (default: the last one, or of a finished session\nthe last one before "+
				"it ended)")
		f.BoolVar(&o.resuming, "resume", false, "continue at once, like moot resume")
	})
	o.resume.flags(cmd)
	return cmd
}

func (o *forkOptions) run(ctx context.Context) error {
	if o.resuming {
		// Check the other flags before making a session.
		if err := o.resume.check(); err != nil {
			return err
		}
	}
	at := store.LastOpen
	if o.given {
		at = int(min(o.at, maxEvent))
	}
	made, notes, err := fork(o.console, o.id, at)
	if err != nil {
		return err
	}
	for _, note := range notes {
		o.console.Say("%s", note)
	}
	if o.resuming {
		o.resume.id = made.ID
		err := o.resume.run(ctx)
		if err != nil && err.Error() != "" {
			o.console.Say("kept       %s; continue with: moot resume %s", made.ID, made.ID)
		}
		return err
	}
	o.console.Say("continue with: moot resume %s", made.ID)
	return o.console.Print(made.ID + "\n")
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
