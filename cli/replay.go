package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/state/store"
)

func newReplay(c *Console) *cobra.Command {
	var plainMode bool
	looks := &lookOptions{}
	cmd := &cobra.Command{
		Use:               "replay",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			screen := c.showsScreen(plainMode)
			if err := looks.load(c, screen); err != nil {
				return err
			}
			s, damage, err := readIntact(c, firstOf(args))
			if err != nil {
				return err
			}
			if screen {
				if damage != nil {
					c.Say("moot: %s", damage)
				}
				opened := s.readOnly(c, 1)
				services := &screenServices{console: c}
				options := services.options(looks)
				options.Opened = &opened
				return services.run(cmd.Context(), options, nil)
			}
			text, err := transcript(s.events)
			if err != nil {
				return err
			}
			return errors.Join(c.Print(text), damage)
		},
	}
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.BoolVar(&plainMode, "plain", false, "no screen: labeled lines (also ACCESSIBLE=1)")
	})
	looks.flags(cmd)
	return cmd
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
