package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent/record"
	"moot/attach"
	"moot/change"
	"moot/internal/git"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/review"
	"moot/protocol/run"
	"moot/report"
	"moot/research"
	"moot/state"
	"moot/state/store"
	"moot/tui"
	"moot/view"
	"moot/workspace"
)

// frontOptions say how a session is shown, and how its result is printed.
type frontOptions struct {
	step, headless, plain, metrics bool
	// agent says that a coding agent runs the session.
	agent bool
	// dryRun prints the first prompts instead of running.
	dryRun bool
	// demo plays recorded participants, without a configuration and a session file.
	demo bool
	// background is the process of a session in the background, or nil.
	background *background
	// memory keeps the session in memory alone, where nobody can join it.
	memory bool
	// record is the file of the recording, or "".
	record   string
	output   report.Form
	required requirements
	looks    lookOptions
}

func (o *frontOptions) flags(cmd *cobra.Command) {
	group(cmd, "Run", func(f *pflag.FlagSet) {
		f.BoolVar(&o.step, "step", false, "wait before each turn")
		f.BoolVar(&o.headless, "headless", false, "no screen and no questions: run to the end")
		f.BoolVar(&o.plain, "plain", false, "no screen: labeled lines and numbered choices (also ACCESSIBLE=1)")
		f.StringVar(&o.record, "record", "",
			"record requests and replies in this new `FILE`, without keys, for bug reports")
		o.required.flags(f)
	})
	outputFlag(cmd, &o.output, outputs()...)
	group(cmd, "Output", func(f *pflag.FlagSet) { metricsFlag(f, &o.metrics) })
	o.looks.flags(cmd)
}

// check refuses flags that exclude one another, and chooses the front end.
func (o *frontOptions) check(c *Console) error {
	if o.record != "" {
		if _, err := os.Lstat(c.path(o.record)); err == nil {
			return in("record", usage("--record: record to %s: %w", o.record, record.ErrExists))
		}
	}
	switch {
	case o.headless && o.plain:
		return usage("--headless asks nothing and --plain does: choose one")
	case o.headless && o.step:
		return usage("--step waits for you, and --headless never waits: choose one, or use --plain --step")
	}
	if !o.headless && c.Getenv("ACCESSIBLE") == "1" && c.InTerminal {
		o.plain = true
	}
	if !o.plain && !c.interactive() && o.background == nil {
		o.headless = true
		if o.step {
			return usage("--step waits for you, but there is no terminal: add --plain to answer on standard input")
		}
	}
	return o.looks.load(c, !o.headless && !o.plain)
}

// session is one run of a session, new or resumed, with everything that it holds open.
type session struct {
	console  *Console
	front    frontOptions
	calls    callOptions
	defaults *defaults
	// notes are printed before the session runs.
	notes    []string
	commands commandOptions
	// own are the participants that exist in this run alone, by name.
	own map[string]protocol.Participant

	// batch is set in a session of a batch.
	batch *run.Batch

	// log keeps the events: in file or, in mode quick and in a demo, in memory.
	log interface {
		protocol.Log
		Head() string
	}
	file *store.File

	state        *state.State
	events       []state.Event
	participants map[state.Seat]protocol.Participant
	// programs are the participants that may run programs.
	programs []io.Closer
	citation *research.Citation
	// tools calls those of the configured servers, or is nil.
	tools    *research.Tools
	counts   *research.Absence
	findings *research.Findings
	reports  *research.Reports
	// workspace answers lookups, or is nil.
	workspace *workspace.Workspace
	// tree holds the files of the commit under review, or is nil.
	tree *git.Tree
	// recorder is nil without --record.
	recorder *record.Recorder
	keyboard *keyboard
	// person is the user at the screen, who may take a seat.
	person *tui.Person
	// host lets others join the session while it runs, or is nil.
	host    *attach.Host
	closing sync.Once
}

