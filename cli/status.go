package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"moot/agent/person"
	"moot/attach"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/run"
	"moot/report"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// follower knows what a running session does, from its notices.
type follower struct {
	state *state.State
	now   view.Present
}

// take takes in a notice.
func (f *follower) take(n protocol.Notice) {
	asking := func(a protocol.Ask, participant string) view.Asking {
		return view.Asking{Seat: a.Seat, Participant: participant, Stage: a.Stage, Person: participant == person.Name}
	}
	switch n := n.(type) {
	case protocol.Advanced:
		f.state = n.State
		f.now.Questions = f.open(f.now.Questions)
		f.now.Waits = f.now.Waits && (f.state.Paused != state.PauseNone || len(f.now.Next) > 0)
	case protocol.CallStarted:
		f.now = view.Present{Asked: append(f.now.Asked, asking(n.Ask, n.Participant))}
	case protocol.CallEnded:
		f.now.Asked = slices.DeleteFunc(f.now.Asked, func(a view.Asking) bool { return a.Seat == n.Seat })
	case protocol.TurnReady:
		f.now = view.Present{Waits: len(n.Asks) > 0 || f.state.Paused != state.PauseNone}
		for _, a := range n.Asks {
			seated, _ := f.state.Assignment(a.Seat)
			f.now.Next = append(f.now.Next, asking(a, seated.Participant))
		}
	case protocol.Waiting:
		f.now = view.Present{Questions: f.open(n.Questions)}
	case protocol.Ended:
		f.now = view.Present{}
	case protocol.Streamed, protocol.Thinking, protocol.Reported, protocol.Forecast, protocol.Stepping:
	}
}

// open returns the questions that nobody has answered yet.
func (f *follower) open(ids []string) []string {
	return lists.Filter(ids, func(id string) bool {
		q := f.state.QuestionByID(id)
		return q == nil || !q.Answered
	})
}

// needs says why the session waits for the user, or returns "".
func (f *follower) needs() string { return view.NeedsUser(f.state, &f.now) }

// look reads what a running session does now.
func (c *Console) look(ctx context.Context, r attach.Running) (*attach.Client, *follower, error) {
	client, err := attach.Dial(ctx, r.Path, attach.Watch, c.rules()...)
	if err != nil {
		return nil, nil, err
	}
	f := &follower{state: client.State}
	present, err := client.Present(ctx)
	if err != nil {
		client.Leave(ctx)
		return nil, nil, err
	}
	for _, n := range present {
		f.take(n)
	}
	return client, f, nil
}

// sessionStatus is one session in the JSON of moot status.
type sessionStatus struct {
	ID       string       `json:"id"`
	Question string       `json:"question"`
	Format   state.Format `json:"format"`
	Status   store.Status `json:"status"`
	// Line says in words what the session does or how it ended, Needs why it waits for the user, and Next which command
	// continues it. The last two may be "".
	Line  string      `json:"line"`
	Needs string      `json:"needs"`
	Next  string      `json:"next"`
	Phase state.Phase `json:"phase"`
	Round int         `json:"round"`
	// Asked says who is asked for what at the moment.
	Asked []string `json:"asked"`
	Calls int      `json:"calls"`
	// Tokens counts prompts and replies. Cost is in US dollars, of the calls whose price is known; Unpriced counts the
	// others.
	Tokens   int     `json:"tokens"`
	Cost     float64 `json:"cost"`
	Unpriced int     `json:"unpriced"`
	// ExitCode is the exit code of moot wait, or null while it would wait.
	ExitCode *protocol.ExitCode `json:"exit_code"`
	// Path and Log are its files, or "" if there is none.
	Path string `json:"path"`
	Log  string `json:"log"`
}

// ends says what moot wait ends with now.
func (s *sessionStatus) ends(code protocol.ExitCode) { s.ExitCode = &code }

