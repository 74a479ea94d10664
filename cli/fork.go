package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/state/store"
)

// forkOptions are what moot fork was told.
type forkOptions struct {
	console *Console
	id      string
	// at is the event to fork at, given whether it was named.
	at    uint
	given bool
	goOn  bool
	// resume are the flags of moot resume, which go with --resume.
	resume resumeOptions
}

func newFork(c *Console) *cobra.Command {
	o := &forkOptions{console: c, resume: resumeOptions{console: c, raised: map[string]bool{}}}
	cmd := &cobra.Command{
		Use:   "fork [--at SEQ] [--resume [flags]] ID",
		Short: "Take the same past into another future",
		Long: "Make a new session that begins with the first SEQ events of another one and goes on\n" +
			"by itself. The other session is not changed, and may be open elsewhere. What was\n" +
			"admitted in one step is taken whole: an event inside of a step takes the step to its\n" +
			"end, or leaves it out where it closes the session. The id of the new session is on\n" +
			"standard output.",
		Example: "  moot fork 20261121-153045-k3f9 --at 40\n" +
			"  moot resume $(moot fork 20261121-153045-k3f9)\n" +
			"  moot fork 20261121-153045-k3f9 --at 40 --resume --consultee ollama:qwen3",
		Args: oneArgument("session", "moot fork 20261121-153045-k3f9 --at 40"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.id, o.given = args[0], cmd.Flags().Changed("at")
			if !o.goOn {
				if stray := o.stray(cmd); stray != "" {
					return usage("--%s says how the fork goes on: add --resume, or give it to moot resume", stray)
				}
			}
			o.resume.note(cmd)
			return o.run(cmd.Context())
		},
	}
	group(cmd, "Where", func(f *pflag.FlagSet) {
		f.UintVar(&o.at, "at", 0, "the last event to take, from 1 (default: the last, or of a closed session\nthe last before its debate was over)")
		f.BoolVar(&o.goOn, "resume", false, "go on at once, as moot resume does")
	})
	o.resume.flags(cmd)
	return cmd
}

// stray is a flag that only --resume gives a sense to, or "".
func (o *forkOptions) stray(cmd *cobra.Command) string {
	name := ""
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "at" && f.Name != "resume" && f.Name != "help" && name == "" {
			name = f.Name
		}
	})
	return name
}

func (o *forkOptions) run(ctx context.Context) error {
	if o.goOn {
		// Nothing is made where the rest was typed wrong.
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
	if o.goOn {
		o.resume.id = made.ID
		err := o.resume.run(ctx)
		if err != nil && err.Error() != "" {
			o.console.Say("kept       %s; go on with: moot resume %s", made.ID, made.ID)
		}
		return err
	}
	o.console.Say("go on with: moot resume %s", made.ID)
	return o.console.Print(made.ID + "\n")
}

// maxEvent keeps what was typed within an int on every machine.
const maxEvent = 1<<31 - 1

// fork makes a session of the first events of another one, up to at or where it
// can go on. Notes are what is to be said of it.
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
	notes = []string{fmt.Sprintf("forked     %s, the first %d events of %s", made.ID, made.Fork.Seq, made.Fork.From)}
	switch {
	case at == store.LastOpen || made.Fork.Seq == at:
	case made.Fork.Seq > at:
		notes = append(notes, fmt.Sprintf("note       event %d is part of a step that ends with event %d, and a step is taken whole", at, made.Fork.Seq))
	default:
		notes = append(notes, fmt.Sprintf("note       event %d is part of the step that closes the session, which is left out", at))
	}
	return made, notes, nil
}
