package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent"
	"moot/agent/person"
	"moot/agent/scrub"
	"moot/attach"
	"moot/internal/plain"
	"moot/internal/process"
	"moot/protocol"
	"moot/report"
	"moot/state/store"
	"moot/view"
)

// With --detach, ask, review and resume start their own program again, with the same arguments and detachedFlag, in a
// session of its own. That process opens the session while it still has the streams of the command: it reads standard
// input, and its notes and errors appear where they would have. Then it writes the ID to its standard output, leaves
// all three streams, and runs the session: the command prints the ID and ends. If the process ends before that, the
// command ends with its exit code.

// detachedFlag tells the process of a session in the background that it is one.
const detachedFlag = "detached"

// detachable lets a command run its session in the background. It is called after the command's own run was set.
func (b *builder) detachable(cmd *cobra.Command) {
	detach, detached := false, false
	group(cmd, "Run", func(f *pflag.FlagSet) {
		f.BoolVar(&detach, "detach", false, "run in the background: print the ID once the session is open, and end")
		f.BoolVar(&detached, detachedFlag, false, "")
		f.Lookup(detachedFlag).Hidden = true
	})
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case detached:
			b.front.background = newBackground(b.console)
			ctx, stop := b.front.background.begin(cmd.Context())
			defer stop()
			cmd.SetContext(ctx)
		case detach:
			if err := b.checkDetach(cmd); err != nil {
				return err
			}
			return b.console.detach(cmd.Context())
		}
		return run(cmd, args)
	}
}

// checkDetach refuses what a session in the background cannot do, before anything is started.
func (b *builder) checkDetach(cmd *cobra.Command) error {
	front := &b.front
	posts := false
	if post := cmd.Flags().Lookup("post"); post != nil {
		posts = post.Value.String() == "true"
	}
	switch {
	case front.plain:
		return usage("--plain asks on standard input, and --detach leaves nobody there: choose one; moot attach --plain " +
			"follows a session in the background")
	case front.step:
		return usage("--step waits for you before each turn, and --detach runs without you: choose one; in moot attach " +
			"you can step")
	case front.dryRun:
		return usage("--dry-run runs no session, so there is nothing to detach: choose one")
	case front.output != "" && front.output != report.FormText:
		return usage("--output %s prints the result at the end, and --detach does not wait for it: leave it out, and type "+
			"moot wait ID && moot show ID --output %[1]s", front.output)
	case front.metrics:
		return usage("--metrics prints them at the end, and --detach does not wait for it: leave it out, and type " +
			"moot wait ID && moot show ID --metrics")
	case len(front.required) > 0:
		return usage("--require decides on the exit code at the end, and --detach does not wait for it: leave it out, and " +
			"type moot wait ID --require …")
	case posts:
		return usage("--post writes a comment at the end, and --detach would not tell you if that failed: choose one; " +
			"moot export ID --as pr prints the comment afterwards")
	case b.values["mode"] == "quick":
		return usage("mode quick keeps no session file, and what runs in the background is found by its file: leave out " +
			"--mode quick or --detach")
	}
	for seat, name := range b.seats.named {
		if name == person.Name {
			return errDetachedPerson(string(seat))
		}
	}
	stdin := func(arg string) bool {
		return arg == "-" || strings.HasPrefix(arg, "-") && strings.HasSuffix(arg, "=-")
	}
	if b.console.InTerminal && slices.ContainsFunc(b.console.args, stdin) {
		return usage("- reads standard input, which is the terminal here, and --detach leaves it: give a file as @FILE, or " +
			"send the text through a pipe")
	}
	return nil
}

// errDetachedPerson refuses the user as the participant of a seat in the background.
func errDetachedPerson(seat string) error {
	return usage("%s: me is you at the keyboard, and a session in the background has none: name another participant, or "+
		"leave out --detach", seat)
}

// endTime is how long a process may take to end after it was asked to.
const endTime = 2 * time.Second