// describe returns what every status has.
func (c *Console) describe(s *state.State) *sessionStatus {
	status := &sessionStatus{
		ID: s.ID, Question: s.Question, Format: s.Settings.Format, Status: store.StatusRunning, Phase: s.Phase,
		Round: s.Round, Asked: []string{}, Calls: s.Usage.Calls,
		Tokens: s.Usage.PromptTokens + s.Usage.CompletionTokens, Cost: s.Usage.Cost, Unpriced: s.Usage.Unpriced,
	}
	if log := c.logPath(s.ID); isFile(log) {
		status.Log = log
	}
	return status
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// runningStatus describes a session that runs.
func (c *Console) runningStatus(f *follower) *sessionStatus {
	status := c.describe(f.state)
	status.Line = view.Running(f.state, &f.now)
	for _, a := range f.now.Asked {
		status.Asked = append(status.Asked, plain.Line(a.String()))
	}
	if status.Needs = f.needs(); status.Needs != "" {
		status.Status, status.Line, status.Next = store.StatusNeedsYou, status.Needs, "moot attach "+f.state.ID
		status.ends(protocol.ExitPerson)
	}
	return status
}

// storedStatus describes a session that cannot be asked, by its file.
func (c *Console) storedStatus(path string, required requirements) (*sessionStatus, error) {
	// The lock comes first: the session may end between the two.
	held := store.Held(path)
	opened, err := store.Read(path, c.rules()...)
	if err != nil {
		return nil, err
	}
	stored, err := fold(path, opened)
	if err != nil {
		return nil, err
	}
	status := c.restingStatus(stored.state, stored.rulings, held, required)
	status.Path = path
	return status, nil
}

// restingStatus describes a session by its record. Held says that a process has its file.
func (c *Console) restingStatus(
	s *state.State, rulings []state.Ruling, held bool, required requirements,
) *sessionStatus {
	status, paused := c.describe(s), s.Paused != state.PauseNone
	summary := store.Summary{
		Exit: s.Exit, Paused: s.Paused, Closed: s.Closed, Inconclusive: s.Inconclusive, Fork: s.Fork, UpdatedAt: s.At,
		CutOff: !s.Closed && !paused && !held,
	}
	if s.Fork.At.After(s.At) {
		summary.UpdatedAt = s.Fork.At
	}
	status.Status, status.Line = summary.Status(), view.Result(s, rulings)
	resume := "moot resume " + s.ID
	if flag := run.CapReached(s); flag != "" {
		resume += " " + flag + " MORE"
	}
	switch {
	case s.Closed:
		status.ends(protocol.SessionExitCode(s, required.missed(c, s, rulings)))
	case held && paused && s.Settings.Attended:
		status.Status, status.Needs, status.Next = store.StatusNeedsYou, status.Line, "moot attach "+s.ID
		status.ends(protocol.ExitPerson)
	case held:
		status.Status, status.Line = store.StatusRunning, view.Running(s, nil)
	case paused:
		status.Next = resume
		status.ends(protocol.SessionExitCode(s, false))
	case summary.Status() == store.StatusWaiting:
		status.Line, status.Next = "a fork of "+s.Fork.From+" that nobody has continued yet", resume
		status.ends(protocol.ExitInconclusive)
	default:
		status.Line = fmt.Sprintf("its process ended without recording why; everything up to event %d is saved", s.Seq)
		status.Next = resume
		status.ends(protocol.ExitError)
	}
	return status
}

// unheard describes a session whose process does not answer.
func unheard(r attach.Running, err error) *sessionStatus {
	return &sessionStatus{ID: r.ID, Status: store.StatusRunning, Line: plain.Line(err.Error()), Asked: []string{}}
}

// status describes a session, whether it runs or not.
func (c *Console) status(ctx context.Context, id string, required requirements) (*sessionStatus, error) {
	r, path, err := c.locate(ctx, id)
	if err != nil {
		return nil, err
	}
	if r == nil {
		return c.storedStatus(path, required)
	}
	client, f, err := c.look(ctx, *r)
	if err != nil {
		if path, missing := c.stored(r.ID); missing == nil && !store.Held(path) {
			return c.storedStatus(path, required) // it has just ended
		}
		return unheard(*r, err), nil
	}
	client.Leave(ctx)
	status := c.runningStatus(f)
	if path, err := c.stored(r.ID); err == nil { // a session of a batch is in the folder of the batch
		status.Path = path
	}
	return status, nil
}

// stored returns the path of a session's file; id is the full ID.
func (c *Console) stored(id string) (string, error) {
	dir, err := c.sessions()
	if err != nil {
		return "", err
	}
	path, err := store.Path(dir, id)
	if err == nil {
		_, err = os.Stat(path)
	}
	return path, err
}

// locate finds a session by its ID or the start of it: where it listens, or else its file.
func (c *Console) locate(ctx context.Context, id string) (*attach.Running, string, error) {
	if id == "" {
		return nil, "", usage("the ID of a session is empty; moot list shows your sessions")
	}
	all, err := attach.List(ctx, c.sockets())
	if err != nil {
		return nil, "", err
	}
	if i := slices.IndexFunc(all, isSession(id)); i >= 0 {
		return &all[i], "", nil
	}
	if path, err := c.stored(id); err == nil {
		return nil, path, nil
	}
	found := lists.Filter(all, func(r attach.Running) bool { return strings.HasPrefix(r.ID, id) })
	path, err := find(c, id)
	switch {
	case err == nil:
		// The only session that begins so may be running.
		if i := slices.IndexFunc(found, isSession(sessionID(path))); i >= 0 {
			return &found[i], "", nil
		}
		return nil, path, nil
	case len(found) == 1:
		return &found[0], "", nil // it has no file
	}
	return nil, "", err
}

// running describes all sessions that run, in the order of their IDs. Only these are read, so that it takes no longer
// with many sessions.
func (c *Console) running(ctx context.Context) ([]*sessionStatus, error) {
	all, err := attach.List(ctx, c.sockets())
	if err != nil {
		return nil, err
	}
	found := make([]*sessionStatus, len(all))
	var group sync.WaitGroup
	for i, r := range all {
		group.Go(func() {
			status, err := c.status(ctx, r.ID, nil)
			if err != nil {
				status = unheard(r, err)
			}
			found[i] = status
		})
	}
	group.Wait()
	return found, nil
}

// statusText has a line for each session. The line of one that was asked for names its log.
func statusText(list []*sessionStatus, logs bool) string {
	var rows [][]string
	for _, s := range list {
		line := s.Line
		if s.Next != "" {
			line += "; " + s.Next
		}
		if logs && s.Log != "" {
			line += "; log " + plain.Line(s.Log)
		}
		rows = append(rows, []string{s.ID, string(s.Status), line})
	}
	return strings.Join(columns(rows), "\n") + "\n"
}

func newStatus(c *Console) *cobra.Command {
	var form report.Form
	cmd := &cobra.Command{
		Use:               "status",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := c.untilSignal(cmd.Context())
			defer stop()
			if len(args) == 1 {
				one, err := c.status(ctx, args[0], nil)
				if err != nil {
					return cmp.Or(context.Cause(ctx), err)
				}
				if form == report.FormJSON {
					return c.printJSON(one)
				}
				return c.Print(statusText([]*sessionStatus{one}, true))
			}
			list, err := c.running(ctx)
			switch {
			case err != nil:
				return cmp.Or(context.Cause(ctx), err)
			case form == report.FormJSON:
				return c.printJSON(append([]*sessionStatus{}, list...))
			case len(list) == 0:
				c.Say("no session is running; moot list shows all sessions")
				return nil
			}
			return c.Print(statusText(list, false))
		},
	}
	outputFlag(cmd, &form, report.FormText, report.FormJSON)
	return cmd
}

