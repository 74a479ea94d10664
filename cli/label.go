package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"moot/state/store"
	"moot/view"
)

func newLabel(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:               "label",
		Args:              cobra.ExactArgs(3),
		ValidArgsFunction: c.completeSessions,
		RunE: func(_ *cobra.Command, args []string) error {
			return label(c, args[0], strings.ToUpper(args[1]), args[2])
		},
	}
}

func label(c *Console, id, point, word string) error {
	var truth bool
	switch strings.ToLower(word) {
	case "true":
		truth = true
	case "false":
	default:
		return usage("the label is true or false, not %q", word)
	}
	s, err := read(c, id)
	if err != nil {
		return err
	}
	p := s.state.Live(point)
	if p == nil {
		return usage("session %s has no point %s; moot show %s lists them", s.state.ID, point, s.state.ID)
	}
	if err := store.AppendLabel(s.path, store.Label{At: c.Now(), Point: p.ID, True: truth}); err != nil {
		return err
	}
	c.Say("labeled    %s of %s turned out %t: %s", p.ID, s.state.ID, truth, clip(p.Text))
	flips, sessions, err := countFlips(c)
	if err != nil {
		return err
	}
	return c.Print(fmt.Sprintf(
		"%s in %s\ngood flips  %d (%d from wrong to right)\n"+
			"bad flips   %d (%d from right to wrong)\nright       %d before, %d after\n",
		view.Counted(flips.Labeled, "labeled point"), view.Counted(sessions, "session"),
		flips.Good, flips.Corrected, flips.Bad, flips.Corrupted,
		flips.RightBefore, flips.RightAfter))
}

// countFlips reads all labeled sessions. It reports and skips those that it can't read.
func countFlips(c *Console) (flips view.Flips, sessions int, err error) {
	summaries, err := listSessions(c)
	if err != nil {
		return flips, 0, err
	}
	for i := range summaries {
		labels, err := store.Labels(summaries[i].Path)
		if err != nil {
			c.Say("note       %s", err)
		}
		if len(labels) == 0 {
			continue
		}
		s, err := read(c, summaries[i].ID)
		if err != nil {
			c.Say("note       %s", err)
			continue
		}
		sessions++
		changes := map[string]view.Change{}
		for _, change := range view.Baseline(s.state, s.rulings) {
			changes[change.Point] = change
		}
		for _, l := range labels {
			if change, ok := changes[l.Point]; ok {
				flips.Add(change, l.True)
			}
		}
	}
	return flips, sessions, nil
}
