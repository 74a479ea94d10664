package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/adr"
	"moot/internal/git"
	"moot/internal/lists"
	"moot/internal/regular"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/run"
	"moot/recheck"
	"moot/report"
	"moot/research"
	"moot/state"
	"moot/state/store"
)

// recheckOptions are the flags of moot recheck.
type recheckOptions struct {
	console  *Console
	form     report.Form
	repo     string
	commands commandOptions
	hosts    hostOptions
	patterns []ledger.CommandPattern
	report   recheck.Report
}

func newRecheck(c *Console) *cobra.Command {
	o := &recheckOptions{console: c}
	cmd := &cobra.Command{
		Use:  "recheck",
		Args: cobra.ArbitraryArgs,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			ids, _ := c.completeMoreSessions(cmd, args, typed)
			return ids, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	group(cmd, "Sessions", func(f *pflag.FlagSet) {
		f.StringVar(&o.repo, "repo", "", "all finished sessions on the repository around this `folder`")
	})
	complete(cmd, "repo", func(context.Context, string) []string { return nil }, cobra.ShellCompDirectiveFilterDirs)
	outputFlag(cmd, &o.form, outputs()...)
	o.commands.flags(cmd)
	o.hosts.flags(cmd)
	return cmd
}

func (o *recheckOptions) run(ctx context.Context, args []string) error {
	for _, text := range o.commands.allowed {
		pattern, err := ledger.ParseCommandPattern(text)
		if err != nil {
			return usage("--allow-command: %w", err)
		}
		o.patterns = append(o.patterns, pattern)
	}
	o.report = recheck.Report{
		Schema: recheck.SchemaName, Counts: map[recheck.Word]int{}, Sessions: []recheck.Result{},
		Unread: []recheck.Unread{}, Unfinished: []string{},
	}
	ctx, stop := o.console.untilSignal(ctx)
	defer stop()
	var err error
	switch {
	case o.repo != "" && len(args) > 0:
		return usage("--repo rechecks all sessions of a repository: leave the session IDs out")
	case o.repo != "":
		err = o.repository(ctx, o.console.path(o.repo), false)
	case len(args) == 0:
		err = o.repository(ctx, o.console.Dir, true)
	}
	for _, name := range args {
		if err == nil {
			err = o.named(ctx, name)
		}
	}
	if err != nil {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(o.report.Sessions) == 0 && len(o.report.Unread) > 0 {
		return fmt.Errorf("none of the sessions can be read; %s: %s", o.report.Unread[0].Path, o.report.Unread[0].Reason)
	}
	code := protocol.ExitConcluded
	if o.report.Broken() > 0 {
		code = protocol.ExitFound
	}
	o.report.ExitCode = int(code)
	if err := o.print(); err != nil {
		return err
	}
	return leaveWith(code)
}

func (o *recheckOptions) print() error {
	var text string
	var err error
	switch {
	case o.form == report.FormJSON:
		text, err = report.JSON(&o.report)
	case o.form == report.FormMarkdown:
		text = report.Markdown(o.report.Document())
	default:
		text = report.Text(o.report.Document(), o.console.Width)
	}
	if err != nil {
		return err
	}
	return o.console.Print(text)
}

// named rechecks what an argument names: a folder with session files, a session file, or a session.
func (o *recheckOptions) named(ctx context.Context, name string) error {
	path := o.console.path(name)
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		files, err := filepath.Glob(filepath.Join(globEscape(path), "*.jsonl"))
		if err != nil {
			return fmt.Errorf("read %s: %w", path, err)
		}
		for _, file := range files {
			if err := o.file(ctx, file, true); err != nil {
				return err
			}
		}
		n, err := o.records(ctx, path)
		if err == nil && n+len(files) == 0 {
			return usage("%s has neither session files (*.jsonl) nor decision records of moot (*.md)", path)
		}
		return err
	case err != nil && strings.EqualFold(filepath.Ext(path), ".md"):
		return usage("there is no file %s", path)
	case err == nil && !isSessionFile(path):
		r, err := adr.ReadRecord(path)
		switch {
		case err != nil:
			return fmt.Errorf("read the decision record %s: %w", path, err)
		case r.Damage != "":
			return fmt.Errorf("read the decision record %s: %s; it was left unchanged", path, r.Damage)
		case r.Origin == nil:
			return usage("%s is neither a session file nor a decision record of moot: only what moot export --as adr wrote says "+
				"what it rests on", path)
		}
		return o.record(ctx, path, r.Origin)
	case err == nil:
		return o.file(ctx, path, false)
	}
	if path, err = find(o.console, name); err != nil {
		return err
	}
	return o.file(ctx, path, false)
}

// isSessionFile reports whether a file begins like a session, or has the name of one.
func isSessionFile(path string) bool {
	if strings.EqualFold(filepath.Ext(path), ".jsonl") {
		return true
	}
	file, err := regular.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	begin := make([]byte, len(`{"seq":`))
	_, err = io.ReadFull(file, begin)
	return err == nil && string(begin) == `{"seq":`
}

// globEscape makes a path stand for itself in a glob.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `?`, `\?`, `*`, `\*`).Replace(path)
}

