package cli

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/attach"
	"moot/internal/plain"
	"moot/protocol"
	"moot/queue"
	"moot/report"
	"moot/state/store"
	"moot/tui"
)

func newBatchWatch(c *Console) *cobra.Command {
	var form report.Form
	var plainMode bool
	looks := &lookOptions{}
	cmd := &cobra.Command{
		Use:  "watch",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			screen := c.showsScreen(plainMode) && form == report.FormText
			if err := looks.load(c, screen); err != nil {
				return err
			}
			if screen {
				return c.watchBatch(cmd.Context(), args[0], looks)
			}
			return c.followBatch(cmd.Context(), args[0], form)
		},
	}
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.BoolVar(&plainMode, "plain", false, "no screen: print a line for each item that ends (also ACCESSIBLE=1)")
	})
	outputFlag(cmd, &form, report.FormText, report.FormJSON)
	looks.flags(cmd)
	return cmd
}

// batchWatcher looks at a batch again and again.
type batchWatcher struct {
	console *Console
	folder  *queue.Folder

	// mutex is held during a look: one may be under way when the screen is left.
	mutex sync.Mutex
	plan  *queue.Plan
}

func (c *Console) watcher(dir string) (*batchWatcher, error) {
	folder, err := queue.Follow(c.path(dir))
	if err != nil {
		return nil, asBatchUsage(err)
	}
	return &batchWatcher{console: c, folder: folder}, nil
}

// look reads what changed since the last look. The plan may change too, when the batch is run with other items.
func (w *batchWatcher) look(context.Context) (queue.Snapshot, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if err := w.folder.Refresh(); err != nil {
		return queue.Snapshot{}, err
	}
	plan, err := w.folder.Replan(w.plan)
	if err != nil {
		return queue.Snapshot{}, err
	}
	w.plan = plan
	return w.folder.Snapshot(plan, w.console.Now(), w.console.classify), nil
}

// ask passes a request to the process that runs the batch.
func (w *batchWatcher) ask(_ context.Context, q queue.Request) error {
	if !w.folder.IsRun() {
		return errors.New("no process runs the batch anymore, so nothing was asked")
	}
	return w.folder.Ask(q)
}

