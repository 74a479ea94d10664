package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"moot/agent"
	"moot/attach"
	"moot/change"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/dialectic/playbook"
	"moot/protocol/review"
	"moot/report"
	"moot/search"
	"moot/state"
	"moot/state/store"
	"moot/tui"
	"moot/tui/home"
	"moot/view"
	"moot/workspace"
)

// run runs the session on the chosen front end, and prints the result.
func (s *session) run(ctx context.Context) error {
	if !s.front.headless && !s.front.plain && s.front.background == nil {
		return s.runScreen(ctx)
	}
	s.introduce()
	return s.runPlain(ctx)
}

// introduce prints the seats, and whether a language model takes part.
func (s *session) introduce() {
	noModel := true
	p := s.console.progress(s.state)
	for _, a := range s.state.Seats {
		noModel = noModel && a.NoModel
		note := ""
		if a.NoModel {
			note = " (no language model)"
		}
		if a.Answering != "" {
			note += ", answered by its fallback " + a.Answering
		}
		p.say("seat", "%s: %s%s", a.Seat, a.Participant, note)
	}
	for _, e := range slices.Backward(s.events) {
		if allowed, is := e.Data.(*state.CommandsAllowed); is {
			if len(allowed.Patterns) > 0 || allowed.Trials || allowed.Unconfined != "" {
				p.say("commands", "%s", allowed.Words())
			}
			break
		}
	}
	if hosts := s.state.Settings.Hosts; len(hosts) > 0 {
		p.say("hosts", "%s", (&state.HostsAllowed{Hosts: hosts}).Words())
	}
	if note := view.SameParticipant(s.state); note != "" {
		p.say("note", "%s", note)
	}
	if noModel && !s.front.demo {
		s.console.Say("note       no language model takes part: rules are code, and scripts play back replies")
	}
	if s.file != nil {
		s.console.Say("session    %s", s.state.ID)
	}
}

// screenServices gives the screen access to the clipboard, the editor, files and other sessions. Its methods don't
// write to the terminal.
type screenServices struct {
	console *Console
	calls   callOptions

	mutex sync.Mutex
	// runs are the sessions that the screen has opened, in order.
	runs []*screenRun
	// joined are the sessions of other processes that the screen has shown.
	joined []*attach.Client
}

// screenRun is a session on the screen. The ended notice stays nil if it never ended: a participant that ignores
// cancellation may outlive the screen.
type screenRun struct {
	*session
	ended atomic.Pointer[protocol.Ended]
}

// runHome shows the home screen until the user leaves.
func runHome(ctx context.Context, c *Console, looks *lookOptions) error {
	v := &screenServices{console: c}
	cmd := &cobra.Command{}
	v.calls.flags(cmd)
	if err := setUnchanged(cmd.Flags(), c.readDefaults().limits); err != nil {
		return err
	}
	dir, err := c.sessions()
	if err != nil {
		return err
	}
	options := v.options(looks)
	lister, repository := store.NewLister(dir, c.rules()...), repositories()
	index := search.Open(dir, c.rules()...)
	options.Home = &tui.Home{
		List: func(ctx context.Context, report func(store.Progress)) ([]store.Summary, error) {
			summaries, err := lister.List(ctx, report)
			c.askRunning(ctx, summaries)
			return summaries, err
		},
		Listed: lister.Save, Every: refreshTime,
		Open: v.open, Delete: v.remove, ChangeTags: v.changeTags, Preview: v.preview,
		Here: c.Dir, Repository: repository, UserHome: c.home(),
		Search: func(ctx context.Context, words string) (search.Result, error) {
			return index.Find(ctx, search.Query{Words: words, PerSession: perSession, Patience: searchPatience})
		},
	}
	return v.run(ctx, options, nil)
}

// In home, a search lists the best places of each session, and answers soon from what was read.
const (
	perSession     = 10
	searchPatience = 300 * time.Millisecond
)