func (c *Console) printJSON(value any) error {
	text, err := report.JSON(value)
	if err != nil {
		return err
	}
	return c.Print(text)
}

func newWait(c *Console) *cobra.Command {
	var timeout time.Duration
	var required requirements
	cmd := &cobra.Command{
		Use:               "wait",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: c.completeMoreSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if timeout < 0 {
				return usage("--timeout: how long to wait is a positive time, as in 10m; leave the flag out to wait for ever")
			}
			return c.wait(cmd.Context(), args, timeout, required)
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "how long to wait, as in 10m; exit code 124 when it is over")
	required.flags(cmd.Flags())
	return cmd
}

// errWaited ends a wait whose time is over.
var errWaited = &codeError{code: protocol.ExitTimeout}

// wait waits until all sessions have ended, or one of them waits for the user.
func (c *Console) wait(ctx context.Context, ids []string, timeout time.Duration, required requirements) error {
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, errWaited)
		defer cancel()
	}
	// An ID that is wrong is said before anything is waited for.
	var names []string
	for _, id := range ids {
		r, path, err := c.locate(ctx, id)
		if err != nil {
			return cmp.Or(context.Cause(ctx), err)
		}
		if r != nil {
			path = r.ID
		}
		if id = sessionID(path); !slices.Contains(names, id) {
			names = append(names, id)
		}
	}
	type outcome struct {
		status *sessionStatus
		err    error
	}
	ended := make(chan outcome, len(names))
	waiting, enough := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer func() {
		enough()
		group.Wait()
	}()
	for _, id := range names {
		group.Go(func() {
			status, err := c.waitFor(waiting, id, required)
			ended <- outcome{status, err}
		})
	}
	var codes []protocol.ExitCode
	for range names {
		one := <-ended
		switch {
		case ctx.Err() != nil:
			if errors.Is(context.Cause(ctx), errWaited) {
				c.Say("timeout    %s is over; what did not end goes on: moot status", timeout)
			}
			return context.Cause(ctx)
		case one.err != nil:
			return one.err
		}
		if err := c.Print(statusText([]*sessionStatus{one.status}, false)); err != nil {
			return err
		}
		if codes = append(codes, *one.status.ExitCode); one.status.Needs != "" {
			return leaveWith(protocol.ExitPerson)
		}
	}
	return leaveWith(protocol.FirstExitCode(codes...))
}

// pollTime is how often the file of a session is looked at that cannot be followed.
const pollTime = time.Second