// repository rechecks the sessions on the repository around a folder, or the newest finished one.
func (o *recheckOptions) repository(ctx context.Context, dir string, newest bool) error {
	if err := checkFolder(dir); err != nil {
		return err
	}
	summaries, err := listSessions(o.console)
	if err != nil {
		return err
	}
	top := placesOf(dir)
	for i := range summaries {
		s := &summaries[i]
		if s.Workspace == "" && (s.Broken == "" || newest) || s.Workspace != "" && !sameRepository(top, s.Workspace) {
			continue
		}
		if newest && (!s.Closed || s.Broken != "") {
			o.console.Say("note       %s is newer and not finished, or damaged: it is not rechecked", s.ID)
			continue
		}
		if err := o.file(ctx, s.Path, true); err != nil || newest {
			return err
		}
	}
	if folder := adr.Find(top[0]); folder != "" && !newest {
		if _, err := o.records(ctx, folder); err != nil {
			o.report.Unread = append(o.report.Unread, recheck.Unread{Path: folder, Reason: err.Error()})
		}
	}
	if len(o.report.Sessions)+len(o.report.Unread)+len(o.report.Unfinished) == 0 || newest {
		return usage("there is no finished session on %s; name one: moot recheck ID", top[0])
	}
	return nil
}

// placesOf returns the top of the work tree around a folder with the folders of its repository, or the folder alone.
func placesOf(dir string) []string {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	if place, err := git.Find(dir); err == nil {
		return place.Folders()
	}
	return []string{filepath.Clean(dir)}
}

// sameRepository reports whether a workspace belongs to a repository: it is below its top, or a linked work tree.
func sameRepository(places []string, workspace string) bool {
	other := placesOf(workspace)
	below, err := filepath.Rel(places[0], other[0])
	return err == nil && filepath.IsLocal(below) && (len(places) == 1 || len(other) == 1 || other[0] == places[0]) ||
		len(places) > 1 && len(other) > 1 && places[len(places)-1] == other[len(other)-1]
}

// file rechecks a session file. Of many, those that cannot be checked are listed.
func (o *recheckOptions) file(ctx context.Context, path string, many bool) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	opened, err := store.Read(path, o.console.rules()...)
	var s *stored
	if err == nil {
		s, err = fold(path, opened)
	}
	switch {
	case err != nil && many:
		o.report.Unread = append(o.report.Unread, recheck.Unread{Path: path, Reason: cause(err)})
		return nil
	case err != nil:
		return err
	case !s.state.Closed && many:
		o.report.Unfinished = append(o.report.Unfinished, s.id())
		return nil
	case !s.state.Closed:
		return usage("%s is not finished: only the rulings of a finished session are rechecked", s.id())
	}
	result, err := o.session(ctx, s)
	if err == nil {
		result.ID = s.id()
		o.report.Add(result)
	}
	return err
}

