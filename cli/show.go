package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"moot/internal/enum"
	"moot/report"
	"moot/resolver"
	"moot/state"
)

// showOptions are what moot show was told.
type showOptions struct {
	console *Console
	// form is the form of the result, point the one that is asked about, the word
	// decision, or "".
	form, point string
	required    requireOptions
}

func newShow(c *Console) *cobra.Command {
	o := &showOptions{console: c, form: string(outputText)}
	cmd := &cobra.Command{
		Use:   "show [--output FORM | --why POINT|CONFLICT|decision] [ID]",
		Short: "Show the result of a session so far, of the newest without ID",
		Long: "Show the result of a session so far. With --why, say of one point why it is where\n" +
			"it is: the rule, what it read, and what would change it; of a conflict of a panel\n" +
			"(K1), who took which side and how it came out; with --why decision, of a session of\n" +
			"the format dialectic, what holds the proposal and what would release it.\n" +
			"With --require, exit code 4 says that a metric of the result falls short.",
		Example: "  moot show 20261121-153045-k3f9\n  moot show --output markdown 20261121\n  moot show --why P3\n  moot show --why decision\n  moot show --require 'overall>=0.6' --require 'final-confidence>=0.7'",
		Args:    atMostOne("session"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := enum.Parse("form of output", o.form, outputs()); err != nil {
				return usage("--output: %w", err)
			}
			if err := o.required.check(); err != nil {
				return err
			}
			if !cmd.Flags().Changed("why") {
				return o.result(firstOf(args))
			}
			if cmd.Flags().Changed("output") {
				return usage("--why is text: leave --output out")
			}
			if cmd.Flags().Changed("require") {
				return usage("--why is about a part of the result, and --require about all of it: choose one")
			}
			return o.why(firstOf(args))
		},
	}
	cmd.Flags().StringVar(&o.form, "output", o.form, "the form of the result: text, markdown, json")
	cmd.Flags().StringVar(&o.point, "why", "", "the point to explain, as in P3, a conflict, as in K1, or decision")
	o.required.flags(cmd.Flags())
	return cmd
}

func (o *showOptions) result(id string) error {
	s, err := read(id)
	if err != nil {
		return err
	}
	text, err := render(output(o.form), &s.state, s.rulings, s.head, nil, o.console.Width)
	if err != nil {
		return err
	}
	if err := o.console.Print(text); err != nil {
		return err
	}
	return o.required.judge(o.console, &s.state, s.rulings)
}

// aboutDecision asks for the decision as a whole.
const aboutDecision = "decision"

// why explains the ruling on one point, or the decision on a proposal.
func (o *showOptions) why(id string) error {
	s, err := read(id)
	if err != nil {
		return err
	}
	if strings.EqualFold(strings.TrimSpace(o.point), aboutDecision) {
		if s.state.Settings.Format != state.FormatDialectic {
			return usage("--why decision: a decision is what sessions of the format dialectic come to, and this is one of %s; name a point", s.state.Settings.Format)
		}
		e := resolver.ExplainDecision(s.state)
		return o.console.Print(report.WhyDecision(&e, o.console.Width))
	}
	point := strings.ToUpper(strings.TrimSpace(o.point))
	if e, ok := resolver.ExplainConflict(s.state, point); ok {
		return o.console.Print(report.WhyConflict(&e, o.console.Width))
	}
	ruling, ok := resolver.RuleOne(s.state, point)
	if !ok && strings.HasPrefix(point, "K") && s.state.Settings.Format == state.FormatPanel {
		return usage("--why: the session has no conflict %q; %s", o.point, nearestConflict(&s.state))
	}
	if !ok {
		return usage("--why: the session has no point %q; %s", o.point, nearest(&s.state, point))
	}
	e := resolver.Explain(s.state, ruling)
	return o.console.Print(report.Why(&e, o.console.Width))
}

// nearestConflict says which conflicts of a panel there are.
func nearestConflict(s *state.State) string {
	switch n := s.Panel.Conflicts.Len(); n {
	case 0:
		return "no conflict was found in it"
	case 1:
		return "its only conflict is K1"
	default:
		return fmt.Sprintf("its conflicts are K1 to K%d", n)
	}
}

// nearest names the point that was probably meant.
func nearest(s *state.State, id string) string {
	n := s.Points.Len()
	if n == 0 {
		return "nobody raised one"
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
