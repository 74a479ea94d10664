package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/protocol/dialectic"
	"moot/protocol/panel"
	"moot/report"
	"moot/resolver"
	"moot/state"
)

// showOptions are the flags of moot show.
type showOptions struct {
	console *Console
	output  string
	// subject is the value of --why.
	subject  string
	required requireOptions
}

func newShow(c *Console) *cobra.Command {
	o := &showOptions{console: c, output: string(outputText)}
	cmd := &cobra.Command{
		Use:   "show [--output FORM | --why POINT|CONFLICT|decision] [ID]",
		Short: "Show the result of a session, or explain a ruling",
		Long: "Show the result of a session so far, by default of the newest one. --why P3 explains the\n" +
			"ruling on a point: the rule, what it read, and what would change it. --why K1 explains a\n" +
			"conflict of a panel: who took which side, and how it was settled. --why decision explains the\n" +
			"decision on a proposal (format dialectic), and what would change it. With --require, exit\n" +
			"code 4 means that a metric of the result is too low.",
		Example: "  moot show 20261121-153045-k3f9\n" +
			"  moot show --output markdown 20261121\n" +
			"  moot show --why P3\n" +
			"  moot show --why decision\n" +
			"  moot show --require 'overall>=0.6' --require 'final-confidence>=0.7'",
		Args:              atMostOne("session"),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			form, err := parseOutput(o.output, outputs()...)
			if err != nil {
				return err
			}
			if err := o.required.parse(); err != nil {
				return err
			}
			if !cmd.Flags().Changed("why") {
				return o.result(form, firstOf(args))
			}
			if cmd.Flags().Changed("output") {
				return usage("--why is always text: leave --output out")
			}
			if cmd.Flags().Changed("require") {
				return usage("--why explains a part of the result, and --require checks all of it: choose one")
			}
			return o.why(firstOf(args))
		},
	}
	outputFlag(cmd, &o.output, outputs()...)
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.StringVar(&o.subject, "why", "", "explain a point (P3), a conflict (K1) or the decision (decision)")
		o.required.flags(f)
	})
	return cmd
}

func (o *showOptions) result(form output, id string) error {
	s, err := read(o.console, id)
	if err != nil {
		return err
	}
	text, err := render(form, &s.state, s.rulings, s.head, nil, o.console.Width)
	if err != nil {
		return err
	}
	if err := o.console.Print(text); err != nil {
		return err
	}
	return o.required.check(o.console, &s.state, s.rulings)
}

// why explains the ruling on a point, a conflict, or the decision on a proposal.
func (o *showOptions) why(id string) error {
	s, err := read(o.console, id)
	if err != nil {
		return err
	}
	if strings.EqualFold(strings.TrimSpace(o.subject), "decision") {
		if s.state.Settings.Format != state.FormatDialectic {
			return usage("--why decision is for the format dialectic, and this session has the format %s; name a point",
				s.state.Settings.Format)
		}
		e := dialectic.ExplainDecision(s.state)
		return o.console.Print(report.WhyDecision(&e, o.console.Width))
	}
	point := strings.ToUpper(strings.TrimSpace(o.subject))
	if e, ok := panel.ExplainConflict(s.state, point); ok {
		return o.console.Print(report.WhyConflict(&e, o.console.Width))
	}
	ruling, ok := resolver.RuleOne(s.state, point)
	if !ok && strings.HasPrefix(point, "K") && s.state.Settings.Format == state.FormatPanel {
		return usage("--why: the session has no conflict %q; %s", o.subject, nearestConflict(&s.state))
	}
	if !ok {
		return usage("--why: the session has no point %q; %s", o.subject, nearest(&s.state, point))
	}
	e := resolver.Explain(s.state, ruling)
	return o.console.Print(report.Why(&e, o.console.Width))
}

// nearestConflict lists the conflicts of a panel.
func nearestConflict(s *state.State) string {
	switch n := s.Panel.Conflicts.Len(); n {
	case 0:
		return "it has no conflicts"
	case 1:
		return "its only conflict is K1"
	default:
		return fmt.Sprintf("its conflicts are K1 to K%d", n)
	}
}

// nearest suggests the point that was probably meant.
func nearest(s *state.State, id string) string {
	n := s.Points.Len()
	if n == 0 {
		return "it has no points"
	}
	if c := s.Challenge(id); c != nil {
		return id + " is a challenge to " + c.Point
	}
	if e := s.Item(id); e != nil {
		return id + " is evidence on " + e.Point
	}
	number, err := strconv.Atoi(strings.TrimLeft(id, "P"))
	switch {
	case n == 1:
		return "its only point is P1"
	case err != nil:
		return "its points are P1 to " + s.Points.At(n-1).ID
	}
	return "the nearest is " + s.Points.At(min(max(number, 1), n)-1).ID
}
