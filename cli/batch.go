package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/run"
	"moot/queue"
	"moot/report"
	"moot/state"
	"moot/view"
)

func newBatch(c *Console) *cobra.Command {
	return parent("batch", newBatchRun(c), newBatchStatus(c), newBatchWatch(c), newBatchResults(c), newBatchRetry(c), newBatchStop(c),
		newBatchContinue(c))
}

// batchOptions are the flags of moot batch run and of the commands that continue a batch.
type batchOptions struct {
	console *Console
	out     string
	jobs    int
	repeat  int
	limit   int
	// budget has the caps of the batch.
	maxTokens int
	maxCost   float64
	redo      bool
	dryRun    bool
	plain     bool
	looks     lookOptions
	form      report.Form
	// command runs the items, "" for moot batch run.
	command string
	// shared are the flags of the command line that apply to all items.
	shared []queue.Field
	queue  queueOptions
}

// runFlags adds the flags of every command that runs a batch.
func (o *batchOptions) runFlags(cmd *cobra.Command) {
	o.jobs = 4
	group(cmd, "Batch", func(f *pflag.FlagSet) {
		numberFlag(f, "jobs", &o.jobs, 1, 1<<12, "the `number` of sessions at the same time (default 4)")
		f.IntVar(&o.maxTokens, "max-tokens", 0, "cap on the tokens of all sessions: none starts beyond it, running ones pause")
		f.Float64Var(&o.maxCost, "max-cost", 0, "cap on the cost of all sessions in US dollars")
	})
	o.queue.flags(cmd)
	outputFlag(cmd, &o.form, report.FormText, report.FormJSON)
}

func (o *batchOptions) check() error {
	if err := o.queue.check(); err != nil {
		return err
	}
	if o.maxTokens < 0 || o.maxCost < 0 {
		return usage("--max-tokens and --max-cost are positive; leave them out for no cap")
	}
	return nil
}

func newBatchRun(c *Console) *cobra.Command {
	o := &batchOptions{console: c, repeat: 1}
	b := newQuestion(c)
	cmd := &cobra.Command{
		Use:  "run",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0]) },
	}
	o.runFlags(cmd)
	group(cmd, "Batch", func(f *pflag.FlagSet) {
		f.StringVar(&o.out, "out", "", "the `folder` of the batch; the same command continues it")
		numberFlag(f, "repeat", &o.repeat, 1, 1000, "run each item `N` times")
		numberFlag(f, "limit", &o.limit, 1, queue.MaxItems, "only the first `N` lines")
		f.BoolVar(&o.redo, "redo", false, "do finished items again whose question, material, commit, seats or options changed")
		f.BoolVar(&o.dryRun, "dry-run", false, "print the plan and a forecast of calls, tokens and cost; send and store nothing")
	})
	group(cmd, "Output", func(f *pflag.FlagSet) {
		f.BoolVar(&o.plain, "plain", false, "no screen: run here, and print a line for each item that ended (also ACCESSIBLE=1)")
	})
	o.looks.flags(cmd)
	own := map[string]bool{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { own[f.Name] = true })
	b.itemFlags(cmd)
	var except []string
	for name := range own {
		except = append(except, name)
	}
	noteFlags(cmd, &o.shared, except...)
	c.completeFlags(cmd)
	return cmd
}

// run plans a batch, and runs the items that are not finished.
func (o *batchOptions) run(ctx context.Context, items string) error {
	c := o.console
	o.queue.hideToken(c)
	if o.out == "" && !o.dryRun {
		return usage("--out DIR is missing: the folder that the sessions go to; the same command continues it")
	}
	if err := o.check(); err != nil {
		return err
	}
	screen := c.showsScreen(o.plain) && o.form == report.FormText && !o.dryRun
	if err := o.looks.load(c, screen); err != nil {
		return err
	}
	around := ctx
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	text, err := readInput(c, items, queue.MaxBytes)
	if err != nil {
		return err
	}
	lines, err := queue.ReadLines(items, text)
	if err != nil {
		return usage("%s: %w\nnothing was started", inputName(items), err)
	}
	if o.limit > 0 {
		lines = lines[:min(o.limit, len(lines))]
	}
	maker, err := o.maker(queue.Settings{Dir: c.Dir, Flags: o.shared})
	if err != nil {
		return err
	}
	plan, forecast, err := o.plan(ctx, maker, lines)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return usage("%s: %w\nnothing was started", inputName(items), err)
	}
	for _, note := range maker.notes {
		c.Say("note       %s", note)
	}
	if o.dryRun {
		return o.printPlan(plan, forecast)
	}
	folder, err := queue.Create(c.path(o.out))
	if err != nil {
		return fmt.Errorf("--out %s: %w", o.out, err)
	}
	settings, err := o.adopt(folder, plan, items)
	if err != nil {
		return errors.Join(err, folder.Close())
	}
	if screen && !o.queue.used() { // The lines of a queue, such as that for its workers, would not be seen.
		if err := folder.Close(); err != nil {
			return err
		}
		stop()
		return o.runWatched(around, folder.Path())
	}
	return o.runPlan(ctx, folder, plan, settings, nil)
}