// detach starts this command in a process of its own, waits until that has opened its session, and prints the ID.
func (c *Console) detach(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program of moot to start it again: %w; no session was opened", err)
	}
	signals, stop := c.signals()
	defer stop()
	//nolint:noctx // it outlives the context
	cmd := exec.Command(program, append([]string{"--" + detachedFlag + "=true"}, c.args...)...)
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = c.Dir, c.Environ, c.Err, endTime
	if !c.InTerminal {
		cmd.Stdin = c.In
	}
	inOwnSession(cmd)
	keepStreams()
	says, out, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("make a pipe to the session's process: %w; no session was opened", err)
	}
	defer says.Close()
	cmd.Stdout = out
	if err = cmd.Start(); err != nil {
		return errors.Join(fmt.Errorf("start %s again: %w; no session was opened", program, err), out.Close())
	}
	_ = out.Close()
	opened := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(io.LimitReader(says, 1<<10)).ReadString('\n')
		opened <- strings.TrimSuffix(line, "\n")
	}()
	code, done := protocol.ExitConcluded, ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case id := <-opened:
			if id == "" {
				return c.notOpened(cmd, code)
			}
			if err := store.CheckID(id); err != nil {
				return errors.Join(fmt.Errorf("the session's process wrote no ID: %w", err), cmd.Process.Kill())
			}
			if code != protocol.ExitConcluded {
				// The signal came too late to keep the session from being opened, so it ends as one that is left.
				_ = cmd.Wait()
				c.Say("interrupted after session %s was open; continue it with: moot resume %[1]s", id)
				return leaveWith(code)
			}
			if running, err := attach.List(ctx, c.sockets()); err == nil && slices.ContainsFunc(running, isSession(id)) {
				c.Say("detached   follow it with: moot attach %s", id)
				c.Say("           or use moot status, moot wait and moot pause with this ID")
			} else {
				c.Say("detached   moot status %s says how it is, and moot wait %[1]s waits for its end", id)
			}
			return errors.Join(cmd.Process.Release(), c.Print(id+"\n"))
		case got := <-signals:
			code, late = signalCode(got), time.After(endTime)
			_ = askToEnd(cmd.Process)
		case <-done:
			done = nil
			_ = cmd.Process.Kill()
		case <-late:
			_ = cmd.Process.Kill()
		}
	}
}

// isSession finds the session with an ID.
func isSession(id string) func(attach.Running) bool {
	return func(r attach.Running) bool { return r.ID == id }
}

// notOpened says how the process of a session ended before it opened one. It has printed its own error.
func (c *Console) notOpened(cmd *exec.Cmd, signaled protocol.ExitCode) error {
	err := cmd.Wait()
	exited, is := errors.AsType[*exec.ExitError](err)
	switch {
	case signaled != protocol.ExitConcluded:
		c.Say("interrupted before a session was open; nothing was kept")
		return leaveWith(signaled)
	case is && exited.ExitCode() > 0:
		return &codeError{code: protocol.ExitCode(exited.ExitCode())}
	case is:
		return fmt.Errorf("the process that was to run the session died before it said that one is open: %s; moot list "+
			"shows whether there is one", exited)
	case err != nil:
		return fmt.Errorf("wait for the process that was to run the session: %w; moot list shows whether there is one", err)
	}
	return errors.New("the process that was to run the session ended without one; moot list shows your sessions")
}

// background is the process of a session that runs in the background.
type background struct {
	console *Console
	// early is what was printed before the session was open, for its log.
	early bytes.Buffer
	// listening ends the wait for a signal that comes before the session is open.
	listening func()

	session *session
	// resumed says that the session existed before. follower knows what the session does.
	resumed  bool
	follower follower
	// notified are the reasons for which the user was notified; notifying are notifications under way.
	notified  map[string]bool
	notifying sync.WaitGroup
}

func newBackground(c *Console) *background {
	g := &background{console: c, notified: map[string]bool{}}
	c.Err = io.MultiWriter(&g.early, c.Err)
	c.InTerminal, c.OutTerminal, c.ErrTerminal, c.Width = false, false, false, 0
	// A command that has gone is found out when the ID is written.
	signal.Ignore(syscall.SIGPIPE)
	return g
}

// begin returns a context that ends at a signal that comes before the session is open.
func (g *background) begin(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	signals, ignore := g.console.signals()
	opened := make(chan struct{})
	g.listening = sync.OnceFunc(func() { close(opened); ignore() })
	go func() {
		select {
		case got := <-signals:
			cancel(leaveWith(signalCode(got)))
		case <-opened:
		}
	}()
	return ctx, func() {
		g.listening()
		cancel(nil)
		g.notifying.Wait()
	}
}

// opened tells the command that waits for it that the session is open, and leaves its streams for a log. If nobody waits
// anymore, a session that this process made is removed.
func (g *background) opened(ctx context.Context, s *session) error {
	g.listening()
	g.session, g.follower.state = s, s.state
	if s.file == nil {
		return usage("mode quick keeps no session file, and what runs in the background is found by its file")
	}
	path := g.console.logPath(s.state.ID)
	log, err := openLog(path)
	if err != nil {
		// The session needs no log.
		if log, err = openLog(os.DevNull); err != nil {
			return err
		}
	}
	_, _ = fmt.Fprintf(log, "started    %s, process %d\n", g.console.Now().UTC().Format(time.RFC3339), os.Getpid())
	_, _ = g.early.WriteTo(log)
	if err = context.Cause(ctx); err == nil {
		if err = g.console.Print(s.state.ID + "\n"); err != nil {
			err = fmt.Errorf("nobody waits for the session anymore: %w", err)
		}
	}
	if err != nil {
		s.close()
		if !g.resumed {
			err = errors.Join(err, log.file.Close(), g.console.removeSession(filepath.Dir(s.file.Path()), s.state.ID))
		}
		return err
	}
	g.console.mutex.Lock()
	g.console.Out, g.console.Err = log, log
	g.console.mutex.Unlock()
	return leaveStreams(log.file)
}