// records rechecks the decision records of moot in a folder, and returns how many there are. A record of a session that
// was rechecked is only named with it.
func (o *recheckOptions) records(ctx context.Context, dir string) (int, error) {
	folder, err := adr.Read(dir)
	if err != nil {
		return 0, err
	}
	for _, unread := range folder.Unread {
		o.report.Unread = append(o.report.Unread, recheck.Unread{Path: dir, Reason: unread})
	}
	n := 0
	for i := range folder.Records {
		r := &folder.Records[i]
		if r.Origin == nil && r.Damage == "" {
			continue
		}
		n++
		path := filepath.Join(dir, r.File)
		if r.Damage != "" {
			o.report.Unread = append(o.report.Unread, recheck.Unread{Path: path, Reason: r.Damage})
			continue
		}
		checked := func(s recheck.Result) bool { return s.ID == r.Origin.Session && s.Record == "" }
		if at := slices.IndexFunc(o.report.Sessions, checked); at >= 0 {
			o.report.Sessions[at].RecordedIn = append(o.report.Sessions[at].RecordedIn, path)
			continue
		}
		if err := o.record(ctx, path, r.Origin); err != nil {
			return n, err
		}
	}
	return n, nil
}

// record rechecks a decision record. A record comes with a repository, so it names no workspace outside of that.
func (o *recheckOptions) record(ctx context.Context, path string, origin *adr.Origin) error {
	top := placesOf(filepath.Dir(path))[0]
	if _, err := git.Find(filepath.Dir(path)); err != nil {
		top = o.console.Dir
	}
	workspace := filepath.Join(filepath.Dir(path), filepath.FromSlash(origin.Workspace))
	if below, err := filepath.Rel(realPath(top), realPath(workspace)); origin.Workspace == "" || err != nil || !filepath.IsLocal(below) {
		workspace = top
	}
	empty := &state.State{ID: origin.Session, Settings: state.Settings{Workspace: workspace}}
	result, err := o.inWorkspace(ctx, empty, func(w *recheck.Workspace) recheck.Result {
		return recheck.Record(ctx, path, workspace, origin, w)
	})
	if err == nil {
		o.report.Add(result)
	}
	return err
}

// session checks the evidence of a session in its workspace as it is now.
func (o *recheckOptions) session(ctx context.Context, s *stored) (recheck.Result, error) {
	return o.inWorkspace(ctx, s.state, func(w *recheck.Workspace) recheck.Result {
		return recheck.Session(ctx, s.state, s.events, w)
	})
}

// inWorkspace opens the workspace of a session and what checks evidence in it.
func (o *recheckOptions) inWorkspace(
	ctx context.Context, s *state.State, check func(*recheck.Workspace) recheck.Result,
) (result recheck.Result, err error) {
	settings := s.Settings
	w := &recheck.Workspace{CommandTime: o.commands.timeout, Allowed: o.allows}
	if w.CommandTime == 0 {
		w.CommandTime = run.DefaultCommandTime
	}
	switch wrong := checkFolder(settings.Workspace); {
	case settings.Workspace == "":
		w.Missing = "the session has no workspace"
	case wrong != nil:
		w.Missing = wrong.Error()
	}
	pages, err := o.pages(&settings, w)
	if err != nil {
		return result, err
	}
	if w.Missing != "" {
		w.Researcher = pages
		return check(w), nil
	}
	root, err := os.OpenRoot(settings.Workspace)
	if err != nil {
		return result, fmt.Errorf("open the workspace: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	w.Exists = func(path string) bool {
		_, err := root.Lstat(filepath.FromSlash(path))
		return err == nil
	}
	// An official document that is gone must not keep the others from being checked.
	settings.Official = slices.DeleteFunc(slices.Clone(settings.Official), func(path string) bool { return !w.Exists(path) })
	citation, err := openCitation(&settings, nil)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, citation.Close()) }()
	// Nothing is started before a call that --allow-command permits.
	tools, err := o.console.tools(o.console.readDefaults(), settings.NoRedact)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, tools.Close()) }()
	tools.DescribedAs(settings.Kinds)
	counts := o.console.absence(&settings, nil)
	defer counts.Close()
	if err := o.researcher(s, citation, w, pages, tools, counts); err != nil {
		return result, err
	}
	resolved, err := filepath.EvalSymlinks(settings.Workspace)
	if err != nil {
		resolved = settings.Workspace
	}
	repository, err := git.Open(ctx, resolved)
	if err == nil {
		defer repository.Close()
		w.Repository, w.Head, w.Prefix = repository, repository.Head(), repository.Prefix(resolved)
	}
	return check(w), nil
}