// batchGC is how much the heap may grow between collections, in percent.
const batchGC = 50

// startTime is how long the process of a batch may take to begin.
const startTime = 10 * time.Second

// runWatched runs the plan of a folder in a process of its own, which survives the terminal, and shows its screen.
func (o *batchOptions) runWatched(ctx context.Context, path string) error {
	c := o.console
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program of moot to start it again: %w; nothing was started", err)
	}
	logged, err := os.OpenFile(filepath.Join(path, "log"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer logged.Close()
	if _, err := fmt.Fprintf(logged, "%s, the log of the process that runs the batch\n", queue.Schema); err != nil {
		return err
	}
	args := []string{"batch", "continue", path, "--jobs", strconv.Itoa(o.jobs)}
	if o.maxTokens > 0 {
		args = append(args, "--max-tokens", strconv.Itoa(o.maxTokens))
	}
	if o.maxCost > 0 {
		args = append(args, "--max-cost", strconv.FormatFloat(o.maxCost, 'f', -1, 64))
	}
	cmd := exec.Command(program, args...) //nolint:noctx // it outlives the context
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.Dir, c.Environ, logged, logged
	inOwnSession(cmd)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the process of the batch: %w; the plan is saved: run the same command again", err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // Its log says how.
	}()
	folder, err := queue.Look(path)
	if err != nil {
		return err
	}
	for began := c.Now(); !folder.IsRun() && c.Now().Sub(began) < startTime; {
		select {
		case <-ended:
			// It is over already, or could not begin: the screen and the log say which.
			text, err := os.ReadFile(logged.Name())
			if code := cmd.ProcessState.ExitCode(); err == nil && code == int(protocol.ExitUsage) {
				c.Say("%s", strings.TrimSpace(string(text)))
				return leaveWith(protocol.ExitUsage)
			}
			return c.watchBatch(ctx, path, &o.looks)
		case <-time.After(10 * time.Millisecond):
		}
	}
	return c.watchBatch(ctx, path, &o.looks)
}

// maker prepares what makes the sessions of a batch, in a folder that is known later.
func (o *batchOptions) maker(s queue.Settings) (*itemMaker, error) {
	d, err := o.console.validDefaults()
	if err != nil {
		return nil, err
	}
	return &itemMaker{console: o.console.inBatch("", s.Dir, d), shared: s.Flags}, nil
}

