package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/attach"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/run"
	"moot/state"
	"moot/view"
)

// attachOptions are the flags of moot attach.
type attachOptions struct {
	console      *Console
	watch, plain bool
	looks        lookOptions
}

func newAttach(c *Console) *cobra.Command {
	o := &attachOptions{console: c}
	cmd := &cobra.Command{
		Use:  "attach",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), firstOf(args)) },
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			var ids []string
			running, _ := attach.List(cmd.Context(), c.sockets())
			for i := range running {
				ids = append(ids, running[i].ID)
			}
			return ids, cobra.ShellCompDirectiveNoFileComp
		},
	}
	group(cmd, "Run", func(f *pflag.FlagSet) {
		f.BoolVar(&o.watch, "watch", false, "only watch: nothing that you press changes the session")
		f.BoolVar(&o.plain, "plain", false, "no screen: print what happened and what happens, until the session "+
			"ends (also ACCESSIBLE=1)")
	})
	o.looks.flags(cmd)
	return cmd
}

func (o *attachOptions) run(ctx context.Context, id string) error {
	c := o.console
	screen := c.showsScreen(o.plain)
	if err := o.looks.load(c, screen); err != nil {
		return err
	}
	running, err := c.findRunning(ctx, id)
	if err != nil {
		return err
	}
	mode := attach.Join
	if o.watch || !screen {
		mode = attach.Watch
	}
	client, err := attach.Dial(ctx, running.Path, mode, c.rules()...)
	if err != nil {
		return err
	}
	if !screen {
		return c.followSession(ctx, client)
	}
	v := &screenServices{console: c}
	opened := v.join(client)
	options := v.options(&o.looks)
	options.Opened = &opened
	return v.run(ctx, options, nil)
}

// followSession prints the events of a session as lines until it ends.
func (c *Console) followSession(ctx context.Context, client *attach.Client) error {
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	var failed error
	p := &progress{transcript: view.NewTranscript(&state.State{})}
	p.line = func(format string, args ...any) {
		failed = errors.Join(failed, c.Print(plain.Text(fmt.Sprintf(format, args...))+"\n"))
	}
	front := newPlainFront(p)
	var last protocol.Ended
	client.Notify = func(n protocol.Notice) {
		front.notice(ctx, n)
		if end, over := n.(protocol.Ended); over {
			last = end
		}
		if failed != nil {
			client.Leave(ctx)
		}
	}
	p.say("session", "%s", client.ID)
	p.say("question", "%s", clip(client.State.Question))
	client.Notify(run.Advanced(client.Events, client.State))
	err := client.Run(ctx)
	switch {
	case failed != nil:
		return failed
	case context.Cause(ctx) != nil:
		c.Say("left       the session continues")
		return context.Cause(ctx)
	case err != nil && !errors.Is(err, protocol.ErrStopped):
		return err
	case !last.State.Closed && client.Saved:
		p.say("paused", "continue with: moot resume %s", client.ID)
	}
	return leaveWith(protocol.SessionExitCode(last.State, false))
}