// reopen opens the file of an earlier session, and returns what was repaired in it.
func (s *session) reopen(path string) (store.Repair, error) {
	file, opened, err := store.Open(path, s.console.rules()...)
	if err != nil {
		return opened.Repaired, err
	}
	s.file, s.log = file, file
	folded, err := fold(path, opened)
	if err != nil {
		return opened.Repaired, err
	}
	s.state, s.events = folded.state, folded.events
	s.participants = map[state.Seat]protocol.Participant{}
	settings := s.state.Settings
	if settings.Workspace != "" {
		if err := checkFolder(settings.Workspace); err != nil {
			// The command line is right, so this isn't a usage error.
			err = fmt.Errorf("%w; the session needs it and was left unchanged; restore it, and try again", err)
			return opened.Repaired, &codeError{code: protocol.ExitError, err: err}
		}
	}
	if err := s.openTree(context.Background(), &settings); err != nil {
		return opened.Repaired, &codeError{code: protocol.ExitError, err: err}
	}
	if s.citation, err = openCitation(&settings, s.tree); err == nil {
		err = s.openWorkspace(&settings)
	}
	return opened.Repaired, err
}

// openTree writes the files of the commit under review, if there is one.
func (s *session) openTree(ctx context.Context, settings *state.Settings) (err error) {
	if settings.Workspace == "" || settings.Tree == "" {
		return nil
	}
	recorded := change.Recorded{Withheld: map[string]bool{}}
	if own, is := settings.Own.(*review.Settings); is {
		recorded.Change = &own.Change
	}
	for _, w := range s.state.Withheld {
		// What did not fit the prompt of a seat is in the session.
		if len(w.Seats) == 0 {
			recorded.Withheld[w.Path] = true
		}
	}
	var note string
	if s.tree, note, err = change.Reopen(ctx, settings.Workspace, settings.Tree, recorded); note != "" {
		s.notes = append(s.notes, "note       "+note)
	}
	return err
}

// openWorkspace prepares to answer lookups.
func (s *session) openWorkspace(settings *state.Settings) error {
	if settings.Workspace == "" || settings.Lookups == 0 {
		return nil
	}
	_, redactor, err := s.console.shared()
	if err != nil {
		return err
	}
	if settings.NoRedact {
		redactor = nil
	}
	s.workspace, err = workspace.New(settings.Workspace, redactor, settings.AllowPaths)
	if err == nil && s.tree != nil {
		s.workspace.In(s.tree)
	}
	return err
}

// append records events while the session doesn't run.
func (s *session) append(payloads ...state.Payload) error {
	next, events, err := state.Extend(s.state, s.console.Now(), payloads...)
	if err != nil {
		return fmt.Errorf("record an event: %w", err)
	}
	if err := s.log.Append(events); err != nil {
		return err
	}
	s.state, s.events = next, append(s.events, events...)
	return nil
}

// allowCommands replaces the commands that run without asking: those of the flags, and the calls of tools that the
// configuration allows.
func (s *session) allowCommands(o *commandOptions) []state.Payload {
	allowed := &state.CommandsAllowed{Patterns: slices.Clone(o.allowed), By: state.User}
	if s.tools != nil {
		for _, pattern := range s.tools.Allowed() {
			if !slices.Contains(o.allowed, pattern) {
				allowed.Patterns = append(allowed.Patterns, pattern)
				allowed.Configured = append(allowed.Configured, pattern)
			}
		}
	}
	if o.trials {
		allowed.Unconfined = o.notConfined(s.console)
		allowed.Trials = allowed.Unconfined == ""
	}
	if slices.Equal(allowed.Patterns, s.state.AllowedCommands) && allowed.Trials == s.state.AllowedTrials &&
		allowed.Unconfined == s.state.Unconfined {
		return nil
	}
	return []state.Payload{allowed}
}

// openTools prepares the tools of the configured servers, which need a workspace like all that runs. A session that
// continues has those that it recorded.
func (s *session) openTools(ctx context.Context, settings *state.Settings, recorded bool) error {
	has := slices.ContainsFunc(settings.Kinds, func(k ledger.Kind) bool { return k.Name == research.ToolKind })
	if s.citation == nil || recorded && !has || !recorded && len(s.defaults.file.Tools) == 0 {
		return nil
	}
	var err error
	if s.tools, err = s.console.tools(s.defaults, settings.NoRedact); err != nil {
		return err
	}
	if !recorded || s.tools.NeedsList() {
		s.notes = append(s.notes, s.tools.Describe(ctx)...)
	}
	if recorded {
		s.tools.DescribedAs(settings.Kinds)
	}
	return nil
}

