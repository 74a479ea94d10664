package cli

import (
	"github.com/spf13/cobra"

	"moot/enum"
)

func newShow(c *Console) *cobra.Command {
	form := string(outputText)
	cmd := &cobra.Command{
		Use:     "show [--output FORM] [ID]",
		Short:   "Show the result of a session so far, of the newest without ID",
		Example: "  moot show 20261121-153045-k3f9\n  moot show --output markdown 20261121",
		Args:    atMostOne("session"),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := enum.Parse("form of output", form, outputs()); err != nil {
				return usage("--output: %w", err)
			}
			return show(c, firstOf(args), output(form))
		},
	}
	cmd.Flags().StringVar(&form, "output", form, "the form of the result: text, markdown, json")
	return cmd
}

func show(c *Console, id string, form output) error {
	s, err := read(id)
	if err != nil {
		return err
	}
	text, err := render(form, &s.state, s.rulings, s.head, nil, c.Width)
	if err != nil {
		return err
	}
	return c.Print(text)
}