// notice notifies the user when the session needs them.
func (g *background) notice(n protocol.Notice) {
	g.follower.take(n)
	if ended, over := n.(protocol.Ended); over {
		code := protocol.SessionExitCode(ended.State, false)
		if ended.Err == nil && code == protocol.ExitPerson {
			g.notify(view.Result(ended.State, ended.Rulings))
		}
		return
	}
	// Whoever goes step by step has joined the session, and sees it.
	if reason := g.follower.needs(); reason != "" && len(g.follower.now.Next) == 0 {
		g.notify(reason)
	}
}

const (
	// notifyTime limits notify_command.
	notifyTime = 10 * time.Second
	// maxNotified is the length of the reason that it gets, in characters.
	maxNotified = 300
)

// notify notes in the log that the session needs the user, and runs the user's notify_command with its ID and the reason,
// once for each reason. A failure is only noted in the log.
func (g *background) notify(reason string) {
	reason = plain.Clip(plain.Line(reason), maxNotified)
	if g.notified[reason] {
		return
	}
	g.notified[reason] = true
	g.console.Say("needs you  %s; moot status %s says what to do", reason, g.session.state.ID)
	command := g.session.defaults.file.NotifyCommand
	if len(command) == 0 {
		return
	}
	g.notifying.Go(func() {
		err := g.console.runNotify(command, g.session.defaults, g.session.state.ID, reason)
		if err != nil {
			g.console.Say("notify     %s", err)
		}
	})
}

// runNotify runs a command without a shell, in the folder of the configuration, and without keys in its environment.
func (c *Console) runNotify(command []string, d *defaults, id, reason string) error {
	folder := filepath.Dir(d.path)
	path := command[0]
	if filepath.Base(path) != path && !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	path, err := c.lookPath(path)
	if err != nil {
		return fmt.Errorf("notify_command in %s: %w", d.name, err)
	}
	environ, err := scrub.Environment(c.Environ, nil)
	if err != nil {
		return err
	}
	keys := agent.KeyUses(d.book)
	environ = slices.DeleteFunc(environ, func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.ContainsFunc(keys, func(k agent.KeyUse) bool { return k.Variable == name })
	})
	runner := &process.Runner{}
	result, err := runner.Run(context.Background(), process.Spec{
		Path: path, Args: slices.Concat(command[1:], []string{id, reason}), Dir: folder, Env: environ,
		Limits: process.Limits{Total: notifyTime, Silence: notifyTime},
	})
	err = errors.Join(err, runner.Close())
	if err == nil && result.Exit != 0 {
		err = fmt.Errorf("it ended %s: %s", result.Ending(), plain.FirstLine(result.Stderr))
	}
	if err != nil {
		return fmt.Errorf("notify_command in %s: %w", d.name, err)
	}
	return nil
}

// maxLog is the maximum size of a log in bytes.
const maxLog = 4 << 20

// logPath is the file with what a session in the background prints. It need not exist.
func (c *Console) logPath(id string) string {
	sessions, err := c.sessions()
	if err != nil {
		return os.DevNull
	}
	return filepath.Join(filepath.Dir(sessions), "logs", id+".log")
}

// sessionLog is what a session in the background prints, up to maxLog.
type sessionLog struct {
	file *os.File
	left int
}

// openLog opens a log to append to it. One that is more than half full starts again.
func openLog(path string) (*sessionLog, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	l := &sessionLog{file: file, left: maxLog}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		if info.Size() > maxLog/2 {
			_ = file.Truncate(0)
		} else {
			l.left -= int(info.Size())
		}
	}
	return l, nil
}

// Write implements io.Writer. The caller serializes calls.
func (l *sessionLog) Write(text []byte) (int, error) {
	const full = "\nthe log is full; moot replay ID --plain lists the events of the session\n"
	switch {
	case l.left <= 0:
	case len(text) > l.left:
		l.left = 0
		_, _ = l.file.WriteString(full)
	default:
		l.left -= len(text)
		// A full disk is no reason to stop the session.
		_, _ = l.file.Write(text)
	}
	return len(text), nil
}

// removeSession deletes a session, with its labels, its log, and its text in the search cache.
func (c *Console) removeSession(dir, id string) error {
	path, err := store.Path(dir, id)
	if err != nil {
		return err
	}
	removed := store.Remove(dir, id)
	if _, err := os.Lstat(path); removed != nil && !errors.Is(err, fs.ErrNotExist) {
		return removed
	}
	// Its text is removed even if a file next to it stays.
	forgotten := c.forget(dir, id)
	err = os.Remove(c.logPath(id))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	} else if err != nil {
		err = fmt.Errorf("session %s is removed, but its log is not: %w", id, err)
	}
	return errors.Join(removed, forgotten, err)
}