// plan reads all lines as sessions would be opened. The error names the lines that are wrong.
func (o *batchOptions) plan(ctx context.Context, m *itemMaker, lines []queue.Line) (*queue.Plan, *forecast, error) {
	items, errs := make([][]*queue.Item, len(lines)), make([]error, len(lines))
	total := &forecast{console: m.console, maker: m}
	var workers sync.WaitGroup
	next := make(chan int)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				planned, err := m.plan(ctx, lines[i].Fields)
				if err == nil && o.queue.used() {
					err = o.queue.carries(&planned.opened.Settings)
				}
				if errs[i] = err; err != nil {
					continue
				}
				m.sit(planned, lines[i].Number)
				for number := range o.repeat {
					items[i] = append(items[i], planned.item(lines[i], number+1))
				}
				if o.dryRun {
					total.add(planned, o.repeat)
				}
			}
		})
	}
	for i := range lines {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	plan, wrong := &queue.Plan{}, &queue.Wrong{}
	for i, line := range lines {
		if errs[i] != nil {
			wrong.Add(line.Number, errs[i])
		}
		for _, item := range items[i] {
			plan.Add(item)
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, nil, err
	}
	if err := m.checkShared(); err != nil {
		return nil, nil, err
	}
	if !o.queue.used() && !o.dryRun { // The keys of workers are theirs.
		if err := m.checkSeats(); err != nil {
			return nil, nil, err
		}
	}
	if len(plan.Items) > queue.MaxItems {
		return nil, nil, fmt.Errorf("these are %d items, and a batch has at most %d", len(plan.Items), queue.MaxItems)
	}
	err := plan.CheckNames()
	return plan, total, err
}

// adopt compares a plan with the earlier one of its folder, and stores it. If results that stand would be lost from
// view, the user confirms it.
func (o *batchOptions) adopt(folder *queue.Folder, plan *queue.Plan, items string) (queue.Settings, error) {
	c := o.console
	settings, err := folder.Settings()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return settings, err
	}
	if err == nil && settings.Command != o.command {
		return settings, usage("%s has the sessions of %s; name another folder with --out", plain.Line(folder.Path()),
			cmp.Or(settings.Command, "moot batch run"))
	}
	before, err := folder.Plan()
	if err != nil {
		return settings, err
	}
	sessions, _ := folder.Attempts()
	changed, removed := plan.Compare(before)
	for _, change := range changed {
		finished := 0
		for _, digest := range change.Before {
			if list := sessions[digest]; len(list) > 0 && list[len(list)-1].Closed {
				finished++
			}
		}
		what := cmp.Or(strings.Join(change.Parts, " and the "), "number")
		if finished == 0 || o.redo {
			continue
		}
		question := fmt.Sprintf("%s finished before the %s changed, and would be done again; the earlier sessions are kept.",
			plain.Counted(finished, "item"), what)
		if !c.interactive() {
			return settings, usage("%s Nothing was started: add --redo to do them again, or name another folder with --out",
				question)
		}
		if yes, err := c.confirm(question + " Do them again?"); err != nil || !yes {
			return settings, cmp.Or(err, leaveWith(protocol.ExitUsage))
		}
	}
	if len(removed) > 0 {
		c.Say("removed    %s of the earlier plan: %s; their sessions are kept",
			plain.Counted(len(removed), "item"), namedItems(removed, 5))
	}
	if settings.Batch == "" {
		if settings.Batch, err = nonce(c.Random); err != nil {
			return settings, err
		}
	}
	settings.Command = o.command
	settings.Items, settings.Dir, settings.Flags, settings.Repeat, settings.Limit = items, c.Dir, o.shared, o.repeat, o.limit
	return settings, folder.Save(plan, settings)
}