// waitFor waits until a session has ended or needs the user. It follows the session through its socket; without one it
// looks at the file from time to time. Its error ends the whole wait.
func (c *Console) waitFor(ctx context.Context, id string, required requirements) (*sessionStatus, error) {
	size := int64(-1)
	for {
		r, path, err := c.locate(ctx, id)
		if err != nil {
			return nil, err
		}
		if r != nil {
			// After an error nothing is known: its process may have gone, or be too busy.
			if status, err := c.followTo(ctx, *r, required); err == nil {
				return status, nil
			}
		} else if info, err := os.Stat(path); err != nil || info.Size() != size || !store.Held(path) {
			status, err := c.storedStatus(path, required)
			if err != nil || status.ExitCode != nil {
				return status, err
			}
			if info != nil {
				size = info.Size()
			}
		}
		select {
		case <-time.After(pollTime):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// followTo follows a running session until it ends or needs the user.
func (c *Console) followTo(ctx context.Context, r attach.Running, required requirements) (*sessionStatus, error) {
	client, f, err := c.look(ctx, r)
	if err != nil {
		return nil, err
	}
	defer client.Leave(ctx)
	var last *protocol.Ended
	client.Notify = func(n protocol.Notice) {
		if ended, over := n.(protocol.Ended); over {
			last = &ended
			return
		}
		if f.take(n); f.needs() != "" {
			client.Leave(ctx)
		}
	}
	if f.needs() == "" {
		err = client.Run(ctx)
	}
	switch {
	case f.needs() != "":
		return c.runningStatus(f), nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.Is(err, protocol.ErrStopped):
		return nil, err
	case client.Saved:
		// Its file can be used by the next command.
		if path, err := c.stored(r.ID); err == nil {
			c.untilReleased(ctx, path)
			return c.storedStatus(path, required)
		}
	}
	return c.restingStatus(last.State, last.Rulings, false, required), nil
}

// releaseTime is how long a process may take to release the file of a session that has ended: it ends the programs of
// its participants first.
const releaseTime = 30 * time.Second

// untilReleased waits until no process has the file of a session open. It reports whether that is so.
func (c *Console) untilReleased(ctx context.Context, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, releaseTime)
	defer cancel()
	for store.Held(path) {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return false
		}
	}
	return true
}

func newPause(c *Console) *cobra.Command {
	return &cobra.Command{
		Use:               "pause",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE:              func(cmd *cobra.Command, args []string) error { return c.pause(cmd.Context(), args[0]) },
	}
}

// pause asks the process of a running session to record that the user paused it, and waits until its file is free.
func (c *Console) pause(ctx context.Context, id string) error {
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	running, path, err := c.locate(ctx, id)
	if err == nil && running == nil {
		// Unless it has just begun to listen, this says why it cannot be paused.
		var found attach.Running
		found, err = c.findRunning(ctx, sessionID(path))
		running = &found
	}
	if err != nil {
		return err
	}
	client, err := attach.Dial(ctx, running.Path, attach.Join, c.rules()...)
	if err != nil {
		return err
	}
	defer client.Leave(ctx)
	if id = client.ID; !client.Saved {
		return fmt.Errorf("session %s keeps no file, so nothing of it could be resumed; it was left running", id)
	}
	if _, err := client.Present(ctx); err != nil {
		return fmt.Errorf("pause session %s: %w", id, err)
	}
	client.Notify = func(protocol.Notice) {}
	over := make(chan error, 1)
	go func() { over <- client.Run(ctx) }()
	stays, err := client.Pause(ctx)
	switch {
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case err != nil && !errors.Is(err, protocol.ErrStopped):
		return fmt.Errorf("pause session %s: %w", id, err)
	case stays:
		c.Say("waiting    %s runs on its own screen, and waits there before the next turn; continue it there, or with: "+
			"moot attach %[1]s", id)
		return nil
	}
	select {
	case err = <-over:
	case <-ctx.Done():
	}
	if context.Cause(ctx) != nil {
		return context.Cause(ctx)
	}
	if err != nil && !errors.Is(err, protocol.ErrStopped) {
		return err
	}
	if path, err = c.stored(id); err != nil {
		c.Say("paused     %s, whose file is in another folder than those of your sessions", id)
		return nil
	}
	if !c.untilReleased(ctx, path) {
		return cmp.Or(context.Cause(ctx), fmt.Errorf("session %s is paused, and its process has not ended in %s: look "+
			"for it before you continue with moot resume %[1]s", id, releaseTime))
	}
	status, err := c.storedStatus(path, nil)
	if err != nil {
		return err
	}
	if status.Next == "" {
		c.Say("finished   %s ended before it was paused; look at it with: moot show %[1]s", id)
		return nil
	}
	c.Say("paused     %s; continue with: %s", id, status.Next)
	return nil
}
