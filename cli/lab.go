package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"moot/enum"
	"moot/lab"
)

// tally is one line of what a battery came to.
type tally struct {
	battery, what string
	right, total  int
	// rounds is the most that a case took, where cases are sessions.
	rounds int
	// note is a further figure, or "".
	note string
	// misses describe what came out otherwise.
	misses []string
}

// batteryRun runs one battery.
type batteryRun struct {
	name string
	run  func(context.Context) ([]tally, error)
}

func batteries() []batteryRun {
	return []batteryRun{
		{"consensus", func(ctx context.Context) ([]tally, error) {
			score, err := lab.FalseConsensus(ctx)
			return labFigures("consensus", &score), err
		}},
		{"stubbornness", func(ctx context.Context) ([]tally, error) {
			score, err := lab.Stubbornness(ctx)
			return labFigures("stubbornness", &score), err
		}},
	}
}

func newLab(c *Console) *cobra.Command {
	names := []string{"all"}
	for _, b := range batteries() {
		names = append(names, b.name)
	}
	cmd := &cobra.Command{
		Use:   "lab BATTERY",
		Short: "Measure moot on cases with known answers",
		Long: "Measure moot on cases with known answers, offline and without a model:\n" +
			"  consensus     do seats that only seem to agree end in the right bucket?\n" +
			"  stubbornness  do seats that never come to an end end in the right class of deadlock?\n" +
			"  all           all of them",
		Example: "  moot lab all\n  moot lab consensus",
		Args:    oneArgument("battery", "moot lab all"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "citations" || args[0] == "tampering" {
				return usage("moot lab %s was removed: the tests of moot run its cases", args[0])
			}
			if _, err := enum.Parse("battery", args[0], names); err != nil {
				return usage("%w", err)
			}
			return runLab(cmd.Context(), c, args[0])
		},
	}
	cmd.AddCommand(newLabRun(c), newLabCorpus(c), newLabReport(c))
	for _, name := range []string{"learn", "simulate"} {
		cmd.AddCommand(&cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true, RunE: func(*cobra.Command, []string) error {
			return usage("moot lab %s was removed together with the learned weights and the simulated dynamics: "+
				"moot lab run measures the rules of a domain, or models, on a corpus", name)
		}})
	}
	for _, below := range cmd.Commands() {
		below.DisableFlagsInUseLine = true
	}
	return cmd
}

// untilLeft returns a context that the first signal ends, the exit code of that signal,
// and what lets signals go again.
func (c *Console) untilLeft(ctx context.Context) (left context.Context, code func() int, stop func()) {
	left, cancel := context.WithCancel(ctx)
	signals, release := c.signals()
	codes := make(chan int, 1)
	go func() {
		select {
		case got := <-signals:
			codes <- signalCode(got)
			cancel()
		case <-left.Done():
		}
	}()
	code = func() int {
		select {
		case code := <-codes:
			return code
		default:
			return ExitInterrupted
		}
	}
	return left, code, func() {
		cancel()
		release()
	}
}

func runLab(ctx context.Context, c *Console, name string) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%-13s %-40s %16s %s\n", "battery", "cases", "as expected", "figures")
	missed := 0
	for _, b := range batteries() {
		if name != "all" && name != b.name {
			continue
		}
		figures, err := b.run(ctx)
		if err != nil {
			return fmt.Errorf("battery %s: %w", b.name, err)
		}
		for _, f := range figures {
			fmt.Fprintf(&out, "%-13s %-40s %6d of %-6d %s\n", f.battery, f.what, f.right, f.total, f.note)
			missed += f.total - f.right
			for _, miss := range f.misses {
				c.Say("missed     %s: %s", f.battery, miss)
			}
		}
	}
	if err := c.Print(out.String()); err != nil {
		return err
	}
	if missed > 0 {
		return &codeError{code: ExitFound, err: fmt.Errorf("%d cases came out otherwise than they should", missed)}
	}
	return nil
}

// labFigures joins results by their groups, in their order.
func labFigures(name string, score *lab.Score) []tally {
	var figures []tally
	for i := range score.Results {
		r := &score.Results[i]
		at := -1
		for j := range figures {
			if figures[j].what == r.Group {
				at = j
			}
		}
		if at < 0 {
			figures = append(figures, tally{battery: name, what: r.Group})
			at = len(figures) - 1
		}
		f := &figures[at]
		f.total++
		if len(r.Wrong) == 0 {
			f.right++
		}
		for _, wrong := range r.Wrong {
			f.misses = append(f.misses, fmt.Sprintf("%s: %s; %s", r.Case, strings.Join(r.Points, ", "), wrong))
		}
		f.rounds = max(f.rounds, r.Rounds)
		f.note = fmt.Sprintf("at most %d rounds", f.rounds)
	}
	return figures
}