// runPlan runs a batch in this process, and prints its items as they end.
func (o *batchOptions) runPlan(
	ctx context.Context, folder *queue.Folder, plan *queue.Plan, settings queue.Settings, again []string,
) (err error) {
	defer func() { err = errors.Join(err, folder.Close()) }()
	c := o.console
	if c.Getenv("GOGC") == "" {
		// A batch runs for hours beside other programs: a quarter less memory is worth a few percent of CPU.
		defer debug.SetGCPercent(debug.SetGCPercent(batchGC))
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	maker, err := o.maker(settings)
	if err != nil {
		return err
	}
	maker.console.folder = folder.Sessions()
	sessions := &batchSessions{maker: maker, limits: queue.NewLimits(limitsOf(maker.console.fixed))}
	lines := &batchLines{console: c, form: o.form}
	do, jobs, done := sessions.do, o.jobs, false
	var lost func() state.Usage
	if o.queue.used() {
		q, err := o.openCarrier(ctx, folder, settings, maker)
		if err != nil {
			return err
		}
		defer q.close()
		following := make(chan struct{})
		// What workers send is taken until the last session has ended, also after a stop.
		listening, leave := context.WithCancel(context.WithoutCancel(ctx))
		go func() {
			defer close(following)
			if err := q.follow(listening); err != nil {
				cancel(fmt.Errorf("follow the queue: %w; the sessions that came are saved: run the batch again", err))
			}
		}()
		defer func() {
			if !done {
				return
			}
			if err := q.clear(context.WithoutCancel(ctx)); err != nil {
				c.Say("note       the batch is done, and its queue could not be removed: %s", err)
			}
		}()
		defer func() {
			leave()
			<-following
		}()
		do, jobs, lost = q.do, published, q.lost
	}
	runner := queue.NewRunner(queue.Options{
		Folder: folder, Plan: plan, Jobs: jobs, MaxTokens: o.maxTokens, MaxCost: o.maxCost, Do: do,
		Classify: c.classify, Watch: lines.ended, Now: c.Now, Only: again, Lost: lost,
		Remote: o.queue.used(),
	})
	waiting := runner.Waiting()
	c.Say("batch      %s, %s: %s to do, %d kept", plain.Line(folder.Path()), plain.Counted(len(plan.Items), "item"),
		plain.Counted(waiting, "session"), len(plan.Items)-waiting)
	ended := runner.Run(ctx)
	if ended != nil && ctx.Err() == nil && !errors.Is(ended, queue.ErrStopping) {
		return ended
	}
	if lines.failed != nil {
		return lines.failed
	}
	done = runner.Waiting() == 0
	snapshot := folder.Snapshot(plan, c.Now(), c.classify)
	c.Say("%s", summaryLine(&snapshot, runner.Stopping()))
	switch {
	case ctx.Err() != nil:
		c.Say("stopped    continue with the same command, or with: moot batch retry %s", plain.ShellWord(o.shownPath(folder)))
		return context.Cause(ctx)
	case errors.Is(ended, queue.ErrStopping):
		c.Say("stopped    by moot batch stop; the same command continues")
	}
	return leaveWith(protocol.ExitCode(queue.ExitCode(snapshot.Outcomes())))
}

// shownPath is the path of a folder as the user named it, or else whole.
func (o *batchOptions) shownPath(folder *queue.Folder) string { return cmp.Or(o.out, folder.Path()) }

// limitsOf returns the limits of participants that the configuration sets.
func limitsOf(d *defaults) func(participant string) queue.Limit {
	return func(participant string) queue.Limit {
		name, _ := state.SplitName(participant)
		for i := range d.file.Participants {
			if p := &d.file.Participants[i]; p.Name == name && name != "" {
				return queue.Limit{AtOnce: p.CallsAtOnce, PerMinute: p.CallsPerMinute}
			}
		}
		return queue.Limit{}
	}
}

// batchLines prints a line for each item that ended.
type batchLines struct {
	console *Console
	form    report.Form
	failed  error
}

// ended implements Options.Watch.
func (l *batchLines) ended(e queue.Ended) {
	if l.form == report.FormJSON {
		text, err := json.Marshal(exportRow(&queue.Row{
			Item: e.Item, State: queue.State(e.Result.Outcome), Result: e.Result, Session: e.Session,
		}))
		if err == nil {
			err = l.console.Print(string(text) + "\n")
		}
		l.failed = cmp.Or(l.failed, err)
		return
	}
	about := cmp.Or(view.Join("; ", e.Result.Decision, e.Result.Reason), e.Item.Title)
	l.console.Say("%d/%d  %-12s %s  %s  %s", e.Done, e.Total, e.Result.Outcome, plain.Line(e.Item.ID()),
		plain.Clip(plain.Line(about), maxTitle), e.Session)
}

// summaryLine counts the items of a batch by their states.
func summaryLine(s *queue.Snapshot, stopping string) string {
	text := "items      " + plain.Counted(len(s.Rows), "item") + ": " + stateCounts(s)
	text += fmt.Sprintf("; %s, %d tokens, %s", plain.Counted(s.Usage.Calls, "call"), s.Usage.Tokens(),
		view.Price(s.Usage.Cost, s.Usage.Unpriced))
	if stopping != "" {
		text += "\nbudget     " + stopping + ": no session starts beyond it; raise the cap to continue"
	}
	return text
}

// stateCounts lists how many items are in each state that occurs.
func stateCounts(s *queue.Snapshot) string {
	var parts []string
	for _, state := range queue.States() {
		if n := s.Counts[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// newBatchContinue runs the plan of a folder, for moot batch run in the background.
func newBatchContinue(c *Console) *cobra.Command {
	o := &batchOptions{console: c}
	cmd := &cobra.Command{
		Use: "continue", Args: cobra.ExactArgs(1), Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error { return o.resume(cmd.Context(), args[0], nil) },
	}
	o.runFlags(cmd)
	return cmd
}

// resume runs the plan of a folder. choose names items to run again although they have a result, or is nil.
func (o *batchOptions) resume(
	ctx context.Context, name string, choose func(*queue.Folder, *queue.Plan) ([]string, error),
) error {
	c := o.console
	o.queue.hideToken(c)
	if err := o.check(); err != nil {
		return err
	}
	o.out = name
	folder, err := queue.Open(c.path(name))
	if err != nil {
		return asBatchUsage(err)
	}
	plan, err := folder.Plan()
	if err != nil {
		return errors.Join(err, folder.Close())
	}
	settings, err := folder.Settings()
	if errors.Is(err, fs.ErrNotExist) {
		err = usage("the batch in %s was never started: run moot batch run ITEMS --out %s", name, plain.ShellWord(name))
	}
	if err == nil && settings.Command != "" {
		err = usage("%s has the sessions of %s; the same command continues them", name, settings.Command)
	}
	var again []string
	if err == nil && choose != nil {
		again, err = choose(folder, plan)
	}
	if err != nil {
		return errors.Join(err, folder.Close())
	}
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	return o.runPlan(ctx, folder, plan, settings, again)
}

// asBatchUsage makes it a usage error that a folder has no batch.
func asBatchUsage(err error) error {
	if _, held := errors.AsType[*queue.HeldError](err); held {
		return err
	}
	return usage("%w", err)
}

func newBatchRetry(c *Console) *cobra.Command {
	o := &batchOptions{console: c}
	failed, inconclusive := false, false
	cmd := &cobra.Command{
		Use:  "retry",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 && (failed || inconclusive) {
				return usage("name items, or use --failed and --inconclusive: not both")
			}
			choose := func(folder *queue.Folder, plan *queue.Plan) ([]string, error) {
				return chosenItems(c, folder, plan, args[1:], failed, inconclusive)
			}
			err := o.resume(cmd.Context(), args[0], choose)
			if held, is := errors.AsType[*queue.HeldError](err); is {
				return c.askRetry(held.Path, choose)
			}
			return err
		},
	}
	o.runFlags(cmd)
	group(cmd, "Items", func(f *pflag.FlagSet) {
		f.BoolVar(&failed, "failed", false, "all items that failed")
		f.BoolVar(&inconclusive, "inconclusive", false, "all items that ended without a result, from their start")
	})
	return cmd
}

// chosenItems are the items that retry names, by their digests.
func chosenItems(
	c *Console, folder *queue.Folder, plan *queue.Plan, names []string, failed, inconclusive bool,
) ([]string, error) {
	var digests []string
	for _, name := range names {
		items, err := plan.Named(name)
		if err != nil {
			return nil, usage("%w", err)
		}
		for _, item := range items {
			digests = append(digests, item.Digest)
		}
	}
	if !failed && !inconclusive {
		return digests, nil
	}
	snapshot := folder.Snapshot(plan, c.Now(), c.classify)
	for i := range snapshot.Rows {
		row := &snapshot.Rows[i]
		if failed && row.Result.Outcome == queue.Failure || inconclusive && row.Result.Outcome == queue.Inconclusive {
			digests = append(digests, row.Item.Digest)
		}
	}
	if len(digests) == 0 {
		return nil, usage("no item is %s", map[bool]string{true: "failed or inconclusive", false: "inconclusive"}[failed])
	}
	return digests, nil
}

// askRetry asks the process that runs a batch to run items again.
func (c *Console) askRetry(path string, choose func(*queue.Folder, *queue.Plan) ([]string, error)) error {
	folder, err := queue.Look(path)
	if err != nil {
		return err
	}
	plan, err := folder.Plan()
	if err != nil {
		return err
	}
	digests, err := choose(folder, plan)
	if err != nil {
		return err
	}
	if len(digests) == 0 {
		return usage("another process runs the batch, and goes on by itself; name items to run again")
	}
	c.Say("asked      the process that runs the batch to run %s again", plain.Counted(len(digests), "item"))
	return folder.Ask(queue.Request{Retry: digests})
}

func newBatchStop(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:  "stop",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			folder, err := queue.Look(c.path(args[0]))
			if err != nil {
				return asBatchUsage(err)
			}
			if !folder.IsRun() {
				c.Say("note       no process runs the batch")
				return nil
			}
			if err := folder.Ask(queue.Request{Stop: true}); err != nil {
				return err
			}
			ctx, stop := c.untilSignal(cmd.Context())
			defer stop()
			for folder.IsRun() {
				select {
				case <-time.After(100 * time.Millisecond):
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			}
			c.Say("stopped    the sessions are saved; the same command continues the batch")
			return nil
		},
	}
}

// forecast adds up what the sessions of a plan cost at least.
type forecast struct {
	console *Console
	maker   *itemMaker

	mutex sync.Mutex
	// calls, tokens and dollars count the first turn of each session; unpriced counts calls without a price.
	calls, tokens, unpriced int
	dollars                 float64
	unknown                 int
}

// add adds the first calls of an item.
func (f *forecast) add(p *planned, times int) {
	calls, tokens, unpriced, dollars, err := f.first(p)
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if err != nil {
		f.unknown++
		return
	}
	f.calls, f.tokens = f.calls+times*calls, f.tokens+times*tokens
	f.unpriced, f.dollars = f.unpriced+times*unpriced, f.dollars+float64(times)*dollars
}

// first returns what the first turn of a session asks of models.
func (f *forecast) first(p *planned) (calls, tokens, unpriced int, dollars float64, err error) {
	s := (&builder{console: f.console, defaults: f.console.fixed, front: frontOptions{headless: true}}).session()
	defer s.closePrograms()
	opened := *p.opened
	opened.ID = "plan"
	opened.Seats = slices.Clone(opened.Seats)
	participants := map[state.Seat]protocol.Participant{}
	for i := range opened.Seats {
		a := &opened.Seats[i]
		choice, err := f.console.fixed.book.Parse(a.Participant)
		if err != nil {
			return 0, 0, 0, 0, err
		}
		a.NoModel = choice.Spec.Modelless()
		if !a.NoModel {
			// Without a key the price is unknown here.
			participants[a.Seat], _ = s.participant(*a, &opened.Settings)
		}
	}
	next, _, err := state.Extend(&state.State{}, f.console.Now(), append([]state.Payload{&opened}, p.events...)...)
	if err != nil {
		return 0, 0, 0, 0, err
	}
	for {
		turn := protocol.Of(next).Next(next)
		if len(turn.Events) == 0 {
			for _, ask := range turn.Asks {
				a, _ := next.Assignment(ask.Seat)
				if a.NoModel {
					continue
				}
				prompt := protocol.Of(next).Prompt(next, ask)
				size := protocol.EstimateTokens(len(prompt.System) + len(prompt.Text))
				calls, tokens = calls+1, tokens+size
				priced, is := participants[ask.Seat].(run.Priced)
				cost, known := 0.0, false
				if is {
					cost, known = priced.Estimate(size)
				}
				if dollars += cost; !known {
					unpriced++
				}
			}
			return calls, tokens, unpriced, dollars, nil
		}
		if next, _, err = state.Extend(next, f.console.Now(), turn.Events...); err != nil {
			return 0, 0, 0, 0, err
		}
	}
}

// printPlan prints what a batch would do.
func (o *batchOptions) printPlan(plan *queue.Plan, f *forecast) error {
	c := o.console
	rows := [][]string{}
	for _, item := range plan.Items {
		number := ""
		if o.repeat > 1 {
			number = fmt.Sprintf("%d of %d", item.Parts.Number, o.repeat)
		}
		rows = append(rows, []string{plain.Line(item.ID()), number, plain.Line(item.Parts.Seats), item.Title})
	}
	text := strings.Join(columns(rows), "\n") + "\n\n"
	text += fmt.Sprintf("%s. The first turn of each: %s to models, about %d tokens of prompts, %s.\n",
		plain.Counted(len(plan.Items), "session"), plain.Counted(f.calls, "call"), f.tokens, view.Price(f.dollars, f.unpriced))
	text += "Replies and later turns add to that. Nothing was sent or stored.\n"
	if f.unknown > 0 {
		text += fmt.Sprintf("%s could not be estimated.\n", plain.Counted(f.unknown, "item"))
	}
	if done := o.spentBefore(plan); done != "" {
		text += done
	}
	return c.Print(text)
}

// spentBefore says what finished sessions of the folder used on average, which is the better forecast.
func (o *batchOptions) spentBefore(plan *queue.Plan) string {
	if o.out == "" {
		return ""
	}
	folder, err := queue.Look(o.console.path(o.out))
	if err != nil {
		return ""
	}
	snapshot := folder.Snapshot(plan, o.console.Now(), o.console.classify)
	var used state.Usage
	finished := 0
	for i := range snapshot.Rows {
		if r := &snapshot.Rows[i].Result; r.Outcome == queue.Concluded || r.Outcome == queue.Inconclusive {
			used.Add(&r.Usage)
			finished++
		}
	}
	if finished == 0 {
		return ""
	}
	left := len(plan.Items) - finished
	each := float64(left) / float64(finished)
	return fmt.Sprintf("%s finished already. At their average the other %d take about %.0f calls, %.0f tokens and %s.\n",
		plain.Counted(finished, "item"), left, float64(used.Calls)*each, float64(used.Tokens())*each,
		view.Price(used.Cost*each, used.Unpriced))
}

// openBatch opens a folder to read it, with its plan.
func openBatch(c *Console, name string) (*queue.Folder, *queue.Plan, error) {
	folder, err := queue.Look(c.path(name))
	if err != nil {
		return nil, nil, asBatchUsage(err)
	}
	plan, err := folder.Plan()
	return folder, plan, err
}