// refreshTime is the time after which home is read again while a session runs.
const refreshTime = 2 * time.Second

// repositories returns a function that finds the repository of a folder, also of one in a linked work tree. A folder
// outside of a repository is its own.
func repositories() func(folder string) string {
	var mutex sync.Mutex
	known := map[string]string{}
	return func(folder string) string {
		mutex.Lock()
		defer mutex.Unlock()
		top, found := known[folder]
		if !found {
			places := placesOf(folder)
			top = places[0]
			if last := places[len(places)-1]; filepath.Base(last) == ".git" {
				top = filepath.Dir(last)
			}
			known[folder] = top
		}
		return top
	}
}

// changeTags changes the name and the tags of a session.
func (v *screenServices) changeTags(_ context.Context, id string, change func(*store.Tags)) error {
	path, err := find(v.console, id)
	if err != nil {
		return err
	}
	_, err = store.ChangeTags(path, func(tags *store.Tags) error {
		change(tags)
		return nil
	})
	return err
}

// preview reads what a session answers.
func (v *screenServices) preview(_ context.Context, id string) (view.Document, error) {
	s, err := read(v.console, id)
	if err != nil {
		return view.Document{}, err
	}
	return view.Preview(s.state, s.rulings), nil
}

// runScreen runs the session on the screen.
func (s *session) runScreen(ctx context.Context) error {
	v := &screenServices{console: s.console, calls: s.calls}
	opened := v.add(s, slices.Clone(s.notes))
	options := v.options(&s.front.looks)
	options.Opened = &opened
	if s.front.demo {
		options.ModelessNote = demoNote
	}
	return v.run(ctx, options, s)
}

// run shows a screen until the user leaves it, and prints how its sessions ended. An error of the screen is about the
// first one.
func (v *screenServices) run(ctx context.Context, options tui.Options, first *session) error {
	result, err := tui.Run(ctx, options)
	if err != nil {
		return errors.Join(err, v.concludeOthers(first))
	}
	return v.conclude(&result)
}

// options returns the options that every screen has.
func (v *screenServices) options(looks *lookOptions) tui.Options {
	c := v.console
	// Report mistakes in the user's adapters before the screen covers the terminal.
	c.agentPrograms()
	options := looks.loaded
	options.Services = tui.Services{
		Copy: c.copyText, OpenFile: v.openFile, Export: v.export, Fork: v.fork,
		Replace: v.replace, Decide: v.decide, Formats: c.formats(), New: v.ask, Earlier: v.earlier, Found: v.candidates,
	}
	options.Now, options.Environ, options.Signals = c.Now, c.Environ, c.Signals
	options.Input, options.Output = c.In, c.Out
	return options
}

// add hands a session to the screen, which closes it. The notes are shown with it.
func (v *screenServices) add(s *session, notes []string) tui.Opened {
	r := &screenRun{session: s}
	v.mutex.Lock()
	v.runs = append(v.runs, r)
	v.mutex.Unlock()
	if s.person == nil {
		// The user may take a seat later.
		s.person = tui.NewPerson()
	}
	o := tui.Opened{
		Start: func(watch func(protocol.Notice)) (tui.Session, error) {
			return s.runner(func(n protocol.Notice) {
				if e, over := n.(protocol.Ended); over {
					r.ended.Store(&e)
				}
				watch(n)
			})
		},
		State: s.state, Events: s.events, Auto: !s.front.step, Person: s.person, Close: s.close,
	}
	switch {
	case s.front.demo:
		o.ShowCommand = ownCommand(s.state.Settings.Format)
	case s.file != nil:
		o.ShowCommand = "moot show " + s.state.ID
		o.ResumeCommand = s.resumeCommand()
		o.ReportPath = crashPath(s.file.Path(), s.console.Now())
	}
	for i, note := range notes {
		notes[i] = strings.Join(strings.Fields(note), " ")
	}
	o.Note = strings.Join(notes, "; ")
	return o
}

