//go:build !nobatchqueue

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/run"
	"moot/queue"
	"moot/queue/jetstream"
	"moot/report"
	"moot/state"
	"moot/state/store"
)

// worker runs the sessions of batches of other machines. A message is not the user: it may use what the flags and the
// configuration of the worker allow.
type worker struct {
	console *Console
	queue   queueOptions
	jobs    int
	// participants are patterns of participants that may be asked besides those of the configuration.
	participants []string
	// workspaces are the folders below which workspaces may be opened.
	workspaces []string
	commands   commandOptions
	defaults   *defaults
	limits     *jetstream.Limits
}

// hasQueue says whether NATS is linked. The tag nobatchqueue leaves it out.
const hasQueue = true

// queueCommands are the commands that need NATS.
func queueCommands(c *Console) []*cobra.Command { return []*cobra.Command{newWorker(c)} }

func newWorker(c *Console) *cobra.Command {
	w := &worker{console: c, jobs: 4}
	cmd := &cobra.Command{
		Use:  "worker",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return w.run(cmd.Context(), args[0]) },
	}
	group(cmd, "Connection", w.queue.connectFlags)
	group(cmd, "Work", func(f *pflag.FlagSet) {
		numberFlag(f, "jobs", &w.jobs, 1, 1<<12, "the `number` of sessions at the same time (default 4)")
	})
	group(cmd, "What sessions may use here", func(f *pflag.FlagSet) {
		f.StringArrayVar(&w.participants, "allow-participant", nil, "a `pattern` of participants that may be asked, besides those of the "+
			"configuration, such as 'openai:*' (repeatable)")
		f.StringArrayVar(&w.workspaces, "workspace", nil, "a `folder` below which sessions may have their workspace (repeatable)")
	})
	w.commands.flags(cmd)
	return cmd
}

func (w *worker) run(ctx context.Context, url string) error {
	c := w.console
	w.queue.hideToken(c)
	for i, folder := range w.workspaces {
		w.workspaces[i] = c.path(folder)
		if err := checkFolder(w.workspaces[i]); err != nil {
			return err
		}
	}
	var err error
	if w.defaults, err = c.validDefaults(); err != nil {
		return err
	}
	token, err := w.queue.token(c)
	if err != nil {
		return err
	}
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	q, err := w.queue.connect(ctx, c, url, token)
	if err != nil {
		return err
	}
	defer q.Close()
	w.limits = q.Limits()
	name, err := os.Hostname()
	if err != nil {
		name = "a machine without a name"
	}
	c.Say("worker     %s: waits for items, %s at the same time; ctrl-c ends it, and gives back what it holds", plain.Line(name),
		plain.Counted(w.jobs, "session"))
	err = q.Work(ctx, jetstream.WorkOptions{Jobs: w.jobs, Name: name, Version: workerVersion()}, w.do)
	if ctx.Err() != nil {
		c.Say("left       what this worker held continues on another one, from its last event")
		return context.Cause(ctx)
	}
	return err
}

// do runs the session of a lease to its end.
func (w *worker) do(ctx context.Context, l *jetstream.Lease) error {
	id, result, err := w.hold(ctx, l)
	switch {
	case l.Fenced():
		w.console.Say("taken over %s: another worker continues it", l.Task.Key)
		return nil
	case ctx.Err() != nil:
		l.Return(0)
		return nil //nolint:nilerr // the worker was ended
	case err != nil:
		result = queue.Result{Outcome: queue.Failure, Reason: reasonOf(err)}
	}
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	if err := l.End(ctx, text); err != nil {
		return err
	}
	w.console.Say("%-12s %s  %s", result.Outcome, cmp.Or(id, l.Task.String()), plain.Line(cmp.Or(result.Reason, result.Decision)))
	return nil
}

