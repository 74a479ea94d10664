package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/enum"
	"moot/lab/simulate"
	"moot/state"
)

// simulateOptions are what moot lab simulate was told.
type simulateOptions struct {
	hearings, rounds     int
	seed                 uint64
	judges, forms, gates []string
	dynamics             string
	print                bool
	output               labOutput
}

func newLabSimulate(c *Console) *cobra.Command {
	o := &simulateOptions{output: labOutput{tables: showAll, pictures: showFew}}
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "Draw hearings from stated dynamics, to see what a protocol does to verdicts",
		Long: "Draw hearings in which nobody argues: confidences, facts and rebuttals come from stated\n" +
			"dynamics, and moot's own judge, gates and rules decide. No model is needed. It shows what\n" +
			"a protocol does to seats that behave as stated, not how seats behave: docs/lab.md says\n" +
			"how to read it. Ctrl-c prints what was drawn by then.",
		Example: "  moot lab simulate\n" +
			"  moot lab simulate --hearings 1000000 --seed 7 --json simulated.json\n" +
			"  moot lab simulate --print-dynamics > mine.toml\n" +
			"  moot lab simulate --dynamics mine.toml --judge v2,v2-bounded",
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.print {
				return c.Print(simulate.BuiltIn())
			}
			return o.run(cmd.Context(), c)
		},
	}
	group(cmd, "What is drawn", func(f *pflag.FlagSet) {
		f.IntVar(&o.hearings, "hearings", 100_000, "how many cases are drawn, each heard in every mode")
		f.Uint64Var(&o.seed, "seed", 1, "the same seed gives the same figures")
		f.StringVar(&o.dynamics, "dynamics", "", "how the seats behave, from a file of TOML in place of what is built in")
		f.BoolVar(&o.print, "print-dynamics", false, "print the dynamics that are built in, to copy and change, and leave")
	})
	group(cmd, "How it is heard", func(f *pflag.FlagSet) {
		f.StringSliceVar(&o.forms, "form", enum.Words([]state.Form{state.FormSingle, state.FormMulti, state.FormAnchored, state.FormSelective}), "the forms; audit is not simulated")
		f.StringSliceVar(&o.judges, "judge", []string{string(state.JudgeV2)}, "the judges that are told in full; v1, v1-facts, v2 and v2-bounded are\ncompared in any case")
		f.StringSliceVar(&o.gates, "gate", enum.Words([]state.Gate{state.GateEscalation, state.GateMiscalibration}), "the gates of the form selective")
		f.IntVar(&o.rounds, "rounds", 3, "how many rounds an exchange takes at most, 1 to 8")
	})
	group(cmd, "Where it goes", o.output.flags)
	return cmd
}

// settle reads the words and the dynamics.
func (o *simulateOptions) settle(c *Console) (simulate.Options, error) {
	s := simulate.Options{Hearings: o.hearings, Seed: o.seed, Rounds: o.rounds}
	if err := o.output.check(); err != nil {
		return s, err
	}
	var err error
	if s.Forms, err = wordsOf("form", o.forms, state.Forms()); err != nil {
		return s, err
	}
	if s.Told, err = wordsOf("version of the judge", o.judges, state.JudgeVersions()); err != nil {
		return s, err
	}
	if s.Gates, err = wordsOf("gate", o.gates, state.Gates()); err != nil {
		return s, err
	}
	s.Judges = append(s.Judges, s.Told...)
	s.Judges = append(s.Judges, state.JudgeV1, state.JudgeV1Facts, state.JudgeV2, state.JudgeV2Bounded)
	if err := s.Check(); err != nil {
		return s, usage("%w", err)
	}
	if o.dynamics == "" {
		s.Dynamics, err = simulate.Published()
		return s, err
	}
	data, err := os.ReadFile(c.path(o.dynamics))
	if err != nil {
		return s, usage("read the dynamics: %w", err)
	}
	if s.Dynamics, err = simulate.Read(o.dynamics, data); err != nil {
		return s, usage("%w", err)
	}
	return s, nil
}

// wordsOf reads the words of a list.
func wordsOf[T ~string](what string, words []string, known []T) ([]T, error) {
	var found []T
	for _, word := range words {
		one, err := oneOf(what, word, known)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, nil
}

func (o *simulateOptions) run(ctx context.Context, c *Console) error {
	s, err := o.settle(c)
	if err != nil {
		return err
	}
	told, step := 0, max(1000, min(250_000, s.Hearings/4))
	s.Progress = func(done int) {
		if told == 0 || done >= told+step || done == s.Hearings {
			told = done
			c.Say("simulated  %d of %d hearings", done, s.Hearings)
		}
	}
	ctx, left, stop := c.untilLeft(ctx)
	defer stop()
	d, err := simulate.Run(ctx, s)
	if err != nil && ctx.Err() == nil {
		return err
	}
	code := ExitConcluded
	if !d.Whole() {
		code = left()
		if d.Done == 0 {
			return &codeError{code: code, err: fmt.Errorf("left before the first %d hearings were drawn: there is nothing to show", min(1000, s.Hearings))}
		}
	}
	if err := o.output.show(c, &d); err != nil {
		return err
	}
	return leaveWith(code)
}
