package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/attach"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/run"
	"moot/state"
	"moot/state/store"
	"moot/tui"
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

// sockets returns the folders of the sockets of running sessions.
func (c *Console) sockets() []string {
	elsewhere := ""
	if sessions, err := store.Dir(); err == nil && os.Getenv(store.StateVariable) != "" {
		elsewhere = filepath.Dir(sessions)
	}
	return attach.Folders(elsewhere)
}

// findRunning returns the running session with the ID or the start of it; "" is the only one.
func (c *Console) findRunning(ctx context.Context, id string) (attach.Running, error) {
	all, err := attach.List(ctx, c.sockets())
	if err != nil {
		return attach.Running{}, err
	}
	var found []attach.Running
	for _, r := range all {
		if strings.HasPrefix(r.ID, id) {
			found = append(found, r)
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0 && id == "":
		return attach.Running{}, errors.New("no session is running; start one with moot ask, or continue one with " +
			"moot resume")
	case len(found) == 0:
		s, err := read(c, id)
		if err == nil && s.state.Closed {
			err = fmt.Errorf("session %s is finished; moot show %[1]s prints its result", s.state.ID)
		} else if err == nil {
			err = fmt.Errorf("session %s is not running; moot resume %[1]s continues it", s.state.ID)
		}
		return attach.Running{}, err
	}
	list := ""
	for _, r := range found {
		list += r.ID + "\n"
		if s, err := read(c, r.ID); err == nil {
			list += "    " + plain.Line(clip(view.Title(s.state.Question))) + "\n"
		}
	}
	if err := c.Print(list); err != nil {
		return attach.Running{}, err
	}
	return attach.Running{}, usage("%d sessions are running; name one: moot attach %s", len(found), found[0].ID)
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

// join hands a session that runs in another process to the screen.
func (v *screenServices) join(client *attach.Client) tui.Opened {
	v.mutex.Lock()
	v.joined = append(v.joined, client)
	v.mutex.Unlock()
	o := tui.Opened{
		Start: func(watch func(protocol.Notice)) (tui.Session, error) {
			client.Notify = watch
			return client, nil
		},
		State: client.State, Rulings: client.Rulings, Events: client.Events, Auto: !client.Stepping,
		Joined: true, Watching: client.Mode == attach.Watch,
		Close: func() { client.Leave(context.Background()) },
	}
	if client.Saved {
		o.ShowCommand, o.ResumeCommand = "moot show "+client.ID, "moot resume "+client.ID
	}
	return o
}

// isJoined returns the session with an ID if it runs in another process, or nil.
func (v *screenServices) isJoined(id string) *attach.Client {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for _, c := range v.joined {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// concludeJoined says how to come back to a joined session.
func (v *screenServices) concludeJoined(client *attach.Client, result *tui.Result) {
	switch id := client.ID; {
	case client.Left():
		v.console.Say("left       the session continues; join it again with: moot attach %s", id)
	case !client.Saved:
		v.console.Say("ended      mode quick keeps no session file")
	case result.State.Closed:
		v.console.Say("finished   %s; look at it with: moot show %[1]s", id)
	default:
		v.console.Say("ended      %s; continue with: moot resume %[1]s", id)
	}
}

// named is a participant that the process of a joined session creates.
type named struct {
	protocol.Participant
	name string
}

func (n named) Name() string { return n.name }
