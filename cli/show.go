package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/plain"
	"moot/protocol"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

func newShow(c *Console) *cobra.Command {
	var form report.Form
	var subject string
	var required requirements
	var metrics bool
	cmd := &cobra.Command{
		Use:               "show",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			why := cmd.Flags().Changed("why")
			switch {
			case why && cmd.Flags().Changed("output"):
				return usage("--why is always text: leave --output out")
			case why && cmd.Flags().Changed("require"):
				return usage("--why explains a part of the result, and --require checks all of it: choose one")
			}
			s, err := read(c, firstOf(args))
			if err != nil {
				return err
			}
			if why {
				text, err := explain(s.state, subject, c.Width)
				if err != nil {
					return fmt.Errorf("--why: %w", err)
				}
				return c.Print(text)
			}
			code := protocol.SessionExitCode(s.state, required.missed(c, s.state, s.rulings))
			text, err := form.Write(report.Input{
				State: s.state, Rulings: s.rulings, Metrics: metrics, Width: c.Width, Head: s.head, ExitCode: code,
			})
			if err == nil {
				err = c.Print(text)
			}
			if err != nil || len(required) == 0 {
				return err
			}
			if !s.state.Closed {
				c.Say("require    the session is not finished: requirements are checked at its end")
			}
			return leaveWith(code)
		},
	}
	outputFlag(cmd, &form, outputs()...)
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringVar(&subject, "why", "", "explain a `point` (P3) or a conflict (K1)")
		metricsFlag(f, &metrics)
		required.flags(f)
	})
	return cmd
}

// explain explains the ruling on a point, or what the format explains by a name of its own: a
// conflict (K1).
func explain(s *state.State, subject string, width int) (string, error) {
	subject = strings.TrimSpace(subject)
	if d, ok := view.FormatOf(s).Explain(s, subject); ok {
		return report.Text(&d, width), nil
	}
	point := strings.ToUpper(subject)
	ruling, ok := resolver.RuleOne(s, point)
	if !ok {
		return "", usage("this session has no %q; it has %s", subject, plain.Counted(s.Points.Len(), "point"))
	}
	d := view.Why(s, &ruling)
	return report.Text(&d, width), nil
}