// watchBatch shows the screen of a batch until the user leaves it. Nothing of the batch ends with it.
func (c *Console) watchBatch(ctx context.Context, dir string, looks *lookOptions) error {
	w, err := c.watcher(dir)
	if err != nil {
		return err
	}
	command := "moot batch retry " + plain.ShellWord(dir)
	v := &screenServices{console: c}
	// The sessions are in the folder of the batch. They are read, copied and exported; a decision would change results.
	sessions := &screenServices{console: c.inBatch(w.folder.Sessions(), c.Dir, nil)}
	options := v.options(looks)
	options.Services = tui.Services{
		Copy: options.Services.Copy, OpenFile: options.Services.OpenFile, Export: sessions.export, Replace: sessions.replace,
		Formats: options.Services.Formats,
	}
	options.Batch = &tui.Batch{
		Look: w.look, Ask: w.ask, Command: command,
		Open: func(ctx context.Context, id string) (tui.Opened, error) {
			return sessions.openOfBatch(ctx, id, dir)
		},
	}
	result, err := tui.Run(ctx, options)
	if err != nil {
		return err
	}
	last, err := w.look(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	if last.Held {
		c.Say("left       the batch continues; follow it again with: moot batch watch %s", plain.ShellWord(dir))
	} else {
		c.Say("%s", summaryLine(&last, ""))
	}
	if result.ExitCode != 0 {
		return leaveWith(protocol.ExitCode(result.ExitCode))
	}
	return leaveWith(protocol.ExitCode(queue.ExitCode(last.Outcomes())))
}

// openOfBatch opens a session of a batch, whose folder is dir as the user named it: to join it if another process runs
// it here, else to read it.
func (v *screenServices) openOfBatch(ctx context.Context, id, dir string) (tui.Opened, error) {
	c, command := v.console, "moot batch retry "+plain.ShellWord(dir)
	// The folder of a batch has its sessions where a state folder has them.
	moot := store.StateVariable + "=" + plain.ShellWord(dir) + " moot "
	show := moot + "show " + id
	// A session that cannot be joined can be read.
	all, _ := attach.List(ctx, c.sockets())
	if i := slices.IndexFunc(all, func(r attach.Running) bool { return r.ID == id }); i >= 0 {
		if client, err := attach.Dial(ctx, all[i].Path, attach.Join, c.rules()...); err == nil {
			o := v.join(client)
			o.ShowCommand, o.ResumeCommand = show, command
			return o, nil
		}
	}
	s, err := read(c, id)
	if err != nil {
		return tui.Opened{}, err
	}
	o := s.readOnly(c, 0)
	o.ShowCommand = show
	switch {
	case s.state.Closed:
	case store.IsHeld(s.path):
		o.Note = "another process runs it, and it cannot be joined from here: this is what it recorded until now"
	case protocol.SessionExitCode(s.state, false) == protocol.ExitPerson:
		o.Note = "it waits for you; to answer: " + moot + "resume " + id
	default:
		o.Note = "it does not run now; to continue it: " + command
	}
	return o, nil
}

// followEvery is how often a batch is looked at without a screen.
const followEvery = 500 * time.Millisecond

// followBatch prints a line for each item that ends, until no process runs the batch.
func (c *Console) followBatch(ctx context.Context, dir string, form report.Form) error {
	w, err := c.watcher(dir)
	if err != nil {
		return err
	}
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	lines := &batchLines{console: c, form: form}
	var before map[string]queue.Row
	for over := false; ; {
		s, err := w.look(ctx)
		if err != nil {
			return err
		}
		if before == nil {
			c.Say("batch      %s, %s: %s", plain.Line(w.folder.Path()), plain.Counted(len(s.Rows), "item"), stateCounts(&s))
			switch left := slices.Contains(s.Outcomes(), ""); {
			case !s.Held && left:
				c.Say("note       no process runs the batch; to continue it: moot batch retry %s", plain.ShellWord(dir))
			case !s.Held:
				c.Say("note       no process runs the batch, and every item has ended")
			}
		}
		before = lines.endedSince(&s, before)
		if lines.failed != nil {
			return lines.failed
		}
		if over {
			c.Say("%s", summaryLine(&s, ""))
			return leaveWith(protocol.ExitCode(queue.ExitCode(s.Outcomes())))
		}
		// The run may have ended after the results were read: look once more.
		if over = !s.Held; over {
			continue
		}
		select {
		case <-time.After(followEvery):
		case <-ctx.Done():
			c.Say("left       the batch continues")
			return context.Cause(ctx)
		}
	}
}

// endedSince prints the items that ended since an earlier snapshot, whose rows are given by digest; nil prints none. It
// returns the rows of this one.
func (l *batchLines) endedSince(s *queue.Snapshot, before map[string]queue.Row) map[string]queue.Row {
	now := make(map[string]queue.Row, len(s.Rows))
	var ended []*queue.Row
	done := 0
	for i := range s.Rows {
		row := &s.Rows[i]
		now[row.Item.Digest] = *row
		if row.Result.Outcome == "" {
			continue
		}
		done++
		was, known := before[row.Item.Digest]
		if before != nil && (!known || endedAgain(&was, row)) {
			ended = append(ended, row)
		}
	}
	slices.SortStableFunc(ended, func(a, b *queue.Row) int { return a.Result.Ended.Compare(b.Result.Ended) })
	for i, row := range ended {
		l.ended(queue.Ended{
			Item: row.Item, Session: row.Session, Result: row.Result, Done: done - len(ended) + i + 1, Total: len(s.Rows),
		})
	}
	return now
}

// endedAgain reports whether an item ended between two snapshots. When a session ended is known exactly only to the
// process that ran it, so its time does not count.
func endedAgain(before, now *queue.Row) bool {
	switch {
	case before.Session != now.Session || before.Result.Outcome != now.Result.Outcome:
		return true
	case now.Session == "":
		return !before.Result.Ended.Equal(now.Result.Ended)
	}
	return before.Result.Usage.Calls != now.Result.Usage.Calls
}