// last returns the newest run of a session, or nil.
func (v *screenServices) last(id string) *screenRun {
	v.mutex.Lock()
	defer v.mutex.Unlock()
	for _, r := range slices.Backward(v.runs) {
		if r.state.ID == id {
			return r
		}
	}
	return nil
}

// checkFile refuses a session that has no file.
func (v *screenServices) checkFile(id string) error {
	if r := v.last(id); r != nil && r.file == nil {
		return errors.New("mode quick and demos keep no session file")
	}
	return nil
}

// readOnly is a session that is only looked at. If at isn't 0, it starts at that event.
func (s *stored) readOnly(c *Console, at int) tui.Opened {
	return tui.Opened{
		State: s.state, Rulings: s.rulings, Events: s.events, At: at,
		ShowCommand: "moot show " + s.id(), ReportPath: crashPath(s.path, c.Now()),
	}
}

// crashPath is the path of a crash report: the folder that contains the sessions folder.
func crashPath(session string, now time.Time) string {
	name := "crash-" + now.UTC().Format("20060102-150405") + ".txt"
	return filepath.Join(filepath.Dir(filepath.Dir(session)), name)
}

// conclude prints how the session on the screen ended, and how to continue the others.
func (v *screenServices) conclude(result *tui.Result) error {
	var shown *screenRun
	if !result.Home {
		shown = v.last(result.State.ID)
	}
	if shown == nil {
		if joined := v.isJoined(result.State.ID); joined != nil && !result.Home {
			switch id := joined.ID; {
			case joined.Left():
				v.console.Say("left       the session continues; join it again with: moot attach %s", id)
			case !joined.Saved:
				v.console.Say("ended      mode quick keeps no session file")
			case result.State.Closed:
				v.console.Say("finished   %s; look at it with: moot show %[1]s", id)
			default:
				v.console.Say("ended      %s; continue with: moot resume %[1]s", id)
			}
		}
		return errors.Join(v.concludeOthers(nil), leaveWith(protocol.ExitCode(result.ExitCode)))
	}
	failed := v.concludeOthers(shown.session)
	last := protocol.Ended{State: result.State, Rulings: result.Rulings}
	if e := shown.ended.Load(); e != nil {
		last.Err = e.Err
	}
	if result.Left && last.Err == nil {
		last.Err = protocol.ErrStopped
	}
	if result.Left && result.State.Paused != state.PauseNone && result.State.Paused != state.PauseUser {
		// A rule paused it before the user left: print the result so far.
		last.Err = nil
	}
	return errors.Join(failed, shown.conclude(last, protocol.ExitCode(result.ExitCode)))
}

// concludeOthers prints one line for each session except one, and returns the errors of those that failed.
func (v *screenServices) concludeOthers(except *session) error {
	v.mutex.Lock()
	runs := v.runs
	v.mutex.Unlock()
	var failed error
	printed := map[string]bool{}
	if except != nil {
		printed[except.state.ID] = true
	}
	for _, r := range runs {
		id, closed := r.state.ID, false
		if e := r.ended.Load(); e != nil {
			closed = e.State.Closed
			if e.Err != nil && !errors.Is(e.Err, protocol.ErrStopped) {
				failed = errors.Join(failed, e.Err)
			}
		}
		if printed[id] || r.file == nil || v.last(id) != r {
			continue
		}
		printed[id] = true
		if closed {
			v.console.Say("finished   %s; look at it with: moot show %s", id, id)
			continue
		}
		v.console.Say("saved      %s; %s", id, r.next())
	}
	return failed
}

