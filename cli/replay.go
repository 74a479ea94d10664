package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/state/store"
	"moot/tui"
)

// replayOptions are the flags and arguments of moot replay.
type replayOptions struct {
	console *Console
	id      string
	// at is the first event of the screen, or the last one to print, if it was given.
	at    uint
	given bool
	plain bool
	looks lookOptions
}

func newReplay(c *Console) *cobra.Command {
	o := &replayOptions{console: c}
	cmd := &cobra.Command{
		Use:               "replay",
		Args:              atMostOne("session"),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.id, o.given = firstOf(args), cmd.Flags().Changed("at")
			return o.run(cmd.Context())
		},
	}
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.UintVar(&o.at, "at", 0, "the first event of the screen, or the last one to print, from 1\n(default: start "+
			"with the first, print all)")
		f.BoolVar(&o.plain, "plain", false, "no screen: labeled lines (also ACCESSIBLE=1)")
	})
	o.looks.flags(cmd)
	return cmd
}

func (o *replayOptions) run(ctx context.Context) error {
	screen := !o.plain && o.console.interactive() && o.console.Getenv("ACCESSIBLE") != "1"
	if err := o.looks.load(o.console, screen); err != nil {
		return err
	}
	s, damage, err := readIntact(o.console, o.id)
	if err != nil {
		return err
	}
	if o.given && (o.at < 1 || o.at > uint(len(s.events))) {
		return usage("%w", &store.RangeError{At: int(min(o.at, maxEvent)), ID: s.id(), Last: len(s.events)})
	}
	if screen {
		if damage != nil {
			o.console.Say("moot: %s", damage)
		}
		return o.screen(ctx, s)
	}
	events := s.events
	if o.given {
		events = events[:o.at]
	}
	text, err := transcript(events)
	if err != nil {
		return err
	}
	return errors.Join(o.console.Print(text), damage)
}

// readIntact reads a session up to the first damage, which it also returns.
func readIntact(c *Console, id string) (s *stored, damage, err error) {
	path, err := find(id)
	if err != nil {
		return nil, nil, err
	}
	opened, err := store.Read(path, c.rules()...)
	if errors.As(err, new(*store.DamageError)) && len(opened.Events) > 0 {
		damage, err = err, nil
	}
	if err != nil {
		return nil, nil, err
	}
	s, err = fold(path, opened)
	return s, damage, err
}

func (o *replayOptions) screen(ctx context.Context, s *stored) error {
	c := o.console
	opened := s.readOnly(c, int(max(o.at, 1)))
	services := &screenServices{console: c}
	options := services.options(&o.looks)
	options.Opened = &opened
	result, err := tui.Run(ctx, options)
	if err != nil {
		return err
	}
	// The user may have continued in a fork.
	return services.conclude(&result)
}