// researcher sets what checks the evidence. Unlike in a session, files may have changed since it was opened.
func (o *recheckOptions) researcher(
	s *state.State, citation *research.Citation, w *recheck.Workspace, pages research.Checkers, tools *research.Tools,
	counts *research.Absence,
) error {
	_, redactor, err := o.console.shared()
	if err != nil {
		return err
	}
	checkers := pages
	checkers.List = slices.Concat(o.console.Checkers, pages.List)
	if !s.Settings.NoRedact {
		checkers.Redactor, w.Redactor = redactor, redactor
	}
	citation.Redact(checkers.Redactor)
	citation.Since(time.Time{}, namedFiles(s)...)
	command, err := o.commands.open(o.console, s.Settings.Workspace)
	if err != nil {
		return err
	}
	if why := o.commands.notConfined(o.console); !o.commands.trials {
		w.NoTrials = "--allow-try permits it"
	} else if why != "" {
		w.NoTrials = "a trial runs code of a model, and commands are not confined: " + why
	}
	if try := research.OpenTry(s.Settings.Workspace, s.Settings.AllowPaths, nil, command); try != nil {
		checkers.List = append(checkers.List, try)
	}
	if history := research.OpenHistory(s.Settings.Workspace, s.Settings.AllowPaths, nil); history != nil {
		checkers.List = append(checkers.List, history)
	}
	reported := research.OpenFindings(counts)
	reported.Give(lists.Map(s.Settings.Context, func(document state.Document) research.File {
		return research.File{Path: document.Path, Text: document.Text}
	}), s.ByAgent)
	checkers.List = append(checkers.List, counts, reported, &research.Reports{Command: command}, citation, command, tools)
	w.Researcher = checkers
	return nil
}

// pages returns what checks pages again: those of hosts that are allowed on this command line, whatever the session
// recorded.
func (o *recheckOptions) pages(settings *state.Settings, w *recheck.Workspace) (research.Checkers, error) {
	checkers := research.Checkers{Recorded: settings.Kinds}
	again := *settings
	again.Hosts = slices.Clone(o.hosts.allowed)
	if _, redactor, err := o.console.shared(); err != nil {
		return checkers, err
	} else if !settings.NoRedact {
		checkers.Redactor = redactor
	}
	open := &session{console: o.console}
	recorded := open.openPages(settings)
	if recorded == nil {
		return checkers, nil
	}
	pages := open.openPages(&again)
	if pages != nil {
		checkers.List = append(checkers.List, pages)
		// It describes itself by the hosts that are allowed now.
		checkers.Recorded = lists.Map(settings.Kinds, func(k ledger.Kind) ledger.Kind {
			if k == recorded.Kind() {
				return pages.Kind()
			}
			return k
		})
	}
	w.Elsewhere = func(kind ledger.Kind, reference string) (bool, string) {
		if kind.Name != recorded.Kind().Name {
			return false, ""
		}
		return true, pages.Refuses(reference)
	}
	return checkers, nil
}

func (o *recheckOptions) allows(command ledger.Command) bool {
	return slices.ContainsFunc(o.patterns, func(p ledger.CommandPattern) bool { return p.Matches(command) })
}