// candidates returns the participants and defaults for the form.
func (v *screenServices) candidates(ctx context.Context) home.Candidates {
	d := v.console.readDefaults()
	found := agent.Discover(ctx, v.console.discovery(false, d))
	proposal := agent.Propose(found, agent.Pair{}, false, true)
	c := home.Candidates{
		Orchestrator: proposal.Orchestrator, Consultee: proposal.Consultee, Workspace: workspace.WorkTree(v.console.Dir),
	}
	if workspace.TooWide(v.console.Dir, v.console.home()) {
		c.Workspace = ""
	}
	c.Named, c.Seats = d.candidates()
	var playbooks []view.Choice
	for _, name := range playbook.Names() {
		if book, err := playbook.BuiltIn(name); err == nil {
			playbooks = append(playbooks, view.Choice{Value: book.Name, Help: book.About})
		}
	}
	c.Choices = map[string][]view.Choice{"playbook": playbooks}
	for _, f := range found {
		c.Found = append(c.Found, home.Candidate{
			Name: f.Name, Title: f.Title, Why: f.Why, Usable: f.Usable, Local: f.Local, Cost: f.Cost,
			Kind: map[bool]string{false: "model", true: "program"}[f.Program],
		})
	}
	return c
}

// ask opens a session on a question from the form.
func (v *screenServices) ask(ctx context.Context, q home.Question) (tui.Opened, error) {
	format, err := v.console.format(string(q.Format))
	if err != nil {
		return tui.Opened{}, err
	}
	named := map[state.Seat]string{}
	settings := format.Settings()
	for _, seat := range settings.Seats() {
		if who := q.Settings[seat]; who != "" {
			named[state.Seat(seat)] = who
		}
	}
	dir := q.Settings["workspace"]
	b := &builder{
		console: v.console, question: value{text: q.Text, from: fromForm},
		format: string(q.Format), follows: q.Follows, values: q.Settings, seats: seatOptions{named: named},
		workspace: workspaceOptions{dir: dir, none: dir == ""}, calls: v.calls,
		given:   givenOptions{context: q.Settings.Lines("context"), facts: q.Settings.Lines("fact")},
		front:   frontOptions{step: q.Step, output: report.FormText},
		earlier: earlierOptions{taken: q.Earlier},
	}
	if _, is := format.(review.Format); is {
		// The question names the change, as the argument of moot review.
		if err := b.review(ctx, change.Options{Revision: strings.TrimSpace(q.Text), Folder: dir}); err != nil {
			return tui.Opened{}, in("question", err)
		}
		defer b.reviewed.Close()
		b.question = value{from: fromForm}
	}
	s, err := b.open(ctx)
	if err != nil {
		return tui.Opened{}, err
	}
	return v.add(s, b.notes), nil
}

// earlier returns what earlier sessions agreed on. A question in a file, and a change, are not compared.
func (v *screenServices) earlier(ctx context.Context, q home.Question) (holds []view.Choice, changed []string) {
	dir := q.Settings["workspace"]
	if dir == "" || strings.HasPrefix(q.Text, "@") {
		return nil, nil
	}
	var follows *state.Earlier
	if q.Follows != "" {
		follows = &state.Earlier{ID: q.Follows}
	}
	claims, partial, err := v.console.earlier(ctx, q.Text, v.console.path(dir), follows)
	if err != nil {
		return nil, nil // A session is not kept from opening by what cannot be found.
	}
	if partial {
		changed = append(changed, partialEarlier)
	}
	for i := range claims {
		e := &claims[i]
		places := strings.Join(e.places, ", ")
		if e.changed != "" {
			changed = append(changed, e.name()+" was decided, evidence changed: "+plain.Clip(plain.Line(e.text), 100)+" ("+e.changed+")")
			continue
		}
		holds = append(holds, view.Choice{Value: e.name(), Label: e.text + " (" + places + ")", Help: e.name()})
	}
	return holds, changed
}