// tools prepares the tools of the configured servers. They run in the folder of the configuration.
func (c *Console) tools(d *defaults, keepSecrets bool) (*research.Tools, error) {
	_, redactor, err := c.shared()
	if keepSecrets {
		redactor = nil
	}
	return research.OpenTools(research.ToolOptions{
		Servers: d.file.Tools, Environ: c.Environ, Folder: filepath.Dir(d.path), Redactor: redactor, Version: version(),
	}), err
}

// allowHosts adds hosts whose pages may be read. What the configuration says of them counts.
func (s *session) allowHosts(configured, more []ledger.Host) []state.Payload {
	settings := s.state.Settings
	before := settings.Hosts
	settings.Hosts = addHosts(before, more...)
	for i := range settings.Hosts {
		known := func(h ledger.Host) bool { return h.Name == settings.Hosts[i].Name && h.Port == settings.Hosts[i].Port }
		if at := slices.IndexFunc(configured, known); at >= 0 {
			settings.Hosts[i].SourceKind = cmp.Or(settings.Hosts[i].SourceKind, configured[at].SourceKind)
		}
	}
	if slices.Equal(before, settings.Hosts) {
		return nil
	}
	kinds := research.Recorded([]research.Checker{s.openPages(&settings)})
	return []state.Payload{&state.HostsAllowed{Hosts: settings.Hosts, Kinds: kinds, By: state.User}}
}

// openPages opens the checker of pages. It is nil if no host is allowed.
func (s *session) openPages(settings *state.Settings) *research.Pages {
	_, redactor, err := s.console.shared()
	if err != nil || len(settings.Hosts) == 0 {
		return nil
	}
	pages := research.OpenPages(settings.Hosts, redactor)
	if settings.NoRedact {
		pages.Redact(nil)
	}
	if program, err := os.Executable(); err == nil && s.console.Confines {
		pages.ReadPDF(program)
	}
	return pages
}

// close closes everything that the session holds open, once.
func (s *session) close() {
	s.closing.Do(func() {
		if s.host != nil {
			s.host.Close()
		}
		s.closePrograms()
		err := s.recorder.Close()
		if s.tools != nil {
			err = errors.Join(err, s.tools.Close())
		}
		if s.citation != nil {
			err = errors.Join(err, s.citation.Close())
		}
		if s.counts != nil {
			s.counts.Close()
		}
		if s.workspace != nil {
			err = errors.Join(err, s.workspace.Close())
		}
		if s.tree != nil {
			err = errors.Join(err, s.tree.Close())
		}
		if s.file != nil {
			err = errors.Join(err, s.file.Close())
		}
		if err != nil {
			s.console.Say("moot: %s", err)
		}
	})
}

// closePrograms ends the programs of all participants in parallel.
func (s *session) closePrograms() {
	var group sync.WaitGroup
	for _, program := range s.programs {
		group.Go(func() {
			if err := program.Close(); err != nil {
				s.console.Say("moot: %s", err)
			}
		})
	}
	group.Wait()
	s.programs = nil
}

// record creates the recording, if there is one, before anything is sent.
func (s *session) record(id string) error {
	if s.front.record == "" {
		return nil
	}
	head := record.Head{Moot: version(), Session: id, At: s.console.Now()}
	recorder, err := record.Create(s.console.path(s.front.record), head, s.console.Environ)
	if err != nil {
		return in("record", usage("--record: %w; nothing was sent", err))
	}
	s.recorder = recorder
	return nil
}

// ownFiles are the files and folders that moot itself writes during a session.
func (s *session) ownFiles() []string {
	var paths []string
	if s.front.record != "" {
		paths = append(paths, s.console.path(s.front.record))
	}
	if sessions, err := s.console.sessions(); err == nil {
		paths = append(paths, filepath.Dir(sessions))
	}
	return paths
}