// hold opens the session of a lease, or continues it from its units, and runs it.
func (w *worker) hold(ctx context.Context, l *jetstream.Lease) (string, queue.Result, error) {
	var none queue.Result
	folder, err := os.MkdirTemp("", "moot-worker-")
	if err != nil {
		return "", none, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		ticker := time.NewTicker(orderEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if l.Order() == orderStop {
					cancel(queue.ErrStopping)
					return
				}
			}
		}
	}()
	body, opened, events, err := w.unpack(ctx, l)
	if err != nil {
		return "", none, err
	}
	c := w.console.inBatch(folder, folder, w.defaults)
	format, err := c.format(string(opened.Settings.Format))
	if err != nil {
		return "", none, err
	}
	m := &itemMaker{console: c}
	if err := w.refuse(m, body, opened); err != nil {
		return "", none, err
	}
	b := &builder{console: c, commands: w.commands, defaults: w.defaults, memory: memoryOptions{none: true}}
	cmd := &cobra.Command{}
	b.seats.flags(cmd, c.formats())
	b.calls.flags(cmd)
	b.flagged = cmd.Flags()
	for _, f := range body.Calls {
		if err := setField(cmd, f); err != nil {
			return "", none, err
		}
	}
	if err := setUnchanged(b.flagged, w.defaults.limits); err != nil {
		return "", none, err
	}
	b.front = frontOptions{headless: true, output: report.FormText}
	b.confirm = func(unit []byte) error {
		if errors.Is(context.Cause(ctx), queue.ErrStopping) {
			// The pause of a batch that was stopped is recorded, although the session is left.
			return l.Append(context.WithoutCancel(ctx), unit)
		}
		err := l.Append(ctx, unit)
		if used, _ := usageOf(unit); errors.Is(err, jetstream.ErrFenced) && used.Calls > 0 {
			// The call was made, and no session has it: it counts in the budget alone.
			err = errors.Join(err, l.Spent(context.WithoutCancel(ctx), used.Tokens(), used.Cost))
		}
		return err
	}
	b.batch = &run.Batch{
		Caps: func() string {
			return map[string]string{orderTokens: run.BatchTokens, orderCost: run.BatchCost}[l.Order()]
		},
		Stopped: func() bool { return errors.Is(context.Cause(ctx), queue.ErrStopping) },
		Begin: func(ctx context.Context, participant string) (func(), error) {
			limit := limitsOf(w.defaults)(participant)
			return w.limits.Acquire(ctx, participant, limit.AtOnce, limit.PerMinute)
		},
		Slow: w.limits.Slow,
	}
	s, err := w.open(ctx, b, l, body, format, opened, events)
	if err != nil && errors.Is(context.Cause(ctx), queue.ErrStopping) {
		return "", queue.Result{Outcome: queue.Stopped, Reason: run.BatchStopped}, nil
	}
	if err != nil {
		return "", none, err
	}
	if s.state.Closed {
		// The former worker died between the last event and its report.
		result := resultOf(s.state, nil, nil)
		s.close()
		return s.state.ID, result, nil
	}
	ended, err := s.runInBatch(ctx, func(queue.Pulse) {})
	s.close()
	if err != nil {
		return s.state.ID, none, err
	}
	return s.state.ID, resultOf(ended.State, ended.Rulings, ended.Err), nil
}

// open opens a new session, or the one whose units the lease has.
func (w *worker) open(
	ctx context.Context, b *builder, l *jetstream.Lease, body *carried, format protocol.Format,
	opened *state.SessionOpened, events []state.Payload,
) (*session, error) {
	if len(l.Units) == 0 {
		var err error
		if opened.Settings.Nonce, err = nonce(b.console.Random); err != nil {
			return nil, err
		}
		s := b.session()
		if err := b.create(ctx, s, format, opened, events); err != nil {
			s.close()
			return nil, err
		}
		return s, nil
	}
	id, item, err := store.Begins(l.Units[0])
	if err != nil {
		return nil, err
	}
	if item != l.Task.Item {
		return nil, errors.New("the session on the queue belongs to another item")
	}
	path, err := store.WriteUnits(b.console.folder, id, l.Units)
	if err != nil {
		return nil, err
	}
	read, err := store.Read(path, b.console.rules()...)
	if err != nil {
		return nil, err
	}
	folded, err := fold(path, read)
	if err != nil {
		return nil, err
	}
	if folded.state.Closed {
		s := b.session()
		s.state = folded.state
		return s, nil
	}
	// Who sits where, and what may be opened, is in the events that came: they are no more trusted than the item.
	if err := w.refuseSession(&itemMaker{console: b.console}, body, folded.state.Seats, &folded.state.Settings); err != nil {
		return nil, err
	}
	b.batch.TakenOver = true
	s, _, err := b.reopen(path)
	return s, err
}

// unpack reads the payload of a task, with its texts.
func (w *worker) unpack(
	ctx context.Context, l *jetstream.Lease,
) (body *carried, opened *state.SessionOpened, events []state.Payload, err error) {
	body = &carried{}
	read := func(text []byte) error { return json.Unmarshal(text, body, json.RejectUnknownMembers(true)) }
	if err = read(l.Task.Payload); err == nil && body.Body != "" {
		var text []byte
		if text, err = l.Material(ctx, body.Body); err == nil {
			body = &carried{}
			err = read(text)
		}
	}
	if err != nil {
		return nil, nil, nil, fmt.Errorf("the item on the queue is not understood: %w", err)
	}
	if body.Item != l.Task.Item || body.Parts.Digest() != body.Item {
		return nil, nil, nil, errors.New("the item on the queue is not the one that its digest names")
	}
	decoder := state.NewDecoder(w.console.rules()...)
	payload, err := decoder.Decode(state.KindOf(&state.SessionOpened{}), body.Opened)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("the item on the queue is not understood: %w", err)
	}
	opened, _ = payload.(*state.SessionOpened)
	for i, digest := range body.Texts {
		if i < 0 || i >= len(opened.Settings.Context) {
			return nil, nil, nil, errors.New("the item on the queue names a document that it does not have")
		}
		text, err := l.Material(ctx, digest)
		if err != nil {
			return nil, nil, nil, err
		}
		opened.Settings.Context[i].Text = string(text)
	}
	for _, e := range body.Events {
		payload, err := decoder.Decode(e.Kind, e.Data)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("the item on the queue is not understood: %w", err)
		}
		events = append(events, payload)
	}
	return body, opened, events, nil
}