// open opens a session of the list: to replay it, to look at it, to join it if another process runs it, or to continue
// it if it isn't finished.
func (v *screenServices) open(ctx context.Context, id string, replay bool) (tui.Opened, error) {
	if running, err := v.console.findRunning(ctx, id); err == nil && !replay {
		client, err := attach.Dial(ctx, running.Path, attach.Join, v.console.rules()...)
		if err != nil {
			return tui.Opened{}, err
		}
		return v.join(client), nil
	}
	s, err := read(v.console, id)
	if err != nil {
		return tui.Opened{}, err
	}
	switch {
	case replay:
		return s.readOnly(v.console, 1), nil
	case s.state.Closed:
		return s.readOnly(v.console, 0), nil
	}
	return v.resume(s.id())
}

// resume opens a session to continue it. It waits before the first turn, because turns can cost money.
func (v *screenServices) resume(id string, notes ...string) (tui.Opened, error) {
	path, err := find(v.console, id)
	if err != nil {
		return tui.Opened{}, err
	}
	b := &builder{console: v.console, calls: v.calls, front: frontOptions{step: true, output: report.FormText}}
	s, more, err := b.reopen(path)
	if err != nil {
		return tui.Opened{}, err
	}
	return v.add(s, append(notes, more...)), nil
}

// remove deletes a session.
func (v *screenServices) remove(_ context.Context, id string) error {
	dir, err := v.console.sessions()
	if err != nil {
		return err
	}
	if err := v.console.removeSession(dir, id); err != nil {
		return err
	}
	v.mutex.Lock()
	defer v.mutex.Unlock()
	v.runs = slices.DeleteFunc(v.runs, func(r *screenRun) bool { return r.state.ID == id })
	return nil
}

// fork forks a session and opens the fork.
func (v *screenServices) fork(_ context.Context, id string, at int) (tui.Opened, error) {
	if err := v.checkFile(id); err != nil {
		return tui.Opened{}, err
	}
	at = cmp.Or(at, store.LastOpen)
	made, notes, err := fork(v.console, id, at)
	if err != nil {
		return tui.Opened{}, err
	}
	opened, err := v.resume(made.ID, notes...)
	if err != nil {
		return opened, fmt.Errorf("session %s was made, but could not be opened: %w", made.ID, err)
	}
	return opened, nil
}

// replace creates the participant that takes a seat of a running session.
func (v *screenServices) replace(
	_ context.Context, id string, seat state.Seat, name string,
) (protocol.Participant, error) {
	if v.isJoined(id) != nil {
		return joinedSeat{name: name}, nil
	}
	r := v.last(id)
	if r == nil {
		return nil, fmt.Errorf("session %s does not run here", id)
	}
	return r.participant(state.SeatAssignment{Seat: seat, Participant: name}, &r.state.Settings)
}

// decide records decisions in a session that is closed.
func (v *screenServices) decide(ctx context.Context, id string, moves []protocol.UserMove) (tui.Opened, error) {
	if err := v.checkFile(id); err != nil {
		return tui.Opened{}, err
	}
	if r := v.last(id); r != nil {
		r.close() // it has ended, and holds the file
	}
	if err := decide(v.console, id, moves...); err != nil {
		return tui.Opened{}, err
	}
	return v.open(ctx, id, false)
}

// export writes a session to a new file.
func (v *screenServices) export(_ context.Context, e tui.Export) (string, error) {
	if err := v.checkFile(e.ID); err != nil {
		return "", err
	}
	s, err := read(v.console, e.ID)
	if err != nil {
		return "", err
	}
	path, _, err := v.console.exportTo(e.Path, e.Form, false, s)
	return path, err
}

// openFile makes the command that opens a cited place of a workspace in the editor.
func (v *screenServices) openFile(workspace, reference string) (*exec.Cmd, error) {
	path, line, err := citedFile(workspace, reference)
	if err != nil {
		return nil, err
	}
	return editorCommand(v.console, path, line)
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

// joinedSeat is a participant that the process of a joined session creates.
type joinedSeat struct {
	protocol.Participant
	name string
}

func (n joinedSeat) Name() string { return n.name }