// runner prepares the loop. Others can join the session until it is closed.
func (s *session) runner(watch func(protocol.Notice)) (*run.Session, error) {
	parser, _, err := s.console.shared()
	if err != nil {
		return nil, err
	}
	s.host = attach.New(attach.Options{
		State: s.state, Events: s.events, Saved: s.file != nil, Stepping: s.front.step,
		Alone: s.front.headless || s.front.background != nil,
		Front: !s.front.headless && !s.front.agent && s.front.background == nil,
		Seat: func(seat state.Seat, name string) (protocol.Participant, error) {
			return s.participant(state.SeatAssignment{Seat: seat, Participant: name}, &s.state.Settings)
		},
	})
	o := run.Options{
		State: s.state, Log: s.log, Participants: s.participants,
		Parser: parser, Now: s.console.Now,
		Watch:    func(n protocol.Notice) { s.host.Watch(n); watch(n) },
		Recorder: s.recorder, Step: s.front.step, Attended: !s.front.headless, Agent: s.front.agent,
		CommandTime: s.commands.timeout, Batch: s.batch,
	}
	if s.workspace != nil {
		o.Looker = s.workspace
	}
	if o.Researcher, err = s.researcher(); err != nil {
		return nil, err
	}
	runner := run.New(o)
	if !s.front.memory {
		// If it fails, only joining is impossible; moot attach says so.
		err := s.host.Listen(s.console.sockets(), run.Attached{Session: runner})
		if err != nil && s.front.background != nil {
			s.console.Say("note       the session cannot be joined or paused, only ended with kill: %s", err)
		}
	}
	return runner, nil
}

// moreCheckers are those that not every session has.
func (s *session) moreCheckers(settings *state.Settings, command *research.Command) []research.Checker {
	list := slices.Clone(s.console.Checkers)
	if s.citation != nil {
		if history := research.OpenHistory(settings.Workspace, settings.AllowPaths, s.tree); history != nil {
			list = append(list, history)
		}
		if try := research.OpenTry(settings.Workspace, settings.AllowPaths, s.tree, command); try != nil {
			list = append(list, try)
		}
		s.counts = s.console.absence(settings, s.tree)
		s.findings, s.reports = research.OpenFindings(s.counts), &research.Reports{}
		list = append(list, s.counts, s.findings, s.reports)
	}
	if pages := s.openPages(settings); pages != nil {
		list = append(list, pages)
	}
	if s.tools != nil {
		list = append(list, s.tools)
	}
	return list
}

// absence is the checker of counts. Its listing is that of lookups.
func (c *Console) absence(settings *state.Settings, tree *git.Tree) *research.Absence {
	_, redactor, err := c.shared()
	if err != nil || settings.NoRedact {
		redactor = nil
	}
	return research.OpenAbsence(settings.Workspace, settings.AllowPaths, tree, redactor, c.Environ)
}

// researcher checks references. It redacts secrets in what it finds, unless the user wants to keep them.
func (s *session) researcher() (protocol.Researcher, error) {
	_, redactor, err := s.console.shared()
	if err != nil {
		return nil, err
	}
	settings := &s.state.Settings
	command, err := s.commands.open(s.console, settings.Workspace)
	if err != nil {
		return nil, fmt.Errorf("%w; the session needs it to run commands, and was left unchanged", err)
	}
	checkers := research.Checkers{List: s.moreCheckers(settings, command), Recorded: settings.Kinds}
	if !settings.NoRedact {
		checkers.Redactor = redactor
	}
	citation := s.citation
	if citation == nil {
		citation = &research.Citation{} // Without a workspace, only what the user gave can be cited.
	}
	given := lists.Map(settings.Context, func(document state.Document) research.File {
		return research.File{Path: document.Path, Text: document.Text}
	})
	citation.Give(given, s.state.ByAgent)
	if s.citation != nil || len(given) > 0 {
		checkers.List = append(checkers.List, citation)
	}
	if s.citation == nil {
		return checkers, nil
	}
	citation.Since(s.state.OpenedAt, namedFiles(s.state)...)
	citation.Redact(checkers.Redactor)
	if s.tree != nil {
		command.In(s.tree)
	}
	s.findings.Give(given, s.state.ByAgent)
	s.reports.Command = command
	checkers.List = append(checkers.List, command)
	return checkers, nil
}

// namedFiles are the files that the user named. What an agent passes is not named by the user.
func namedFiles(s *state.State) (named []string) {
	if s.ByAgent {
		return nil
	}
	named = append(named, s.Settings.Input.DesignPath)
	for _, document := range s.Settings.Context {
		named = append(named, document.Path)
	}
	return named
}

// resumeCommand is the command that continues the session. If a cap was reached, it raises the cap.
func (s *session) resumeCommand() string {
	line := "moot resume " + s.state.ID
	if flag := run.CapReached(s.state); flag != "" {
		line += " " + flag + " MORE"
	}
	return line
}