// refuseSession returns why this worker does not run a session with some seats and settings, or nil. They are those of an
// item, or of the events on the queue that a session continues from: both are messages.
func (w *worker) refuseSession(
	m *itemMaker, body *carried, seats []state.SeatAssignment, s *state.Settings,
) error {
	if s.NoRedact || len(s.AllowPaths) > 0 {
		return errors.New("a worker keeps secrets out of sessions: --no-redact and --allow-path are refused")
	}
	for _, a := range seats {
		if err := w.allowed(a.Participant); err != nil {
			return fmt.Errorf("seat %s: %w", a.Seat, err)
		}
	}
	for _, h := range s.Hosts {
		if !slices.ContainsFunc(w.defaults.hosts, func(own ledger.Host) bool { return own.Name == h.Name && own.Port == h.Port }) {
			return fmt.Errorf("the host %s is not in the configuration of this worker", plain.Line(h.Name))
		}
	}
	for _, command := range body.Commands {
		if !slices.Contains(w.commands.allowed, command) {
			return fmt.Errorf("this worker does not run %q: start it with --allow-command for that", plain.Short(plain.Line(command)))
		}
	}
	if s.Workspace != "" {
		if err := w.checkWorkspace(m, body, s.Workspace); err != nil {
			return err
		}
	}
	return nil
}

// refuse returns why this worker does not run a session (BB5), or nil.
func (w *worker) refuse(m *itemMaker, body *carried, opened *state.SessionOpened) error {
	s := &opened.Settings
	if opened.Item != body.Item || opened.ID != "" || opened.Version != state.Version || opened.Fork != nil {
		return errors.New("the item on the queue does not open a session of its own")
	}
	if err := w.refuseSession(m, body, opened.Seats, s); err != nil {
		return err
	}
	b := &builder{console: m.console, defaults: w.defaults}
	cmd := &cobra.Command{}
	b.calls.flags(cmd)
	for _, f := range body.Calls {
		if err := setField(cmd, f); err != nil {
			return err
		}
	}
	seats, err := b.seatsAsResolved(opened.Seats)
	if err != nil {
		return err
	}
	if seats != body.Parts.Seats {
		return fmt.Errorf("the seats are %s here, and %s where the batch was planned", plain.Line(seats), plain.Line(body.Parts.Seats))
	}
	return nil
}

// allowed returns why a participant may not be asked here, or nil.
func (w *worker) allowed(name string) error {
	choice, err := w.defaults.book.Parse(name)
	if err != nil {
		return err
	}
	if choice.Options != nil || choice.Spec.Name == state.BuiltInRules {
		return nil // The configuration of this machine says what it is.
	}
	if choice.Fallback != nil {
		if err := w.allowed(choice.Fallback.Spec.Name); err != nil {
			return err
		}
	}
	base := choice.Spec.Name
	for i := range w.defaults.file.Participants {
		if w.defaults.file.Participants[i].Is == base {
			return nil
		}
	}
	for _, seat := range w.defaults.seats {
		if seat.text == base {
			return nil
		}
	}
	for _, pattern := range w.participants {
		if matchesPattern(pattern, base) {
			return nil
		}
	}
	return fmt.Errorf("%s is not in the configuration of this worker: name it there, or start the worker with --allow-participant",
		plain.Short(plain.Line(base)))
}

// matchesPattern reports whether a text fits a pattern in which * stands for any characters.
func matchesPattern(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	rest, begins := strings.CutPrefix(text, parts[0])
	if !begins {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// checkWorkspace compares a workspace with the one of the coordinator.
func (w *worker) checkWorkspace(m *itemMaker, body *carried, folder string) error {
	inside := func(own string) bool {
		relative, err := filepath.Rel(own, folder)
		return err == nil && (relative == "." || filepath.IsLocal(relative))
	}
	resolved, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return fmt.Errorf("the workspace %s is not on this worker: %s", plain.Line(folder), cause(err))
	}
	if resolved != filepath.Clean(folder) || !slices.ContainsFunc(w.workspaces, inside) {
		return fmt.Errorf("this worker opens no workspace %s: start it with --workspace for that", plain.Line(folder))
	}
	if here := m.head(folder); here != body.Head {
		return fmt.Errorf("the workspace %s is at commit %s here, and at %s where the batch was planned", plain.Line(folder),
			shortCommit(here), shortCommit(body.Head))
	}
	return nil
}

func shortCommit(commit string) string {
	if commit == "" {
		return "none"
	}
	return plain.Clip(commit, 12)
}
