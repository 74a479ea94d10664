package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/demo"
	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/review"
	"moot/state"
)

// demoNote is shown during a demo, so that nobody takes it for live models.
const demoNote = "demo: recorded replies, real rulings (no language model)"

// demoOptions are the arguments of moot demo.
type demoOptions struct {
	console *Console
	front   frontOptions
	// auto turns off the waiting before each turn.
	auto bool
}

func newDemo(c *Console) *cobra.Command {
	o := &demoOptions{console: c}
	var list strings.Builder
	for _, d := range demo.All() {
		fmt.Fprintf(&list, "\n  %-10s %s", d.Format, d.About)
	}
	cmd := &cobra.Command{
		Use:               "demo",
		Long:              "\n" + list.String(),
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeDemos,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), firstOf(args))
		},
	}
	group(cmd, "Run", func(f *pflag.FlagSet) {
		f.BoolVar(&o.auto, "auto", false, "do not wait before each turn")
		f.BoolVar(&o.front.headless, "headless", false, "no screen and no questions: run to the end")
		f.BoolVar(&o.front.plain, "plain", false, "no screen: labeled lines and numbered choices (also ACCESSIBLE=1)")
	})
	outputFlag(cmd, &o.front.output, outputs()...)
	o.front.looks.flags(cmd)
	return cmd
}

func (o *demoOptions) run(ctx context.Context, format string) (err error) {
	played := demo.All()[0]
	if format != "" {
		names := lists.Map(demo.All(), func(d demo.Demo) state.Format { return d.Format })
		known, err := oneOf("demo", format, names)
		if err != nil {
			return err
		}
		played = demo.All()[slices.Index(names, known)]
	}
	if err := o.front.check(o.console); err != nil {
		return err
	}
	o.front.step = !o.front.headless && !o.front.plain && !o.auto
	dir, err := os.MkdirTemp("", "moot-demo-*")
	if err != nil {
		return fmt.Errorf("make a folder for the demo's repository: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := o.open(ctx, &played, dir)
	if err != nil {
		return err
	}
	defer s.close()
	if o.front.headless || o.front.plain {
		o.console.Say("%s", demoNote)
	}
	err = s.run(ctx)
	if code := exitCode(err); code == protocol.ExitInconclusive {
		o.console.Say("exit code  %d, which stops a job in CI", code)
	}
	if played.Format == (review.Format{}).Name() {
		o.console.Say("demo       a change of your own: %s", ownCommand(played.Format))
	} else {
		o.console.Say("demo       a question of your own: %s", ownCommand(played.Format))
	}
	return err
}

// ownCommand is the command that does with material of the user what the demo of a format shows.
func ownCommand(format state.Format) string {
	if format == (review.Format{}).Name() {
		return "moot review"
	}
	return `moot ask "your question"`
}

// open opens the session of a demo as `moot ask` would, but in memory, without
// the configuration, and with the recorded replies in every seat.
func (o *demoOptions) open(ctx context.Context, played *demo.Demo, dir string) (*session, error) {
	b := &builder{
		console: o.console, question: value{text: played.Question, from: fromArgument},
		own: map[string]protocol.Participant{}, note: func(string) {},
	}
	cmd := &cobra.Command{}
	format, err := o.console.format(string(played.Format))
	if err != nil {
		return nil, err
	}
	b.flags(cmd, format)
	input, err := played.Unpack(dir)
	if err != nil {
		return nil, err
	}
	read, known, err := played.Change(ctx, input)
	if err != nil {
		return nil, err
	}
	if read != nil {
		defer read.Close()
		b.reviewed, b.memory.recorded = &givenChange{Material: read}, known
	}
	flags := append([]string{played.InputFlag, input}, played.Options...)
	participants, err := played.Participants()
	if err != nil {
		return nil, err
	}
	for seat, participant := range participants {
		b.own[participant.Name()] = participant
		flags = append(flags, "--seat", string(seat)+"="+participant.Name())
	}
	if err := cmd.ParseFlags(flags); err != nil {
		return nil, fmt.Errorf("open the demo: %w", err)
	}
	b.front = o.front
	b.front.demo, b.front.memory = true, true
	return b.open(ctx)
}