// next says how to continue the session, which has a file.
func (s *session) next() string {
	if _, err := os.Stat(s.file.Path()); err != nil {
		return "it cannot be continued, since its file is gone"
	}
	return "continue with: " + s.resumeCommand()
}

// conclude prints the result of a run and how it ended. The code belongs to a signal, or is 0.
func (s *session) conclude(last protocol.Ended, code protocol.ExitCode) error {
	s.state = last.State
	defer func() {
		if text := s.recorder.Summary(); text != "" {
			s.console.Say("recorded   %s", text)
		}
	}()
	var panicked *run.PanicError
	switch {
	case errors.As(last.Err, &panicked):
		return fmt.Errorf("%w; this is a bug in moot\n%s", last.Err, panicked.Stack)
	case last.Err != nil && !errors.Is(last.Err, protocol.ErrStopped):
		if s.file == nil || strings.Contains(last.Err.Error(), "moot resume") {
			return last.Err
		}
		return fmt.Errorf("%w; %s", last.Err, s.next())
	case last.Err != nil:
		return s.left(code)
	}
	// A signal that found a session that had paused by itself still ends the command.
	result := protocol.SessionExitCode(s.state, s.front.required.missed(s.console, s.state, last.Rulings))
	if !s.state.Closed {
		result = protocol.FirstExitCode(code, result)
	}
	text, err := s.front.output.Write(report.Input{
		State: last.State, Rulings: last.Rulings, Metrics: s.front.metrics, Width: s.console.Width, Head: s.log.Head(),
		ExitCode: result,
	})
	if err != nil {
		return err
	}
	if err := s.console.Print(text); err != nil {
		return err
	}
	if s.file != nil {
		s.console.Say("saved      %s, %d events, head %s", s.state.ID, s.state.Seq, s.log.Head())
	}
	if !s.state.Closed && s.file != nil {
		// The result says why.
		s.console.Say("paused     %s", s.next())
	}
	return leaveWith(result)
}

// left ends a run that the user left.
func (s *session) left(code protocol.ExitCode) error {
	switch {
	case s.front.demo:
	case s.file == nil:
		s.console.Say("left       mode quick keeps no session file: nothing was saved")
	default:
		s.console.Say("saved      %s, %d events; %s", s.state.ID, s.state.Seq, s.next())
	}
	if code == protocol.ExitConcluded {
		code = protocol.SessionExitCode(s.state, false)
	}
	return leaveWith(code)
}

// sockets returns the folders of the sockets of running sessions.
func (c *Console) sockets() []string {
	c = c.root()
	elsewhere := ""
	if sessions, err := c.sessions(); err == nil && cmp.Or(c.State, os.Getenv(store.StateVariable)) != "" {
		elsewhere = filepath.Dir(sessions)
	}
	return attach.Folders(elsewhere)
}

// runningHere returns the running sessions that are about the repository of this folder.
func (c *Console) runningHere(running []attach.Running) []attach.Running {
	summaries, err := listSessions(c)
	if err != nil {
		return nil
	}
	repository := repositories()
	here := repository(c.Dir)
	return lists.Filter(running, func(r attach.Running) bool {
		return slices.ContainsFunc(summaries, func(s store.Summary) bool {
			return s.ID == r.ID && s.Workspace != "" && repository(s.Workspace) == here
		})
	})
}

// findRunning returns the running session with the ID or the start of it; "" is the only one, or the only one about this
// folder.
func (c *Console) findRunning(ctx context.Context, id string) (attach.Running, error) {
	all, err := attach.List(ctx, c.sockets())
	if err != nil {
		return attach.Running{}, err
	}
	found := lists.Filter(all, func(r attach.Running) bool { return strings.HasPrefix(r.ID, id) })
	if len(found) > 1 && id == "" {
		if local := c.runningHere(found); len(local) == 1 {
			c.Say("joined     %s, the only one of %d running sessions that is about this folder", local[0].ID, len(found))
			found = local
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
		switch {
		case err != nil:
		case store.Held(s.path):
			err = fmt.Errorf("session %s runs in a process that does not listen, so it cannot be joined or paused; "+
				"moot status %[1]s says how it is", s.state.ID)
		case s.state.Closed:
			err = fmt.Errorf("session %s is finished; moot show %[1]s prints its result", s.state.ID)
		default:
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
